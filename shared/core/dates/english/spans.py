"""English phrases about parts of the calendar: "the last Friday of October", "the week after next", "end of next month"."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from shared.core.dates.arithmetic import last_weekday, month_of, nearest, nth_weekday, quarter_of, shift, year_of
from shared.core.dates.english.tense import find_direction, find_sentence, find_tense
from shared.core.dates.resolved import Granularity, When, in_span, on_day
from shared.core.dates.rule import DateRule, Scene, rule
from shared.core.dates.words import GAP, MONTH, ORDINALS, SHORT_WEEKDAY, WEEKDAY, WEEKDAYS, N, read_month, read_number

_SIDES: Mapping[str, int] = {
    **dict.fromkeys(("last", "previous", "past"), -1),
    **dict.fromkeys(("this", "current", "present", "the"), 0),
    **dict.fromkeys(("next", "following", "coming", "upcoming"), 1),
}
_SIDE = r"(?:(?:the\s{1,3})?(?:last|previous|past|this|current|present|next|following|coming|upcoming)|the)"
_NTH = rf"(?:{'|'.join(ORDINALS)}|last)"
#: A limit lies ahead, also of what was settled.
_LIMIT = re.compile(r"(?:by|until|till|before|due|for)\b", re.IGNORECASE)
#: Who means a day without its year that is further away says the year.
_HALF_A_YEAR = 183
_NO_YEAR = r"(?!['\u2019]?s?\b\.?,?\s{1,3}(?:of\s{1,3})?\d)"
_YEAR = r"(?:,?\s{1,3}(?P<year>(?:19|20)\d\d))"


def _side_of(found: re.Match[str]) -> int:
    return _SIDES[found["side"].lower().split()[-1]]


def _if_named(found: re.Match[str], day: date) -> When:
    """Return a day, unclear for "the month": "we release on the last Friday of the month" speaks of each month."""
    return replace(on_day(day), is_clear=(found["side"] or "the").lower() != "the")


def _month_on(scene: Scene, side: int) -> tuple[date, date]:
    return month_of(shift(scene.today, {"month": side}, 1))


def _pick(first: date, nth: str, weekday: str) -> date:
    number = WEEKDAYS[weekday.lower()]
    if nth.lower() == "last":
        return last_weekday(month_of(first)[1], number)
    return nth_weekday(first, number, ORDINALS[nth.lower()])


def _nth_of_side(found: re.Match[str], scene: Scene) -> When:
    return _if_named(found, _pick(_month_on(scene, _side_of(found))[0], found["nth"], found["weekday"]))


def _nth_of_month(found: re.Match[str], scene: Scene) -> When:
    """Read "the last Friday of October": with its year, or where the sentence looks; else the coming one, unclear."""
    month = read_month(found["month"])
    if found["year"]:
        return on_day(_pick(date(int(found["year"]), month, 1), found["nth"], found["weekday"]))
    tense = find_direction(scene.text, found.start(), found.end())
    sign = tense or 1
    day = _pick(date(scene.today.year, month, 1), found["nth"], found["weekday"])
    if (day - scene.today).days * sign <= 0:
        day = _pick(date(scene.today.year + sign, month, 1), found["nth"], found["weekday"])
    return replace(on_day(day), is_clear=tense != 0)


def _edge_day(found: re.Match[str], scene: Scene) -> When:
    """Read "the first day of next month", "the last day of the year"."""
    span = _whole(found["unit"], scene, _side_of(found))
    return _if_named(found, span[0] if found["edge"].lower() == "first" else span[1])


def _edge_of_month(found: re.Match[str], scene: Scene) -> When:
    """Read "the last day of October", "the third day of October"."""
    month, edge = read_month(found["month"]), found["nth"].lower()
    year = int(found["year"]) if found["year"] else scene.today.year
    tense = find_tense(scene.text, found.start(), found.end())
    day = _day_in(date(year, month, 1), edge)
    sign = tense or 1
    if not found["year"] and (day - scene.today).days * sign <= 0:
        day = _day_in(date(year + sign, month, 1), edge)
    return replace(on_day(day), is_clear=bool(found["year"]) or tense != 0)


def _day_in(first: date, edge: str) -> date:
    return month_of(first)[1] if edge == "last" else first + timedelta(days=ORDINALS[edge] - 1)


def _whole(unit: str, scene: Scene, side: int) -> tuple[date, date]:
    name = unit.lower()
    if name in {"quarter", "qtr"}:
        return quarter_of(shift(scene.today, {"month": 3 * side}, 1))
    return month_of(shift(scene.today, {"month": side}, 1)) if name == "month" else _year_on(scene, side)


def _year_on(scene: Scene, side: int) -> tuple[date, date]:
    return year_of(shift(scene.today, {"year": side}, 1))


def _end(found: re.Match[str], scene: Scene) -> When:
    side = _SIDES[(found["side"] or "this").lower().split()[-1]]
    first, last = _whole(found["unit"], scene, side)
    return _if_named(found, first if found["edge"].lower() in {"beginning", "start"} else last)


def _edge_of_month_name(found: re.Match[str], scene: Scene) -> When | None:
    """Read "the end of June": the one before in the past tense, else the coming one, unclear."""
    direction = find_direction(scene.text, *found.span())
    if not direction:
        return None
    edge = -1 if found["edge"].lower() == "end" else 0
    day = month_of(date(scene.today.year, read_month(found["month"]), 1))[edge]
    if (day - scene.today).days * direction < 0:
        day = month_of(date(scene.today.year + direction, read_month(found["month"]), 1))[edge]
    return replace(on_day(day), is_clear=direction < 0 and find_tense(scene.text, *found.span()) < 0)


def _day_and_month(found: re.Match[str], scene: Scene) -> When | None:
    """Read "14 May" without a year, where its clause looks back or ahead; sure only when it looks back half a year at most."""
    tense = find_tense(scene.text, *found.span())
    direction = find_direction(scene.text, *found.span())
    if found[0].lower().startswith("since"):
        direction = -1
    elif _LIMIT.match(found[0]):
        direction = 1 if tense >= 0 else 0  # "before May 2 we had none" may look either way
    if not direction:
        return None
    day = date(scene.today.year, read_month(found["month"]), int(found["number"]))
    if (day - scene.today).days * direction < 0:
        day = day.replace(year=day.year + direction)
    is_near = (scene.today - day).days <= _HALF_A_YEAR
    return replace(on_day(day), is_clear=direction < 0 and tense < 0 and is_near)


def _after_next(found: re.Match[str], scene: Scene) -> When:
    unit = found["unit"].lower()
    return in_span(shift(scene.today, {unit: 2}, 1), unit)


def _weekday_before_last(found: re.Match[str], scene: Scene) -> When:
    return on_day(nearest(scene.today, WEEKDAYS[found["weekday"].lower()], -1) - timedelta(weeks=1))


def _weekdays_ago(found: re.Match[str], scene: Scene) -> When:
    first = nearest(scene.today, WEEKDAYS[found["weekday"].lower()], -1)
    return on_day(first - timedelta(weeks=read_number(found["number"]) - 1))


def _rolling(found: re.Match[str], scene: Scene) -> When:
    """Read "over the past week": the seven days up to today. "In the last month" may be the calendar's."""
    side, unit = _side_of(found), found["unit"].lower()
    first, last = sorted((scene.today, shift(scene.today, {unit: side}, 1)))
    is_clear = found["lead"].lower() in {"over", "during"} and found["side"].lower().split()[-1] in {"past", "coming"}
    return When(first=first, last=last, granularity=Granularity.RANGE, is_clear=is_clear)


def _weekend(found: re.Match[str], scene: Scene) -> When | None:
    if scene.today.weekday() >= 5:
        return None
    side = -1 if found["side"].lower() == "past" else 0
    return in_span(shift(scene.today, {"week": side}, 1), "weekend")


def _quarter(found: re.Match[str], scene: Scene) -> When:
    first, last = _whole("quarter", scene, _side_of(found))
    return When(first=first, last=last, granularity=Granularity.RANGE)


def _month_by_name(found: re.Match[str], scene: Scene) -> When | None:
    """Read "last October". In the month itself, and within a year that both could mean, it is unclear."""
    month, side = read_month(found["month"]), _side_of(found)
    today = scene.today
    if side and month == today.month:
        return None
    year = today.year
    if side and (month - today.month) * side < 0:
        year += side
    meant = in_span(date(year, month, 1), "month")
    return replace(meant, is_clear=side == 0 or year != today.year)


#: Of a month, or a day of one, that is this long past, the next one is so near that people say "last December".
_TORN_MONTHS, _TORN_DAYS = 10, 20


def _in_month(found: re.Match[str], scene: Scene) -> When | None:
    """Read "in March" where the sentence says which way it looks, and not in March."""
    tense, month = find_direction(scene.text, found.start(), found.end()), read_month(found["month"])
    if not tense or month == scene.today.month:
        return None
    year = scene.today.year + (tense if (month - scene.today.month) * tense < 0 else 0)
    if tense < 0 and (scene.today.year - year) * 12 + scene.today.month - month >= _TORN_MONTHS:
        return None  # "in December" was hardly said of the one before last, in November
    return replace(
        in_span(date(year, month, 1), "month"), is_clear=tense < 0 and find_tense(scene.text, *found.span()) < 0
    )


_FINITE = re.compile(r"\b(?:was|were|had|has|have|did|didn't|been|i|we|he|she|they|it|who)\b", re.IGNORECASE)


def _day_by_number(found: re.Match[str], scene: Scene) -> When | None:
    """Read "on the 15th": the one before or behind, as the sentence looks.

    Only the one before is clear, and where it is told who did it or that it was: rent is "paid on the 1st" each month.
    """
    tense, number = find_direction(scene.text, found.start(), found.end()), int(found["number"])
    if _LIMIT.match(found[0]):
        tense = 1
    sign = tense or 1
    for months in range(4):
        try:
            day = shift(scene.today.replace(day=1), {"month": months}, sign).replace(day=number)
        except ValueError:  # the 31st of June
            continue
        if (day - scene.today).days * sign >= 0:
            if sign < 0 and (scene.today - day).days >= _TORN_DAYS:
                return None  # on the 9th, "on the 12th" was hardly said of the month before
            is_told = _FINITE.search(find_sentence(scene.text, *found.span())) is not None
            return replace(on_day(day), is_clear=is_told and tense < 0 and find_tense(scene.text, *found.span()) < 0)
    return None


def _number_of_side(found: re.Match[str], scene: Scene) -> When:
    raw = found["number"].lower()
    number = ORDINALS[raw] if raw in ORDINALS else int(raw)
    return _if_named(found, _month_on(scene, _side_of(found))[0].replace(day=number))


#: "The Friday after next week" counts from the week.
_NO_MORE = rf"(?!{GAP}(?:week|weekend|month|quarter|year|night|{SHORT_WEEKDAY}|{MONTH}))"
_SPAN_UNIT = r"(?P<unit>month|quarter|qtr|year)"
RULES: tuple[DateRule, ...] = (
    rule(
        "nth weekday of side",
        rf"(?:the{GAP})?(?P<nth>{_NTH}){GAP}(?P<weekday>{SHORT_WEEKDAY}){GAP}(?:of|in){GAP}(?P<side>{_SIDE}){GAP}month",
        _nth_of_side,
    ),
    rule(
        "nth weekday of month",
        rf"(?:the{GAP})?(?P<nth>{_NTH}){GAP}(?P<weekday>{SHORT_WEEKDAY}){GAP}(?:of|in){GAP}(?P<month>{MONTH})\.?"
        rf"(?:{_YEAR}|(?!\.?,?\s{{1,3}}\d))",
        _nth_of_month,
    ),
    rule(
        "edge of side",
        rf"(?:the{GAP})?(?P<edge>first|last){GAP}day{GAP}(?:of|in){GAP}(?P<side>{_SIDE}){GAP}{_SPAN_UNIT}",
        _edge_day,
    ),
    rule(
        "day of month by name",
        rf"(?:the{GAP})?(?P<nth>{_NTH}){GAP}day{GAP}(?:of|in){GAP}(?P<month>{MONTH})(?:{_YEAR}|(?!,?\s{{1,3}}\d))",
        _edge_of_month,
    ),
    rule(
        "number of side",
        rf"(?:the{GAP})?(?P<number>\d{{1,2}}(?=st|nd|rd|th|\s)|first)(?:st|nd|rd|th)?(?:{GAP}day)?{GAP}of{GAP}"
        rf"(?P<side>{_SIDE}){GAP}month",
        _number_of_side,
    ),
    rule(
        "end of side",
        rf"(?:the{GAP})?(?P<edge>end|beginning|start){GAP}of{GAP}(?:(?P<side>{_SIDE}){GAP})?{_SPAN_UNIT}\b"
        rf"(?!{GAP}\d|-|['\u2019])",
        _end,
    ),
    rule(
        "edge of month by name",
        rf"(?:the{GAP})?(?P<edge>end|beginning|start){GAP}of{GAP}(?-i:(?P<month>{MONTH.title()})){_NO_YEAR}(?!['\u2019-])",
        _edge_of_month_name,
    ),
    rule(
        "part of month by name",
        rf"(?:in|since|until|by){GAP}(?:early|mid|late)[\s-](?-i:(?P<month>{MONTH.title()})){_NO_YEAR}(?!['\u2019-])",
        _in_month,
    ),
    rule("after next", rf"(?:the{GAP})?(?P<unit>week|month|year){GAP}after{GAP}next{_NO_MORE}", _after_next),
    rule(
        "weekday before last",
        rf"(?:the{GAP})?(?P<weekday>{SHORT_WEEKDAY}){GAP}before{GAP}last{_NO_MORE}",
        _weekday_before_last,
    ),
    rule("weekdays ago", rf"(?P<number>(?!an?\b){N}){GAP}(?P<weekday>{WEEKDAY})s{GAP}ago", _weekdays_ago),
    rule("weekend by side", rf"this{GAP}(?P<side>past|coming|upcoming){GAP}weekend", _weekend),
    rule(
        "rolling span",
        rf"(?P<lead>over|during|within|in|for){GAP}(?P<side>the{GAP}(?:last|past|next|coming)){GAP}(?P<unit>week|month|year)"
        rf"(?!{GAP}of)",
        _rolling,
    ),
    rule("quarter", rf"(?P<side>last|previous|this|current|next){GAP}(?:quarter|qtr)(?!-|{GAP}of)", _quarter),
    rule("month by name", rf"(?P<side>last|this|next){GAP}(?-i:(?P<month>{MONTH.title()})){_NO_YEAR}", _month_by_name),
    rule(
        "in month",
        rf"(?:in|since|until|by){GAP}(?-i:(?P<month>{MONTH.title()})){_NO_YEAR}(?!['\u2019-])",
        _in_month,
    ),
    rule(
        "day by number",
        rf"(?:on|by|until|till|since|for|from|before|due){GAP}the{GAP}(?P<number>\d{{1,2}})(?:st|nd|rd|th)"
        r"(?=\s{0,2}(?:[.,;!?)\n]|$|(?:and|but|so|at|in\sthe|we|i|they|he|she|it|with|according|after|before|when|while|because|instead|as|by|to|from|if)\b))",
        _day_by_number,
    ),
    rule(
        "day and month",
        rf"(?:(?:on|by|until|since|before|for|from){GAP})?(?:the{GAP})?(?P<number>\d{{1,2}})(?:st|nd|rd|th)?{GAP}(?:of{GAP})?(?-i:(?P<month>{MONTH.title()})){_NO_YEAR}(?!['\u2019-]|\s?\d)",
        _day_and_month,
    ),
    rule(
        "month and day",
        rf"(?:(?:on|by|until|since|before|for|from){GAP})?(?-i:(?P<month>{MONTH.title()})){GAP}(?P<number>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[:.,]?\s?\d|['\u2019-]|\s?(?:am|pm|%|percent|people|times))",
        _day_and_month,
    ),
)
