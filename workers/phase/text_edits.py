"""Build a text from a model's edits. Text without an edit stays as written, and the model need not return whole texts.

For a merge the host joins the sources, keeping each statement's wording and identical statements once. An edit names a
statement to remove because another one says the same, or words and their replacement. An edit is refused, and its statement
stays, if it matches no place or several, or would lose a number, a name or a negation.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from shared.core.memory.frontmatter import body_of
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.statements import find_unsaid, lean, units_of
from shared.core.questions.answer import Answer
from shared.core.sessions.statement_text import Place, close_gap, find_place, supersede_statement
from shared.core.text.clip import clip
from shared.core.text.markdown import (
    HEAD_ROWS,
    Block,
    BlockKind,
    Section,
    find_above,
    opens_with_pointer,
    read_sections,
    write_sections,
)
from shared.core.text.wording import wording_of
from workers.offline.join_texts import merge_bodies
from workers.phase.merged_text import Claim

#: The most edits of one text in an answer; further ones are refused.
MAX_EDITS = 100
_MAX_WORDS_CHARS = 600
_DIGITS = re.compile(r"\d+")
_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+", re.MULTILINE)


class TextEdit(Answer):
    """`words` of a text, and their replacement or the statement that makes them redundant."""

    words: str = ""
    keep: str = ""  # the first words of the statement that stays and says what the one with `words` says
    write: str = ""  # what stands in place of `words`
    until: str = ""  # the day on which what `words` says ended: they are kept among what is superseded


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A body after its edits, the model's claims about removed statements, and why other edits were refused."""

    body: str
    claims: tuple[Claim, ...] = ()
    refused: tuple[str, ...] = ()


#: The place of a statement: the numbers of its section, its block and itself.
_At = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Unit:
    """A statement with its position and heading."""

    at: _At
    text: str
    heading: str
    is_leant_on: bool  # the next statement points back to it

    @property
    def wording(self) -> str:
        return wording_of(self.text)


@dataclass(slots=True)
class _Drops:
    """The statements to remove, and those that must stay for them."""

    gone: dict[_At, Claim] = field(default_factory=dict)
    needed: set[_At] = field(default_factory=set)


def join_by_edits(keeper: str, others: Sequence[str], edits: Sequence[TextEdit]) -> Edited:
    """Join several texts into one body that contains all their statements except those that the edits remove.

    Args:
        keeper: the text whose order and frontmatter the joined one has.
        others: the texts to join into it.
        edits: the model's edits; without any, only identical statements are joined.
    """
    written = _replace_words(merge_bodies(keeper, others), [one for one in edits[:MAX_EDITS] if not one.keep])
    sections = read_sections(written.body)
    leant = [replace(section, blocks=tuple(lean(section.blocks))) for section in sections]
    units = list(_units_of(leant))
    drops, refused = _Drops(), list(written.refused)
    for edit in edits[:MAX_EDITS]:
        reason = _drop(drops, units, edit.words, edit.keep) if edit.keep else None
        refused += [reason] if reason else []
    claims, refused = tuple(drops.gone.values()), [*refused, *_beyond(edits)]
    body = write_sections(list(_without(leant, drops.gone))) if claims else written.body
    if not _is_all_claimed(written.body, body, [keeper, *others], claims):
        alone = [f"{_quote(claim.dropped)} stays: without it the rest would read otherwise" for claim in claims]
        return Edited(body=written.body, refused=(*refused, *alone))
    return Edited(body=body, claims=claims, refused=tuple(refused))


def _is_all_claimed(before: str, after: str, sources: Sequence[str], claims: Sequence[Claim]) -> bool:
    """Tell whether the removals lose only claimed statements, or statements that a claimed one begins with.

    For example, an unclosed fence may swallow everything below it once the line above is removed.
    """
    if not claims:
        return True
    dropped = [_one_line(claim.dropped) for claim in claims]
    unsaid = {(one.under, one.wording) for one in find_unsaid(before, sources)}
    lost = (one.text for one in find_unsaid(after, sources) if (one.under, one.wording) not in unsaid)
    return all(any(_one_line(text) in each for each in dropped) for text in lost)


def edit_body(content: str, edits: Sequence[TextEdit]) -> Edited:
    """Return the body of one memory with words replaced; the same body when every edit was refused."""
    done = _replace_words(body_of(content), [one for one in edits[:MAX_EDITS] if not one.keep])
    alone = [f"{_quote(one.words)} stays: only a merge leaves out a statement" for one in edits[:MAX_EDITS] if one.keep]
    return replace(done, refused=(*done.refused, *alone, *_beyond(edits)))


def _replace_words(body: str, edits: Sequence[TextEdit]) -> Edited:
    """Return a body with `words` replaced by `write`, and superseded text moved to the end."""
    refused: list[str] = []
    for edit in edits:
        place, written, until = find_place(body, edit.words), edit.write, _one_line(edit.until)
        reason = _why_kept(place, written, until, edit.words)
        if reason or place is None:
            refused.append(f"{_quote(edit.words)} stays: {reason}")
        elif until:
            body = supersede_statement(body, place, written, f"until {until}")
            body = body if written.strip() else close_gap(body, place.start)
        else:
            body = body[: place.start] + written.strip() + body[place.end :]
    return Edited(body=body, refused=tuple(refused))


def _why_kept(place: Place | None, written: str, until: str, words: str) -> str:
    if place is None:
        return "its words do not stand there exactly once, outside of code and of what is superseded"
    if until:
        return ""
    if not written.strip():
        return "nothing would take its place"
    lost = find_missing_specifics(written, [words])
    return f"it would lose {', '.join(lost[:3])}" if lost else ""


def _units_of(sections: Sequence[Section]) -> Iterator[_Unit]:
    """Yield the statements of a text in order, but for the heads of its tables."""
    for place, section in enumerate(sections):
        found = [
            ((place, number, at), unit)
            for number, block in enumerate(section.blocks)
            for at, unit in enumerate(units_of(block))
            if block.kind is not BlockKind.TABLE or at >= HEAD_ROWS
        ]
        following = [unit for _, unit in found[1:]] + [""]
        for (at, unit), after in zip(found, following, strict=False):
            yield _Unit(at, unit, section.heading, opens_with_pointer(after))


def _drop(drops: _Drops, units: Sequence[_Unit], words: str, keep: str) -> str | None:
    """Note that a statement is removed in favour of another one; return why it must stay, or None."""
    going, staying = _find(units, words), _find(units, keep)
    if isinstance(going, str) or isinstance(staying, str):
        return f"{_quote(words)} stays: {going if isinstance(going, str) else staying}"
    if going is staying or going.at in drops.gone:
        return None  # joining has said it once already, or it has gone
    reason = _why_it_stays(drops, going, staying)
    if reason:
        return f"{_quote(going.text)} stays: {reason}"
    drops.gone[going.at] = Claim(dropped=going.text, kept=staying.text)
    drops.needed.add(staying.at)
    return None


def _why_it_stays(drops: _Drops, going: _Unit, staying: _Unit) -> str | None:
    if staying.at in drops.gone:
        return f"{_quote(staying.text)}, which would say it, was left out, too"
    if going.at in drops.needed:
        return "it says what another statement was left out for"
    if going.is_leant_on:
        return "the next statement points back to it"
    told = f"{staying.heading}\n\n{staying.text}"
    lost = [*find_missing_specifics(told, [going.text]), *sorted(_digits_of(going.text) - _digits_of(told))]
    if lost:
        return f"{_quote(staying.text)} does not say {', '.join(lost[:3])}"
    return "the two contradict each other" if reason_opposed(going.text, staying.text) else None


def _digits_of(text: str) -> set[str]:
    return set(_DIGITS.findall(_MARKER.sub("", text)))


def _find(units: Sequence[_Unit], words: str) -> _Unit | str:
    """Return the one statement that begins with some words, or why there is none."""
    wanted = wording_of(words[:_MAX_WORDS_CHARS].strip().removesuffix("...").rstrip("…").strip())
    if not wanted:
        return "the edit names no words"
    found = [one for one in units if one.wording.startswith(wanted)]
    exact = [one for one in found if one.wording == wanted]
    if len(exact) == 1 or len(found) == 1:
        return exact[0] if exact else found[0]
    return f"{'several statements begin' if found else 'no statement begins'} with {_quote(words)}"


def _without(sections: Sequence[Section], gone: Collection[_At]) -> Iterator[Section]:
    """Yield the sections without some statements, and without blocks and headings that became empty."""
    chains = find_above(sections)
    for place, section in enumerate(sections):
        reduced = (_reduce(block, (place, number), gone) for number, block in enumerate(section.blocks))
        kept = tuple(block for block in reduced if block is not None)
        has_children = place + 1 < len(chains) and len(chains[place + 1]) > len(chains[place])
        if kept or has_children or not section.blocks or section.level <= 1:
            yield replace(section, blocks=kept)


def _reduce(block: Block, place: tuple[int, int], gone: Collection[_At]) -> Block | None:
    """Return a block without removed statements: unchanged if none was removed, None if nothing is left.

    A table without rows keeps its head: no edit has named that.
    """
    units = units_of(block)
    kept = [unit for at, unit in enumerate(units) if (*place, at) not in gone]
    if len(kept) == len(units):
        return block
    return block.with_units(kept) if kept else None


def _beyond(edits: Sequence[TextEdit]) -> Iterator[str]:
    if len(edits) > MAX_EDITS:
        yield f"{len(edits) - MAX_EDITS} more edits were not looked at"


def _quote(text: str) -> str:
    return f'"{clip(_one_line(text[:_MAX_WORDS_CHARS]))}"'


def _one_line(text: str) -> str:
    return " ".join(text.split())
