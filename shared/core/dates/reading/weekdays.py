"""Rules for the weekdays and weekends of a grammar, with a side or alone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial

from shared.core.dates.arithmetic import nearest, weekday_in_week
from shared.core.dates.languages.grammar import Grammar
from shared.core.dates.reading.marks import any_weekday, fill_marks, find_weekday, make_rule, sides_of
from shared.core.dates.reading.tense import is_habit, tense_of
from shared.core.dates.resolved import When, in_span, on_day
from shared.core.dates.rule import DateRule, Scene

#: What stands before a weekday and says on which side of today it lies.
_LEADS = (
    (-1, re.compile(r"(?:seit|sinds|depuis|desde)\b", re.IGNORECASE)),
    (
        1,
        re.compile(
            r"(?:bis|ab|zum|tot|vanaf|avant|d['\u2019]ici|jusqu|dès|pour|hasta|para|antes|até|entro)\b", re.IGNORECASE
        ),
    ),
)


def weekdays_of_week(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "Tuesday of last week"."""
    for week, side in sides_of(grammar, "week"):
        for pattern in grammar.of_week:
            filled = fill_marks(pattern, S=week, D=any_weekday(grammar))
            yield make_rule("weekday of week", filled, partial(_read_of_week, grammar=grammar, side=side))


def _read_of_week(found: re.Match[str], scene: Scene, *, grammar: Grammar, side: int) -> When:
    return on_day(weekday_in_week(scene.today + timedelta(weeks=side), find_weekday(found, grammar)))


def sided_weekdays(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "last Friday", "this Friday", "next Friday"."""
    kinds = (
        ("last weekday", grammar.last_day, _read_last_day),
        ("coming weekday", grammar.coming_day, _read_coming_day),
        ("next weekday", grammar.next_day, _read_next_day),
        ("this weekday", grammar.this_day, _read_this_day),
    )
    for name, patterns, read in kinds:
        for pattern in patterns:
            yield make_rule(name, fill_marks(pattern, D=any_weekday(grammar)), partial(read, grammar=grammar))

    for pattern, weeks in grammar.week_on.items():
        read = partial(_read_week_on, grammar=grammar, weeks=weeks)
        yield make_rule("weekday and weeks", fill_marks(pattern, D=any_weekday(grammar)), read)


def _read_week_on(found: re.Match[str], scene: Scene, *, grammar: Grammar, weeks: int) -> When:
    return on_day(nearest(scene.today, find_weekday(found, grammar), 1) + timedelta(weeks=weeks))


def _read_last_day(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When:
    return on_day(nearest(scene.today, find_weekday(found, grammar), -1))


def _read_coming_day(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When:
    return on_day(nearest(scene.today, find_weekday(found, grammar), 1))


def _read_next_day(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When:
    """Read the nearest one ahead; for some it is that of the next week, and where that is another day it is not clear."""
    weekday = find_weekday(found, grammar)
    day = nearest(scene.today, weekday, 1)
    return replace(on_day(day), is_clear=day == weekday_in_week(scene.today + timedelta(weeks=1), weekday))


def _read_this_day(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When:
    weekday = find_weekday(found, grammar)
    day = weekday_in_week(scene.today, weekday)
    if day >= scene.today or tense_of(grammar, scene.text, *found.span()) < 0:
        return on_day(min(day, scene.today) if tense_of(grammar, scene.text, *found.span()) < 0 else day)
    return replace(on_day(nearest(scene.today, weekday, 1)), is_clear=False)


def bare_weekdays(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "on Friday"."""
    for pattern in grammar.on_day:
        filled = fill_marks(pattern, D=any_weekday(grammar))
        yield make_rule("on weekday", filled, partial(_read_on_day, grammar=grammar))


def _read_on_day(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When | None:
    """Read a weekday alone: the one before in the past tense; else the coming one, which may be a habit and is unclear."""
    weekday = find_weekday(found, grammar)
    side = next((sign for sign, words in _LEADS if words.match(found[0])), 0)
    tense = side or tense_of(grammar, scene.text, *found.span())
    if weekday == scene.today.weekday() or is_habit(scene.text, *found.span()):
        return None
    return replace(on_day(nearest(scene.today, weekday, tense or 1)), is_clear=False)


def bare_weekends(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "at the weekend"."""
    for pattern in grammar.weekend:
        yield make_rule("weekend", pattern, partial(_read_weekend, grammar=grammar))


def _read_weekend(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When | None:
    tense = tense_of(grammar, scene.text, *found.span())
    if scene.today.weekday() >= 5 or is_habit(scene.text, *found.span()):
        return None
    return replace(in_span(scene.today - timedelta(weeks=tense < 0), "weekend"), is_clear=tense < 0)
