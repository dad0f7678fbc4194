"""The shape of a rule: a pattern, and what its match means on a day. A rule that answers None has abstained."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from shared.core.dates.resolved import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Where a phrase stands: the text with its code made blank, and the local day and hour on which it was said."""

    text: str
    today: date
    hour: int
    #: What rules before this one have taken, resolved or abstained; ordered by nothing.
    taken: bytearray


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRule:
    """One way of naming a date. What it matches belongs to it: no later rule looks at it, even when it abstains."""

    name: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Scene], When | None]


def rule(name: str, pattern: str, read: Callable[[re.Match[str], Scene], When | None]) -> DateRule:
    """Return a rule whose pattern looks at whole words, in any case."""
    return DateRule(name=name, pattern=re.compile(rf"\b{pattern}\b", re.IGNORECASE), read=read)


def abstain(_found: re.Match[str], _scene: Scene) -> When | None:
    """Answer nothing: the phrase has no single meaning."""
    return None
