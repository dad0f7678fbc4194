"""Transcripts as Claude Code writes them, and reading one as an import does."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from shared.adapters.files.transcripts.formats import find_format, get_format
from shared.core.sessions.transcript import FoundEvent, Item


def read(path: Path, name: str | None = None) -> list[Item]:
    found = get_format(name) if name else find_format(path)
    assert found is not None
    sizes: list[int] = []
    items = list(found.read(path, sizes.append))
    assert sum(sizes) == path.stat().st_size
    return items


def events(items: Iterable[Item]) -> list[FoundEvent]:
    return [item for item in items if isinstance(item, FoundEvent)]


def a_file(folder: Path, lines: Iterable[object], name: str = "a.jsonl") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines))
    return path


def line(uuid: str, content: object, kind: str = "user", **values: object) -> dict[str, Any]:
    known = {"type": kind, "uuid": uuid, "sessionId": "s1", "timestamp": "2026-02-07T00:21:41.148Z"}
    return {**known, "message": {"role": kind, "content": content}, **values}
