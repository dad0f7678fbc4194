"""Read a folder of material: families, pairs, paraphrases, cues and logs, each known by its name and shape.

| file | shape |
|---|---|
| `siblings*.json`, `duplicates*.json` | a list of `{"family", "documents": {path: text}}` |
| `paraphrases*.json` | a list of two sentences |
| `pairs*.jsonl` | lines of `{"a", "b", "duplicate", "nli", "source"}` |
| `cues*.jsonl` | lines of `{"text", "kinds"}`, an empty list for what holds nothing to keep |
| `logs/YYYY/MM/YYYY-MM-DD.md` | a daily log |
| `transcripts/*.jsonl` | transcripts |
| `*.md` | notes; of each with enough statements a second one is made (`twins.py`) |
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Family = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The material of a folder; what the folder does not have is empty."""

    siblings: Sequence[Family]
    duplicates: Sequence[Family]
    paraphrases: Sequence[tuple[str, str]]
    pairs: Sequence[Mapping[str, Any]]
    cues: Sequence[Mapping[str, Any]]
    transcripts: Sequence[Path]


def read_material(folder: Path) -> Material:
    """Return all material at and below a folder."""
    return Material(
        siblings=[one["documents"] for one in _lists(folder, "siblings*.json")],
        duplicates=[one["documents"] for one in _lists(folder, "duplicates*.json")],
        paraphrases=[(first, second) for first, second in _lists(folder, "paraphrases*.json")],
        pairs=_lines(folder, "pairs*.jsonl"),
        cues=[one for one in _lines(folder, "cues*.jsonl") if "text" in one],
        transcripts=[*sorted(folder.rglob("logs/*/*/*.md")), *sorted(folder.rglob("transcripts/*.jsonl"))],
    )


def _lists(folder: Path, name: str) -> list[Any]:
    return [one for path in sorted(folder.rglob(name)) for one in json.loads(path.read_text(encoding="utf-8"))]


def _lines(folder: Path, name: str) -> list[Any]:
    found = (path.read_text(encoding="utf-8").splitlines() for path in sorted(folder.rglob(name)))
    return [json.loads(line) for lines in found for line in lines if line.strip()]
