"""Tell quickly that patterns match nowhere: most texts hold nothing of what every match holds.

What matches hold is read from the patterns themselves, so the quick answer never misses what they find. It is a set of strings, of
which each match holds one: "key" of `(?:api|ssh)[ _-]keys?`. All are looked for at once, by a pattern that shares their beginnings.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import groupby
from operator import itemgetter
from re import _constants as kinds  # the parser of `re` knows what a pattern is made of
from re import _parser
from typing import Any

#: Strings, each as patterns of one character or of the edge of a word.
_Strings = frozenset[tuple[str, ...]]
#: One of some strings, one of some sequences of parts, or None for what is not known.
_Part = _Strings | list[Any] | None
_EDGE, _EMPTY = _Strings({(r"\b",)}), _Strings({()})
_CLASSES = {kinds.CATEGORY_DIGIT: r"\d", kinds.CATEGORY_SPACE: r"\s"}
#: Strings are not made longer if there would be more of them.
_MOST = 400
#: Characters of a string that are looked for: more are hardly rarer, and take long to prepare.
_LONGEST = 12
#: Of more branches, the first characters are looked for first.
_MANY = 40


class Sieve:
    """One or more patterns that are searched for only in texts that may match. Texts are in lower case."""

    def __init__(self, *patterns: str) -> None:
        self.patterns = patterns

    def matches(self, text: str) -> bool:
        """Tell whether a pattern matches somewhere in a text."""
        return self.may_match(text) and any(pattern.search(text) for pattern in self._compiled)

    def may_match(self, text: str) -> bool:
        """Tell whether a text holds what a match holds; if not, no pattern matches in it."""
        plain, other = self._held
        return plain.search(text) is not None or (not text.isascii() and other.search(text) is not None)

    @cached_property
    def _compiled(self) -> Sequence[re.Pattern[str]]:
        return [re.compile(pattern) for pattern in self.patterns]

    @cached_property
    def _held(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Return what to look for in texts in ASCII, and what else there is in others."""
        held = {one[:_LONGEST] for pattern in self.patterns for one in find_held(pattern)}
        plain = {one for one in held if "".join(one).isascii()}
        return re.compile(_join(plain)), re.compile(_join(held - plain))


@cache
def find_held(pattern: str) -> _Strings:
    """Return strings of which each match in a text in lower case holds one: the empty string if no other is known."""
    return _read(list(_parts(_parser.parse(pattern))))[1] or _EMPTY


def _parts(items: Iterable[tuple[Any, Any]]) -> Iterator[_Part]:
    """Yield what a pattern is made of; what has no width, and what must not stand there, is left out."""
    for kind, same in groupby(items, key=itemgetter(0)):
        values = [value for _, value in same]
        if kind is kinds.LITERAL:
            yield from _read_literals(values)
        else:
            for value in values:
                yield from _parts_of(kind, value)


def _read_literals(codes: Sequence[int]) -> Iterator[_Part]:
    """Yield a string; None stands for an apostrophe, which may be a typographic one."""
    for number, plain in enumerate("".join(map(chr, codes)).lower().split("'")):
        yield from [None] if number else []
        yield _Strings({tuple(map(re.escape, plain))})


def _parts_of(kind: object, value: Any) -> Iterator[_Part]:  # noqa: ANN401 - each kind has values of its own
    if kind is kinds.IN:
        yield _read_class(value)
    elif kind is kinds.AT and value is kinds.AT_BOUNDARY:
        yield _EDGE
    elif kind is kinds.BRANCH:
        yield [list(_parts(one)) for one in value[1]]
    elif kind is kinds.SUBPATTERN:
        yield from _parts(value[-1])
    elif kind is kinds.ASSERT:  # overlaps what is behind it, or before it
        yield from [*_parts(value[1]), None] if value[0] > 0 else [None, *_parts(value[1])]
    elif kind in {kinds.MAX_REPEAT, kinds.MIN_REPEAT}:
        yield from _read_repeat(*value)
    elif kind not in {kinds.AT, kinds.ASSERT_NOT}:
        yield None


def _read_repeat(least: int, most: int, repeated: Iterable[tuple[Any, Any]]) -> Iterator[_Part]:
    if least == 0:
        yield [list(_parts(repeated)), []] if most == 1 else None
    else:
        yield from [*_parts(repeated), None, *_parts(repeated)]  # the first and the last, which may be the same


def _read_class(members: Sequence[tuple[Any, Any]]) -> _Strings | None:
    if all(kind is kinds.LITERAL for kind, _ in members):
        return _Strings((re.escape(chr(code).lower()),) for _, code in members)
    named = _CLASSES.get(members[0][1]) if len(members) == 1 else None
    return _Strings({(named,)}) if named else None


def _read(parts: Sequence[_Part]) -> tuple[_Strings | None, _Strings | None]:
    """Return all strings that a sequence matches, and the best ones that each match holds; None where they are not known, or too many."""
    best, run, is_whole = None, _EMPTY, True
    for place, part in enumerate(parts):
        before, after = parts[max(0, place - 1) : place], parts[place + 1 : place + 2]
        strings, held = _read_branch(part, before, after) if isinstance(part, list) else (part, None)
        if strings is not None and len(run) * len(strings) <= _MOST:
            run = _Strings(one + another for one in run for another in strings)
        else:
            best, run, is_whole = _choose(best, run, held), strings or _EMPTY, False
    return run if is_whole else None, _choose(best, run)


def _read_branch(
    branches: Sequence[list[_Part]], before: Sequence[_Part], after: Sequence[_Part]
) -> tuple[_Strings | None, _Strings | None]:
    read = [_read(one) for one in branches]
    strings = _Strings().union(*(one for one, _ in read if one is not None))
    if all(one is not None for one, _ in read) and len(strings) <= _MOST:
        return strings, None
    edges = [[one for one in beside if one == _EDGE] for beside in (before, after)]
    if any(edges):
        read = [_read([*edges[0], *one, *edges[1]]) for one in branches]
    held = [one for _, one in read if one is not None]
    return None, _Strings().union(*held) if len(held) == len(read) else None


def _choose(*choices: _Strings | None) -> _Strings | None:
    """Return the strings that texts hold least often: the longest ones, by the shortest of them, then by all; None for an empty one."""
    best, most = None, (1, 0.0)
    for strings in filter(None, choices):
        lengths = [len(one) - one.count(r"\b") for one in strings]
        rarity = (min(lengths), sum(lengths) / len(lengths))
        if rarity > most:
            best, most = strings, rarity
    return best


def _join(strings: Iterable[tuple[str, ...]]) -> str:
    """Return a pattern of any of these strings, in which those that begin alike share what they have in common."""
    followed: dict[str, list[tuple[str, ...]]] = {}
    for one in strings:
        if not one:
            return ""
        followed.setdefault(one[0], []).append(one[1:])
    words = [rf"\b{_join(rest)}" for rest in [followed.pop(r"\b", None)] if rest is not None]
    branches = "|".join(f"{first}{_join(rest)}" for first, rest in sorted(followed.items()))
    if len(followed) > _MANY:
        branches = f"(?=[{''.join(followed)}])(?:{branches})"
    return f"(?:{'|'.join([*words, *([branches] if branches else [])])})" if words or branches else "(?!)"
