"""The form of a cue rule, and the rules for messages of assistants; those for people are in `shared/languages`.

A new cue is one entry there and a new DETECTOR_VERSION. Every gap is bounded, so that the work of a rule is bounded by the
sentence, which is bounded, too.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class CueKind(StrEnum):
    """The reason why a sentence may hold something worth keeping."""

    CORRECTION = "correction"
    SAVE = "save"
    DECISION = "decision"
    PREFERENCE = "preference"


@dataclass(frozen=True, slots=True, kw_only=True)
class CueRule:
    """One phrase of a cue.

    `strength` (0 to 1) is the rule's confidence alone. `is_firm` rules also hold in requests. A sentence in which `unless`
    is found is not a cue by this rule.
    """

    kind: CueKind
    name: str
    strength: float
    pattern: re.Pattern[str]
    is_firm: bool = False
    unless: re.Pattern[str] | None = None

    def holds_in(self, sentence: str) -> bool:
        """Tell whether this rule matches a sentence."""
        return self.pattern.search(sentence) is not None and (self.unless is None or not self.unless.search(sentence))


def make_rule(kind: CueKind, name: str, strength: float, pattern: str, *, is_firm: bool = False) -> CueRule:
    """Return a rule whose pattern ignores case."""
    compiled = re.compile(pattern, re.IGNORECASE)
    return CueRule(kind=kind, name=name, strength=strength, pattern=compiled, is_firm=is_firm)


_C, _S, _D = CueKind.CORRECTION, CueKind.SAVE, CueKind.DECISION

ASSISTANT_RULES: tuple[CueRule, ...] = (
    make_rule(
        _C,
        "admits",
        0.8,
        r"\byou(?:'re| are) (?:absolutely |completely |quite |totally )?(?:right|correct)\b|\bmy (?:mistake|apologies)\b"
        r"|\bi apologi[sz]e\b|\bgood catch\b",
        is_firm=True,
    ),
    make_rule(
        _D,
        "decided",
        0.7,
        r"\b(?:we|i)(?:'ve| have)? (?:decided|agreed|chose|settled on|opted)\b|\bthe decision (?:is|was)\b",
    ),
    make_rule(
        _D,
        "found out",
        0.6,
        r"\b(?:it )?turns out\b|\bthe root cause (?:is|was)\b|\bthe (?:actual|real) (?:problem|issue|cause) "
        r"(?:is|was)\b",
    ),
    make_rule(_S, "saved", 0.7, r"\bi(?:'ll| will|'ve| have) (?:remember|noted|saved|recorded)\b"),
)
#: A sentence without any of these, in lower case, cannot match a rule for assistants; most of their texts have none.
ASSISTANT_HINTS = (
    "you're ", "you are ", "my mistake", "my apologies", "i apologi", "good catch", "decided", "agreed", "chose",
    "settled on", "opted", "the decision ", "turns out", "root cause", "the actual ", "the real ", " remember", " noted",
    " saved", " recorded",
)  # fmt: skip
