"""One way of saying that something is worth keeping: the shape of a line in the table of cues."""

import re
from dataclasses import dataclass
from enum import StrEnum


class CueKind(StrEnum):
    """Why a sentence may hold something worth keeping."""

    CORRECTION = "correction"
    SAVE = "save"
    DECISION = "decision"
    PREFERENCE = "preference"


@dataclass(frozen=True, slots=True, kw_only=True)
class CueRule:
    """One way of saying it.

    `strength` (0 to 1) is how sure the rule is alone. `is_firm` rules hold in questions and passing intents too.
    """

    kind: CueKind
    name: str
    strength: float
    pattern: re.Pattern[str]
    is_firm: bool = False


def make_rule(kind: CueKind, name: str, strength: float, pattern: str, *, is_firm: bool = False) -> CueRule:
    """Return a rule whose pattern ignores case."""
    compiled = re.compile(pattern, re.IGNORECASE)
    return CueRule(kind=kind, name=name, strength=strength, pattern=compiled, is_firm=is_firm)
