"""Read the outline of a text, line by line: its title, and the topics that can be taken out as a whole.

A heading inside code, a comment or an HTML element does not count, so no topic ends there. If a fence or an element is
never closed, the rest of the text belongs to the topic in which it opens: too few cuts lose nothing. For the same reason a
fence that names its language opens a nested one inside another fence, as authors of examples mean it, although CommonMark ends
the outer fence at the inner one's end.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})")
_CODE = re.compile(r"`[^`\n]*`")
_ELEMENT = re.compile(r"<(/?)(?:details|div|section|table|pre)\b", re.IGNORECASE)
#: A region that a tool rewrites as a whole: `<!-- notes:start -->` to `<!-- notes:end -->`.
_REGION = re.compile(r"<!--[ \t]*\S{1,100}?[:_ -]?(start|begin|end)[ \t]*-->", re.IGNORECASE)
_COMMENT_START, _COMMENT_END = "<!--", "-->"
#: A line above a heading that belongs to it: a comment, or the anchor of a link.
_BELONGS_BELOW = re.compile(r"<!--(?:(?!-->).)*-->$|<a\b[^<>]*>(?:</a>)?$")
_MAX_LEVEL = 6
#: The deepest nesting of fences that is tracked: examples of examples have three; a hostile text may have any number.
_MAX_NESTED = 8
#: With at least this many headings of the first level, the first is no title: all of them are topics.
_MANY_FIRST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of a text: its line, its level and its words. A heading inside an element begins no topic."""

    line: int
    level: int
    text: str
    may_cut: bool
    start: int  # the first line of its topic, which may be above the heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A heading with everything below it: the lines from `start` to `end`."""

    heading: Heading
    end: int
    inside: tuple[str, ...]  # the headings directly below this one

    @property
    def start(self) -> int:
        """Return the first line."""
        return self.heading.start


@dataclass(slots=True)
class _Reader:
    """The position of a reader of lines: inside code, a comment, elements or a region of a tool."""

    fences: list[str] = field(default_factory=list)  # the open ones, outermost first
    is_comment: bool = False
    depth: int = 0
    regions: int = 0
    region_start: int | None = None  # in a region before its first heading

    @property
    def may_cut(self) -> bool:
        return not self.depth and (not self.regions or self.region_start is not None)

    def is_plain(self, line: str, at: int) -> bool:
        """Read one line, and tell whether it is neither code nor comment."""
        opening = None if self.is_comment else _FENCE.match(line)
        if self.fences:
            self._read_code(line.strip(), opening)
            return False
        if opening is not None:
            self.fences.append(opening[1])
            return False
        return self._is_outside(_CODE.sub("", line), at)

    def _read_code(self, text: str, opening: re.Match[str] | None) -> None:
        """Close the innermost fence that a line of code may end, with the fences inside it; or open a nested one."""
        ended = [at for at, fence in enumerate(self.fences) if text.startswith(fence) and not text.strip(fence[0])]
        if ended:
            same = [at for at in ended if self.fences[at] == text]
            del self.fences[(same or ended)[-1] :]
        elif opening is not None and opening.string[opening.end() :].strip() and len(self.fences) < _MAX_NESTED:
            self.fences.append(opening[1])

    def _is_outside(self, line: str, at: int) -> bool:
        was_comment = self.is_comment
        if was_comment:
            self.is_comment = _COMMENT_END not in line
            return False
        for found in _REGION.finditer(line):
            is_end = found[1].lower() == "end"
            self.regions = max(0, self.regions - 1) if is_end else self.regions + 1
            self.region_start = at if self.regions == 1 and not is_end else None
        self.is_comment = line.rfind(_COMMENT_START) > line.rfind(_COMMENT_END)
        for element in _ELEMENT.finditer(line):
            self.depth = max(0, self.depth - 1) if element[1] else self.depth + 1
        return True


def find_plain_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the lines that are neither code nor comment."""
    reader = _Reader()
    return frozenset(at for at, line in enumerate(lines) if reader.is_plain(line, at))


def find_headings(lines: Sequence[str]) -> tuple[Heading, ...]:
    """Return the headings of a text in order."""
    found: list[Heading] = []
    reader = _Reader()
    floor = 0
    for at, line in enumerate(lines):
        level = _level_of(line) if reader.is_plain(line, at) else 0
        if level:
            may_cut = reader.may_cut
            start = _find_start(lines, at, floor) if reader.region_start is None else reader.region_start
            text = line.strip().strip("#").strip()
            found.append(Heading(line=at, level=level, text=text, may_cut=may_cut, start=start))
            floor = at + 1
        if level or (line.strip() and reader.region_start not in {None, at}):
            reader.region_start = None
    return tuple(found)


def _level_of(line: str) -> int:
    """Return the level of a heading, 0 for any other line. Only a heading without indentation ends the topic above it."""
    rest = line.lstrip("#")
    level = len(line) - len(rest)
    return level if level <= _MAX_LEVEL and rest[:1] in {" ", "\t"} and rest.strip("# \t\r") else 0


def _find_start(lines: Sequence[str], at: int, floor: int) -> int:
    while at > floor and _BELONGS_BELOW.match(above := lines[at - 1].strip()) and not _REGION.search(above):
        at -= 1
    return at


def find_topics(lines: Sequence[str]) -> tuple[Topic, ...]:
    """Return the topics of a text below its title, in order; each line after the start of the first is in exactly one."""
    headings = [one for one in find_headings(lines) if one.may_cut]
    if _has_title(headings):
        del headings[0]
    topics = _group(headings, len(lines))
    while len(topics) == 1 and topics[0].inside:
        del headings[0]
        topics = _group(headings, len(lines))
    return topics


def _has_title(headings: Sequence[Heading]) -> bool:
    """Tell whether the first heading is the title of the text, rather than its first topic."""
    first = [at for at, heading in enumerate(headings) if heading.level == 1]
    return bool(first) and first[0] == 0 and len(first) < _MANY_FIRST and first[1:] != [1]


def _group(headings: Sequence[Heading], end: int) -> tuple[Topic, ...]:
    """Return the top-level headings, each with those below it."""
    heads: list[int] = []
    for at, heading in enumerate(headings):
        if not heads or heading.level <= headings[heads[-1]].level:
            heads.append(at)
    topics = []
    for at, following in pairwise([*heads, len(headings)]):
        inner = headings[at + 1 : following]
        direct = min((one.level for one in inner), default=0)
        inside = tuple(one.text for one in inner if one.level == direct)
        last = headings[following].start if following < len(headings) else end
        topics.append(Topic(heading=headings[at], end=last, inside=inside))
    return tuple(topics)
