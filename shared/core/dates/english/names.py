"""English phrases that name a day, week, month or year: "yesterday", "last Friday", "next week on Tuesday", "the day before"."""

import re
from dataclasses import replace
from datetime import timedelta

from shared.core.dates.arithmetic import nearest, shift, weekday_in_week
from shared.core.dates.english.tense import find_tense
from shared.core.dates.english.weekdays import SAID_EXACTLY
from shared.core.dates.resolved import When, in_span, on_day
from shared.core.dates.rule import DateRule, Scene, abstain, rule
from shared.core.dates.words import GAP, ORDINALS, SHORT_WEEKDAY, WEEKDAY, WEEKDAYS

_OFFSETS = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_SIDES = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "following": 1,
    "coming": 1,
    "upcoming": 1,
}

_SUNDAY = 6
_PART = r"(?:morning|afternoon|evening|night)"
#: Until this hour "last night" may still be going on.
_NIGHT_ENDS_HOUR = 6
#: "The last Thursday" may be that of a month.
_THE = re.compile(r"\bthe\s", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:[.,;!?:)\n]|$)")


def _named_day(found: re.Match[str], scene: Scene) -> When:
    return on_day(scene.today + timedelta(days=_OFFSETS[found["name"].lower()]))


def _beyond(found: re.Match[str], scene: Scene) -> When:
    return on_day(scene.today + timedelta(days=-2 if found["side"].lower() == "before" else 2))


def _last_night(_found: re.Match[str], scene: Scene) -> When | None:
    return on_day(scene.today - timedelta(days=1)) if scene.moment.hour >= _NIGHT_ENDS_HOUR else None


def _weekday_of_week(found: re.Match[str], scene: Scene) -> When:
    day = scene.today + timedelta(weeks=_SIDES[found["side"].lower()])
    return on_day(weekday_in_week(day, WEEKDAYS[found["weekday"].lower()]))


def _weekday(found: re.Match[str], scene: Scene) -> When | None:
    """Read "last Friday": the nearest one before. "next" and "previous" name one of the next and the previous week.

    Some mean the nearest one by those, too; where that is another day, it is not clear.
    """
    side, weekday = " ".join(found["side"].lower().split()), WEEKDAYS[found["weekday"].lower()]
    if SAID_EXACTLY.match(scene.text, found.end()):
        return None
    if side in {"last", "past", "this past"}:
        is_of_month = _THE.search(scene.text, max(0, found.start() - 4), found.start() + 4) is not None
        return replace(on_day(nearest(scene.today, weekday, -1)), is_clear=not is_of_month)
    if side in {"coming", "upcoming", "this coming", "this upcoming"}:
        return on_day(nearest(scene.today, weekday, 1))
    if side == "this":
        return _this_weekday(found, scene, weekday)
    sign = -1 if side == "previous" else 1
    day = weekday_in_week(scene.today + sign * timedelta(weeks=1), weekday)
    return replace(on_day(day), is_clear=day == nearest(scene.today, weekday, sign))


def _this_weekday(found: re.Match[str], scene: Scene, weekday: int) -> When | None:
    day = weekday_in_week(scene.today, weekday)
    tense = find_tense(scene.text, found.start(), found.end())
    is_torn = (day < scene.today and tense > 0) or (day > scene.today and tense < 0)
    return None if is_torn else on_day(day)


def _span(found: re.Match[str], scene: Scene) -> When | None:
    side, said = _SIDES[found["side"].lower()], found["unit"].lower()
    unit = {"wk": "week", "yr": "year"}.get(said, said)
    if unit == "weekend" and (scene.today.weekday() >= 5 or side > 0):
        return (
            None if side else in_span(scene.today, unit)
        )  # on a Saturday "last weekend" has two meanings, "next" always
    found_span = in_span(shift(scene.today, {"week" if unit == "weekend" else unit: side}, 1), unit)
    # Said on a Sunday, which ends a week or begins one, depending on the country.
    return replace(found_span, is_clear=False) if unit == "week" and scene.today.weekday() == _SUNDAY else found_span


def _before_last(found: re.Match[str], scene: Scene) -> When | None:
    unit = found["unit"].lower()
    if unit == "weekend" and scene.today.weekday() >= 5:
        return None
    return in_span(shift(scene.today, {"week" if unit == "weekend" else unit: 2}, -1), unit)


def _day_beside(found: re.Match[str], scene: Scene) -> When | None:
    """Read "the day before": today's neighbour, where the text names no other day and ends there.

    It is unclear with its article: a story counts "the next day" from the day that it has told of.
    """
    if any(scene.taken) or not _ENDS.match(scene.text, found.end()):
        return None
    sign = -1 if found["side"].lower() == "before" else 1
    tense = find_tense(scene.text, found.start(), found.end())
    if tense == -sign:
        return None
    return replace(on_day(scene.today + timedelta(days=sign)), is_clear=not found[0].lower().startswith("the"))


_WEEK = rf"(?P<side>last|previous|past|this|current|next|following|coming|upcoming){GAP}week"
RULES: tuple[DateRule, ...] = (
    rule("beyond", rf"(?:the{GAP})?day{GAP}(?P<side>before|after){GAP}(?:yesterday|tomorrow)", _beyond),
    rule("last but one", rf"(?:the{GAP})?last{GAP}(?P<unit>week|weekend|month|year){GAP}but{GAP}one", _before_last),
    rule("last weekday but one", rf"(?:the{GAP})?last{GAP}{WEEKDAY}{GAP}but{GAP}one", abstain),
    rule("night before last", rf"(?:the{GAP})?(?:night|evening|day){GAP}(?P<side>before){GAP}last", _beyond),
    rule("before last", rf"(?:the{GAP})?(?P<unit>week|weekend|month|year){GAP}before{GAP}last", _before_last),
    rule(
        "weekday of week",
        rf"(?:on{GAP})?(?P<weekday>{SHORT_WEEKDAY}),?{GAP}(?:(?:of|in|from){GAP})?(?:the{GAP})?{_WEEK}",
        _weekday_of_week,
    ),
    rule(
        "week's weekday",
        rf"{_WEEK}(?:['\u2019]s|,|\s?[-\u2013])?{GAP}(?:on{GAP})?(?P<weekday>{SHORT_WEEKDAY})",
        _weekday_of_week,
    ),
    rule(
        "weekday",
        rf"(?P<side>this{GAP}(?:past|coming|upcoming)|last|past|previous|this|next|following|coming|upcoming)"
        rf"{GAP}(?P<weekday>{SHORT_WEEKDAY})",
        _weekday,
    ),
    rule("nth bare weekday", rf"(?:{'|'.join(ORDINALS)}){GAP}{WEEKDAY}(?:{GAP}(?:of|in){GAP}\w{{2,12}})?", abstain),
    rule("next day", rf"(?:the{GAP})?(?P<side>next|following){GAP}day", _day_beside),
    rule(
        "trailing span",
        rf"the{GAP}(?:last|past|next|coming){GAP}(?:week|weekend|month|year|day)",
        abstain,
    ),
    rule(
        "span beside another",
        rf"same{GAP}(?:day|week|month|quarter|period|time){GAP}(?:of|in|from|as){GAP}(?:the{GAP})?(?:last|previous){GAP}(?:week|month|quarter|year)",
        abstain,
    ),
    rule("any span", rf"(?:past|coming|upcoming|last|next|this){GAP}(?:week|month|year|weekend){GAP}of", abstain),
    rule(
        "span",
        r"(?P<side>last|previous|this|next|following)\s{1,3}(?P<unit>week|wk|weekend|month|year|yr)(?!['\u2019-]s?\s{1,3}old)",
        _span,
    ),
    rule("day beside", rf"the{GAP}day{GAP}(?P<side>before|after)", _day_beside),
    rule("last night", rf"last{GAP}(?:night|evening)", _last_night),
    rule("this day", rf"this{GAP}(?P<name>day|{_PART})", lambda _found, scene: on_day(scene.today)),
    rule("named day", r"(?P<name>yesterday|today|tonight|tomorrow)", _named_day),
)
