"""Resolve the relative dates of a text against the day and the time zone of the speaker."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from itertools import islice
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from shared.core.dates.english import counts, names, spans, unclear, weekdays
from shared.core.dates.english.tense import find_direction
from shared.core.dates.no_moment import Moments
from shared.core.dates.protected import blank_protected
from shared.core.dates.reading.find import find_locale_dates, may_have_dates
from shared.core.dates.resolved import ResolvedDate
from shared.core.dates.rule import Reading, Scene
from shared.core.dates.words import MONTH
from shared.core.errors import BadInputError

#: Characters of a text that are read.
MAX_CHARS = 1_000_000
#: Phrases of a text that one rule looks at: bounds the cost of a hostile text.
MAX_PHRASES = 2_000
_RULES = (
    *unclear.RULES,
    *counts.RULES,
    *spans.RULES,
    *names.RULES,
    *weekdays.RULES,
)
#: Every rule needs one of these; most texts have none and cost one search, in lower case, which takes a fourth of the time.
_TRIGGER = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|(?:days?|weeks?|weekends?|wks?|fortnights?|months?|quarter|qtr|years?|yrs?|decades?|nights?|"
    r"mornings?|afternoon|evenings?)|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|the\s{1,3}\d{1,2}(?:st|nd|rd|th)|"
    r"(?:last|past|next|this|previous|coming|upcoming|following)\s{1,3}(?:mon|tue|wed|thu|fri|sat|sun)\w{0,4}|"
    rf"(?:last|this|next|in|since|until|by|of|early|late|mid|\d{{1,2}}(?:st|nd|rd|th)?)[\s-]{{1,3}}{MONTH}|{MONTH}\s{{1,3}}\d{{1,2}}(?:st|nd|rd|th)?)\b",
)


def resolve_dates(text: str, said_at: datetime, zone: str = "UTC", locale: str = "en") -> tuple[ResolvedDate, ...]:
    """Return the relative phrases of a text that have a single meaning, in order, without overlaps.

    Code, addresses, identifiers and frontmatter are skipped. Ambiguous phrases are left out.

    Args:
        text: the text.
        said_at: when it was said; without a time zone it is taken as local.
        zone: the speaker's time zone, such as `Europe/Vienna`: it decides which day "today" is.
        locale: the speaker's language, `de` or `de-AT`, where the text does not tell its own. English phrases are understood
            everywhere.

    Raises:
        BadInputError: the time zone is unknown.
    """
    language = re.split(r"[-_]", locale.strip().lower(), maxsplit=1)[0] or "en"
    is_foreign = may_have_dates(text, language)
    if not is_foreign and _TRIGGER.search(text.lower()) is None:
        return ()
    local = said_at if said_at.tzinfo is None else said_at.astimezone(zone_of(zone))
    prose = blank_protected(text[:MAX_CHARS])
    scene = Scene(text=prose, today=local.date(), moment=local.replace(tzinfo=None), taken=bytearray(len(prose)))
    found = list(_take(scene, find_locale_dates(scene, language, MAX_PHRASES))) if is_foreign else []
    if _TRIGGER.search(prose.lower()):
        found.extend(_take(scene, _find_english(scene)))
    moments = Moments(prose)
    told = sorted((one for one in found if moments.has_moment(one.start, one.end)), key=lambda one: one.start)
    return moments.without_lists(told)


def _find_english(scene: Scene) -> Iterator[Reading]:
    for one in _RULES:
        for found in islice(one.pattern.finditer(scene.text), MAX_PHRASES):
            start, end = found.span()
            if any(scene.taken[start:end]):
                continue
            try:
                when = one.read(found, scene)
            except (OverflowError, ValueError):  # outside the calendar, or a fifth Friday that the month does not have
                when = None
            yield Reading(start, end, when, find_direction(scene.text, start, end) if when else 0, is_english=True)


def _take(scene: Scene, phrases: Iterator[Reading]) -> Iterator[ResolvedDate]:
    for one in phrases:
        if any(scene.taken[one.start : one.end]):
            continue
        scene.taken[one.start : one.end] = b"\x01" * (one.end - one.start)
        when = one.when
        if when is not None:
            yield ResolvedDate(
                start=one.start,
                end=one.end,
                tense=one.tense,
                is_english=one.is_english,
                from_date=when.first,
                to_date=when.last,
                granularity=when.granularity,
                day=when.day,
                is_clear=when.is_clear,
            )


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name.

    Raises:
        BadInputError: it is unknown.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInputError(f"{name!r} is no time zone. Use a name such as Europe/Vienna or UTC.") from error
