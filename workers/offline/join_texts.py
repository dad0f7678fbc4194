"""Join texts into one note: the target as it is, and from the others only the sentences that it does not have."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.merging.opposites import decide_opposites
from shared.core.merging.specifics import find_missing_specifics, find_present
from shared.core.text.tokens import find_tokens, tidy
from workers.offline.join_by_wording import is_rule, join_by_wording, squeeze
from workers.offline.markdown import (
    Block,
    BlockKind,
    Section,
    heading_words,
    read_sections,
    split_sentences,
    write_sections,
)
from workers.offline.words import find_words

#: A sentence of which this share of words stands in one other sentence says nothing new, if no word is lost.
COVERED_SHARE = 0.8
#: A path or a name alone is an entry of its own, not a poorer wording of every sentence that holds it.
_FEWEST_WORDS = 3
#: Of texts with more units than this together, only the same wording counts as the same: each unit is compared with each.
MAX_COMPARED_UNITS = 400
#: So many characters of units are compared closely in one merge; what is beyond counts as another statement.
_CLOSELY_COMPARED_CHARS = 300_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """The place of a unit: indices of its section, block and unit."""

    section: int
    block: int
    unit: int
    text: str
    words: frozenset[str]


@dataclass(slots=True)
class _Work:
    """The work of one merge: words of texts that are asked for again, and how much may still be compared closely."""

    words: dict[str, frozenset[str]]
    chars_left: int = _CLOSELY_COMPARED_CHARS

    def words_of(self, text: str) -> frozenset[str]:
        if text not in self.words:
            self.words[text] = find_words(text)
        return self.words[text]

    def holds(self, fuller: str, poorer: str) -> bool:
        """Tell whether one text says all that another one says."""
        self.chars_left -= len(fuller) + len(poorer)
        is_lossless = self.chars_left >= 0 and not find_missing_specifics(fuller, [poorer])
        return is_lossless and decide_opposites(fuller, poorer) is None


def merge_bodies(target: str, sources: Sequence[str]) -> str:
    """Return the target's body with everything that the sources say beyond it, in the sections where it belongs."""
    sections, work = list(read_sections(target)), _Work({})
    for source in sources:
        added = read_sections(source)
        if _count_units(sections) + _count_units(added) > MAX_COMPARED_UNITS:
            sections = join_by_wording(sections, added)
            continue
        for section in added:
            _join_section(sections, section, work)
    return restore_specifics(write_sections(sections), (target, *sources))


def restore_specifics(draft: str, sources: Sequence[str]) -> str:
    """Return the draft with the sentences added that hold what it lost of these texts, titles included."""
    added: list[str] = []
    for source in sources:
        missing = set(find_missing_specifics("\n\n".join((draft, *added)), [source]))
        by_word: dict[str, set[str]] = {}
        for specific in missing:
            by_word.setdefault(specific.partition(" ")[0], set()).add(specific)
        for unit in _units_of(body_of(source)) if missing else []:
            held = _find_held(unit, by_word) & missing
            if held:
                added.append(unit)
                missing -= held
                for specific in held:
                    by_word[specific.partition(" ")[0]].discard(specific)
        title = read_fields(source).get("title") if missing else None
        if title is not None:
            added.append(f"Also titled: {title}")
    return "\n\n".join(part for part in (draft.strip("\n"), _as_one_block(added)) if part)


def _find_held(unit: str, by_word: Mapping[str, set[str]]) -> set[str]:
    """Return the specifics, by their first words, that a unit holds."""
    first = {token.text for line in tidy(unit).splitlines() for token in find_tokens(line)}
    return find_present(unit, set().union(*(by_word[word] for word in first & by_word.keys())))


def _as_one_block(units: Sequence[str]) -> str:
    """Return leftover units as they are; a run of plain sentences reads as a list."""
    if len(units) < 2 or any("\n" in unit for unit in units):
        return "\n\n".join(units)
    return "\n".join(unit if unit[:2] in {"- ", "* ", "+ "} or unit.startswith("|") else f"- {unit}" for unit in units)


def _units_of(source: str) -> list[str]:
    found = []
    for section in read_sections(source):
        if section.heading:
            found.append(section.heading.lstrip("# ").rstrip())
        found.extend(unit for block in section.blocks for unit in block.units)
    return found


def _count_units(sections: Iterable[Section]) -> int:
    return sum(1 + sum(len(block.units) for block in section.blocks) for section in sections)


def _join_section(sections: list[Section], source: Section, work: _Work) -> None:
    """Add to the target what a source section holds beyond it."""
    at = _find_section(sections, source)
    fresh = []
    for block in source.blocks:
        left = _find_new_part(sections, block, work)
        if left is None:
            continue
        if at is None:
            fresh.append(left)
        else:
            sections[at] = _add_block(sections[at], left)
    if fresh and at is None:
        sections.append(replace(source, gap=1, blocks=tuple(fresh)))


def _find_section(sections: Sequence[Section], source: Section) -> int | None:
    """Return the target's section of the same heading; a note's title and preamble belong to the target's head."""
    if source.level <= 1:
        head = next((at for at, section in enumerate(sections) if section.level == 1), 0)
        return head if source.level == 1 or not sections[0].blocks else 0
    words = heading_words(source.heading)
    return next((at for at, section in enumerate(sections) if heading_words(section.heading) == words), None)


def _find_new_part(sections: list[Section], block: Block, work: _Work) -> Block | None:
    """Return the units of a block that the target lacks; a fuller wording replaces the target's poorer one."""
    fresh = []
    for unit in block.units:
        if is_rule(unit) and block.kind is BlockKind.TABLE:
            continue
        place, is_richer = _find_same(sections, unit, block.kind, work)
        if place is None:
            fresh.append(unit)
        elif is_richer:
            _put(sections, place, unit)
    if not fresh:
        return None
    if block.kind is BlockKind.TABLE:
        return block.with_units(row for at, row in enumerate(block.units) if at < 2 or row in fresh)
    return block if len(fresh) == len(block.units) else block.with_units(fresh)


def _find_same(sections: Sequence[Section], unit: str, kind: BlockKind, work: _Work) -> tuple[_Place | None, bool]:
    """Return the place at which the target says the same, and whether the unit says it more fully."""
    words, places, squeezed = work.words_of(unit), _places(sections, work), squeeze(unit)
    known = frozenset[str]().union(*(place.words for place in places))
    same = next((place for place in places if squeeze(place.text) == squeezed), None)
    if same is not None or kind is BlockKind.WHOLE:
        return same, False
    for place in places:
        shared = len(words & place.words)
        if not shared:
            continue
        # No word may get lost: what this place lacks must stand elsewhere in the target.
        if shared >= COVERED_SHARE * len(words) and words <= known and work.holds(place.text, unit):
            return place, False
        is_richer = shared == len(place.words) < len(words) and len(place.text.split()) >= _FEWEST_WORDS
        if is_richer and sections[place.section].blocks[place.block].kind is kind and work.holds(unit, place.text):
            return place, True
    return None, False


def _places(sections: Sequence[Section], work: _Work) -> list[_Place]:
    return [
        _Place(section=s, block=b, unit=u, text=unit, words=work.words_of(unit))
        for s, section in enumerate(sections)
        for b, block in enumerate(section.blocks)
        for u, unit in enumerate(block.units)
    ]


def _put(sections: list[Section], place: _Place, unit: str) -> None:
    """Write a fuller unit over a poorer one of the same kind."""
    section = sections[place.section]
    block = section.blocks[place.block]
    units = list(block.units)
    units[place.unit] = unit
    blocks = list(section.blocks)
    blocks[place.block] = block.with_units(units)
    sections[place.section] = replace(section, blocks=tuple(blocks))


def _add_block(section: Section, block: Block) -> Section:
    """Put a block into a section: list items join the last list, sentences the last paragraph, the rest stands alone."""
    if block.kind is BlockKind.TABLE:
        return _add_rows(section, block)
    last = section.blocks[-1] if section.blocks else None
    joins = last is not None and last.kind is block.kind and block.kind in {BlockKind.LIST, BlockKind.PROSE}
    if not joins or last is None:
        return replace(section, blocks=(*section.blocks, replace(block, gap=1)))
    fresh = block.units if block.kind is BlockKind.LIST else split_sentences(block.render())
    # An untouched block keeps its lines as they were wrapped; new ones come below.
    grown = replace(last, units=(*last.units, *fresh), lines=(*last.lines, *fresh) if last.lines else ())
    return replace(section, blocks=(*section.blocks[:-1], grown))


def _add_rows(section: Section, table: Block) -> Section:
    """Put a table's rows into the section's table of the same columns, or the table after all the rest."""
    for at, block in enumerate(section.blocks):
        if block.kind is BlockKind.TABLE and squeeze(block.units[0]) == squeeze(table.units[0]):
            rows = [row for row in table.units[1:] if not is_rule(row)]
            grown = block.with_units((*block.units, *rows))
            return replace(section, blocks=(*section.blocks[:at], grown, *section.blocks[at + 1 :]))
    return replace(section, blocks=(*section.blocks, replace(table, gap=1)))
