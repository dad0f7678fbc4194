"""Rules made of a language's grammar: each pattern of the table, with its words put in, and the meaning of a match."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache, partial
from itertools import chain

from shared.core.dates.arithmetic import quarter_of, shift
from shared.core.dates.languages.grammar import Grammar
from shared.core.dates.languages.known import GRAMMARS
from shared.core.dates.reading.marks import any_number, fill_marks, make_rule, plain_marks, read_count, sides_of
from shared.core.dates.reading.months import (
    bare_numbers,
    days_of_months,
    edges_of_months,
    edges_of_spans,
    months_by_name,
    nth_weekdays,
    numbers_of_month,
)
from shared.core.dates.reading.tense import is_said_of_any_day, is_vague, tense_of
from shared.core.dates.reading.weekdays import bare_weekdays, bare_weekends, sided_weekdays, weekdays_of_week
from shared.core.dates.resolved import Granularity, When, as_exact_as, in_span, on_day
from shared.core.dates.rule import DateRule, Scene

_NEAR = 24
#: Right before a span it means a part of it.
_EDGE = re.compile(
    r"\b(?:ende|anfang|mitte|einde?|begin|midden|half|fin|début|mi|milieu|finales|final|principios|comienzos|inicios|mediados|fine|inizio|metà|fim|"
    r"início|começo|meados)\s(?:(?:der|des|van|von|de|du|del|della|dell|do|da)\s)?(?:la\s|de\s)?$",
    re.IGNORECASE,
)


@lru_cache(maxsize=16)
def rules_of(code: str) -> tuple[DateRule, ...]:
    """Return the rules of a language, the longer phrases first; none for a language without a grammar."""
    grammar = GRAMMARS.get(code)
    if grammar is None:
        return ()
    makers = (
        _torn,
        nth_weekdays,
        weekdays_of_week,
        numbers_of_month,
        edges_of_spans,
        sided_weekdays,
        _counted,
        _days,
        _spans,
        bare_weekends,
        edges_of_months,
        days_of_months,
        months_by_name,
        bare_numbers,
        bare_weekdays,
    )
    return tuple(chain.from_iterable(make(grammar) for make in makers))


@lru_cache(maxsize=16)
def mention_of(code: str) -> re.Pattern[str]:
    """Return one pattern of what names a day or span of a language, or counts back to it, without weekdays and months alone."""
    grammar = GRAMMARS[code]
    spans = f"(?:{'|'.join(grammar.spans)})"
    sided = (*grammar.sides, *grammar.past, *grammar.last_day, *grammar.coming_day, *grammar.next_day, *grammar.of_week)
    words = [*grammar.days, *(pattern.replace("<S>", spans) for pattern in sided)]
    for mark, plain in plain_marks(grammar).items():
        words = [pattern.replace(mark, plain) for pattern in words]
    return make_rule("mention", "|".join(words), None).pattern


def _torn(grammar: Grammar) -> Iterator[DateRule]:
    for pattern in grammar.torn:
        words = pattern
        for mark, plain in plain_marks(grammar).items():
            words = words.replace(mark, plain)
        yield make_rule("torn", words, None)


def _days(grammar: Grammar) -> Iterator[DateRule]:
    for pattern, days in grammar.days.items():
        yield make_rule("day", pattern, partial(_read_day, grammar=grammar, days=days))


def _read_day(found: re.Match[str], scene: Scene, *, grammar: Grammar, days: int) -> When | None:
    if is_said_of_any_day(found, scene.text):
        return None
    meant = on_day(scene.today + timedelta(days=days))
    is_today = days == 0 and re.fullmatch(grammar.today, found[0], re.IGNORECASE) is not None
    return replace(meant, is_clear=tense_of(grammar, scene.text, *found.span()) < 0) if is_today else meant


def _counted(grammar: Grammar) -> Iterator[DateRule]:
    # "Heute vor einem Jahr", "hoy hace un año": counted from today, as without the word.
    lead, tail = rf"(?:{grammar.today},? )?", rf"(?: {grammar.today})?"
    kinds = ((-1, True, grammar.past), (1, True, grammar.ahead), (1, False, grammar.maybe_ahead))
    for sign, is_sure, patterns in kinds:
        read = partial(_read_counted, grammar=grammar, sign=sign, is_sure=is_sure)
        for pattern in patterns:
            for words, unit in grammar.units.items():
                filled = fill_marks(lead + pattern + tail, N=any_number(grammar), U=words)
                yield make_rule("counted", filled, partial(read, unit=unit))


def _read_counted(
    found: re.Match[str], scene: Scene, *, grammar: Grammar, unit: tuple[str, int], sign: int, is_sure: bool
) -> When | None:
    # "It was written in two weeks" is how long it took.
    is_span = (
        sign > 0
        and (not is_sure or found[0].lower().startswith("in "))
        and tense_of(grammar, scene.text, *found.span()) < 0
    )
    if is_span or is_vague(grammar, scene.text, found.start()):
        return None
    name, times = unit
    count = read_count(found, grammar)
    meant = as_exact_as(shift(scene.today, {name: count * times}, sign), name)
    is_loose = times > 1 or (name == "day" and count in grammar.loose)
    return replace(meant, is_clear=is_sure and not is_loose)


def _spans(grammar: Grammar) -> Iterator[DateRule]:
    for unit in dict.fromkeys(grammar.spans.values()):
        for pattern, side in sides_of(grammar, unit):
            yield make_rule("span", pattern, partial(_read_span, unit=unit, side=side))


def _read_span(found: re.Match[str], scene: Scene, *, unit: str, side: int) -> When | None:
    edge = _EDGE.search(scene.text[max(0, found.start() - _NEAR) : found.start()])
    if edge or is_said_of_any_day(found, scene.text):  # "the middle of next week" is no whole week
        return None
    if unit == "quarter":
        first, last = quarter_of(shift(scene.today, {"month": 3 * side}, 1))
        return When(first=first, last=last, granularity=Granularity.RANGE)
    if unit == "weekend" and side > 0 and scene.today.weekday() < 5:  # the coming one, or that of next week
        return replace(in_span(scene.today, unit), is_clear=False)
    is_torn = unit == "weekend" and side and scene.today.weekday() >= 5
    return None if is_torn else in_span(shift(scene.today, {"week" if unit == "weekend" else unit: side}, 1), unit)
