"""The form in which a language says how people correct, decide, prefer, ask and quote."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.core.sessions.cue_rules import CueKind, CueRule

_SOUND = "<sound>"
_CAPITAL = re.compile(r"\\.|[A-Z]")
#: Name, strength, pattern.
Phrase = tuple[str, float, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """The data of one language. In its patterns `<head>` stands for the beginning of a sentence and the words that lead into it.

    A rule that begins with `<sound>` does not hold where a sentence reports trouble: "it no longer loads" corrects nothing.

    Attributes:
        code: two letters.
        words: frequent words by which it is recognised, in lower case.
        lead: words that lead into a sentence.
        question: how a sentence begins that asks for information, with or without its mark.
        request: how a sentence begins that wants something done once.
        moment: words that bind a sentence to this moment: it says nothing about the next time.
        reported: another person speaks in this sentence.
        idle: a sentence that holds nothing to keep whatever its words: what others believe, what is only supposed, what is wanted this
            once, and "do you remember when".
        trouble: a sentence reports what a program does wrong.
        states: words by which an entry of a log says how something is.
        narrates: an entry of a log tells what was done, or how things are at this moment.
        opening: what stands before a statement and says nothing of it.
        saves: requests to remember; they also hold in a request.
        facts: what the speaker is for good: allergic, left-handed.
        lasting: preferences that hold every time, also in a request.
        is_spaced: words have spaces between them.
    """

    code: str
    words: str
    lead: str
    question: str
    request: str
    moment: str
    reported: str
    idle: str
    trouble: str
    states: str
    narrates: str
    opening: str
    corrections: Sequence[Phrase]
    saves: Sequence[Phrase]
    decisions: Sequence[Phrase]
    preferences: Sequence[Phrase]
    facts: Sequence[Phrase]
    lasting: Sequence[Phrase]
    is_spaced: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The compiled patterns of one language; `Phrases` says what each is for. Firm rules also hold in requests.

    The patterns of questions, requests, moments, reports, idle words and rules look at text in lower case, which takes half the time.
    """

    code: str
    question: re.Pattern[str]
    request: re.Pattern[str]
    moment: re.Pattern[str]
    reported: re.Pattern[str]
    idle: re.Pattern[str]
    states: re.Pattern[str]
    narrates: re.Pattern[str]
    opening: re.Pattern[str]
    is_spaced: bool
    rules: Sequence[CueRule]


def make_language(phrases: Phrases) -> Language:
    """Return a language ready for use."""
    gap = r"[\s,.!:\u2013-]{1,4}" if phrases.is_spaced else r"[\s,.!:\uff0c\u3001\u3002\uff01\uff1a]{0,4}"
    head = rf"^\W{{0,8}}(?:(?:{phrases.lead}){gap}){{0,4}}"

    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern.replace("<head>", head), re.IGNORECASE)

    def lowered(pattern: str) -> re.Pattern[str]:
        return re.compile(_lower(pattern.replace("<head>", head)))

    trouble = lowered(phrases.trouble)

    def rule(kind: CueKind, phrase: Phrase, *, is_firm: bool = False) -> CueRule:
        name, strength, pattern = phrase
        unless = trouble if pattern.startswith(_SOUND) else None
        bare = lowered(pattern.removeprefix(_SOUND))
        return CueRule(kind=kind, name=name, strength=strength, pattern=bare, is_firm=is_firm, unless=unless)

    return Language(
        code=phrases.code,
        question=lowered(phrases.question),
        request=lowered(phrases.request),
        moment=lowered(phrases.moment),
        reported=lowered(phrases.reported),
        idle=lowered(phrases.idle),
        states=compiled(phrases.states),
        narrates=compiled(phrases.narrates),
        opening=compiled(phrases.opening),
        is_spaced=phrases.is_spaced,
        rules=(
            *(rule(CueKind.CORRECTION, one) for one in phrases.corrections),
            *(rule(CueKind.SAVE, one, is_firm=True) for one in phrases.saves),
            *(rule(CueKind.SAVE, one) for one in phrases.facts),
            *(rule(CueKind.DECISION, one) for one in phrases.decisions),
            *(rule(CueKind.PREFERENCE, one, is_firm=True) for one in phrases.lasting),
            *(rule(CueKind.PREFERENCE, one) for one in phrases.preferences),
        ),
    )


def _lower(pattern: str) -> str:
    """Return a pattern with its letters in lower case, classes such as that of blanks left as they are."""
    return _CAPITAL.sub(lambda found: found[0] if found[0].startswith("\\") else found[0].lower(), pattern)
