"""The cues of an event stand where the detector found them, within what a page shows of its text."""

from gateway.console.sessions.marked_text import Piece, mark_cues
from shared.core.sessions.model import CueSpan


def cue(start: int, end: int, kind: str = "save") -> CueSpan:
    return CueSpan(kind=kind, start=start, end=end)


def test_cues_are_pieces_of_their_own() -> None:
    assert mark_cues("abc def ghi", [cue(4, 7)], 100) == [Piece("abc "), Piece("def", "save"), Piece(" ghi")]


def test_cues_that_overlap_or_lie_behind_the_cut_lose_no_text() -> None:
    pieces = mark_cues("abcdefghij", [cue(6, 30), cue(2, 5), cue(3, 4), cue(50, 60)], 8)
    assert "".join(one.text for one in pieces) == "abcdefgh"
    assert [one.text for one in pieces if one.cue] == ["cde", "gh"]


def test_an_empty_text_has_no_pieces() -> None:
    assert mark_cues("", [cue(0, 5)], 10) == []
