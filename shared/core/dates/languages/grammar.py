"""The shape of a language's dates: what is counted and named, and how words lie around it, as data.

Patterns hold `<N>` for a number, `<U>` for a unit that is counted, `<D>` for a weekday, `<S>` for a whole week, month or year,
`<M>` for a month and `<O>` for an ordinal. What two readings fit stands nowhere, or in `torn`: a wrong date is worse than none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

#: A unit and how many of it a word means: a fortnight is two weeks.
Unit = tuple[str, int]
#: Stands for the phrase among the words of its sentence, where a tense is looked for.
PLACE = "\x01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The dates of one language.

    Attributes:
        code: two letters.
        words: frequent words by which the language is recognised, and the ones of its dates that no other language has.
        letters: a class of characters that speak for the language; empty when none does.
        trigger: a pattern of which every phrase of the language holds one match.
        numbers: number words; digits are always understood.
        units: words for a unit that is counted, longer ones first: minute, hour, day, business, week, month or year.
        spans: words for a whole week, weekend, month, quarter or year.
        weekdays: names, Monday first.
        months: names.
        days: a phrase, and how many days away it is.
        past, ahead: patterns of a count that looks back or ahead.
        sides: patterns of a whole span, and how many away it is.
        last_day, coming_day, next_day, this_day: patterns of a weekday. "Next" is unclear within a week, "coming" never.
        week_on: patterns of a weekday, and how many weeks after the coming one it is.
        on_day: patterns of a weekday alone, which the tense of its sentence decides.
        month_sides: patterns of a month by name, and its side.
        in_month: patterns of a month alone, which a past tense decides.
        number_of: patterns of a day by number in a month that is told: `<N>` and `<S>`.
        day_of_month: patterns of a day and a month without a year: `<N>` and `<M>`.
        on_number: patterns of a day by number alone, which a past tense decides.
        ordinals: first to fourth, and -1 for the last; nth_day: patterns of such a weekday in a month that is told.
        ends: phrases for the end or the beginning of a month or year: unit, side, and 0 or -1 for the first or the last day.
        of_week: joins a weekday and its week, in both orders; `<D>` and `<S>`.
        looks_back, looks_ahead: the tense of a sentence.
        vague: right before a count, it makes it vague.
        torn: patterns that two readings fit, or that no other entry reads as a whole.
        month_edges: patterns of the beginning (0) or the end (-1) of a month by name.
        maybe_ahead: patterns of a count that looks ahead, or tells how long something takes, and is unclear.
        weekend: patterns of a weekend alone, which the tense of its sentence decides.
        loose: numbers of days that also mean one week and two.
        today: words for this day, which also mean "nowadays".
    """

    code: str
    words: str
    trigger: str
    letters: str = ""
    numbers: Mapping[str, int]
    units: Mapping[str, Unit]
    spans: Mapping[str, str]
    weekdays: tuple[str, ...]
    months: tuple[str, ...] = ()
    days: Mapping[str, int]
    past: tuple[str, ...]
    ahead: tuple[str, ...]
    sides: Mapping[str, int]
    last_day: tuple[str, ...] = ()
    coming_day: tuple[str, ...] = ()
    week_on: Mapping[str, int] = field(default_factory=dict)
    next_day: tuple[str, ...] = ()
    this_day: tuple[str, ...] = ()
    on_day: tuple[str, ...] = ()
    month_sides: Mapping[str, int] = field(default_factory=dict)
    in_month: tuple[str, ...] = ()
    number_of: tuple[str, ...] = ()
    day_of_month: tuple[str, ...] = ()
    on_number: tuple[str, ...] = ()
    ordinals: Mapping[str, int] = field(default_factory=dict)
    nth_day: tuple[str, ...] = ()
    ends: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)
    of_week: tuple[str, ...] = ()
    looks_back: str = r"(?!)"
    looks_ahead: str = r"(?!)"
    vague: str = r"(?!)"
    torn: tuple[str, ...] = ()
    month_edges: Mapping[str, int] = field(default_factory=dict)
    maybe_ahead: tuple[str, ...] = ()
    weekend: tuple[str, ...] = ()
    loose: frozenset[int] = frozenset()
    today: str = r"(?!)"
