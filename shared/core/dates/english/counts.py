"""English phrases that count: "three weeks ago", "in 2 days", "two days from tomorrow", "the last 3 months"."""

import re
from dataclasses import replace
from datetime import date, timedelta

from shared.core.dates.arithmetic import nearest, shift, weekday_in_week
from shared.core.dates.english.tense import find_direction, find_tense, has_perfect, is_span_of_work
from shared.core.dates.resolved import Granularity, When, as_exact_as, on_day
from shared.core.dates.rule import DateRule, Scene, abstain, rule
from shared.core.dates.words import (
    DURATION,
    GAP,
    SHORT_WEEKDAY,
    UNIT,
    WEEKDAY,
    WEEKDAYS,
    N,
    finest_unit,
    read_duration,
    read_number,
)

#: Words right before a count that make it vague: "about 3 days ago", "2-3 days ago", "two or three days ago".
_VAGUE = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx|nearly|almost|(?<!failed )(?<!handed )(?<!carried )(?<!switched )(?<!rolled )(?<!turned )(?<!moved )(?<!took )over|under|than|least|most|until|or|to|some|every|"
    r"like|maybe|perhaps|half|of|within|only|just under|just over)|~|≈|\d\s?[-\u2013\u2014/.,]|[-\u2013/])\s*$",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\b(?:about|within|of|times?|once|twice|rarely|often|everything|all|done|finished|done it)\s*$", re.IGNORECASE
)
_ONE = re.compile(r"an?\s", re.IGNORECASE)
#: "112 applications in two weeks": so many within that time.
_COUNTED_IN = re.compile(r"\d\s[^\W\d_]{2,20}s\s*$")
_NEAR = 24
_IS = re.compile(r"(?:\b(?:is|are|still|now|just|only)|'s)\s{1,3}$", re.IGNORECASE)
_MANY = r"(?:(?:a|the|these|those)\s{1,3})?(?:few|several|some|many|bunch\s{1,3}of)"
_ANCHOR = rf"(?:today|now|tomorrow|yesterday|(?:next|last|this){GAP}{WEEKDAY}|{WEEKDAY})"
_DAYS = {"yesterday": -1, "today": 0, "now": 0, "tomorrow": 1}


def _is_vague(found: re.Match[str], scene: Scene) -> bool:
    return _VAGUE.search(scene.text[max(0, found.start() - _NEAR) : found.start()]) is not None


def _ago(found: re.Match[str], scene: Scene) -> When | None:
    units = read_duration(found["count"])
    if _is_vague(found, scene):
        return None
    return _sure(found, as_exact_as(shift(scene.today, units, -1), finest_unit(units)))


def _sure(found: re.Match[str], when: When) -> When:
    """Return a meaning, unclear where a couple is counted."""
    return replace(when, is_clear=when.is_clear and "couple" not in found[0].lower())


def _ago_today(found: re.Match[str], scene: Scene) -> When | None:
    return None if _is_vague(found, scene) else on_day(shift(scene.today, read_duration(found["count"]), -1))


def _ahead(found: re.Match[str], scene: Scene) -> When | None:
    """Read "in 2 weeks". "I wrote it in two weeks" and "twice in a week" are no dates."""
    before = scene.text[max(0, found.start() - _NEAR) : found.start()]
    is_span = (
        _RATE.search(before) or _COUNTED_IN.search(before) or is_span_of_work(scene.text, found.start(), found.end())
    )
    if is_span:
        return None
    units = read_duration(found["count"])
    when = _sure(found, as_exact_as(shift(scene.today, units, 1), finest_unit(units)))
    if _ONE.match(found["count"]) and find_direction(scene.text, *found.span()) <= 0:
        return replace(when, is_clear=False)  # "they answer in a day"
    return when


def _from_now(found: re.Match[str], scene: Scene) -> When | None:
    units = read_duration(found["count"])
    return (
        None if _is_vague(found, scene) else _sure(found, as_exact_as(shift(scene.today, units, 1), finest_unit(units)))
    )


def _later(found: re.Match[str], scene: Scene) -> When | None:
    """Read "2 weeks later" from today, in a sentence about the future or alone; else it abstains: the day may be one that was told before."""
    is_alone = not scene.text[: found.start()].strip() and not scene.text[found.end() :].strip(" .!\n")
    if not is_alone and find_tense(scene.text, found.start(), found.end()) <= 0:
        return None
    return _from_now(found, scene)


def _from_anchor(found: re.Match[str], scene: Scene) -> When | None:
    words, units = found["anchor"].lower().split(), read_duration(found["count"])
    sign = -1 if found["side"].lower() == "before" else 1
    anchor, is_clear = _anchor_of(words, scene.today)
    if _is_vague(found, scene) or anchor is None or (sign < 0 and words[-1] not in _DAYS):
        return None
    return replace(as_exact_as(shift(anchor, units, sign), finest_unit(units)), is_clear=is_clear)


def _anchor_of(words: list[str], today: date) -> tuple[date | None, bool]:
    """Return the day to count from, and whether it is unambiguous."""
    if words[-1] in _DAYS:
        return today + timedelta(days=_DAYS[words[-1]]), True
    weekday = WEEKDAYS[words[-1]]
    ahead = nearest(today, weekday, 1)
    if words[0] != "next":
        return (ahead, True) if len(words) == 1 else (None, False)
    named = weekday_in_week(today + timedelta(weeks=1), weekday)
    return named, named == ahead


def _weekdays_on(found: re.Match[str], scene: Scene) -> When | None:
    if find_tense(scene.text, found.start(), found.end()) < 0 or _is_vague(found, scene):
        return None
    first = nearest(scene.today, WEEKDAYS[found["weekday"].lower()], 1)
    return on_day(first + timedelta(weeks=read_number(found["number"]) - 1))


def _weekday_at(found: re.Match[str], scene: Scene) -> When | None:
    """Read "Monday two weeks from now": the Monday of that week. In months, it is ambiguous."""
    units = read_duration(found["count"])
    day = shift(scene.today, units, 1)
    meant = weekday_in_week(day, WEEKDAYS[found["weekday"].lower()])
    is_clear = set(units) <= {"day", "week"} or day.weekday() == 0
    return on_day(meant) if is_clear and not _is_vague(found, scene) else None


def _ago_on_weekday(found: re.Match[str], scene: Scene) -> When | None:
    """Read "a week ago Tuesday": so many weeks before last Tuesday, which may not be the Tuesday of the week that long ago."""
    if _is_vague(found, scene):
        return None
    weekday, units = WEEKDAYS[found["weekday"].lower()], read_duration(found["count"])
    day = shift(nearest(scene.today, weekday, -1), units, -1)
    return replace(on_day(day), is_clear=day == weekday_in_week(shift(scene.today, units, -1), weekday))


def _out(found: re.Match[str], scene: Scene) -> When | None:
    """Read "the launch is two weeks away": unclear, as a place may be that far, too."""
    if not _IS.search(scene.text[max(0, found.start() - _NEAR) : found.start()]):
        return None
    when = _from_now(found, scene)
    return when and replace(when, is_clear=False)


def _trailing(found: re.Match[str], scene: Scene) -> When | None:
    """Read "the last three weeks", clear where the sentence looks the same way: "except the last three weeks" is of any season."""
    sign = 1 if found["side"].lower() in {"next", "coming"} else -1
    units = read_duration(found["count"])
    first, last = sorted((scene.today, shift(scene.today, units, sign)))
    is_clear = find_tense(scene.text, *found.span()) == sign or (sign < 0 and has_perfect(scene.text, *found.span()))
    return When(first=first, last=last, granularity=Granularity.RANGE, is_clear=is_clear)


def _now_plus(found: re.Match[str], scene: Scene) -> When | None:
    units = read_duration(found["count"])
    return as_exact_as(shift(scene.today, units, 1 if found["sign"] == "+" else -1), finest_unit(units))


_AT_WEEKDAY = rf"(?:(?:on{GAP})?(?P<weekday>{SHORT_WEEKDAY}),?{GAP})"
RULES: tuple[DateRule, ...] = (
    rule("many ago", rf"{_MANY}{GAP}{UNIT}{GAP}(?:ago|later|from{GAP}now|back|before|earlier)", abstain),
    rule("in many", rf"in{GAP}{_MANY}{GAP}{UNIT}", abstain),
    rule("weekday from now", rf"{_AT_WEEKDAY}(?P<count>{DURATION}){GAP}from{GAP}(?:now|today)", _weekday_at),
    rule("in, on weekday", rf"in{GAP}(?P<count>{DURATION}){GAP}on{GAP}(?P<weekday>{SHORT_WEEKDAY})", _weekday_at),
    rule(
        "from now on weekday",
        rf"(?P<count>{DURATION}){GAP}from{GAP}(?:now|today){GAP}on{GAP}(?P<weekday>{SHORT_WEEKDAY})",
        _weekday_at,
    ),
    rule(
        "from anchor", rf"(?P<count>{DURATION}){GAP}(?P<side>before|after|from){GAP}(?P<anchor>{_ANCHOR})", _from_anchor
    ),
    rule("weekdays on", rf"(?P<number>{N}){GAP}(?P<weekday>{WEEKDAY})s?{GAP}(?:later|from{GAP}now)", _weekdays_on),
    rule(
        "trailing and ago",
        rf"(?:the{GAP})?(?P<side>last|past){GAP}(?P<count>{N}{GAP}{UNIT})(?=(?:,|{GAP}and){GAP}{DURATION}{GAP}ago\b)",
        _trailing,
    ),
    rule("ago today", rf"(?P<count>{DURATION}){GAP}ago{GAP}today", _ago_today),
    rule("back", rf"(?P<count>{DURATION}){GAP}back(?=\s{{0,2}}(?:[.,;!?)\n]|$))", _ago),
    rule("back at the head", rf"(?:(?<=\n)|\A|(?<=[.!:-]\s))(?P<count>{DURATION}){GAP}back", _ago),
    rule(
        "back in the past",
        rf"(?P<count>{DURATION}){GAP}back(?!{GAP}(?:to|from|in|at|home|on|with)\b)",
        lambda found, scene: _ago(found, scene) if find_tense(scene.text, *found.span()) < 0 else None,
    ),
    rule(
        "ago on weekday",
        rf"(?P<count>{N}{GAP}(?:weeks?|wks?|fortnights?)){GAP}(?:ago{GAP}(?:on{GAP}|last{GAP})?|last{GAP})(?P<weekday>{WEEKDAY})",
        _ago_on_weekday,
    ),
    rule("out", rf"(?P<count>{DURATION}){GAP}(?:out|away|off)(?=\s{{0,2}}(?:[.,;!?)\n]|$|(?:and|but|so)\b))", _out),
    rule(
        "ago yesterday",
        rf"{DURATION}{GAP}ago{GAP}(?:(?:on|this|last|next){GAP})?(?:today|yesterday|tomorrow|{WEEKDAY})",
        abstain,
    ),
    rule("ago", rf"(?<!last\s)(?<!past\s)(?P<count>{DURATION}){GAP}ago", _ago),
    rule("in", rf"in{GAP}(?P<count>{DURATION})(?!['\u2019]s?{GAP}(?!time))(?!{GAP}(?:of|or|flat))", _ahead),
    rule("later", rf"(?P<count>{DURATION}){GAP}later", _later),
    rule("hence", rf"(?P<count>{DURATION}){GAP}hence", _from_now),
    rule("now plus", rf"now\s?(?P<sign>[+-])\s?(?P<count>{DURATION})", _now_plus),
    rule("trailing", rf"(?:the{GAP})?(?P<side>last|past|next|coming){GAP}(?P<count>(?!an?\b){DURATION})", _trailing),
)
