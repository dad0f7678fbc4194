"""Text that a person or an agent wrote into an index: it stays, and only its owner moves the part over the budget.

Lines that were added among the generated ones are put before the block, where no dream overwrites them. Generated lines are
known from the text that a dream wrote last; where no such text is left, a pointer, a heading and a folder's line count as
generated. What exceeds the budget is proposed to move to a note: the end of the file, from the beginning of an entry on.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from shared.core.memory.doc_type import GENERATED_BY
from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.memory.headline import summary_of
from shared.core.memory.index_text import before_block, generated_in, is_marked, newline_of
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, MORE_LINE, ROOT_INDEX, Author, Memory
from shared.core.memory.paths import slug_of
from shared.core.memory.pointer import pointer_line
from shared.core.policy.policy import IndexPolicy
from workers.phases.index.pointers import Budget

_LINK = re.compile(r"\[[^\[\]]*\]\(([^)\s]{1,1000})\)")
_GENERATED = re.compile(r"#{1,6}\s|- \[.*\]\([^)\s]+\.md\)|- \S.*/ — \d+ |- \(top level\) — \d+ ")
_HEADING = re.compile(r"#{1,6}\s+(\S.{0,200})")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_TITLE_CHARS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Overflow:
    """The parts of a root file that is over its budget: the text that would stay, and the note with the end of it."""

    text: str
    path: str
    note: str
    lines: int  # that would move


def is_generated(index: Memory) -> bool:
    """Tell whether slowwave made a file that is an index by its path."""
    return read_fields(index.content).get("generated_by") == GENERATED_BY


def is_changed(index: Memory) -> bool:
    """Tell whether a generated index was changed since a dream wrote it."""
    if index.author is Author.DREAM:
        return False
    return is_marked(index.content) or (index.path != ROOT_INDEX and is_generated(index))


def free_own_lines(index: Memory, written: str, frame: str, live: Collection[str]) -> tuple[str, int]:
    """Return an index with the lines by hand among its generated ones before its block, and their number.

    Args:
        index: the root index, or the generated index of a folder.
        written: what a dream wrote there last, or an empty text.
        frame: how the file begins if it is generated as a whole.
        live: the paths of all memories, as the index names them.
    """
    is_whole = index.path != ROOT_INDEX and not is_marked(index.content)
    own = _find_own(index.content, written, frame, live)
    if not is_whole:
        return before_block(index.content, own), sum(map(bool, own))
    kept = before_block(f"{frame}{INDEX_BEGIN}\n{INDEX_END}\n", own) if own else frame
    return kept, sum(map(bool, own))


def _find_own(text: str, written: str, frame: str, live: Collection[str]) -> list[str]:
    known = {line.strip() for line in f"{_generated_part(written)}\n{frame}".split("\n")}
    own: list[str] = []
    for line in _generated_part(text).split("\n"):
        is_told = line.strip() in known or (not written and _GENERATED.match(line[:2_000]))
        is_own = not is_told and _says_more(line, live)
        if is_own or (own and own[-1] and not line.strip()):
            own.append(line.removesuffix("\r") if is_own else "")
    return own[:-1] if own and not own[-1] else own


def _generated_part(text: str) -> str:
    return generated_in(text) if is_marked(text) else body_of(text)


def _says_more(line: str, live: Collection[str]) -> bool:
    """Tell whether a line holds more than pointers to what the index points to anyway."""
    left = _LINK.sub(lambda found: "" if unquote(found[1]) in live else found[0], line)
    return any(map(str.isalnum, left))


def room_of(policy: IndexPolicy, text: str) -> Budget:
    """Return what a text leaves of an index's budget; it is negative by as much as the text is over it."""
    is_open = bool(text) and not text.endswith("\n")
    lines = policy.max_lines - text.count("\n") - is_open
    return Budget(lines=lines, bytes=policy.max_bytes - len(text.encode()) - is_open)


def find_overflow(text: str, taken: Collection[str], policy: IndexPolicy) -> Overflow | None:
    """Return what has to move from a text by hand for the rest to fit, or None if no entry begins where it could be cut.

    Room is left for the pointer to the note and the line that leads to all memories.
    """
    reserved = Budget(lines=2, bytes=policy.pointer_chars * 4 + len(MORE_LINE))
    cut, names, is_full = 0, [""], False
    for at, section in _find_beginnings(text):
        room = None if is_full else room_of(policy, text[:at])
        is_full = room is None or room.lines < reserved.lines or room.bytes < reserved.bytes
        if is_full:
            names.append(section)
        else:
            cut, names = at, [section]
    if not cut:
        return None
    moved, title = text[cut:], _join_names(names)
    path = _free_path(title, taken)
    newline = newline_of(text)
    kept = f"{text[:cut]}{pointer_line(title, path, summary_of(moved), policy)}{newline}"
    return Overflow(text=kept, path=path, note=f"# {title}{newline}{newline}{moved}", lines=len(_LINES.findall(moved)))


def _join_names(sections: Iterable[str]) -> str:
    """Return as many names of sections as fit into a title."""
    title = ""
    for name in dict.fromkeys(filter(None, sections)):
        longer = f"{title}, {name}" if title else name
        if title and len(longer) > _TITLE_CHARS:
            break
        title = longer[:_TITLE_CHARS].strip()
    return title or f"Rest of {ROOT_INDEX}"


def _find_beginnings(text: str) -> Iterator[tuple[int, str]]:
    """Yield where headings, list items and paragraphs begin, each with the heading that it stands under."""
    body = body_of(text)
    first = at = len(text) - len(body)
    section, fence, is_after_blank = "", "", False
    for line in _LINES.findall(body):
        mark, heading = _FENCE.match(line), _HEADING.match(line)
        if at > first and not fence:  # a heading right at the beginning is the file's title
            section = heading[1].strip(" #\r") if heading else section
            is_paragraph = is_after_blank and not line[0].isspace()
            if heading or _ITEM.match(line) or is_paragraph:
                yield at, section
        if mark:
            fence = ("" if mark[1].startswith(fence) else fence) if fence else mark[1]
        is_after_blank = not line.strip()
        at += len(line)


def _free_path(title: str, taken: Collection[str]) -> str:
    known = {path.casefold() for path in taken}
    stem = f"note-{slug_of(title)}"
    number = 1
    while (path := f"{stem}.md" if number == 1 else f"{stem}-{number}.md").casefold() in known:
        number += 1
    return path
