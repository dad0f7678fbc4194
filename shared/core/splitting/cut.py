"""Decide which memory is too large, and at which of its headings it is cut.

A memory is cut between its topics, and within a topic only if that topic is too large itself. The results are not cut
again: a topic that is too small to stand alone stays where it is, and a text without headings stays whole.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.core.memory.frontmatter import split_frontmatter
from shared.core.policy.policy import SplitPolicy
from shared.core.splitting.outline import Topic, find_topics
from shared.core.splitting.plain_lines import count_plain

#: A memory that would be cut into more parts is a collection, not a text: it stays whole.
MAX_PARTS = 60
#: If the parts take less than this share of the text, the hub stays too large.
_MOVED_SHARE = 0.5
_LISTED_PART = re.compile(r"- \[[^\[\]]*\]\([^()]*\)")
HUB = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One part: the lines from `start` to `end` of the body, and the part that contains it (`HUB`: none)."""

    parent: int
    start: int
    end: int
    level: int
    heading: str
    inside: tuple[str, ...]
    size_chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A memory cut into pieces. A nested piece comes after the piece that contains it."""

    raw: str  # the frontmatter as written
    lines: tuple[str, ...]  # the lines of the body
    pieces: tuple[Piece, ...]
    topics: int
    size_chars: int


def find_cut(text: str, policy: SplitPolicy) -> Cut | None:
    """Return the cut of a memory, or None if it is small enough or none of its topics can stand alone."""
    front = split_frontmatter(text)
    if not front.is_valid or len(front.body) <= min(policy.min_chars, policy.max_chars):
        return None
    lines = tuple(front.body.split("\n"))
    topics = _list_topics(lines, 0, len(lines))
    if not _is_too_large(lines, 0, len(lines), topics, policy):
        return None
    pieces: list[Piece] = []
    _collect(lines, (0, len(lines)), HUB, pieces, policy)
    if not 1 < len(pieces) <= MAX_PARTS:
        return None
    return Cut(
        raw=front.raw, lines=lines, pieces=tuple(pieces), topics=len(topics), size_chars=len(front.body)
    )  # fmt: skip


def is_list_of_parts(lines: Sequence[str]) -> bool:
    """Tell whether the lines below a heading are only links, like a hub's list of parts."""
    told = [line for line in lines[1:] if line.strip()]
    return bool(told) and all(_LISTED_PART.match(line) for line in told)


def _list_topics(lines: Sequence[str], start: int, end: int) -> tuple[Topic, ...]:
    """Return the topics within these lines, without a list of parts; line numbers count from the first line."""
    inside = lines[start:end]
    return tuple(one for one in find_topics(inside) if not is_list_of_parts(inside[one.start : one.end]))


def _is_too_large(lines: Sequence[str], start: int, end: int, topics: Sequence[Topic], policy: SplitPolicy) -> bool:
    size = _count_chars(lines, start, end)
    return size > policy.max_chars or (size > policy.min_chars and len(topics) > policy.max_topics)


def _collect(
    lines: Sequence[str], where: tuple[int, int], parent: int, pieces: list[Piece], policy: SplitPolicy
) -> None:
    """Add the topics that become parts, and the topics within a topic that is too large itself."""
    start, end = where
    topics = _list_topics(lines, start, end)
    if not _is_too_large(lines, start, end, topics, policy):
        return
    found = [_piece(lines, start, topic, parent) for topic in topics]
    moved = [piece for piece in found if piece.size_chars >= policy.min_part_chars]
    if len(moved) < 2 or sum(one.size_chars for one in moved) < _MOVED_SHARE * _count_chars(lines, start, end):
        return
    for piece in moved:
        pieces.append(piece)
        _collect(lines, (piece.start, piece.end), len(pieces) - 1, pieces, policy)


def _piece(lines: Sequence[str], offset: int, topic: Topic, parent: int) -> Piece:
    start, end = offset + topic.start, offset + topic.end
    return Piece(
        parent=parent,
        start=start,
        end=end,
        level=topic.heading.level,
        heading=topic.heading.text,
        inside=topic.inside,
        size_chars=_count_chars(lines, start, end),
    )


def _count_chars(lines: Sequence[str], start: int, end: int) -> int:
    return sum(count_plain(lines[at]) for at in range(start, end))
