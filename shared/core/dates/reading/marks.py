"""Patterns of a grammar with its words put in for their marks, and the words of a match."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from shared.core.dates.languages.grammar import Grammar
from shared.core.dates.resolved import When
from shared.core.dates.rule import DateRule, abstain

_LOOKS_BACK = re.compile(r"\(\?<[!=][^)]*\)")


def make_rule(name: str, pattern: str, read: Callable[..., When | None] | None) -> DateRule:
    """Return a rule whose pattern matches whole words, with up to three spaces between them; without a reader it abstains."""
    return DateRule(
        name=name, pattern=re.compile(rf"\b(?:{_spaced(pattern)})(?!\w)", re.IGNORECASE), read=read or abstain
    )


def _spaced(pattern: str) -> str:
    """Return a pattern whose spaces match up to three; one that looks back has a fixed width."""
    fixed = _LOOKS_BACK.sub(lambda found: found[0].replace(" ", r"\s"), pattern)
    return fixed.replace(" ", r"\s{1,3}")


def any_number(grammar: Grammar) -> str:
    """Return the pattern of a number, in a group."""
    named = "|".join(sorted(grammar.numbers, key=len, reverse=True))
    return rf"(?P<number>\d{{1,4}}|{named})"


def _plain_number(grammar: Grammar) -> str:
    return any_number(grammar).replace("?P<number>", "?:")


def any_weekday(grammar: Grammar) -> str:
    """Return the pattern of any weekday."""
    return f"(?:{'|'.join(grammar.weekdays)})"


def any_month(grammar: Grammar) -> str:
    """Return the pattern of any month."""
    return f"(?:{'|'.join(grammar.months) or '(?!)'})"


def plain_marks(grammar: Grammar) -> dict[str, str]:
    """Return what stands for the marks of a pattern whose words are not read."""
    return {
        "<N>": _plain_number(grammar),
        "<U>": f"(?:{'|'.join(grammar.units)})",
        "<D>": any_weekday(grammar),
        "<M>": any_month(grammar),
    }


def fill_marks(pattern: str, **marks: str) -> str:
    """Return a pattern with words in place of its marks."""
    for mark, words in marks.items():
        pattern = pattern.replace(f"<{mark}>", words)
    return pattern


def find_weekday(found: re.Match[str], grammar: Grammar) -> int:
    """Return the weekday of a match; Monday is 0."""
    return _find_name(found[0], grammar.weekdays)


def find_month(found: re.Match[str], grammar: Grammar) -> int:
    """Return the month of a match."""
    return 1 + _find_name(found[0], grammar.months)


@lru_cache(maxsize=1_024)
def _find_name(phrase: str, names: tuple[str, ...]) -> int:
    """Return the number of the first name that a phrase holds."""
    return next(n for n, name in enumerate(names) if re.search(rf"\b{name}", phrase, re.IGNORECASE))


def read_count(found: re.Match[str], grammar: Grammar) -> int:
    """Return the number of a match."""
    said = " ".join(found["number"].lower().split())
    return int(said) if said.isascii() and said.isdigit() else grammar.numbers[said]


def sides_of(grammar: Grammar, unit: str) -> Iterator[tuple[str, int]]:
    """Yield the patterns of a whole week or month, and how many away it is."""
    words = "|".join(name for name, one in grammar.spans.items() if one == unit)
    for pattern, side in grammar.sides.items():
        if words:
            yield pattern.replace("<S>", f"(?:{words})"), side
