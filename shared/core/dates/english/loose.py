"""English phrases about working days, weekends and halves: "in five business days", "over the weekend", "half a year ago"."""

import re
from dataclasses import replace
from datetime import timedelta

from shared.core.dates.arithmetic import nearest, shift, workdays_on
from shared.core.dates.english.tense import find_direction, find_sentence, find_tense, is_span_of_work
from shared.core.dates.resolved import When, as_exact_as, in_span, on_day
from shared.core.dates.rule import DateRule, Scene, rule
from shared.core.dates.words import GAP, WEEKDAY, WEEKDAYS, N, read_number

_REACH = 24
_VAGUE = re.compile(
    r"(?:\b(?:about|around|roughly|nearly|almost|over|under|than|least|most|or|to|some|every|within|of|up to|once|twice)|[~\u2248\u2013/-])\s*$",
    re.IGNORECASE,
)
#: What a rule about any ticket, order or request says.
_ANY = re.compile(
    r"\b(?:tickets?|orders?|requests?|refunds|usually|typically|always|each|every|any|all|normally|takes?|per)\b",
    re.IGNORECASE,
)


def _is_vague(found: re.Match[str], scene: Scene) -> bool:
    return _VAGUE.search(scene.text[max(0, found.start() - _REACH) : found.start()]) is not None


def _workdays(found: re.Match[str], scene: Scene) -> When | None:
    is_past = found["side"].lower() == "ago"
    if _is_vague(found, scene) or (not is_past and _ANY.search(find_sentence(scene.text, *found.span()))):
        return None
    day = workdays_on(scene.today, read_number(found["number"]) * (-1 if is_past else 1))
    return replace(on_day(day), is_clear=scene.today.weekday() < 5)


def _next_workday(found: re.Match[str], scene: Scene) -> When | None:
    if _ANY.search(find_sentence(scene.text, *found.span())) or find_tense(scene.text, *found.span()) < 0:
        return None
    return replace(on_day(workdays_on(scene.today, 1)), is_clear=False)


def _half(found: re.Match[str], scene: Scene) -> When | None:
    """Read "half a year ago" and "a year and a half ago": unclear, as people mean about so long."""
    if _is_vague(found, scene):
        return None
    is_past = found["side"].lower() != "in"
    if not is_past and is_span_of_work(scene.text, *found.span()):
        return None
    months = 18 if "and" in found[0].lower().split() else 6
    return replace(as_exact_as(shift(scene.today, {"month": months}, -1 if is_past else 1), "month"), is_clear=False)


def _weekends_ago(found: re.Match[str], scene: Scene) -> When | None:
    if scene.today.weekday() >= 5 or _is_vague(found, scene):
        return None
    return in_span(scene.today - timedelta(weeks=read_number(found["number"])), "weekend")


def _over_weekend(found: re.Match[str], scene: Scene) -> When | None:
    """Read "over the weekend": the one before or the coming one, as its sentence looks; on a weekend, this one."""
    if scene.today.weekday() >= 5:
        return replace(in_span(scene.today, "weekend"), is_clear=False)
    direction = find_direction(scene.text, *found.span())
    if not direction:
        return None
    side = -1 if direction < 0 else 0
    return replace(in_span(scene.today + timedelta(weeks=side), "weekend"), is_clear=direction < 0)


def _next_weekend(_found: re.Match[str], scene: Scene) -> When:
    """Read "next weekend" as the coming one; unclear, as for some it is the one after it."""
    weeks = 1 if scene.today.weekday() >= 5 else 0
    return replace(in_span(scene.today + timedelta(weeks=weeks), "weekend"), is_clear=False)


def _just_gone(found: re.Match[str], scene: Scene) -> When | None:
    """Read "Tuesday just gone" and "the weekend just gone"."""
    if found["weekday"]:
        return on_day(nearest(scene.today, WEEKDAYS[found["weekday"].lower()], -1))
    unit = found["unit"].lower()
    if unit == "weekend":
        return in_span(nearest(scene.today, 5, -1), unit)
    return in_span(shift(scene.today, {unit: 1}, -1), unit)


def _weekday_last(found: re.Match[str], scene: Scene) -> When:
    """Read "Tuesday last" and "Monday next", as letters have them."""
    weekday = WEEKDAYS[found["weekday"].lower()]
    side = found["side"].lower()
    day = nearest(scene.today, weekday, -1 if side in {"last", "past", "gone"} else 1)
    return replace(on_day(day), is_clear=side != "next")


_WORKDAYS = r"(?:business|working|work|trading)[\s-]{1,2}days?"
_HALF = rf"(?:half{GAP}(?:of{GAP})?(?:an?{GAP})?year|(?:an?|one){GAP}year{GAP}and{GAP}a{GAP}half|(?:one|1){GAP}and{GAP}a{GAP}half{GAP}years)"
_ENDS = r"(?=\s{0,2}(?:[.,;:!?)\n]|$|(?:at|we|i|he|she|they|it|the)\b))"
RULES: tuple[DateRule, ...] = (
    rule(
        "workdays",
        rf"(?P<number>{N}){GAP}{_WORKDAYS}{GAP}(?P<side>ago|from{GAP}(?:now|today)|hence)",
        _workdays,
    ),
    rule("in workdays", rf"(?P<side>in){GAP}(?P<number>{N}){GAP}{_WORKDAYS}(?!['\u2019])", _workdays),
    rule("next workday", rf"(?:the{GAP})?next{GAP}{_WORKDAYS}", _next_workday),
    rule("half ago", rf"{_HALF}{GAP}(?P<side>ago|back(?=\W))", _half),
    rule("in half", rf"(?P<side>in){GAP}{_HALF}(?:['\u2019]?s?{GAP}time)?(?!['\u2019])", _half),
    rule("weekends ago", rf"(?P<number>(?!an?\b){N}){GAP}weekends{GAP}ago", _weekends_ago),
    rule(
        "just gone",
        rf"(?:(?:the|this|on){GAP})?(?:(?P<weekday>{WEEKDAY})|(?P<unit>week|weekend|month|year)){GAP}(?:just|now){GAP}(?:gone|past|ended|finished)",
        _just_gone,
    ),
    rule(
        "weekday last", rf"(?:on{GAP})?(?P<weekday>{WEEKDAY}){GAP}(?P<side>last|gone|next|coming){_ENDS}", _weekday_last
    ),
    rule(
        "over the weekend", rf"(?:over|during|on|at|before|after|for){GAP}the{GAP}weekend(?!['\u2019s-])", _over_weekend
    ),
    rule("next weekend", rf"next{GAP}weekend(?!['\u2019s-])", _next_weekend),
)
