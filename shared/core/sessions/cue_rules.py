"""The table of cue rules: phrases that mark a correction, something to keep, a decision or a preference.

A new cue is one line here and a new DETECTOR_VERSION. Every gap is bounded and quantifiers are not nested, so that a
rule is linear in the sentence, which is bounded, too.
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

    `strength` (0 to 1) is the rule's confidence alone. `is_firm` rules also hold in questions and passing intents.
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


#: After this line of a user the rest is a plan that was written by an assistant and accepted.
ACCEPTED_PLAN = "accepted plan"

_HEAD = (
    r"^\W{0,8}(?:(?:ok(?:ay)?|yes|yeah|yep|sure|so|and|but|well|oh|ah|please|actually|right|good|great)[,.! ]+){0,3}"
)
_KEPT_IN = (
    r"(?:memory|memories|notes?|claude\.md|agents\.md|gemini\.md|memory\.md|rules?|guidelines?|cursorrules|readme)"
)
_DO = (
    r"(?:use|go|keep|make|stick|switch|remove|drop|not|call|rename|move|have|replace|avoid|stay|skip|name|default|add)"
)
_CHANGE = (
    r"(?:move|change|rename|make|keep|use|avoid|switch|replace|drop|remove|not|put|have|rather|instead|only|simplify)"
)
_C, _S, _D, _P = CueKind.CORRECTION, CueKind.SAVE, CueKind.DECISION, CueKind.PREFERENCE

USER_RULES: tuple[CueRule, ...] = (
    make_rule(
        _C, "no", 0.8, rf"{_HEAD}(?:no|nope|nah)\b(?! (?:problem|worries|need|rush|idea|more))[,.! -]", is_firm=True
    ),
    make_rule(
        _C,
        "not right",
        0.9,
        r"\b(?:you|that|this|it|which)(?:'re|'s| are| is| was| were) not (?:correct|right|true|what|how|the case|where|"
        r"exactly|quite|it|needed|necessary)\b",
        is_firm=True,
    ),
    make_rule(
        _C,
        "wrong",
        0.7,
        r"\b(?:that|this|it|you|your|answer|assumption)\b[^.?!]{0,40}\b(?:wrong|incorrect|mistaken)\b",
        is_firm=True,
    ),
    make_rule(_C, "isn't what", 0.9, r"\b(?:isn't|wasn't|not) (?:what|how|where) (?:i|we|it)\b", is_firm=True),
    make_rule(
        _C,
        "I meant",
        0.9,
        r"(?<!\bwhat )\bi (?:meant|said|asked|told you|was able|already (?:said|told|asked|did)|never (?:said|asked))\b",
        is_firm=True,
    ),
    make_rule(_C, "actually", 0.6, r"(?:^\W{0,8}|\bbut |\bno,? |, )actually\b"),
    make_rule(
        _C,
        "not X but Y",
        0.9,
        r"\bnot (?:as|a|an|the|in|to|with|for|from|on|by|just|only)\b[^.?!\n]{1,60}\bbut\b",
        is_firm=True,
    ),
    make_rule(_C, "instead", 0.6, r"\binstead\b|\brather than\b"),
    make_rule(
        _C,
        "polite",
        0.6,
        r"\b(?:couldn't|shouldn't|can't|wouldn't|isn't|aren't|don't|doesn't|why not|why don't) "
        r"(?:we|you|it|this|that|there|they|just)\b[^?\n]{0,200}\?",
        is_firm=True,
    ),
    make_rule(
        _C,
        "can we change",
        0.5,
        rf"\b(?:can|could|may) (?:we|you|i) (?:please |just |also |maybe )?{_CHANGE}\b",
        is_firm=True,
    ),
    make_rule(
        _C, "a way to not", 0.5, r"\bis there (?:any|a|no|another|some) (?:\w+ )?way\b[^?\n]{0,120}\?", is_firm=True
    ),
    make_rule(_C, "hmm", 0.5, r"^\W{0,8}(?:hm+(?![^?\n]*!)|wait|oops|ugh|gah|huh|hold on|argh)\b"),
    make_rule(
        _C,
        "you did",
        0.7,
        r"\byou(?:'ve| have|'re| are)? (?:still |just |also |again |accidentally )?(?:forgot|missed|removed|broke|"
        r"deleted|ignored|attached|misunderst\w{2,4}|changed|overwrote|duplicated|invented|made up|should(?:n't)? have|"
        r"didn't|did not|keep \w{2,12}ing)\b",
    ),
    make_rule(
        _C,
        "order not to",
        0.7,
        rf"{_HEAD}(?:don't|do not|stop|never|no need to|avoid)\b(?! (?:worry|know|think|understand|see|forget))",
    ),
    make_rule(
        _C,
        "no longer",
        0.7,
        r"\bno longer\b|\banymore\b|\bany more\b|\bobsolete\b|\bdeprecated\b|\boutdated\b|\bout of date\b",
    ),
    make_rule(_C, "undo", 0.5, rf"{_HEAD}(?:revert|undo|roll back|put back|bring back|restore)\b"),
    make_rule(
        _S,
        "remember",
        0.9,
        r"(?<!don't )(?<!not )(?<!can't )(?<!do you )(?<!i )\bremember(?: that| this| to| these|:|,)",
        is_firm=True,
    ),
    make_rule(
        _S,
        "to memory",
        0.95,
        r"\b(?:save|store|add|put|write|record|note|commit|keep|append|document)\b[^.?!\n]{0,60}"
        rf"\b(?:to|in|into|as) (?:the |your |our |my |a )?(?:\w+ )?{_KEPT_IN}\b",
        is_firm=True,
    ),
    make_rule(
        _S,
        "update the file",
        0.95,
        r"\b(?:update|edit|extend|amend|change|refresh|fix)\b[^.?!\n]{0,40}"
        r"\b(?:claude|agents|gemini|memory)\.md\b",
        is_firm=True,
    ),
    make_rule(
        _S,
        "keep in mind",
        0.85,
        r"\bkeep in mind\b|\bfor the record\b|\bdon't forget(?!,)\b|\bmake a note\b|\bnote to self\b"
        r"|\bfor (?:future reference|next time)\b|\bmake sure you remember\b",
        is_firm=True,
    ),
    make_rule(
        _S,
        "from now on",
        0.9,
        r"\bfrom now on\b|\bgoing forward\b|\bin (?:the )?future\b|\bmoving forward\b",
        is_firm=True,
    ),
    make_rule(
        _S, "keep it in", 0.7, r"\bkeep (?:our|the|all|my|this|these|your)\b[^.?!\n]{1,60}\b(?:in|on|at|under)\b"
    ),
    make_rule(_S, "for your information", 0.6, rf"{_HEAD}(?:fyi|note(?: that|:)|important:|nb:|heads up\b)"),
    make_rule(
        _D, "decided", 0.9, r"\b(?:we|i)(?:'ve| have)? (?:decided|agreed|chose|picked|settled|opted|concluded)\b"
    ),
    make_rule(_D, "let's", 0.7, rf"\b(?:let's|lets|let us) (?:just |also |now |please |all )?{_DO}\b"),
    make_rule(
        _D,
        "we do",
        0.6,
        r"\bwe(?:'ll|'re| will| should| must| need| use| prefer| don't| do not| never| always| have to| only|"
        r"'re going| are going| are using| can't| cannot)\b(?! (?:see|check|run|look|find|know))",
    ),
    make_rule(
        _D,
        "I want",
        0.6,
        r"\bi(?:'d| would| do| just| only| really)? (?:want|prefer|rather|like)(?: to| it| the| a| that|\b)"
        r"(?! (?:know|see|understand|check|you to (?:look|check|run)))",
    ),
    make_rule(_D, "go with", 0.85, r"\b(?:go|going|went|stick|sticking|stay) (?:with|for)\b"),
    make_rule(
        _D,
        "the goal is",
        0.7,
        r"\bthe (?:plan|decision|goal|idea|convention|rule|policy|reason|point|intent(?:ion)?) "
        r"(?:is|was|here|behind)\b|\b(?:trying|want) to achieve\b|\bmy goal (?:is|was|here)\b",
    ),
    make_rule(_D, ACCEPTED_PLAN, 0.8, r"^\W{0,8}implement the following plan\b", is_firm=True),
    make_rule(_D, "choice", 0.6, r"^\W{0,4}(?:option )?\d{1,2}[a-z]?[,.) ]{1,3}(?:but|and|with|plus|except|only)\b"),
    make_rule(
        _D,
        "use X for",
        0.6,
        rf"{_HEAD}(?:use|prefer|keep|follow|make|put|name|call|default to)\b[^.?!\n]{{1,80}}"
        r"\b(?:for|instead|not|over|only|everywhere|by default|as the|so that|because|since)\b",
    ),
    make_rule(
        _P,
        "always",
        0.7,
        r"\balways\b|\bnever\b|\bwhenever\b|\bevery time\b|\beach time\b|\bas a rule\b|\bby default\b",
    ),
    make_rule(
        _P,
        "taste",
        0.7,
        r"\bi(?:'d| would)? (?:really |much )?(?:prefer|like|love|hate|dislike|don't like|do not like)\b"
        r"|\bmy preference\b|\bpersonally\b",
    ),
    make_rule(
        _P,
        "fond of",
        0.6,
        r"\bi(?:'m| am| was|'ve been| have been) (?:\w+ )?(?:hooked on|into|obsessed with|crazy about|keen on)\b",
    ),
    make_rule(_P, "looking for", 0.5, r"\bi(?:'m| am) (?:still )?looking for (?:a|an|some|something|somewhere)\b"),
    make_rule(_P, "habit", 0.5, r"\bwhen(?:ever)? i(?:'m| am) [^.?!\n]{2,60}, i\b"),
    make_rule(
        _P,
        "kept simple",
        0.6,
        r"\bnothing (?:exotic|fancy|special)\b|\bsimplest (?:possible|thing)\b|\bkeep (?:it|this|them) "
        r"(?:simple|short|small|minimal|concise|as is)\b|\bover-?engineer\w{0,5}\b|\bmore concise\b|\btoo (?:long|verbose|much)\b",
    ),
    make_rule(_P, "same way", 0.5, r"\bin the same way\b|\bconsistent with\b|\bjust like (?:we|the)\b"),
)

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
