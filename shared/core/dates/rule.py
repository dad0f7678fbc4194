"""The shape of a date rule: a pattern, and the meaning of its match on a day. A rule that returns None abstains."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from shared.core.dates.resolved import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The context of a phrase: the text with its code blanked, and the local day and moment at which it was said."""

    text: str
    today: date
    moment: datetime
    #: What rules before this one have taken, resolved or abstained; ordered by nothing.
    taken: bytearray


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRule:
    """One way of naming a date. A match belongs to its rule: no later rule looks at it, even when the rule abstains."""

    name: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Scene], When | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """A phrase, `text[start:end]`, its meaning, None where its rule abstains, and the tense of its clause: -1, 0 or 1."""

    start: int
    end: int
    when: When | None
    tense: int
    is_english: bool = False


def rule(name: str, pattern: str, read: Callable[[re.Match[str], Scene], When | None]) -> DateRule:
    """Return a rule whose pattern matches whole words in any case."""
    return DateRule(name=name, pattern=re.compile(rf"\b{pattern}\b", re.IGNORECASE), read=read)


def abstain(_found: re.Match[str], _scene: Scene) -> When | None:
    """Return None: the phrase has no single meaning."""
    return None
