"""Say of each line of a memory that was merged into another where it stands there, or that it does not."""

from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz, process

#: Of a longer text, a person is not helped by a table of lines.
MAX_LINES = 200
_MAX_CHARS = 1_000
#: From here on a line is the same one in other words.
_ALIKE = 75


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """One line of a source. `number` is the line in the merged text, if it stands there."""

    text: str
    fate: Literal["kept", "reworded", "not kept"]
    number: int | None = None


def find_survivors(source: str, merged: str) -> list[SourceLine]:
    """Return the lines of a source that say something, in their order; none if one of the texts is too long to compare."""
    wanted = [line.strip() for line in source.splitlines() if line.strip()]
    places = [(number, line.strip()) for number, line in enumerate(merged.splitlines(), 1) if line.strip()]
    if max(len(wanted), len(places)) > MAX_LINES or any(len(line) > _MAX_CHARS for line in wanted):
        return []
    known = {line: number for number, line in reversed(places)}
    near = [(number, line) for number, line in places if len(line) <= _MAX_CHARS]
    return [_follow(line, known, near) for line in wanted]


def _follow(line: str, known: dict[str, int], near: list[tuple[int, str]]) -> SourceLine:
    if line in known:
        return SourceLine(text=line, fate="kept", number=known[line])
    whole = next((number for number, there in near if line in there), None)
    if whole is not None:
        return SourceLine(text=line, fate="kept", number=whole)
    texts = [there for _, there in near]
    best = process.extractOne(line, texts, scorer=fuzz.ratio, score_cutoff=_ALIKE)
    if best is None:
        return SourceLine(text=line, fate="not kept")
    return SourceLine(text=line, fate="reworded", number=near[best[2]][0])
