"""The form of a cue rule, and the rules for messages of assistants; all of them are in `shared/languages`.

A new cue is one entry there and a new DETECTOR_VERSION. Every gap is bounded, so that the work of a rule is bounded by the
sentence, which is bounded, too.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from shared.languages.language_file import read_readings


class CueKind(StrEnum):
    """The reason why a sentence may hold something worth keeping."""

    CORRECTION = "correction"
    SAVE = "save"
    DECISION = "decision"
    PREFERENCE = "preference"
    FORGET = "forget"


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


#: The rules for messages of assistants.
ASSISTANT_RULES: tuple[CueRule, ...] = tuple(
    CueRule(
        kind=CueKind(one.kind),
        name=one.name,
        strength=one.strength,
        pattern=re.compile(one.pattern, re.IGNORECASE),
        is_firm=one.firm,
    )
    for language in read_readings()
    for one in language.assistant
)
#: A sentence without any of these, in lower case, cannot match a rule for assistants; most of their texts have none.
ASSISTANT_HINTS = tuple(hint for language in read_readings() for hint in language.assistant_hints)
