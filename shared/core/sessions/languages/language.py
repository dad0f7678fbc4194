"""The form in which a language says how people correct, decide, prefer, ask and quote."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.core.sessions.cue_rules import CueKind, CueRule

_SOUND = "<sound>"
#: Name, strength, pattern.
Phrase = tuple[str, float, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. In its patterns `<head>` stands for the beginning of a sentence and the words that lead into it.

    A rule that begins with `<sound>` does not hold where a sentence reports trouble: "it no longer loads" corrects nothing.

    Attributes:
        code: two letters.
        words: frequent words by which it is recognised, in lower case.
        question: how a sentence begins that asks for information, with or without its mark.
        request: how a sentence begins that wants something done once.
        moment: words that bind a sentence to this moment: it says nothing about the next time.
        reported: another person speaks in this sentence.
        opening: what stands before a statement and says nothing of it.
        is_spaced: words have spaces between them.
        rules: the cues, those that also hold in a request marked as firm.
    """

    code: str
    words: frozenset[str]
    question: re.Pattern[str]
    request: re.Pattern[str]
    moment: re.Pattern[str]
    reported: re.Pattern[str]
    opening: re.Pattern[str]
    is_spaced: bool
    rules: Sequence[CueRule]


class _Patterns:
    """Compile the patterns of one language, with its beginning of a sentence in the place of `<head>`."""

    def __init__(self, lead: str, trouble: str, *, is_spaced: bool) -> None:
        gap = r"[\s,.!:\u2013-]{1,4}" if is_spaced else r"[\s,.!:\uff0c\u3001\u3002\uff01\uff1a]{0,4}"
        self._head = rf"^\W{{0,8}}(?:(?:{lead}){gap}){{0,4}}"
        self._trouble = self.compile(trouble)

    def compile(self, pattern: str) -> re.Pattern[str]:
        """Return a pattern that ignores case."""
        return re.compile(pattern.replace("<head>", self._head), re.IGNORECASE)

    def rules(self, kind: CueKind, phrases: Iterable[Phrase], *, is_firm: bool = False) -> list[CueRule]:
        """Return the rules of one kind."""
        return [
            CueRule(
                kind=kind,
                name=name,
                strength=strength,
                pattern=self.compile(pattern.removeprefix(_SOUND)),
                is_firm=is_firm,
                unless=self._trouble if pattern.startswith(_SOUND) else None,
            )
            for name, strength, pattern in phrases
        ]


def make_language(  # noqa: PLR0913 - one parameter for each thing that a language says in its own way
    code: str,
    *,
    words: str,
    lead: str,
    question: str,
    request: str,
    moment: str,
    reported: str,
    trouble: str,
    opening: str,
    corrections: Iterable[Phrase],
    saves: Iterable[Phrase],
    decisions: Iterable[Phrase],
    preferences: Iterable[Phrase],
    lasting: Iterable[Phrase],
    is_spaced: bool = True,
) -> Language:
    """Return a language from its phrases; saves and lasting preferences also hold in a request."""
    patterns = _Patterns(lead, trouble, is_spaced=is_spaced)
    rules = patterns.rules
    return Language(
        code=code,
        words=frozenset(words.split()),
        question=patterns.compile(question),
        request=patterns.compile(request),
        moment=patterns.compile(moment),
        reported=patterns.compile(reported),
        opening=patterns.compile(opening),
        is_spaced=is_spaced,
        rules=(
            *rules(CueKind.CORRECTION, corrections),
            *rules(CueKind.SAVE, saves, is_firm=True),
            *rules(CueKind.DECISION, decisions),
            *rules(CueKind.PREFERENCE, lasting, is_firm=True),
            *rules(CueKind.PREFERENCE, preferences),
        ),
    )
