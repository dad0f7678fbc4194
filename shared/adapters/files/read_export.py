"""Read memories that another program keeps or exports as one JSON file: a note for each of its memories.

Known are graphs of MCP's server-memory, mem0's memories, the blocks of Letta's agent files, and the memory in Claude.ai's export.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

from shared.adapters.files.found import FoundFile, why_failed
from shared.adapters.files.hints import read_dates, read_signals
from shared.core.errors import BadInputError
from shared.core.memory.paths import slug_of

KNOWN = "MCP server-memory, mem0, Letta (.af), Claude.ai (memories.json)"
_MAX_BYTES = 256 * 1024 * 1024
_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Note:
    folder: str
    title: str
    text: str
    fields: dict[str, Any]


def read_export(path: Path) -> Iterator[FoundFile]:
    """Yield a memory for each entry, in the order of the file. Two of one title get numbers.

    Raises:
        BadInputError: it cannot be read, or is none of the known.
    """
    try:
        stat = path.stat()
        data = path.read_bytes() if stat.st_size <= _MAX_BYTES else b""
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {why_failed(error)}.") from error
    taken = set[str]()
    for note in _find_notes(path, data):
        stem = f"{note.folder}/{slug_of(note.title[:_TITLE_CHARS])}"
        numbered = (f"{stem}-{number}.md" for number in count(2))
        place = next(one for one in chain([f"{stem}.md"], numbered) if one not in taken)
        taken.add(place)
        created_at, updated_at = read_dates(note.fields, mtime_ns=stat.st_mtime_ns)
        yield FoundFile(
            path=place, content=note.text, signals=read_signals({}), created_at=created_at, updated_at=updated_at
        )


def _find_notes(path: Path, data: bytes) -> list[_Note]:
    values = _parse(data.decode("utf-8-sig", "replace").replace("\0", ""))
    for read in (_of_graph, _of_blocks, _of_claude_ai, _of_mem0):
        notes = [note for note in read(values) if note.title.strip() and note.text.strip()]
        if notes:
            return notes
    raise BadInputError(f"{path} has no memories in a known form. Known are: {KNOWN}; or name a folder of markdown.")


def _parse(text: str) -> list[dict[str, Any]]:
    """Return the objects of a document, or of its lines; those below `results` or `memories` count as its own."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = [value for line in text.split("\n") if (value := _parse_line(line)) is not None]
    if isinstance(whole, dict):
        whole = next((whole[key] for key in ("results", "memories") if isinstance(whole.get(key), list)), [whole])
    return [value for value in (whole if isinstance(whole, list) else []) if isinstance(value, dict)]


def _parse_line(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _of_graph(values: list[dict[str, Any]]) -> Iterator[_Note]:
    """Yield a note for each entity, with what was observed of it and how it relates to others."""
    entities = [*(_objects(values, "entities")), *(value for value in values if value.get("type") == "entity")]
    relations = [*(_objects(values, "relations")), *(value for value in values if value.get("type") == "relation")]
    for entity in entities:
        name, kind, observed = _text(entity, "name"), _text(entity, "entityType"), entity.get("observations")
        lines = [f"- {_line(one)}" for one in (observed if isinstance(observed, list) else []) if isinstance(one, str)]
        related = [
            f"- {_line(name)} {_line(_text(one, 'relationType').replace('_', ' '))} {_line(_text(one, 'to'))}"
            for one in relations
            if name and _text(one, "from") == name
        ]
        parts = [f"# {_line(name)}", f"Type: {_line(kind)}" if kind else "", "\n".join(lines + related)]
        text = "\n\n".join(part for part in parts if part)
        yield _Note(folder=slug_of(kind) if kind else "entities", title=name, text=f"{text}\n", fields=entity)


def _of_blocks(values: list[dict[str, Any]]) -> Iterator[_Note]:
    for block in [*_objects(values, "blocks"), *_objects(values, "core_memory")]:
        label, value = _text(block, "label"), _text(block, "value").strip()
        yield _Note(folder="blocks", title=label, text=f"# {_line(label)}\n\n{value}\n" if value else "", fields=block)


def _of_claude_ai(values: list[dict[str, Any]]) -> Iterator[_Note]:
    for value in values:
        told = _text(value, "conversations_memory").strip()
        yield _Note(folder="claude-ai", title="conversations", text=f"{told}\n" if told else "", fields={})
        projects = value.get("project_memories")
        for name, text in projects.items() if isinstance(projects, dict) else ():
            kept = f"{text.strip()}\n" if isinstance(text, str) and text.strip() else ""
            yield _Note(folder="claude-ai/projects", title=str(name), text=kept, fields={})


def _of_mem0(values: list[dict[str, Any]]) -> Iterator[_Note]:
    for value in values:
        memory = _text(value, "memory").strip()
        user = _text(value, "user_id") or _text(value, "agent_id")
        yield _Note(
            folder=f"mem0/{slug_of(user)}" if user else "mem0",
            title=memory,
            text=f"{memory}\n" if memory else "",
            fields=value,
        )


def _objects(values: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    listed = (one for value in values if isinstance(value.get(key), list) for one in value[key])
    return [one for one in listed if isinstance(one, dict)]


def _text(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _line(text: str) -> str:
    """Return a text on one line, as an item of a list is."""
    return " ".join(text.split())
