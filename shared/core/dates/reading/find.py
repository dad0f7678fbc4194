"""Relative dates in other languages than English, each in the sentences that are written in it."""

import re
from collections.abc import Iterator
from itertools import islice

from shared.core.dates.languages.known import GRAMMARS
from shared.core.dates.reading.recognise import ENGLISH, Languages, find_possible
from shared.core.dates.reading.rules import mention_of, rules_of
from shared.core.dates.reading.tense import tense_of
from shared.core.dates.rule import DateRule, Reading, Scene

#: How many phrases of a text are looked at, to tell whether one is in its language.
_MENTIONS = 100
_TRIGGERS = {code: re.compile(one.trigger, re.IGNORECASE) for code, one in GRAMMARS.items()}


def may_have_dates(text: str, locale: str) -> bool:
    """Tell whether a text holds what a phrase of another language than English holds."""
    return any(_TRIGGERS[code].search(text) for code in find_possible(text, locale))


def mentions_date(text: str, words: frozenset[str]) -> bool:
    """Tell whether a sentence of a text, whose words these are, names a day, week, month or count of them in its own language."""
    languages = Languages(text, ENGLISH)
    return any(
        languages.may_be_in(code, *found.span())
        for code in find_possible(text, ENGLISH, words)
        if _has_sentence_in(code, text, languages, _MENTIONS)
        for found in islice(mention_of(code).finditer(text), _MENTIONS)
    )


def find_locale_dates(scene: Scene, locale: str, limit: int) -> Iterator[Reading]:
    """Yield the phrases of other languages, each in sentences of its own.

    Args:
        scene: the text with its code made blank, and the moment at which it was said.
        locale: two letters; the language of what does not tell its own.
        limit: how many matches of one rule are looked at.
    """
    languages = Languages(scene.text, locale)
    possible = find_possible(scene.text, locale)
    for code in (one for one in _TRIGGERS if one in possible):
        if not _has_sentence_in(code, scene.text, languages, limit):
            continue
        for rule in rules_of(code):
            yield from _read(rule, code, scene, languages, limit)


def _has_sentence_in(code: str, text: str, languages: Languages, limit: int) -> bool:
    """Tell whether a language has a sentence that may hold a date: most texts are in one, and no rule of the others is tried."""
    return any(languages.may_be_in(code, *found.span()) for found in islice(_TRIGGERS[code].finditer(text), limit))


def _read(rule: DateRule, code: str, scene: Scene, languages: Languages, limit: int) -> Iterator[Reading]:
    for found in islice(rule.pattern.finditer(scene.text), limit):
        start, end = found.span()
        if any(scene.taken[start:end]) or not languages.may_be_in(code, start, end):
            continue
        try:
            when = rule.read(found, scene)
        except (OverflowError, ValueError):  # outside the calendar
            when = None
        yield Reading(start, end, when, tense_of(GRAMMARS[code], scene.text, start, end) if when else 0)
