"""Rules for months by name, for days by number, and for the edges of months, weeks and years."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from shared.core.dates.arithmetic import last_weekday, month_of, nth_weekday, shift, week_of, year_of
from shared.core.dates.languages.grammar import Grammar
from shared.core.dates.reading.marks import (
    any_month,
    any_weekday,
    fill_marks,
    find_month,
    find_weekday,
    make_rule,
    plain_marks,
    sides_of,
)
from shared.core.dates.reading.tense import is_habit, tense_of
from shared.core.dates.resolved import When, in_span, on_day
from shared.core.dates.rule import DateRule, Scene

#: What follows "the end of the month" where it is another month.
_OTHER = r"(?! (?:que|pasad|próxim|siguiente|passad|vem|prochain|dernier|scors|prossim|volgend|vorig|van volgende))"


def nth_weekdays(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "the first Monday of next month"."""
    ordinal = rf"(?P<nth>{'|'.join(grammar.ordinals)})"
    for month, side in sides_of(grammar, "month"):
        for pattern in grammar.nth_day:
            filled = fill_marks(pattern, S=month, O=ordinal, D=any_weekday(grammar))
            yield make_rule("nth weekday", filled, partial(_read_nth_day, grammar=grammar, side=side))


def _read_nth_day(found: re.Match[str], scene: Scene, *, grammar: Grammar, side: int) -> When:
    first, last = month_of(shift(scene.today, {"month": side}, 1))
    nth, weekday = grammar.ordinals[found["nth"].lower()], find_weekday(found, grammar)
    return on_day(last_weekday(last, weekday) if nth < 0 else nth_weekday(first, weekday, nth))


def months_by_name(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "last March" and "in March"."""
    for pattern, side in grammar.month_sides.items():
        yield make_rule(
            "month",
            fill_marks(pattern, M=any_month(grammar)),
            partial(_read_month, grammar=grammar, side=side),
        )
    for pattern in grammar.in_month:
        yield make_rule("in month", fill_marks(pattern, M=any_month(grammar)), partial(_read_in_month, grammar=grammar))


def _read_month(found: re.Match[str], scene: Scene, *, grammar: Grammar, side: int) -> When | None:
    month, today = find_month(found, grammar), scene.today
    if month == today.month:
        return None
    year = today.year + (side if (month - today.month) * side < 0 else 0)
    return replace(in_span(date(year, month, 1), "month"), is_clear=year != today.year)


def _read_in_month(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When | None:
    month, tense = find_month(found, grammar), tense_of(grammar, scene.text, *found.span())
    if month == scene.today.month or is_habit(scene.text, *found.span()):
        return None
    sign = tense or 1
    year = scene.today.year + (sign if (month - scene.today.month) * sign < 0 else 0)
    return replace(in_span(date(year, month, 1), "month"), is_clear=tense < 0)


def edges_of_months(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "the end of June"."""
    for pattern, edge in grammar.month_edges.items():
        read = partial(_read_month_edge, grammar=grammar, edge=edge)
        yield make_rule("edge of month", fill_marks(pattern, M=any_month(grammar)), read)


def _read_month_edge(found: re.Match[str], scene: Scene, *, grammar: Grammar, edge: int) -> When:
    """Read "the end of June": the one before in the past tense, else the coming one, unclear."""
    month, tense = find_month(found, grammar), tense_of(grammar, scene.text, *found.span())
    day = month_of(date(scene.today.year, month, 1))[edge]
    if (day - scene.today).days * (tense or 1) < 0:
        day = month_of(date(scene.today.year + (tense or 1), month, 1))[edge]
    return replace(on_day(day), is_clear=tense < 0)


def days_of_months(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "14 May" without a year."""
    for pattern in grammar.day_of_month:
        filled = fill_marks(pattern, N=r"(?P<number>\d{1,2})", M=any_month(grammar))
        yield make_rule("day of month", filled, partial(_read_day_of_month, grammar=grammar))


def _read_day_of_month(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When:
    """Read a day and month: the one before in the past tense, else the coming one, unclear."""
    tense = tense_of(grammar, scene.text, *found.span())
    day = date(scene.today.year, find_month(found, grammar), int(found["number"]))
    if (day - scene.today).days * (tense or 1) < 0:
        day = day.replace(year=day.year + (tense or 1))
    return replace(on_day(day), is_clear=tense < 0)


def _month_words(grammar: Grammar) -> str:
    return "(?:" + "|".join(name for name, unit in grammar.spans.items() if unit == "month") + ")"


def numbers_of_month(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "the 3rd of last month"."""
    for pattern in grammar.number_of:
        filled = fill_marks(pattern, N=r"(?P<number>\d{1,2})", S=_month_words(grammar))
        yield make_rule("number of month", filled, partial(_read_number_of))


def _read_number_of(found: re.Match[str], scene: Scene) -> When:
    side = 1 if found["ahead"] else 0 if found["now"] else -1
    return on_day(shift(scene.today.replace(day=1), {"month": side}, 1).replace(day=int(found["number"])))


def bare_numbers(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "on the 15th"."""
    for pattern in grammar.on_number:
        filled = fill_marks(pattern, N=r"(?P<number>\d{1,2})", M=plain_marks(grammar)["<M>"])
        yield make_rule("on number", filled, partial(_read_on_number, grammar=grammar))


def _read_on_number(found: re.Match[str], scene: Scene, *, grammar: Grammar) -> When | None:
    """Read "on the 15th": the one before in the past tense, else the coming one, unclear: rent is due on the 1st of each month."""
    tense, number = tense_of(grammar, scene.text, *found.span()), int(found["number"])
    sign = tense or 1
    for months in range(4):
        try:
            day = shift(scene.today.replace(day=1), {"month": months}, sign).replace(day=number)
        except ValueError:  # the 31st of June
            continue
        if (day - scene.today).days * sign >= 0:
            return replace(on_day(day), is_clear=tense < 0)
    return None


def edges_of_spans(grammar: Grammar) -> Iterator[DateRule]:
    """Yield the rules for "the end of the month"."""
    for pattern, (unit, side, edge) in grammar.ends.items():
        behind = _OTHER if side == 0 else ""
        yield make_rule("end", f"(?:{pattern}){behind}", partial(_read_end, unit=unit, side=side, edge=edge))


def _read_end(_found: re.Match[str], scene: Scene, *, unit: str, side: int, edge: int) -> When:
    """Read the end of a month or year, and of a week at work. The end of "the month" may be that of any month, and is unclear."""
    if unit == "week":
        monday = week_of(scene.today + timedelta(weeks=side))[0]
        return replace(on_day(monday + timedelta(days=4 if edge else 0)), is_clear=False)
    around = month_of if unit == "month" else year_of
    return replace(on_day(around(shift(scene.today, {unit: side}, 1))[edge]), is_clear=side != 0)
