"""English phrases that count whole days and weeks on from a named day: "Thursday week", "a week today"."""

import re
from dataclasses import replace
from datetime import timedelta

from shared.core.dates.arithmetic import nearest
from shared.core.dates.english.tense import find_sentence, is_span_of_work
from shared.core.dates.resolved import When, on_day
from shared.core.dates.rule import DateRule, Scene, abstain, rule
from shared.core.dates.words import GAP, WEEKDAY, WEEKDAYS, N, read_duration, read_number

_OFFSETS = {"today": 0, "tomorrow": 1}
#: "It is two weeks today since she left", "the baby is a week old today": how long something has lasted.
_LASTED = re.compile(
    r"\b(?:since|(?<!set )(?<!scheduled )(?<!planned )(?<!booked )(?<!arranged )(?<!fixed )(?<!due )for|old|been|has|have|had|ago|anniversary|married|already|after|every|each|once|twice|times?|late|spent|worked|took|lasted)\b",
    re.IGNORECASE,
)
_HAS_LASTED = re.compile(
    r"\b(?:since|old|been|has|have|had|ago|anniversary|married|already|after|every|each|once|twice|times?|late|spent|worked|took|lasted)\b",
    re.IGNORECASE,
)
#: "Every Thursday week" is a habit; "last Thursday week" and "Holy Thursday week" mean something else.
_NOT_ALONE = re.compile(
    rf"(?:\b(?:every|each|any|most|some|last|past|this|next|previous|coming|the|a|an)|-|(?-i:[A-Z])[a-z]+)\s{{1,3}}$|\b{WEEKDAY}\s?[-\u2013/]\s?$",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"\b(?:on|by|until|till|to|for|from|before|after|is)\s{1,3}$", re.IGNORECASE)
_REACH = 24
_ENDS = r"(?=\s{0,2}(?:[.,;:!?)\n]|$|(?:and|or|but|at|from|in|because|when|if|we|i|he|she|they|it|instead)\b))"


def _weekday_week(found: re.Match[str], scene: Scene) -> When | None:
    """Read "Thursday week": a week after the coming Thursday. Said on a Thursday, it is unclear."""
    before = scene.text[max(0, found.start() - _REACH) : found.start()]
    if _NOT_ALONE.search(before) and not _PREPOSITION.search(before):
        return None
    weekday = WEEKDAYS[found["weekday"].lower()]
    day = nearest(scene.today, weekday, 1) + timedelta(weeks=_weeks(found["unit"]))
    return replace(on_day(day), is_clear=weekday != scene.today.weekday())


def _day_week(found: re.Match[str], scene: Scene) -> When:
    return on_day(scene.today + timedelta(days=_OFFSETS[found["name"].lower()], weeks=1))


def _week_today(found: re.Match[str], scene: Scene) -> When | None:
    """Read "a week today" and "two weeks tomorrow" as days ahead, where the sentence tells of nothing that has lasted so long."""
    if _LASTED.search(find_sentence(scene.text, found.start(), found.end())):
        return None
    count = timedelta(weeks=read_number(found["number"]) * _weeks(found["unit"]))
    return on_day(scene.today + timedelta(days=_OFFSETS[found["name"].lower()]) + count)


def _week_on_day(found: re.Match[str], scene: Scene) -> When | None:
    """Read "a week on Friday": a week after the coming one."""
    is_past = is_span_of_work(scene.text, found.start(), found.end())
    weekday = WEEKDAYS[found["weekday"].lower()]
    if is_past or weekday == scene.today.weekday() or _HAS_LASTED.search(find_sentence(scene.text, *found.span())):
        return None
    weeks = read_number(found["number"]) * _weeks(found["unit"])
    return on_day(nearest(scene.today, weekday, 1) + timedelta(weeks=weeks))


def _weeks(unit: str) -> int:
    return read_duration(f"1 {unit}")["week"]


_UNIT = r"(?P<unit>weeks?|fortnights?)"
RULES: tuple[DateRule, ...] = (
    rule("weekday week", rf"(?P<weekday>{WEEKDAY}){GAP}(?P<unit>week|fortnight){_ENDS}", _weekday_week),
    rule("day week", rf"(?P<name>today|tomorrow){GAP}week{_ENDS}", _day_week),
    rule(
        "week today",
        rf"(?P<number>{N}){GAP}{_UNIT}{GAP}(?P<name>today|tomorrow)(?!['\u2019]s)",
        _week_today,
    ),
    rule(
        "week on day",
        rf"(?<!in )(?<!for )(?P<number>{N}){GAP}{_UNIT}{GAP}on{GAP}(?P<weekday>{WEEKDAY})(?!s)",
        _week_on_day,
    ),
    rule(
        "count today", rf"{N}{GAP}(?:days?|weeks?|fortnights?|months?|years?){GAP}(?:today|yesterday|tomorrow)", abstain
    ),
)
