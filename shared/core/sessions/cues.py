"""Cues: sentences of a user that may hold a correction, something to keep, a decision or a preference.

They are found once, when an event arrives, so that a dream reads hits and not transcripts. A cue is a reason to look,
not a fact: recall comes first, and the context is judged later. The work is linear: one search for trigger words over
the text, then a fixed number of rules over sentences of bounded length.

Not knowledge are passing intents ("let me run the tests"), questions that ask for information, and pasted text: code,
quotes, logs, review comments. A polite proposal ("hmm, couldn't we use X instead?") is no question: people correct that
way.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.core.sessions.cue_rules import ACCEPTED_PLAN, ASSISTANT_HINTS, ASSISTANT_RULES, USER_RULES, CueKind, CueRule
from shared.core.sessions.cue_terms import find_terms

#: How a person leads into what they mean.
_LEAD = (
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|sure|right|good|great|cool|nice|thanks?|alright|now|first|next|then|so|and|also|but|"
    r"please|just|hmm+|well|quickly|again)[,.! ]+){0,4}"
)
#: The subject of an intent; a bare imperative has none.
_WHO = (
    r"(?:(?:let me|let's|lets|let us|i'll|i will|i'm going to|i am going to|i'm gonna|we'll|we will|"
    r"(?:can|could|would|will) (?:you|we|i)|go ahead and|you can|i want you to|i need you to)\s+)?"
    r"(?:(?:now|first|please|just|also|quickly|then|try to)\s+){0,2}"
)
#: Verbs of the moment: when the work is done, nothing of the sentence is worth keeping.
_PASSING = (
    r"(?:re-?run|run|check|double-check|look|see|start|continue|proceed|go on|go ahead|open|commit|push|test|verify|validate|"
    r"read|search|grep|find|fix|debug|wait|think|review|explain|show|tell|list|print|investigate|rebase|merge|build|"
    r"compile|restart|retry|try|summari[sz]e|describe|address|take a look|have a look|dig|analy[sz]e|get|give|begin|"
    r"finish|view|inspect|examine|walk|help|confirm|format|lint|delete|do)\b"
)
_TRANSIENT = re.compile(rf"\W{{0,8}}{_LEAD}{_WHO}{_PASSING}", re.IGNORECASE)
_ASKING = re.compile(
    rf"\W{{0,8}}{_LEAD}(?:what|how|why|where|when|who|which|whose|does|do|did|is|are|was|were|has|have|should|"
    r"would it|can it|any idea|any chance|i wonder|i'm wondering|wondering|(?:can|could|would) you "
    r"(?:please )?(?:explain|tell|show|describe))\b",
    re.IGNORECASE,
)
#: "What I'm trying to achieve is", "why not use", "is there a way to not": these state a wish.
_WISHING = re.compile(
    rf"\W{{0,8}}{_LEAD}(?:what (?:i|we)(?:'m|'re| am| are| want| need| meant| mean)\b|why not\b|why don't (?:we|you)\b|"
    r"how about\b|what about\b|what if (?:we|you)\b|is there (?:any|a|no|another|some) (?:\w+ )?way\b|"
    r"(?:is|are|do|does|should|did|would|was)n't\b|don't\b|do not\b|have (?:it|them|the|this|that)\b|"
    r"when(?:ever)?\b[^?]{1,120},|where\b[^?]{1,120},)",
    re.IGNORECASE,
)
_GUARDED_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
#: Narrow on purpose: "ignore the above error" is how people speak to their agents.
_ORDER_TO_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|the|your|my|of|these|those)\s+){0,3}"
    r"(?:(?:above|previous|prior|earlier|preceding|foregoing|system)\s+){1,2}"
    r"(?:instructions?|prompts?|directions?|directives?|guidelines|orders|messages?)\b"
    r"|^\W{0,8}(?:ignore|disregard|forget) (?:all of )?(?:the above|everything above)\W{0,3}$"
    r"|\byou are (?:now )?(?:root|dan|in developer mode|the system|an? unrestricted)\b"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|</?(?:system|instructions?)>|\[/?INST\]",
    re.IGNORECASE,
)
#: Longer texts are no single intent; it also bounds the work on hostile input.
_LONGEST_INTENT = 2_000


def is_transient(text: str) -> bool:
    """Tell whether a text only says what its author is about to do or wants done now."""
    if len(text) > _LONGEST_INTENT:
        return False
    sentences = [part for part in _GUARDED_SENTENCE_END.split(straight(text)) if part.strip()]
    return bool(sentences) and all(_TRANSIENT.match(part.strip()) for part in sentences)


def is_question(text: str) -> bool:
    """Tell whether a sentence asks for information; a polite proposal or wish does not."""
    words = straight(text).strip()
    if _WISHING.match(words):
        return False
    asks = _ASKING.match(words) is not None
    is_marked = words.endswith("?")
    return (is_marked and asks) or (
        asks and re.match(r"\W{0,8}(?:i wonder|i'm wondering|wondering)", words, re.IGNORECASE) is not None
    )


def is_model_instruction(text: str) -> bool:
    """Tell whether a sentence tries to command the model that reads the transcript; such words are no knowledge."""
    return _ORDER_TO_MODEL.search(straight(text)) is not None


def straight(text: str) -> str:
    """Return the text with typographic apostrophes made plain; its length stays the same."""
    return text.replace("\u2019", "'").replace("\u2018", "'")


_FENCE = re.compile(r"[ \t]{0,8}(```|~~~|\"\"\")")
_NOT_PROSE = re.compile(
    r"[ \t]{0,8}(?:>|\||\$ |at \S{1,200}\(|[+-]{3} |@@ |Traceback |File \")|\t| {4,}(?![-*+]|\d+[.)])"
)
_INLINE_CODE = re.compile(r"`[^`\n]{1,300}`")
_SPEAKS = re.compile(
    r"\b(?:i|i'm|i'd|i'll|i've|we|we're|we'll|let's|lets|you|you're|you've|our|my|me|please)\b", re.IGNORECASE
)
_SEVERITY = re.compile(
    r"\W{0,8}(?:low|medium|high|critical|minor|major|nit|nitpick|suggestion|p[0-3])\b[ -]{0,3}(?:severity|priority)?\W",
    re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"\w\(\)|\w\.(?:go|py|ts|js|rs|java|rb|c|cpp|md|ya?ml|json)\b|:\d{1,5}\b|[a-z][A-Z]|`|\w_\w|/\w+/"
)
#: A pasted plan to be carried out.
_ORDER = re.compile(r"\W{0,8}implement the\b", re.IGNORECASE)
#: A shorter text is the user's own remark.
_SHORTEST_COMMENT = 140


def blank_pasted(text: str) -> str:
    """Return the text with fenced blocks, quoted lines and inline code made blank, so that every place keeps its number."""
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        is_inside = bool(fence) or mark is not None
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        lines.append(" " * len(line) if is_inside or _NOT_PROSE.match(line) else line)
    return _INLINE_CODE.sub(lambda code: " " * len(code[0]), "\n".join(lines))


def is_review_comment(text: str) -> bool:
    """Tell whether a whole message is a review comment of a tool or a person: technical and impersonal."""
    head = text[:4_000]
    if _SPEAKS.search(head) or _ORDER.match(head):
        return False
    is_labelled = _SEVERITY.match(head) is not None and len(head) > 40
    return is_labelled or (len(head) >= _SHORTEST_COMMENT and _TECHNICAL.search(head) is not None)


__all__ = [
    "DETECTOR_VERSION",
    "Cue",
    "CueKind",
    "find_cues",
    "find_terms",
    "is_model_instruction",
    "is_question",
    "is_transient",
]

#: Raised with every change of what is found; events that an older version looked at are looked at again.
DETECTOR_VERSION = 3
#: Characters of a text that are searched; a longer one was not typed.
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
