"""A git history: what `git log` prints, with `--format=fuller` or as it is, dates in any of git's usual forms. A commit is an event."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.json_lines import Progress
from shared.adapters.files.transcripts.texts.text_files import read_start, read_whole, split_lines
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, parse_moment

NAME = "git-log"
_COMMIT = re.compile(r"commit ([0-9a-f]{40}(?:[0-9a-f]{24})?)(?: \(.{0,2000}\))?")
_FIELD = re.compile(r"(Author|Commit|AuthorDate|CommitDate|Date|Merge): {1,8}(.{1,500})")
_PERSON = re.compile(r"(.{1,200}?) <[^<>]{0,200}>")
_INDENT, _BOT = "    ", "[bot]"
_ENDINGS = ("git.log", ".gitlog")
_FORMS = ("%a %b %d %H:%M:%S %Y %z", "%Y-%m-%d %H:%M:%S %z", "%a, %d %b %Y %H:%M:%S %z")


def recognizes(path: Path, _head: list[dict[str, Any]]) -> bool:
    """Tell whether a file begins with a commit."""
    return path.suffix not in (".json", ".jsonl") and _COMMIT.match(read_start(path)) is not None


def is_named(path: Path) -> bool:
    """Tell whether a file is named as a history."""
    return path.name.endswith(_ENDINGS)


def read(path: Path, progress: Progress, name: str) -> Iterator[Item]:
    """Yield one item for each commit, the oldest first, as an entry in a log that its author keeps. The session is the file."""
    commits = list(_commits(read_whole(path, progress)))
    for number, sha, lines in reversed(commits):
        fields = {found[1]: found[2] for line in lines if (found := _FIELD.fullmatch(line))}
        message = _find_message(lines)
        if "Author" not in fields or not message:
            yield MalformedLine(line=number, reason=f"the commit {sha[:12]} has no author or no message")
            continue
        author = found[1] if (found := _PERSON.fullmatch(fields["Author"])) else fields["Author"]
        yield FoundEvent(
            line=number,
            session=name,
            event_id=sha,
            kind=EventKind.META if author.endswith(_BOT) else EventKind.LOG,
            role=author[:80],
            text=message,
            at=_moment(fields.get("AuthorDate") or fields.get("Date") or ""),
        )


def _commits(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield (number of the first line, name, other lines) of each commit. Lines of a message are indented, and begin none."""
    first, sha, lines = 0, "", list[str]()
    for number, line in enumerate(split_lines(text), 1):
        found = _COMMIT.fullmatch(line)
        if found is None:
            lines.append(line)
            continue
        if sha:
            yield first, sha, lines
        first, sha, lines = number, found[1], []
    if sha:
        yield first, sha, lines


def _find_message(lines: list[str]) -> str:
    """Return a commit's message: its first run of indented and empty lines. Notes, changes and numbers of lines come behind it."""
    behind = dropwhile(lambda line: not line.startswith(_INDENT), lines)
    kept = takewhile(lambda line: line.startswith(_INDENT) or not line, behind)
    return "\n".join(line[len(_INDENT) :].rstrip() for line in kept).strip()


def _moment(raw: str) -> datetime | None:
    for form in _FORMS:
        try:
            return parse_moment(datetime.strptime(raw.strip(), form).astimezone(UTC).isoformat())
        except ValueError:
            continue
    return parse_moment(raw.strip())
