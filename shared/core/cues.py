"""Cues: where a user's words may hold a correction, something to keep, a decision or a preference.

Found once, when an event arrives, so that a dream reads hits and not transcripts. A cue is a reason to look, no fact:
recall comes first, and what stands around a cue is judged later. The work is linear: one search for trigger words
over the text, then a fixed number of rules over sentences of bounded length, each looked at once, up to bounded counts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.core.cue_guards import is_order_to_model, is_question, is_transient, straight
from shared.core.cue_rule import CueKind, CueRule
from shared.core.cue_rules import ACCEPTED_PLAN, ASSISTANT_HINTS, ASSISTANT_RULES, USER_RULES
from shared.core.cue_terms import find_terms
from shared.core.pasted import blank_pasted, is_review_comment

__all__ = [
    "DETECTOR_VERSION",
    "Cue",
    "CueKind",
    "find_cues",
    "find_terms",
    "is_order_to_model",
    "is_question",
    "is_transient",
]

#: Raised with every change of what is found; events that an older version looked at are looked at again.
DETECTOR_VERSION = 3
#: A longer text is no longer somebody's words; what stands at its beginning is looked at.
MAX_SCANNED_CHARS = 200_000
MAX_CUES = 50
MAX_SENTENCE_CHARS = 400
#: Two weaker reasons in one sentence make a stronger one.
_SECOND_REASON = 0.1

#: A sentence without any of these cannot match a rule; most sentences have none and cost one search.
_TRIGGER = re.compile(
    r"\b(?:no|nope|nah|not|wrong|incorrect|mistaken|actually|instead|rather|\w{2,6}n't|why|can|could|should|may|way|hm+|"
    r"wait|oops|ugh|gah|huh|hold|argh|do|stop|never|avoid|anymore|any|obsolete|deprecated|outdated|revert|undo|roll|put|"
    r"bring|restore|remember|save|store|add|write|record|note|commit|append|document|update|edit|extend|amend|change|"
    r"refresh|fix|keep|mind|forget|next|future|now|forward|fyi|important|nb|heads|i|i'm|we|i'd|we'll|we're|you|you've|you're|"
    r"that's|it's|let's|lets|let|go|going|went|stick|sticking|stay|plan|decision|goal|idea|convention|rule|policy|reason|"
    r"point|intent|intention|achieve|use|prefer|follow|name|call|default|make|implement|always|whenever|every|each|"
    r"personally|preference|nothing|simplest|over\w*|concise|too|way|consistent|like|option|\d+|my|good|out|cause|actual|"
    r"real|turns)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=[\s\"')])|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A sentence worth looking at.

    Attributes:
        kind: what the strongest reason is.
        start: first character of the sentence in the text.
        end: one past its last character.
        strength: 0 to 1, how sure the reasons are.
        rule: the name of the strongest rule, for counters and explanations.
    """

    kind: CueKind
    start: int
    end: int
    strength: float
    rule: str


def find_cues(text: str, *, is_assistant: bool = False) -> tuple[Cue, ...]:
    """Return the cues of one message in order, at most 50 and at most one for each sentence.

    Args:
        text: what a user typed; code, quotes, logs and a pasted review comment in it are not their words. Of a plan
            that was pasted to be carried out, the first line is the cue.
        is_assistant: the text is an assistant's; only an admitted mistake, a decision or a finding counts.
    """
    head = straight(text[:MAX_SCANNED_CHARS])
    if not is_assistant and is_review_comment(head):
        return ()
    if is_assistant and not _may_be_assistants(head):
        return ()
    may_match = _may_be_assistants if is_assistant else _may_be_users
    prose = blank_pasted(head)
    rules = ASSISTANT_RULES if is_assistant else USER_RULES
    cues: list[Cue] = []
    for start, end in _find_sentences(prose):
        cue = _find_cue(prose[start:end], start, rules) if may_match(prose[start:end]) else None
        if cue is not None:
            cues.append(cue)
            if cue.rule == ACCEPTED_PLAN or len(cues) >= MAX_CUES:
                break
    return tuple(cues)


def _find_sentences(prose: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of each sentence without its margins, none longer than 400 characters."""
    start = 0
    while start < len(prose):
        limit = min(start + MAX_SENTENCE_CHARS, len(prose))
        stop = _SENTENCE_END.search(prose, start, limit)
        end = stop.end() if stop else limit
        words = prose[start:end]
        left = start + len(words) - len(words.lstrip())
        right = start + len(words.rstrip())
        if right > left:
            yield left, right
        start = end


def _may_be_users(text: str) -> bool:
    return _TRIGGER.search(text) is not None


def _may_be_assistants(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in ASSISTANT_HINTS)


def _find_cue(sentence: str, start: int, rules: tuple[CueRule, ...]) -> Cue | None:
    found = [rule for rule in rules if rule.pattern.search(sentence)]
    if found and not any(rule.is_firm for rule in found) and (is_question(sentence) or is_transient(sentence)):
        return None
    if not found:
        return None
    best = max(found, key=lambda rule: rule.strength)
    strength = min(1.0, best.strength + _SECOND_REASON * (len(found) > 1))
    return Cue(kind=best.kind, start=start, end=start + len(sentence), strength=round(strength, 2), rule=best.name)
