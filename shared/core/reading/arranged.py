"""Arrange the statements of several texts into one, by reference: a model names statements, and the host places them.

A plan is a list of lines, each of one form:

    # Heading
    {a3-a7} {b2}             these statements, as they are written
    {a26} [b20]              the same, and they say what b20 says
    A new sentence. [a13 b13]  says all that these say
    - a16: a21 b18           a16 is left out; a21 and b18 say it

Nothing is lost by being forgotten: a statement that no line names stays behind the one that it followed, or at the end under its
own headings, and what was superseded is kept.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import dedent
from typing import TypeGuard

from shared.core.reading.placed import ITEM_MARK, Form, Placed
from shared.core.sessions.statement_text import SUPERSEDED_HEADING, current_of
from shared.core.text.markdown import LABEL_LEVEL

#: A statement's name: the letters of its text, and its number there.
Ref = tuple[str, int]
_MOST_LINES, _MOST_OF_RANGE = 1_000, 1_000
_HEADING = re.compile(r"#{1,6}\s+\S|\*\*[^*]{1,60}:?\*\*:?$")
_NAMED = re.compile(r"([a-z]{1,4})(\d{1,5})(?:\s?[-\u2013]\s?(?:([a-z]{1,4}))?(\d{1,5}))?")
_REFS = r"(?:[\s,]*\[?[a-z]{1,4}\d{1,5}(?:\s?[-\u2013]\s?[a-z]{0,4}\d{1,5})?\]?)+[\s,]*"
_LEFT = re.compile(rf"[-*]\s+\[?(?P<ref>[a-z]{{1,4}}\d{{1,5}})\]?\s*:(?P<by>{_REFS})")
_PLACED = re.compile(rf"(?:[-*]\s+)?(?P<refs>(?:\{{{_REFS}\}}[\s,]*)+)(?:\[(?P<says>{_REFS})\])?")
_WRITTEN = re.compile(rf"(?P<text>.*\S)\s*\[(?P<cites>{_REFS})\]\s*")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the arranged text, as it is written."""

    text: str

    @property
    def level(self) -> int:
        """Return how deep it is, 1 for a title; a label is below all headings."""
        return len(self.text) - len(self.text.lstrip("#")) or LABEL_LEVEL


@dataclass(frozen=True, slots=True)
class NewSentence:
    """A sentence that is in no source, by its number among these, with the statements that it says."""

    number: int
    text: str
    cites: tuple[Ref, ...]

    @property
    def name(self) -> str:
        """Return the name by which it is refused or confirmed."""
        return f"new-{self.number}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A statement that is left out because others say it: placed ones, or a new sentence."""

    ref: Ref
    by: tuple[Ref, ...]
    sentence: NewSentence | None = None

    @property
    def name(self) -> str:
        """Return the name by which it is refused or confirmed."""
        return f"{self.ref[0]}{self.ref[1]}"


@dataclass(frozen=True, slots=True)
class Source:
    """A text whose statements are arranged: the letters by which they are called, its body, and what is read in it."""

    letters: str
    body: str
    placed: tuple[Placed, ...]


_Atom = Heading | NewSentence | Ref


@dataclass(frozen=True, kw_only=True)
class Arrangement:
    """A plan over some sources. `unread` holds the lines and names that mean nothing."""

    sources: tuple[Source, ...]
    atoms: tuple[_Atom, ...]
    left_out: tuple[LeftOut, ...]
    unread: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[NewSentence, ...]:
        """Return the new sentences."""
        return tuple(one for one in self.atoms if isinstance(one, NewSentence))

    @property
    def title(self) -> str:
        """Return the title of the arranged text as a heading, or an empty text."""
        title = _find_title(self.atoms)
        return "" if title is None else title.text

    @cached_property
    def _by_ref(self) -> Mapping[Ref, Placed]:
        return {(one.letters, placed.number): placed for one in self.sources for placed in one.placed}

    def find(self, ref: Ref) -> Placed:
        """Return a statement. Raises KeyError if there is none."""
        return self._by_ref[ref]

    def find_above(self) -> dict[Ref | str, tuple[str, ...]]:
        """Return the headings above each placed statement and each new sentence (by its name) in the arranged text, without the title."""
        found: dict[Ref | str, tuple[str, ...]] = {}
        chain: tuple[str, ...] = ()
        before: _Atom | None = None
        title = _find_title(self.atoms)
        for one in self.atoms:
            if one is title:
                chain = ()
            elif isinstance(one, Heading):
                chain = (*(above for above in chain if Heading(above).level < one.level), one.text)
            elif _is_run(before, one) and _is_ref(one) and self.find_own(one) != self.find_own(before):
                chain = self.find_own(one)  # the headings between the two come with them
            if not isinstance(one, Heading):
                key = one.name if isinstance(one, NewSentence) else one
                found[key] = chain
            before = one
        return found

    def find_own(self, ref: Ref) -> tuple[str, ...]:
        """Return the headings above a statement in its source, without the title."""
        return _without_title(self.find(ref).under)

    def compose(self, refused: Collection[str] = ()) -> str:
        """Return the body of the arranged text.

        Args:
            refused: names of new sentences and of left-out or moved statements that do not count: a refused sentence goes, also if one
                statement that it should say is refused, and what it cites stays; a refused omission stays; what was moved stands
                under its own headings.
        """
        refused = {*refused, *(out.sentence.name for out in self.left_out if out.sentence and out.name in refused)}
        out = [one for one in self.left_out if one.name not in refused]
        out = [one for one in out if one.sentence is None or one.sentence.name not in refused]
        gone = {one.ref for one in out}
        atoms = [one for one in self.atoms if not _is_refused(one, refused)]
        return self._render(_without_empty_headings(self._with_rest(atoms, gone)))

    def _with_rest(self, atoms: Sequence[_Atom], gone: Collection[Ref]) -> list[_Atom]:
        """Return the atoms and every statement that no line names: behind its neighbour, or at the end under its own headings."""
        rest = _Rest()
        used = set(filter(_is_ref, atoms))
        for source in self.sources:
            self._sort_rest(source, used, gone, rest)
        found: list[_Atom] = []
        title = _find_title(atoms)
        for one in atoms:
            if isinstance(one, Heading) and one is not title:
                found += rest.opening
                rest.opening.clear()
            found += [*rest.before.get(one, ()), one, *rest.behind.get(one, ())] if _is_ref(one) else [one]
        return self._under_own(found + rest.opening, rest.apart)

    def _under_own(self, atoms: list[_Atom], apart: Mapping[tuple[str, ...], Sequence[Ref]]) -> list[_Atom]:
        """Add statements under the headings of their source: at the end of these where they stand, or at the end with them."""
        ends, title, chain = dict[tuple[str, ...], int](), _find_title(atoms), tuple[str, ...]()
        for at, one in enumerate(atoms):
            if isinstance(one, Heading):
                chain = () if one is title else (*(up for up in chain if Heading(up).level < one.level), one.text)
            elif _is_ref(one) and at and _is_run(atoms[at - 1], one):
                chain = self.find_own(one)
            ends[chain] = at + 1
        new: list[list[_Atom]] = [[*map(Heading, own), *refs] for own, refs in apart.items() if own not in ends]
        for own in sorted(apart.keys() & ends.keys(), key=lambda one: -ends[one]):
            atoms[ends[own] : ends[own]] = apart[own]
        return sum(new, atoms)

    def _sort_rest(self, source: Source, used: Collection[Ref], gone: Collection[Ref], rest: "_Rest") -> None:
        refs = [(source.letters, one.number) for one in source.placed]
        first = {self.find(ref).under: ref for ref in reversed(refs) if ref in used}
        near: dict[tuple[str, ...], Ref] = {}
        for ref in refs:
            under = self.find(ref).under
            if ref in used:
                near[under] = ref
            elif ref not in gone and under in near:
                rest.behind.setdefault(near[under], []).append(ref)
            elif ref not in gone and under in first:
                rest.before.setdefault(first[under], []).append(ref)
            elif ref not in gone:
                own = self.find_own(ref)
                rest.apart.setdefault(own, []).append(ref) if own else rest.opening.append(ref)

    def _render(self, atoms: Sequence[_Atom]) -> str:
        pieces: list[_Piece] = []
        held: list[Ref] = []
        for one in (*atoms, None):
            if held and not _is_run(held[-1], one):
                pieces.append(self._render_run(held))
                held = []
            if isinstance(one, Heading):
                pieces.append(_Piece(one.text))
            elif isinstance(one, NewSentence):
                form = Form.ITEM if ITEM_MARK.match(one.text) else Form.PROSE
                pieces.append(_Piece(one.text, form, form))
            elif one is not None:
                held.append(one)
        body = _join(pieces)
        superseded = list(dict.fromkeys(line for one in self.sources for line in _superseded_of(one.body)))
        return "\n\n".join((body, SUPERSEDED_HEADING, "\n".join(superseded))) if superseded else body

    def _render_run(self, refs: Sequence[Ref]) -> "_Piece":
        """Return statements that follow each other in a source as they are written, with what stands between them."""
        source = next(one for one in self.sources if one.letters == refs[0][0])
        first, last = self.find(refs[0]), self.find(refs[-1])
        begin = source.body.rfind("\n", 0, first.start) + 1
        before = source.body[begin : first.start]
        is_whole = not before.strip() or ITEM_MARK.fullmatch(before) is not None
        mark = "- " if not is_whole and first.form is Form.ITEM else ""
        text = mark + source.body[begin if is_whole else first.start : last.end]
        text = dedent(text).strip("\n")
        return _Piece(text, first.form, last.form, _head_rows(source.body, first))


@dataclass
class _Rest:
    """The statements that no line names, by where they go: beside a placed one, before the first heading, or under their own."""

    behind: dict[Ref, list[Ref]] = field(default_factory=dict)
    before: dict[Ref, list[Ref]] = field(default_factory=dict)
    opening: list[_Atom] = field(default_factory=list)
    apart: dict[tuple[str, ...], list[Ref]] = field(default_factory=dict)  # by their own headings


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the arranged text, with the forms of its first and last statement, and the head of the table it begins in."""

    text: str
    first: Form | None = None
    last: Form | None = None
    head: str = ""


def is_heading(line: str) -> bool:
    """Tell whether a line of a plan is a heading, or a bold label that stands for one."""
    return _HEADING.match(line.strip()) is not None


def arrange(sources: Sequence[Source], plan: str) -> Arrangement:
    """Read a plan over some sources.

    Args:
        sources: the texts, by their letters.
        plan: its lines.
    """
    reader = _Reader({(one.letters, placed.number) for one in sources for placed in one.placed})
    for line in plan.splitlines()[:_MOST_LINES]:
        if line.strip():
            reader.read(line.strip())
    left = [one for one in reader.left_out if one.ref not in reader.placed]
    by_ref = {(one.letters, placed.number): placed for one in sources for placed in one.placed}
    return Arrangement(
        sources=tuple(sources),
        atoms=tuple(_with_own_headings(reader.atoms, by_ref)),
        left_out=tuple({one.ref: one for one in reversed(left)}.values())[::-1],
        unread=tuple(reader.unread),
    )


@dataclass
class _Reader:
    """Reads the lines of a plan; a statement is placed once."""

    known: set[Ref]
    atoms: list[_Atom] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    placed: set[Ref] = field(default_factory=set)
    sentences: int = 0

    def read(self, line: str) -> None:
        if _HEADING.match(line):
            self.atoms.append(Heading(line))
        elif found := _PLACED.fullmatch(line):
            refs = [ref for ref in dict.fromkeys(self._refs(found["refs"])) if ref not in self.placed]
            self.placed.update(refs)
            self.atoms += refs
            self.left_out += [LeftOut(ref, tuple(refs)) for ref in self._refs(found["says"] or "")]
        elif found := _LEFT.fullmatch(line):
            by = tuple(self._refs(found["by"]))
            self.left_out += [LeftOut(ref, by) for ref in self._refs(found["ref"])]
        elif (found := _WRITTEN.fullmatch(line)) and (cites := tuple(self._refs(found["cites"]))):
            self.sentences += 1
            sentence = NewSentence(self.sentences, found["text"], cites)
            self.atoms.append(sentence)
            self.left_out += [LeftOut(ref, (), sentence) for ref in cites]
        else:
            self.unread.append(line)

    def _refs(self, text: str) -> Iterator[Ref]:
        for found in _NAMED.finditer(text):
            first, last = int(found[2]), int(found[4] or found[2])
            is_range = (found[3] or found[1]) == found[1] and last - first < _MOST_OF_RANGE
            for number in range(first, last + 1) if is_range else ():
                if (found[1], number) in self.known:
                    yield found[1], number
                else:
                    self.unread.append(f"{found[1]}{number}")


def _with_own_headings(atoms: Sequence[_Atom], by_ref: Mapping[Ref, Placed]) -> Iterator[_Atom]:
    """Yield the atoms; where the plan gives no heading but a title, statements bring their own."""
    current: tuple[str, ...] = ()
    before: _Atom | None = None
    is_headed = False
    title = _find_title(atoms)
    for one in atoms:
        if isinstance(one, Heading):
            is_headed = is_headed or one is not title
        elif not isinstance(one, NewSentence):
            own = _without_title(by_ref[one].under)
            if not is_headed and own != current and not _is_run(before, one):
                yield from map(Heading, own)
            current = own
        yield one
        before = one


def _find_title(atoms: Sequence[_Atom]) -> Heading | None:
    """Return the first heading if it is one of a whole text."""
    first = next((one for one in atoms if isinstance(one, Heading)), None)
    return first if first is not None and first.level == 1 else None


def _without_title(under: tuple[str, ...]) -> tuple[str, ...]:
    """Return the headings above a statement without its text's title; another one of that level counts."""
    return under[1:] if under and Heading(under[0]).level == 1 else under


def _is_ref(one: _Atom | None) -> TypeGuard[Ref]:
    return one is not None and not isinstance(one, Heading | NewSentence)


def _is_run(before: _Atom | None, one: _Atom | None) -> TypeGuard[Ref]:
    """Tell whether a statement is the next one in the same source."""
    return _is_ref(before) and _is_ref(one) and one == (before[0], before[1] + 1)


def _is_refused(one: _Atom, refused: Collection[str]) -> bool:
    if isinstance(one, Heading):
        return False
    return (one.name if isinstance(one, NewSentence) else f"{one[0]}{one[1]}") in refused


def _without_empty_headings(atoms: Sequence[_Atom]) -> list[_Atom]:
    """Return the atoms without headings that nothing stands under; the title stays."""
    kept: list[_Atom] = []
    deepest = 0  # the level of the next heading below, or more than any where a statement follows
    title = _find_title(atoms)
    for one in reversed(atoms):
        if not isinstance(one, Heading):
            kept.append(one)
            deepest = LABEL_LEVEL + 1
        elif one is title or deepest > one.level:
            kept.append(one)
            deepest = one.level
    return kept[::-1]


def _head_rows(body: str, first: Placed) -> str:
    """Return the head of the table that a statement is a row of, if other rows stand between the two."""
    if not first.head:
        return ""
    at = body.find(first.head)
    rows = body[at : first.start].splitlines() if 0 <= at < first.start else []
    return "\n".join(row.strip() for row in rows[:2])


def _join(pieces: Sequence[_Piece]) -> str:
    text, last = "", _Piece("")
    for one in pieces:
        is_list = last.last is Form.ITEM and one.first is Form.ITEM
        is_table = last.last is Form.ROW and one.first is Form.ROW and last.head == one.head
        is_label = bool(last.text) and last.first is None and Heading(last.text).level == LABEL_LEVEL
        written = f"{one.head}\n{one.text}" if one.head and not is_table else one.text
        text += ("\n" if is_list or is_table or is_label else "\n\n") * bool(text) + written
        last = one
    return text


def _superseded_of(body: str) -> list[str]:
    rest = body[len(current_of(body)) :].splitlines()[1:]
    return [line for line in rest if line.strip()]
