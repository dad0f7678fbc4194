"""Read lines without the details that a split may change: the level of a heading, and the file of a link to a heading."""

import re

_HEADING = re.compile(r"#{1,6}[ \t]+")
_TARGET = re.compile(r"(\]\(<?|\]:[ \t]+<?|\[\[)[^()\[\]<>#|\s]{0,300}#[^()\[\]<>#|\s]{0,300}")
_DEFINITION = re.compile(r"\[[^\[\]\n]{1,100}\]:[ \t]*\S")


def read_plain(line: str) -> str:
    """Return a line without these details."""
    text = _HEADING.sub("", line, count=1) if line.startswith("#") else line
    return _TARGET.sub(r"\1#", text.strip())


def is_definition(line: str) -> bool:
    """Tell whether a line defines a link or a footnote: each part that uses it has it."""
    return _DEFINITION.match(line) is not None


def count_plain(line: str) -> int:
    """Return the size of a line, which is the same in the whole memory and in a part."""
    plain = read_plain(line)
    return len(plain) + 1 if plain and not is_definition(plain) else 0
