"""The text of an index: what its owner wrote by hand, and the block that slowwave generates in it.

A generated block stands between two marks, each on a line of its own, or it is `INDEX_LINE` alone. All other text is the owner's.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from urllib.parse import unquote

from shared.core.memory.doc_type import GENERATED_BY
from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.memory.model import (
    INDEX_BEGIN,
    INDEX_END,
    INDEX_LINE,
    MORE_LINE,
    ROOT_INDEX,
    MemoryKind,
    domain_of,
    kind_of,
)
from shared.core.memory.pointer import plain

_BEGIN, _END, _LINE = map(re.escape, (INDEX_BEGIN, INDEX_END, INDEX_LINE))
#: A block, or a mark without its twin: that one is left over from an edit, and the text after it counts as written by hand.
_BLOCK = re.compile(
    rf"^(?:{_BEGIN}[ \t]*\r?\n((?:(?!(?:{_BEGIN}|{_END})[ \t]*\r?$)[^\n]*\n)*+){_END}|{_LINE}|{_BEGIN}|{_END})[ \t]*\r?(?:\n|\Z)",
    re.MULTILINE,
)
_POINTER = re.compile(
    r"\]\((?![a-z]+:)[^()\s]{1,300}\.md(?:#[^()\s]{0,300})?\)|\[\[[^\[\]]{1,300}\]\]|^\s*[-*+] [`*]*[\w./-]{1,300}\.md\b"
)
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_POINTER_LINE = re.compile(r"- \[[^\[\]\n]*\]\(([^()\s]{1,1000})\)(?: — [^\n]*|[ \t\r]*)$")
#: A line of a block that names folders because it has no room for a pointer to each memory.
_OF_MANY = re.compile(
    rf"{re.escape(MORE_LINE)}|- (?:\[[^\[\]\n]*/\]\([^()\s]*\)|[^\[\]\n]*/|\(top level\)) — \d+ memories"
)
_NO_STATEMENT = re.compile(r"\s*(?:#{1,6}\s|<!--|```|~~~)")
#: A file in which fewer lines are pointers holds content: one pointer to so many other lines.
_STATEMENTS_PER_POINTER = 20


def is_marked(text: str) -> bool:
    """Tell whether a text has a generated block, or a mark of one."""
    return _BLOCK.search(text) is not None


def find_blocks(text: str) -> list[tuple[int, int]]:
    """Return where the generated blocks of a text, and marks of one, begin and end."""
    return [found.span() for found in _BLOCK.finditer(text)]


def by_hand(text: str) -> str:
    """Return what its owner wrote into an index, to the byte."""
    return _BLOCK.sub("", text)


def generated_in(text: str) -> str:
    """Return the lines between the marks of an index."""
    return "".join(found[1] or "" for found in _BLOCK.finditer(text))


def newline_of(text: str) -> str:
    """Return how the lines of a text end."""
    return "\r\n" if "\r\n" in f"{text}\n" else "\n"


def with_block(text: str, lines: Sequence[str]) -> str:
    """Return an index with these lines in the place of its generated block, or at its end; without lines it has no block."""
    newline = newline_of(by_hand(text))
    block = "".join(f"{line}{newline}" for line in lines)
    old = _BLOCK.search(text)
    if old is not None:
        return text[: old.start()] + block + by_hand(text[old.end() :])
    return text + (newline if block and text and not text.endswith("\n") else "") + block


def before_block(text: str, lines: Sequence[str]) -> str:
    """Return an index with lines added right before its generated block, or at its end."""
    old = _BLOCK.search(text)
    at = old.start() if old else len(text)
    return with_block(text[:at], lines) + text[at:]


def pointed_to(path: str, text: str) -> set[str]:
    """Return the paths to which the generated lines of the index at `path` lead."""
    return {found for line in _lines_of_parts(path, text) if (found := _target(path, line))}


def without_pointers(path: str, text: str, gone: Collection[str], written: str) -> str:
    """Return the index at `path` without generated lines that lead to paths, and without headings that stand over none then.

    Lines that do not stand in `written`, the text that a dream wrote, stay: its owner added them among the generated ones.
    """
    known = {line.rstrip() for line in _lines_of_parts(path, written)}

    def drop(lines: list[str]) -> list[str]:
        kept = [line for line in lines if line.rstrip() not in known or _target(path, line) not in gone]
        if len(kept) == len(lines):
            return lines
        after = [*kept[1:], ""]
        return [
            line
            for line, then in zip(kept, after, strict=True)
            if not _is_over_none(line, then) or line.rstrip() not in known
        ]

    return _change_parts(path, text, drop)


def with_pointers_of(path: str, text: str, old: str, back: Collection[str]) -> str:
    """Return the index at `path` with the lines by which an older text of it led to paths, where they stood."""

    def insert(lines: list[str]) -> list[str]:
        places: dict[str, list[int]] = {}
        for number, line in enumerate(lines):
            places.setdefault(line, []).append(number)
        new: dict[int, list[str]] = {}
        at, heading = 0, ""
        for line in _lines_of_parts(path, old):
            known = places.get(line, [])
            later = bisect_left(known, at)
            if later < len(known):
                at, heading = known[later] + 1, ""
            elif line.startswith("## "):
                heading = line
            elif _target(path, line) in back:
                new.setdefault(at, []).extend([heading, line] if heading else [line])
                heading = ""
        return [one for number in range(len(lines) + 1) for one in (*new.get(number, ()), *lines[number : number + 1])]

    return _change_parts(path, text, insert)


def with_new_pointer(path: str, text: str, target: str, pointer: str) -> str:
    """Return the index at `path` with one more generated line, which leads to `target`, where the next dream would write it.

    That is under the heading of its folder, by path; in a block that names folders beside its folder's pointers, or after all others.
    """
    prefix = path.rpartition("/")[0] + "/" if "/" in path else ""
    folder, newline = domain_of(target.removeprefix(prefix)), newline_of(text)
    heading = f"## {plain(folder)}" if folder else ""

    def insert(lines: list[str]) -> list[str]:
        if lines and not lines[-1].endswith("\n"):
            return lines
        start, end = _find_section(lines, heading)
        found = [(number, _target(path, lines[number])) for number in range(start, end)]
        known = [(number, one) for number, one in found if one and domain_of(one.removeprefix(prefix)) == folder]
        at = max((number + 1 for number, one in known if one < target), default=known[0][0] if known else end)
        new = [f"{heading}{newline}"] if start == end and heading else []
        return [*lines[:at], *new, f"{pointer}{newline}", *lines[at:]]

    return _change_parts(path, text, insert)


def _find_section(lines: Sequence[str], heading: str) -> tuple[int, int]:
    """Return where the pointers under a heading begin and end; both are the place of a heading that is missing."""
    if _is_of_many(lines):
        return 0, next((number for number, line in enumerate(lines) if line.rstrip() == MORE_LINE), len(lines))
    headings = [(number, line.rstrip()) for number, line in enumerate(lines) if line.startswith("## ")]
    start = next((number for number, found in headings if found == heading), None) if heading else 0
    if start is None:
        later = next((number for number, found in headings if found > heading), len(lines))
        return later, later
    return start, next((number for number, _ in headings if number > start or not heading), len(lines))


def names_folders(path: str, text: str) -> bool:
    """Tell whether the generated part of the index at `path` names folders, because it has no room for a pointer to each memory."""
    return _is_of_many(_lines_of_parts(path, text))


def _is_of_many(lines: Sequence[str]) -> bool:
    return any(map(_OF_MANY.match, lines))


def with_generated(path: str, text: str, lines: Collection[str]) -> str:
    """Return the index at `path` with these lines at the end of its generated part."""
    return _change_parts(path, text, lambda old: [*old, *(f"\n{line.strip()}\n" for line in lines)])


def added_lines(path: str, text: str, old: str) -> set[str]:
    """Return the generated lines of the index at `path` that an older text of it has not."""
    return set(_lines_of_parts(path, text)).difference(_lines_of_parts(path, old))


def _is_over_none(line: str, then: str) -> bool:
    return line.startswith("## ") and (not then or then.startswith("## "))


def _target(path: str, line: str) -> str:
    """Return the path to which a pointer leads, or an empty text."""
    found = _POINTER_LINE.match(line.rstrip("\n"))
    return f"{path.rpartition('/')[0]}/{unquote(found[1])}".lstrip("/") if found else ""


def _parts(path: str, text: str) -> list[tuple[int, int]]:
    """Return where the generated part of an index begins and ends: its block, or all below the frontmatter."""
    if is_marked(text):
        return [found.span(1) for found in _BLOCK.finditer(text) if found[1] is not None][:1]
    is_whole = path != ROOT_INDEX and read_fields(text).get("generated_by") == GENERATED_BY
    return [(len(text) - len(body_of(text)), len(text))] if is_whole else []


def _lines_of_parts(path: str, text: str) -> list[str]:
    return [line for start, end in _parts(path, text) for line in _LINES.findall(text[start:end])]


def _change_parts(path: str, text: str, change: Callable[[list[str]], list[str]]) -> str:
    for start, end in _parts(path, text):
        text = text[:start] + "".join(change(_LINES.findall(text[start:end]))) + text[end:]
    return text


def holds_content(text: str) -> bool:
    """Tell whether a root file is a memory and no index: it has statements, hardly any pointer, and no generated block."""
    if is_marked(text):
        return False
    pointers = statements = 0
    for line in body_of(text).split("\n"):
        if _POINTER.search(line[:2_000]):
            pointers += 1
        elif any(map(str.isalnum, line)) and not _NO_STATEMENT.match(line):
            statements += 1
    return statements > 0 and pointers * _STATEMENTS_PER_POINTER <= statements


def kind_of_text(path: str, text: str) -> MemoryKind:
    """Return the kind of a memory: by its path, but a root file that holds content is knowledge."""
    return MemoryKind.TOPIC if path == ROOT_INDEX and holds_content(text) else kind_of(path)
