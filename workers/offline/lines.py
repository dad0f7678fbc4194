"""Parse the lines of a session from the text of a question."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEAD = re.compile(r"^\[(\d+)\](\*?) (\w+)(?: \(([^()\n]{1,60})\))? (\S+): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One event of an excerpt, parsed from its text."""

    is_hit: bool
    role: str
    text: str
    day: str = ""
    speaker: str = ""


def read_lines(text: str) -> Iterator[ShownLine]:
    """Parse the events of a rendered excerpt."""
    heads = list(_HEAD.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        end = following.start() if following else len(text)
        words = text[head.end() : end].rstrip("\n").replace("\n  ", "\n")
        yield ShownLine(is_hit=bool(head[2]), role=head[3], text=words, day=head[5][:10], speaker=head[4] or "")
