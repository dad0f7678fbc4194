"""Find the statements that a plan replaces, and carry them over into a text that was edited since, wherever they stand there.

A statement is carried over only if it is certain which one is meant: it stands under its headings as often as it did, or once
somewhere else.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from rapidfuzz.distance import Indel

from shared.core.memory.frontmatter import body_of
from shared.core.reading.placed import Form, Placed, read_placed
from shared.core.sessions.statement_text import SUPERSEDED_HEADING, Place, close_gap, find_place
from shared.core.text.three_way import MAX_LINES


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """Statements that stand one after the other, and the text that a plan puts in their place; empty if it puts none there.

    Without old statements the text is added.
    """

    old: tuple[Placed, ...]
    written: str


def find_replaced(base: str, planned: str) -> tuple[Replaced, ...]:
    """Return what a plan replaces, leaves out and adds among the statements of a memory; nothing of one with thousands.

    Args:
        base: the memory that was planned on.
        planned: the memory as it is planned.
    """
    olds, news = _Read(base), _Read(planned)
    if max(len(olds.said), len(news.said)) >= MAX_LINES:
        return ()
    changed = (one for one in olds.fields.values() if one.head in news.fields)
    fields = (Replaced(old=(one,), written=news.fields[one.head].text) for one in changed)
    return (
        *_compare(olds.said, news.said, body_of(planned)),
        *(one for one in fields if one.written != one.old[0].text),
    )


class _Read:
    """The statements of a memory's body, and those of its frontmatter by their field."""

    def __init__(self, content: str) -> None:
        every = read_placed(content)
        self.said = [one for one in every if one.form is not Form.FIELD]
        self.fields = {one.head: one for one in every if one.form is Form.FIELD}
        self.by_text: dict[str, list[Placed]] = {}
        for one in self.said:
            self.by_text.setdefault(one.text, []).append(one)


def _compare(olds: Sequence[Placed], news: Sequence[Placed], body: str) -> Iterator[Replaced]:
    steps = Indel.opcodes([one.text for one in olds], [one.text for one in news])
    for is_equal, group in groupby(steps, key=lambda one: one.tag == "equal"):
        if is_equal:
            continue
        run = list(group)
        gone = tuple(olds[run[0].src_start : run[-1].src_end])
        come = news[run[0].dest_start : run[-1].dest_end]
        if len(gone) == len(come):
            yield from (
                Replaced(old=(old,), written=body[new.start : new.end]) for old, new in zip(gone, come, strict=True)
            )
        else:
            yield Replaced(old=gone, written=body[come[0].start : come[-1].end] if come else "")


def find_missing(base: str, planned: str, current: str) -> Placed | None:
    """Return the first statement that a plan replaces and that does not stand in the text of now as it did, or None."""
    finder = _Finder(base, current)
    replaced = (old for one in find_replaced(base, planned) for old in one.old)
    return next((old for old in replaced if not finder.has(old)), None)


def carry_replaced(base: str, planned: str, current: str) -> str | None:
    """Return the body of now with those of its statements replaced that a plan replaces; None if that is not certain.

    What was replaced by the same text since then stays so.

    Args:
        base: the memory that was planned on.
        planned: the memory as it is planned.
        current: the memory of now.
    """
    body, finder = body_of(current), _Finder(base, current)
    edits: list[tuple[Place, str]] = []
    for one in find_replaced(base, planned):
        if one.old and one.old[0].form is Form.FIELD:
            continue  # which is none of the body
        place = finder.find(one.old)
        if place is not None:
            edits.append((place, one.written))
        elif not (one.old and one.written and find_place(body, one.written)):
            return None
    end = len(body)
    for place, written in sorted(edits, key=lambda edit: -edit[0].start):
        if place.end > end:
            return None
        end = place.start
        body = body[: place.start] + written + body[place.end :]
        body = body if written else close_gap(body, place.start)
    return body


class _Finder:
    """Finds statements of one text in a later one."""

    def __init__(self, base: str, current: str) -> None:
        self._body = body_of(current)
        self._was, self._now = _Read(base), _Read(current)

    def has(self, old: Placed) -> bool:
        """Tell whether a statement is still said where it was, or at one other place."""
        if old.form is Form.FIELD:
            return old.head in self._now.fields and self._now.fields[old.head].text == old.text
        return self.find((old,)) is not None

    def find(self, statements: Sequence[Placed]) -> Place | None:
        """Return where statements stand one after the other by now; None if they do not, or if several could be meant."""
        found = [one for one in map(self._find_one, statements) if one is not None]
        in_row = all(after.number == one.number + 1 for one, after in pairwise(found))
        if statements and len(found) == len(statements) and in_row:
            return Place(start=found[0].start, end=found[-1].end)
        if len(statements) == 1 and statements[0].text not in self._now.by_text:
            return find_place(self._body, statements[0].text)  # an edit has made it part of a longer statement
        return None

    def _find_one(self, old: Placed) -> Placed | None:
        everywhere = self._now.by_text.get(old.text, [])
        here = [one for one in everywhere if one.under == old.under]
        if here:
            were = [one.number for one in self._was.by_text[old.text] if one.under == old.under]
            return here[were.index(old.number)] if len(were) == len(here) else None
        return everywhere[0] if len(everywhere) == 1 else None


def count_parts(content: str) -> Counter[tuple[str, ...]]:
    """Count the statements of a memory's body, each with the headings above it, and the lines of what is none, such as superseded ones."""
    body, parts, cursor = body_of(content), Counter[tuple[str, ...]](), 0
    between: list[str] = []
    for one in _Read(content).said:
        parts[(*one.under, one.text)] += 1
        between.append(body[cursor : one.start])
        cursor = one.end
    lines = (line.strip() for text in (*between, body[cursor:]) for line in text.splitlines())
    parts.update((line,) for line in lines if line not in {"", SUPERSEDED_HEADING})
    return parts
