"""Lay out an event's text with its cues marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.core.sessions.model import CueSpan


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text; `cue` is the kind of the cue that it is, or empty."""

    text: str
    cue: str = ""


def mark_cues(text: str, cues: Sequence[CueSpan], limit_chars: int) -> list[Piece]:
    """Return the beginning of a text in pieces, those that are cues with their kinds."""
    return [piece for piece in _pieces(text[:limit_chars], cues) if piece.text]


def _pieces(text: str, cues: Sequence[CueSpan]) -> Iterator[Piece]:
    end = 0
    for cue in sorted(cues, key=lambda one: one.start):
        start, stop = max(cue.start, end), min(cue.end, len(text))
        if start >= stop:
            continue
        yield Piece(text[end:start])
        yield Piece(text[start:stop], cue.kind)
        end = stop
    yield Piece(text[end:])
