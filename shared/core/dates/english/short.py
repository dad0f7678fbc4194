"""English phrases as they are typed in haste: "3d ago", "in 5d", "EOD", "tmrw", and the ones for parts of a year by letter, "Q4"."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from shared.core.dates.arithmetic import quarter_of, shift, week_of
from shared.core.dates.english.tense import find_direction
from shared.core.dates.resolved import Granularity, When, as_exact_as, on_day
from shared.core.dates.rule import DateRule, Scene, rule
from shared.core.dates.words import GAP, SHORT_WEEKDAY

_UNITS: Mapping[str, str] = {
    "d": "day",
    "w": "week",
    "mo": "month",
    "mth": "month",
    "y": "year",
    "yr": "year",
    "wk": "week",
}
_COUNTED = r"(?P<number>\d{1,3})(?P<unit>d|w|wks?|mos?|mths?|y|yrs?)"
_SPELLINGS: Mapping[str, int] = {
    **dict.fromkeys(
        ("tmrw", "tmr", "tmw", "tmrrw", "tomoz", "2moro", "2morrow", "2mrw", "tommorow", "tommorrow", "tomorow"), 1
    ),
    **dict.fromkeys(("yday", "ytd's", "yest", "yesteday", "yesterdy", "yestarday", "yesterady"), -1),
    **dict.fromkeys(("2day", "2nite", "tonite", "tonigth"), 0),
}
#: "End of day tomorrow" is another day's end.
_OF_ANOTHER = rf"(?!{GAP}(?:(?:on|of|the|this|next){GAP})?(?:tomorrow|yesterday|tmrw|{SHORT_WEEKDAY}|day\b|\d|service|sale|report))"


def _typed(found: re.Match[str], scene: Scene) -> When:
    return on_day(scene.today + timedelta(days=_SPELLINGS[found[0].lower()]))


def _beyond(found: re.Match[str], scene: Scene) -> When:
    return on_day(scene.today + timedelta(days=-2 if found["side"].lower() == "before" else 2))


def _counted(found: re.Match[str], scene: Scene) -> When:
    unit = _UNITS[found["unit"].lower().removesuffix("s")]
    sign = 1 if found[0].lower().startswith("in") or found[0].lower().endswith("now") else -1
    return as_exact_as(shift(scene.today, {unit: int(found["number"])}, sign), unit)


def _end_of_day(_found: re.Match[str], scene: Scene) -> When:
    return replace(on_day(scene.today), is_clear=False)


def _end_of_week(_found: re.Match[str], scene: Scene) -> When:
    """Read the end of the week as its Friday, at work; unclear, as for some it is Sunday."""
    return replace(on_day(week_of(scene.today)[0] + timedelta(days=4)), is_clear=False)


def _edge_of_week(found: re.Match[str], scene: Scene) -> When:
    side = {"last": -1, "previous": -1, "next": 1, "following": 1}.get((found["side"] or "this").lower(), 0)
    monday = week_of(scene.today + timedelta(weeks=side))[0]
    offset = {"end": 4, "middle": 2}.get(found["edge"].lower(), 0)
    return replace(on_day(monday + timedelta(days=offset)), is_clear=offset == 0 and (found["side"] or "the") != "the")


def _end_of_quarter(_found: re.Match[str], scene: Scene) -> When:
    return replace(on_day(quarter_of(scene.today)[1]), is_clear=False)


def _quarter_of(found: re.Match[str], scene: Scene) -> tuple[date, date]:
    """Return a quarter by its number: the one that the sentence looks to."""
    sign = find_direction(scene.text, *found.span()) or 1
    year = scene.today.year
    first, last = quarter_of(date(year, 3 * int(found["quarter"]), 1))
    if (sign < 0 and first > scene.today) or (sign > 0 and last < scene.today):
        first, last = quarter_of(date(year + sign, 3 * int(found["quarter"]), 1))
    return first, last


def _in_quarter(found: re.Match[str], scene: Scene) -> When:
    first, last = _quarter_of(found, scene)
    return When(first=first, last=last, granularity=Granularity.RANGE, is_clear=False)


def _edge_of_quarter(found: re.Match[str], scene: Scene) -> When:
    span = _quarter_of(found, scene)
    return replace(on_day(span[1] if found["edge"].lower() == "end" else span[0]), is_clear=False)


def _same_time(found: re.Match[str], scene: Scene) -> When:
    """Read "this time last year"."""
    sign = 1 if found["side"].lower() == "next" else -1
    return on_day(shift(scene.today, {found["unit"].lower(): 1}, sign))


_QUARTER = r"(?-i:Q(?P<quarter>[1-4]))(?!['\u2019]?\s?(?:of\s)?\d|-)"
#: The spellings, as a pattern.
TYPED = "|".join(map(re.escape, _SPELLINGS))
RULES: tuple[DateRule, ...] = (
    rule(
        "same time",
        rf"(?:at{GAP})?(?:this|the{GAP}same|same|about{GAP}this){GAP}time{GAP}(?P<side>last|next){GAP}(?P<unit>week|month|year)",
        _same_time,
    ),
    rule("short beyond", rf"(?:the{GAP})?day{GAP}(?P<side>before|after){GAP}(?:{TYPED})", _beyond),
    rule("short ago", rf"{_COUNTED}{GAP}ago", _counted),
    rule("short ahead", rf"in{GAP}{_COUNTED}", _counted),
    rule("short from now", rf"{_COUNTED}{GAP}from{GAP}now", _counted),
    rule("typed", rf"(?:{TYPED})", _typed),
    rule(
        "end of day",
        rf"(?:(?-i:EOD|COB|EOB)|(?:by|at|before|until){GAP}(?:the{GAP})?(?:end{GAP}of{GAP}(?:the{GAP}|this{GAP})?(?:day|business)|close{GAP}of{GAP}(?:business|play))){_OF_ANOTHER}",
        _end_of_day,
    ),
    rule("end of week in short", r"(?-i:EOW)", _end_of_week),
    rule("end of quarter in short", r"(?-i:EOQ)", _end_of_quarter),
    rule(
        "edge of week",
        rf"(?:the{GAP})?(?P<edge>end|middle|beginning|start){GAP}of{GAP}(?:(?P<side>last|previous|this|next|following|the){GAP})?week\b(?!-|{GAP}\d)",
        _edge_of_week,
    ),
    rule("edge of quarter", rf"(?:the{GAP})?(?P<edge>end|beginning|start){GAP}of{GAP}{_QUARTER}", _edge_of_quarter),
    rule(
        "in quarter", rf"(?:in|by|until|during|early{GAP}in|since){GAP}(?:early{GAP}|late{GAP})?{_QUARTER}", _in_quarter
    ),
)
