"""Move handwritten parts of an index that outgrow the budget to topic files, word for word, and leave pointers.

There are three ways, and the mildest sufficient one is taken: the longest entries one by one, then whole sections, then
everything. The topic files lie at the top of the store like the index itself, so that relative links still work.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from shared.core.memory.paths import slug_of
from shared.core.policy.policy import IndexPolicy
from workers.phases.index.pointers import Budget, pointer_line

#: A longer entry is no longer a pointer (Claude Code moves what is over about 200 characters).
_VERBOSE_CHARS = 200
#: More entries than these are moved by section, so that a store does not fill with tiny files.
_MAX_ENTRIES = 40
_HEADING = re.compile(r"#{1,6}\s+(\S.*)")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s")
_MARKUP = re.compile(r"\]\([^)]{0,1000}\)|[\[\]*_`#>|]|^\s*(?:[-*+]|\d{1,9}[.)])\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Demoted:
    """The index text that stays, and what moved: (path, text) of new topic files."""

    text: str
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A heading, a list item with what belongs to it, a paragraph or a piece of code; or the pointer to one."""

    text: str
    section: str
    is_heading: bool = False
    note: tuple[str, str] | None = None


def fits_by_hand(text: str, limit: Budget) -> bool:
    """Tell whether a text by hand keeps within its share of an index."""
    return text.count("\n") <= limit.lines and len(text.encode()) <= limit.bytes


def demote(text: str, limit: Budget, taken: Collection[str], policy: IndexPolicy) -> Demoted:
    """Return the text within the limit, and the topic files that hold what had to go.

    Args:
        text: what stands in the index by hand.
        limit: the lines and bytes that it may take.
        taken: paths that exist already.
        policy: how long a pointer may be.
    """
    if fits_by_hand(text, limit):
        return Demoted(text=text)
    maker = _NoteMaker(taken, policy)
    for way in (_by_entry, _by_section):
        found = _assemble(way(list(_blocks(text)), limit, maker))
        if fits_by_hand(found.text, limit):
            return found
        maker = _NoteMaker(taken, policy)
    pointer = maker.move(text, "Notes of the index", "Memory")
    return _assemble([_Block(text="# Memory\n", section="", is_heading=True), pointer])


class _NoteMaker:
    """Makes notes at paths that are free."""

    def __init__(self, taken: Collection[str], policy: IndexPolicy) -> None:
        self._taken = {path.casefold() for path in taken}
        self._policy = policy

    def move(self, text: str, title: str, section: str) -> _Block:
        """Return the pointer that stays in place of a text."""
        words = " ".join(_MARKUP.sub(" ", title[:400]).split())[:60].strip() or "Notes of the index"
        path = self._free_path(words)
        # Text that begins with frontmatter keeps it at the beginning, where it is read.
        content = text if text.startswith("---\n") else f"# {words}\n\n{text.strip(chr(10))}\n"
        said = " ".join(_MARKUP.sub(" ", text[:600]).split())
        line = pointer_line(words, path, said.removeprefix(words).strip(), self._policy)
        return _Block(text=f"{line}\n", section=section, note=(path, content))

    def _free_path(self, title: str) -> str:
        stem = f"note-{slug_of(title)}"
        number = 1
        while (path := f"{stem}.md" if number == 1 else f"{stem}-{number}.md") in self._taken:
            number += 1
        self._taken.add(path)
        return path


def _by_entry(blocks: list[_Block], limit: Budget, maker: _NoteMaker) -> list[_Block]:
    """Move the longest entries until the rest fits."""
    found = list(blocks)
    verbose = [n for n, block in enumerate(blocks) if not block.is_heading and len(block.text) > _VERBOSE_CHARS]
    verbose.sort(key=lambda n: (-len(blocks[n].text), n))
    return _until_it_fits(found, verbose[:_MAX_ENTRIES], limit, lambda b: maker.move(b.text, b.text, b.section))


def _by_section(blocks: list[_Block], limit: Budget, maker: _NoteMaker) -> list[_Block]:
    """Move what stands under a heading, the longest first; the headings stay."""
    joined: list[_Block] = []
    for block in blocks:
        if joined and not block.is_heading and not joined[-1].is_heading:
            joined[-1] = replace(joined[-1], text=joined[-1].text + block.text)
        else:
            joined.append(block)
    bodies = [n for n, block in enumerate(joined) if not block.is_heading and block.text.strip()]
    bodies.sort(key=lambda n: (-len(joined[n].text), n))
    return _until_it_fits(joined, bodies, limit, lambda b: maker.move(b.text, b.section or b.text, b.section))


def _until_it_fits(
    blocks: list[_Block], order: Sequence[int], limit: Budget, move: Callable[[_Block], _Block]
) -> list[_Block]:
    lines = sum(block.text.count("\n") for block in blocks)
    size = sum(len(block.text.encode()) for block in blocks)
    for number in order:
        if lines <= limit.lines and size <= limit.bytes:
            break
        old, new = blocks[number], move(blocks[number])
        lines += new.text.count("\n") - old.text.count("\n")
        size += len(new.text.encode()) - len(old.text.encode())
        blocks[number] = new
    return blocks


def _assemble(blocks: Sequence[_Block]) -> Demoted:
    notes = tuple(block.note for block in blocks if block.note is not None)
    return Demoted(text="".join(block.text for block in blocks), notes=notes)


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the blocks of a text; put together they are the text, but for a line break at its end."""
    section, fence = "", ""
    held: list[str] = []
    for line in text.removesuffix("\n").split("\n"):
        mark = _FENCE.match(line)
        heading = None if fence else _HEADING.match(line)
        begins = not fence and (heading or _ITEM.match(line) or (line.strip() and held and not held[-1].strip()))
        if begins and held:
            yield _block(held, section)
            held = []
        if heading:
            section = heading[1]
            yield _Block(text=f"{line}\n", section=section, is_heading=True)
            continue
        held.append(line)
        if mark:
            fence = ("" if mark[1].startswith(fence) else fence) if fence else mark[1]
    if held:
        yield _block(held, section)


def _block(lines: Sequence[str], section: str) -> _Block:
    return _Block(text="".join(f"{line}\n" for line in lines), section=section)
