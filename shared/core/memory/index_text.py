"""The text of an index: what its owner wrote by hand, and the block that slowwave generates in it.

A generated block stands between two marks, each on a line of its own, or it is `INDEX_LINE` alone. All other text is the owner's.
"""

import re
from collections.abc import Sequence

from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, INDEX_LINE, ROOT_INDEX, MemoryKind, kind_of

_BEGIN, _END, _LINE = map(re.escape, (INDEX_BEGIN, INDEX_END, INDEX_LINE))
#: A block, or a mark without its twin: that one is left over from an edit, and the text after it counts as written by hand.
_BLOCK = re.compile(
    rf"^(?:{_BEGIN}[ \t]*\r?\n((?:(?!(?:{_BEGIN}|{_END})[ \t]*\r?$)[^\n]*\n)*+){_END}|{_LINE}|{_BEGIN}|{_END})[ \t]*\r?(?:\n|\Z)",
    re.MULTILINE,
)
_POINTER = re.compile(
    r"\]\((?![a-z]+:)[^()\s]{1,300}\.md(?:#[^()\s]{0,300})?\)|\[\[[^\[\]]{1,300}\]\]|^\s*[-*+] [`*]*[\w./-]{1,300}\.md\b"
)
_NO_STATEMENT = re.compile(r"\s*(?:#{1,6}\s|<!--|```|~~~)")
#: A file in which fewer lines are pointers holds content: one pointer to so many other lines.
_STATEMENTS_PER_POINTER = 20


def is_marked(text: str) -> bool:
    """Tell whether a text has a generated block, or a mark of one."""
    return _BLOCK.search(text) is not None


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
