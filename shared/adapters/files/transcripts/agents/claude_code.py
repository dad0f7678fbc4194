"""Claude Code's JSONL: one line per event. About one user line in seven was typed by a person."""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress, read_objects
from shared.adapters.files.transcripts.messages import blocks, dumped, find_value, project_of, text_in
from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.origin import find_origin
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine, parse_moment, texts_of

NAME = "claude-code"
#: Claude Code keeps the sessions of a project in a folder of this one, named by the project's path.
_PROJECTS = "projects"
_CONTINUED = "This session is being continued from a previous conversation"
_COMMANDS = ("<command-", "<local-command-", "<bash-")
_TYPED = frozenset({Origin.PERSON, Origin.PASTED})
_TITLES = {"ai-title": "aiTitle", "custom-title": "customTitle"}


def recognizes(_path: Path, head: list[dict[str, Any]]) -> bool:
    """Tell whether the first objects of a file look like Claude Code's."""
    return any("type" in line and {"uuid", "sessionId", "leafUuid", "messageId"} & line.keys() for line in head)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each line. A line without a session belongs to the file's first, or to `name`."""
    session = find_value(path, "sessionId") or name
    for found in read_objects(path, progress):
        if isinstance(found, MalformedLine):
            yield found
            continue
        number, line = found
        session = text_in(line, "sessionId") or session
        yield _item(number, session, line)


def find_project(path: Path) -> str:
    """Return the name of a transcript's project, as Claude Code names its folder; empty if the file tells none."""
    kept = next((folder.name for folder in path.resolve().parents if folder.parent.name == _PROJECTS), "")
    return kept or project_of(find_value(path, "cwd"))


def find_branch(path: Path) -> str:
    """Return the branch that a session begins on; empty if the file tells none."""
    return find_value(path, "gitBranch")


def _item(number: int, session: str, line: dict[str, Any]) -> Item:
    kind, role, text = _classify(line)
    if kind is None:
        what = line.get("type")
        if not isinstance(what, str):
            return MalformedLine(line=number, reason="no type")
        title = line.get(_TITLES.get(what, ""))
        return SkippedLine(line=number, what=what[:40], title=title if isinstance(title, str) else "")
    # A summary's leafUuid is the id of the message that it ends at, not its own.
    own = line.get("uuid")
    return FoundEvent(
        line=number,
        session=session,
        event_id=own if isinstance(own, str) and own else _hash_of(line),
        kind=kind,
        role=role,
        text=text,
        at=parse_moment(line.get("timestamp")),
    )


def _classify(line: dict[str, Any]) -> tuple[EventKind | None, str, str]:
    what, message = line.get("type"), line.get("message")
    if what in ("user", "assistant") and isinstance(message, dict):
        content = message.get("content")
        kind, text = _of_user(line, content) if what == "user" else _of_assistant(content)
        if line.get("isSidechain"):
            kind = EventKind.SIDECHAIN
        elif line.get("isMeta") or line.get("isApiErrorMessage"):
            kind = EventKind.META
        return kind, "tool" if kind is EventKind.TOOL_RESULT else str(what), text
    if what == "summary" and isinstance(line.get("summary"), str):
        return EventKind.SUMMARY, "system", line["summary"]
    if what == "system" and isinstance(line.get("content"), str):
        kind = EventKind.COMMAND if line.get("subtype") == "local_command" else EventKind.SYSTEM
        return kind, "system", line["content"]
    return None, "", ""


def _of_user(line: dict[str, Any], content: object) -> tuple[EventKind, str]:
    results = blocks(content, "tool_result")
    texts = texts_of(content)
    if results and not texts:
        return EventKind.TOOL_RESULT, "\n".join(text for block in results for text in texts_of(block.get("content")))
    text = "\n".join(texts)
    start = text.lstrip()
    if line.get("isCompactSummary") or start.startswith(_CONTINUED):
        return EventKind.CONTINUED, text
    if start.startswith(_COMMANDS):
        return EventKind.COMMAND, text
    is_typed = start and not _is_programs(line) and find_origin(EventKind.USER, text).origin in _TYPED
    return EventKind.USER if is_typed else EventKind.META, text


def _is_programs(line: dict[str, Any]) -> bool:
    """Tell whether Claude Code says that a program sent a message: newer versions name its origin and the prompt's source."""
    origin = line.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return (isinstance(kind, str) and kind != "human") or line.get("promptSource") == "system"


def _of_assistant(content: object) -> tuple[EventKind, str]:
    texts = texts_of(content)
    if texts:
        return EventKind.ASSISTANT, "\n".join(texts)
    calls = blocks(content, "tool_use")
    if calls:
        return EventKind.TOOL_CALL, "\n".join(f"{call.get('name')} {dumped(call.get('input'))}" for call in calls)
    thoughts = (block.get("thinking") for block in blocks(content, "thinking"))
    return EventKind.THINKING, "\n".join(thought for thought in thoughts if isinstance(thought, str))


def _hash_of(line: dict[str, Any]) -> str:
    return f"line-{blake2b(dumped(line).encode('utf-8', 'replace'), digest_size=12).hexdigest()}"
