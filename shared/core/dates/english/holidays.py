"""English names of holidays, each with its day of any year: "last Christmas Eve", "before Easter", "on Boxing Day"."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta

from shared.core.dates.arithmetic import last_weekday, nearest, nth_weekday
from shared.core.dates.english.tense import find_direction, find_tense
from shared.core.dates.resolved import When, on_day
from shared.core.dates.rule import DateRule, Scene, rule
from shared.core.dates.words import GAP, WEEKDAY, WEEKDAYS

_OfYear = Callable[[int], date]


def _fixed(month: int, day: int) -> _OfYear:
    return lambda year: date(year, month, day)


def _easter(year: int, offset: int = 0) -> date:
    """Return Easter Sunday by the Gregorian computus, and a day so far from it."""
    century, rest = divmod(year, 100)
    epact = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    month, day = divmod(epact + sunday - 7 * ((year % 19 + 11 * epact + 22 * sunday) // 451) + 114, 31)
    return date(year, month, day + 1) + timedelta(days=offset)


def _around_easter(offset: int) -> _OfYear:
    return lambda year: _easter(year, offset)


def _nth(month: int, weekday: int, nth: int) -> _OfYear:
    return lambda year: nth_weekday(date(year, month, 1), weekday, nth)


_HOLIDAYS: Mapping[str, _OfYear] = {
    r"christmas\s{1,3}eve|xmas\s{1,3}eve": _fixed(12, 24),
    r"(?:christmas|xmas)(?:\s{1,3}day)?": _fixed(12, 25),
    r"boxing\s{1,3}day": _fixed(12, 26),
    r"new\s{1,3}year(?:['\u2019]?s)?\s{1,3}eve": _fixed(12, 31),
    r"new\s{1,3}year(?:['\u2019]?s)?(?:\s{1,3}day)?": _fixed(1, 1),
    r"(?:st\.?\s{1,3})?valentine['\u2019]?s(?:\s{1,3}day)?": _fixed(2, 14),
    r"(?:st\.?|saint)\s{1,3}patrick['\u2019]?s\s{1,3}day": _fixed(3, 17),
    r"april\s{1,3}fools?['\u2019]?s?(?:\s{1,3}day)?": _fixed(4, 1),
    r"halloween": _fixed(10, 31),
    r"all\s{1,3}saints['\u2019]?\s{1,3}day": _fixed(11, 1),
    r"veterans['\u2019]?\s{1,3}day|armistice\s{1,3}day": _fixed(11, 11),
    r"independence\s{1,3}day|(?:the\s{1,3})?(?:fourth|4th)\s{1,3}of\s{1,3}july": _fixed(7, 4),
    r"juneteenth": _fixed(6, 19),
    r"earth\s{1,3}day": _fixed(4, 22),
    r"good\s{1,3}friday": _around_easter(-2),
    r"easter\s{1,3}monday": _around_easter(1),
    r"easter(?:\s{1,3}sunday)?": _around_easter(0),
    r"palm\s{1,3}sunday": _around_easter(-7),
    r"ash\s{1,3}wednesday": _around_easter(-46),
    r"whit\s{1,3}monday": _around_easter(50),
    r"thanksgiving(?:\s{1,3}day)?": _nth(11, 3, 4),
    r"black\s{1,3}friday": lambda year: nth_weekday(date(year, 11, 1), 3, 4) + timedelta(days=1),
    r"labor\s{1,3}day": _nth(9, 0, 1),
    r"memorial\s{1,3}day": lambda year: last_weekday(date(year, 5, 31), 0),
    r"martin\s{1,3}luther\s{1,3}king(?:\s{1,3}jr\.?)?\s{1,3}day|mlk\s{1,3}day": _nth(1, 0, 3),
    r"presidents?['\u2019]?\s{1,3}day": _nth(2, 0, 3),
}
_SIDES: Mapping[str, int] = {"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1, "upcoming": 1}


def _read(found: re.Match[str], scene: Scene, of_year: _OfYear) -> When | None:
    """Read a holiday: its side tells which one, or its clause does; unclear where both could mean this year's."""
    today = scene.today
    side = _SIDES[found["side"].lower().split()[-1]] if found["side"] else None
    if side == 0:
        return replace(on_day(of_year(today.year)), is_clear=of_year(today.year) >= today)
    direction = side or find_direction(scene.text, *found.span())
    if not direction or of_year(today.year) == today:
        return None
    day = of_year(today.year)
    if (day - today).days * direction < 0:
        day = of_year(today.year + direction)
    is_sure = side == -1 or (side is None and direction < 0 and find_tense(scene.text, *found.span()) < 0)
    return replace(on_day(day), is_clear=is_sure and day.year != today.year if side else is_sure)


def _rule(name: str, of_year: _OfYear) -> DateRule:
    lead = rf"(?<!day )(?<!week )(?<!month )(?<!night )(?<!days )(?<!weeks )(?:(?:on|at|over|since|before|after|by|until|for|come){GAP})"
    side = rf"(?:the{GAP}|this{GAP})?(?P<side>last|past|this|next|coming|upcoming){GAP}"
    pattern = (
        rf"(?:{side}|{lead})(?:{name})(?!['\u2019]s|{GAP}(?:\d{{4}}|of|card|tree|song|present|party|edition|sale))"
    )
    return rule("holiday", pattern, lambda found, scene: _read(found, scene, of_year))


def _beside(found: re.Match[str], scene: Scene, of_year: _OfYear) -> When | None:
    """Read "the Friday before Christmas" and "the day after Easter"."""
    direction = find_direction(scene.text, *found.span())
    if not direction:
        return None
    days = [_step(of_year(scene.today.year + years), found) for years in (-1, 0, 1)]
    meant = [day for day in days if (day - scene.today).days * direction > 0]
    day = max(meant) if direction < 0 else min(meant)
    return replace(on_day(day), is_clear=direction < 0 and find_tense(scene.text, *found.span()) < 0)


def _step(holiday: date, found: re.Match[str]) -> date:
    sign = -1 if found["order"].lower() == "before" else 1
    if found["weekday"]:
        return nearest(holiday, WEEKDAYS[found["weekday"].lower()], sign)
    return holiday + timedelta(days=sign)


def _beside_rule(name: str, of_year: _OfYear) -> DateRule:
    pattern = rf"(?:(?:on{GAP})?the{GAP})?(?:day|(?P<weekday>{WEEKDAY})){GAP}(?P<order>before|after){GAP}(?:{name})(?!['\u2019]s)"
    return rule("beside a holiday", pattern, lambda found, scene: _beside(found, scene, of_year))


RULES: tuple[DateRule, ...] = (
    *(_beside_rule(name, of_year) for name, of_year in _HOLIDAYS.items()),
    *(_rule(name, of_year) for name, of_year in _HOLIDAYS.items()),
)
#: Every rule needs one of these, and most texts have none.
TRIGGER = re.compile("|".join(_HOLIDAYS), re.IGNORECASE)
