"""Write docs/checks.md from the checks themselves: `python -m deploy.pages.checks > docs/checks.md`."""

import sys
from collections.abc import Iterable
from typing import Any

from shared.core.checks.merges import LEFT_OUT_CHECKS, MERGE_CHECKS, MOVED_CHECKS, SENTENCE_CHECKS, TEXT_CHECKS
from shared.core.checks.updates import CHECKS, REPEAT_CHECKS, Check, Outcome

_HEAD = """# Checks

Why was a change refused, or only proposed? A model names statements by number; before anything is written, the host checks each change
against the tables below (`shared/core/checks/`). `python -m deploy.pages.checks` generates this page, and a test compares the
two. A change that passes every check loses nothing: what no longer stands in the new
statement stays under `## Superseded`, word for word.

| what becomes of a change that does not pass | |
|---|---|
"""
_MEANINGS = {
    Outcome.REFUSE: "It is left out, counted under its code, and listed by `slowwave dreams show`.",
    Outcome.PERSON: "It is proposed, with the reason.",
    Outcome.CONFIRM: "A second reader, who does not know the first one's reasons, is asked whether anything is lost. It is proposed "
    "unless that reader finds nothing lost.",
}
_FOOT = """
A model that has not passed [its exam](exam.md) changes nothing by itself: what passes the checks is proposed. With
`merge.verified=propose` a store asks a person in every case. A change that a model itself is not sure of (a confidence below 0.7) goes
to the second reader, too, and below 0.5 to a person. Without a person no more than half of a memory's statements are replaced at once
(two in any case). Of all that was shown, a tenth is replaced without a second reader (ten in any case), the surest first; if more
than a quarter would be, all of it waits.
"""
_MERGE_HEAD = """
## Notes that become one

A model names the statements of the notes line by line, and the host writes the note: what no line names stays. A doubt about one statement
costs that statement alone: unless a second reader finds nothing lost, it stays beside what should have said it, and the merge is applied.
A doubt about the notes as a whole is a person's or a second reader's. An answer of an older form (a whole text, edits) passes the same
checks of the notes; what its text lost is put back, and what it says in words of its own is doubted as a whole.
"""
_MERGES: tuple[tuple[str, Iterable[Check[Any]]], ...] = (
    ("The notes", MERGE_CHECKS),
    ("A statement that is left out", LEFT_OUT_CHECKS),
    ("A sentence of the model's own", SENTENCE_CHECKS),
    ("A statement under other headings", MOVED_CHECKS),
    ("A text that a model wrote as a whole, or by edits", TEXT_CHECKS),
)


def render_page() -> str:
    """Return the page."""
    meanings = "".join(f"| {one} | {_MEANINGS[one]} |\n" for one in Outcome)
    updates = _table("A statement that a later one changed", CHECKS)
    repeats = _table("A statement that others say, too", REPEAT_CHECKS)
    merges = "".join(_table(title, checks, level=3) for title, checks in _MERGES)
    return _HEAD + meanings + updates + repeats + _MERGE_HEAD + merges + _FOOT


def _table(title: str, checks: Iterable[Check[Any]], *, level: int = 2) -> str:
    rows = "".join(f"| `{one.code}` | {one.holds_when} | {one.outcome} |\n" for one in checks)
    return f"\n{'#' * level} {title}\n\n| check | holds when | else |\n|---|---|---|\n{rows}"


if __name__ == "__main__":
    sys.stdout.write(render_page())
