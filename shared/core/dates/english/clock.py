"""English phrases that count hours and minutes, where the day is certain: "ten minutes ago", "in 36 hours", "about two hours ago"."""

import re
from dataclasses import replace

from shared.core.dates.arithmetic import shift
from shared.core.dates.clock import on_clock
from shared.core.dates.english.tense import find_direction, find_sentence, find_tense
from shared.core.dates.resolved import When, on_day
from shared.core.dates.rule import DateRule, Scene, rule
from shared.core.dates.words import GAP, N, read_number

_REACH = 24
_HOUR = 60
_DAY = 24 * _HOUR
#: "More than", "every", "2-3": the count is a limit, a rate or a range.
_LIMIT = re.compile(
    r"(?:\b(?:over|under|than|least|most|or|to|every|within|of|until|last|past|next|once|twice|times?)|[\u2013/-])\s*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|nearly|almost|maybe|some|like|approximately)|[~\u2248])\s*$", re.IGNORECASE
)
#: How many a vague number may be.
_VAGUE = {"few": (2, 8), "several": (3, 12)}
_HALF = 0.5
#: Of any ticket, token or dough: how long it takes.
_TAKES = re.compile(
    r"\b(?:answers?|answered|respon\w{1,4}|repl(?:y|ies|ied)|process\w{0,3}|ships|delivers|usually|typically|normally|always|every|each|any|all|"
    r"tickets?|orders?|resets|takes?|needs|dry|dries|cures?|done|rotates|tokens?|sessions?|links?|codes?|requests?|up to)\b",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"half", re.IGNORECASE)


def _ago(found: re.Match[str], scene: Scene) -> When | None:
    return _count(found, scene, -1)


def _ahead(found: re.Match[str], scene: Scene) -> When | None:
    """Read "in 36 hours", but not as how long something takes; sure in a sentence about what is to come."""
    direction = find_direction(scene.text, *found.span())
    if (
        direction < 0
        or find_tense(scene.text, *found.span()) < 0
        or _TAKES.search(find_sentence(scene.text, *found.span()))
    ):
        return None
    when = _count(found, scene, 1)
    return when and replace(when, is_clear=direction > 0)


def _count(found: re.Match[str], scene: Scene, sign: int) -> When | None:
    before = scene.text[max(0, found.start() - _REACH) : found.start()]
    if _LIMIT.search(before):
        return None
    unit = _HOUR if found["unit"].lower().startswith("h") else 1
    least, most = _bounds(" ".join(found["number"].lower().split()))
    if _ABOUT.search(before):
        if least * unit >= _DAY:
            return None
        least, most = least * 0.7, most * 1.5
    days, rest = divmod(least * unit, _DAY)
    if days and not rest and least == most:
        return on_day(shift(scene.today, {"day": int(days)}, sign))
    if least == most == _HALF:
        return on_clock(scene.moment, sign * unit / 2, slack=unit / 6)
    slack = unit / 2 if least == most else unit * (most - least) / 2
    return on_clock(scene.moment, sign * unit * (least + most) / 2, slack=slack)


def _bounds(said: str) -> tuple[float, float]:
    words = said.split()
    vague = next((bounds for word, bounds in _VAGUE.items() if word in words), None)
    if vague:
        return vague
    if _SPOKEN.search(said):
        return (0.5, 0.5) if words[0] == "half" else (1.5, 1.5)
    return (1.5, 3) if "couple" in words else (read_number(said), read_number(said))


def _just_now(_found: re.Match[str], scene: Scene) -> When | None:
    return replace(on_day(scene.today), is_clear=scene.moment.hour > 0)


_NUMBER = rf"(?P<number>half{GAP}an|{N}|(?:a{GAP})?few|several)"
_UNIT = r"(?P<unit>hours?|hrs?|minutes?|mins?)"
RULES: tuple[DateRule, ...] = (
    rule("clock ago", rf"{_NUMBER}{GAP}{_UNIT}{GAP}(?:ago|back(?=\W))", _ago),
    rule("clock from now", rf"{_NUMBER}{GAP}{_UNIT}{GAP}from{GAP}now", lambda found, scene: _count(found, scene, 1)),
    rule("in clock", rf"in{GAP}{_NUMBER}{GAP}{_UNIT}(?!['\u2019]|{GAP}(?:of|or|flat))", _ahead),
    rule("short clock ago", r"(?P<number>\d{1,3})\s?(?P<unit>h|hrs?|min|mins|m)\s{1,2}ago", _ago),
    rule("just now", rf"(?:just{GAP}now|a{GAP}moment{GAP}ago)", _just_now),
)
