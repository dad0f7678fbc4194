"""The shape of a date rule: a pattern, and the meaning of its match on a day. A rule that returns None abstains.

Also the tense of a sentence: "on Friday" alone does not say which Friday.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from shared.core.dates.resolved import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The context of a phrase: the text with its code blanked, and the local day and hour at which it was said."""

    text: str
    today: date
    hour: int
    #: What rules before this one have taken, resolved or abstained; ordered by nothing.
    taken: bytearray


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRule:
    """One way of naming a date. A match belongs to its rule: no later rule looks at it, even when the rule abstains."""

    name: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Scene], When | None]


def rule(name: str, pattern: str, read: Callable[[re.Match[str], Scene], When | None]) -> DateRule:
    """Return a rule whose pattern matches whole words in any case."""
    return DateRule(name=name, pattern=re.compile(rf"\b{pattern}\b", re.IGNORECASE), read=read)


def abstain(_found: re.Match[str], _scene: Scene) -> When | None:
    """Return None: the phrase has no single meaning."""
    return None


_PAST = re.compile(
    r"\b(?:was|were|had|did|didn't|wasn't|been|went|met|saw|said|told|got|made|took|came|began|broke|sent|found|wrote|ran|"
    r"gave|left|held|lost|won|built|bought|fell|felt|kept|led|paid|put|read|sold|spoke|spent|taught|thought|knew|became|"
    r"drove|flew|ate|cut|hit|set|shipped|"
    r"(?!hundred|indeed|speed|exceed|proceed|succeed|embed)[a-z]{3,20}ed)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|planning|plans? to|let's|schedule|book|arrange|set up|can|could|would|should|must|"
    r"need to|needs to|want to|wants to|due|deadline|upcoming|please|available|remind)\b|\b\w{1,5}'ll\b",
    re.IGNORECASE,
)
#: "Is closed", "are paid", "gets emptied": a participle that tells how things are, on any such day.
_STANDING = re.compile(
    r"\b(?:is|are|am|be|being|gets?|becomes?|\w{1,5}'(?:s|re|m))\s{1,3}(?:not\s{1,3})?(?:\w{2,12}ly\s{1,3}|also\s{1,3}|then\s{1,3}){0,2}"
    r"(?:held|sent|made|found|kept|put|read|sold|spent|taught|cut|set|shipped|led|paid|built|bought|told|won|[a-z]{3,20}ed)\b",
    re.IGNORECASE,
)
#: "Invoices ordered on Friday arrive on Tuesday": a participle behind its noun, and behind its day the verb of any such week.
_ANY_SUCH = re.compile(
    r"\W{0,8}(?:[a-z]{1,20} ){0,2}[a-z]{2,20}s (?:not )?(?:held|sent|made|found|kept|read|sold|built|bought|told|cut|set|paid|shipped|[a-z]{3,20}ed)"
    r"(?: [a-z]{1,20}){0,3}? (?:on|by|before|after|until|since) (?:mon|tues|wednes|thurs|fri|satur|sun)days? "
    r"(?!(?:and|or|but|nor|because|when|while|where|which|who|that|after|before|until|since|so|as|in|at|on|by|for|with|from|to|of|due|"
    r"despite|during|again|already|too|instead|without|via|into|over|under|about|morning|afternoon|evening|night|noon|last|this|"
    r"was|were|had|did|went|came|got|broke|began|took|made|ran|said|saw|left|lost|[a-z]{3,20}ed)\b)[a-z]{2}",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"[.!?\n](?=\s|$)")
_REACH = 160


def find_tense(text: str, start: int, end: int) -> int:
    """Return -1 for a sentence about the past, 1 for one about the future, 0 for neither or both."""
    sentence = find_sentence(text, start, end)
    if _ANY_SUCH.match(" ".join(find_sentence(text, start, start).split())):
        return 0
    # "set up a meeting we scheduled": what is to come decides over a form that may be a participle.
    if _FUTURE.search(sentence):
        return 0 if re.search(r"\b(?:was|were|had|did|didn't)\b", sentence, re.IGNORECASE) else 1
    return -1 if _PAST.search(sentence) and not _STANDING.search(sentence) else 0


def is_span_of_work(text: str, start: int, end: int) -> bool:
    """Tell whether "in two weeks" is how long something takes: "it was written in two weeks", "a visa is issued in two weeks"."""
    sentence = find_sentence(text, start, end)
    return not _FUTURE.search(sentence) and _PAST.search(sentence) is not None


def find_sentence(text: str, start: int, end: int) -> str:
    """Return the words of its sentence on both sides of a phrase."""
    left = text[max(0, start - _REACH) : start]
    right = text[end : end + _REACH]
    stops = list(_BEFORE.finditer(left))
    left = left[stops[-1].end() :] if stops else left
    stop = _BEFORE.search(right)
    return f"{left} {right[: stop.start()] if stop else right}".replace("\u2019", "'")
