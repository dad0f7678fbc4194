"""Make relative dates in a text absolute: the date is inserted after the phrase, which stays.

Only what names one day and nothing else gets its date, "yesterday" or "3 days ago", where its sentence states something: it is no
title, label, rule, habit, question, quotation or story. In doubt, nothing is written.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from shared.core.dates.phrases import Phrase, any_phrase, find_phrases
from shared.core.dates.protected import blank_protected
from shared.core.dates.spoken import NO_SPEECH, find_spoken_on_day, skip_stamp
from shared.core.dates.stamps import is_same_day, names_zone
from shared.core.dates.words import MONTH, STOP
from shared.core.errors import BadInputError
from shared.languages.language_file import pattern_of

#: Sentences about any day, of what is only reported or described, and orders.
_GENERAL = pattern_of("general", r"<>|\?|[{}$]|\bYYYY\b|<\w")
#: Who reads, lists or posts something does it each time: a job, a page, a function.
_DESCRIBES = pattern_of("describes")
#: In front of a phrase, a subordinate clause speaks of another time than its sentence: "lists what was sold yesterday".
_SUBORDINATE = pattern_of("subordinate", r"<>(?=[^,;:]{0,120}\Z)")
#: An order at the head of a sentence or an item: "Check today", "Deploy tomorrow". It may hold on any day.
_ORDER = pattern_of("orders", r"\W{0,12}(?:please\s)?<>\s")
#: Right before a phrase it makes no point of it: a span ("from next Friday"), an attribute ("the log of yesterday"), a name ("the today view").
_NO_POINT = pattern_of("no_point", r"(?:<>|\b(?:d|l)['\u2019]|[+/|=&\u2192({\[<@#~-]|(?<!\w)['\u2018])\s{0,3}\Z")
#: Right behind it, it belongs to something, is a label or one of several values.
_NAMES = (
    pattern_of("after_day", r"['\u2019]s?\b|s['\u2019]|[*_]{0,2}:|\s<>|\s{0,2}[+/|=&\u2192\u2013\u2014-]|\s?\("),
    pattern_of("joining", r"\s{0,2}<>\s"),
)
#: At the head of a sentence, what follows it shows that it is no name: "Yesterday View was added".
_SUBJECT = re.compile(r"(?:,|\s[^\W\dA-Z_])")
#: "Here today, gone tomorrow", "today, tomorrow or next week": two days in balance are a saying, or values.
_TODAY = pattern_of("todays")
_QUOTED = re.compile(
    r"\"[^\"\n]{0,2000}\"|\u201c[^\u201d\n]{0,2000}\u201d|\u201e[^\u201c\u201d\n]{0,2000}[\u201c\u201d]|\u00ab[^\u00bb\n]{0,2000}\u00bb|(?<!\w)'[^'\n]{1,400}'(?!\w)"
)
_DATED = re.compile(
    rf"\d{{4}}-\d{{2}}|\b(?:19|20)\d{{2}}\b|\b\d{{1,2}}(?:[./]\d{{1,2}}[./]\d{{2,4}}|/\d{{1,2}})\b|\b{MONTH}\.?\s\d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s{MONTH}\b",
    re.IGNORECASE,
)
#: A heading, quotation, table, code, a checkbox, a whole line in bold.
_NOT_PROSE = re.compile(
    r"[ \t]*(?:#{1,6}\s|>|\||<)| {4,}\S|\t\S|[ \t]*(?:[-*+]|\d{1,3}[.)])\s+\[[ xX~/-]\]|[ \t]*(?:[-*+]\s+)?(?:\*\*[^*\n]{1,400}\*\*|__[^_\n]{1,400}__):?[ \t]*$"
)
_LABEL_END = re.compile(r":[*_\s]*\Z")
_LINKED = re.compile(r"\[[^\[\]\n]{0,500}\]\(")
#: A longer line is no prose, and one sentence of it is not read apart from the others.
_LONGEST_LINE = 2_000


def rewrite_dates(text: str, said_at: datetime, zone: str = "UTC") -> str:
    """Return the text with the date behind every phrase that certainly has one: `yesterday (2026-03-04)`.

    Code, quotes, headings, tables, names and frontmatter stay as they are, and so does every doubtful phrase. Doing it again
    changes nothing.

    Args:
        text: what was written.
        said_at: when. Without a time zone, or with an offset other than UTC, it is local; in UTC, `zone` makes it so.
        zone: where, as a time zone's name. `UTC`, which most have never set, tells nothing: then only those hours count in
            which the day is the same almost everywhere. `Etc/UTC` says that it is UTC.

    Raises:
        BadInputError: the time zone is unknown.
    """
    local = find_local(said_at, zone)
    if local is None or any_phrase(is_plain=True).search(text) is None:
        return text
    parts, end, at = [], 0, 0
    for line in blank_protected(text).splitlines(keepends=True):
        if len(line) <= _LONGEST_LINE and any_phrase(is_plain=True).search(line) is not None:
            for one in _find_certain(line.rstrip("\r\n"), text[at : at + len(line)].rstrip("\r\n"), local):
                parts.append(f"{text[end : at + one.end]} ({one.date})")
                end = at + one.end
        at += len(line)
    return "".join((*parts, text[end:]))


def rewrite_spoken(path: str, text: str) -> str:
    """Return a text, without its frontmatter, with dates where it tells of the day that its file is named by."""
    parts, end = [], 0
    for one in find_spoken_on_day(path, text):
        parts += [text[end : one.start], rewrite_dates(text[one.start : one.end], one.said_at)]
        end = one.end
    return "".join((*parts, text[end:]))


def find_local(said_at: datetime, zone: str) -> datetime | None:
    """Return the local moment of what was said, without a zone; None in UTC at an hour at which the day is not certain."""
    if said_at.utcoffset() not in {None, timedelta()}:
        return said_at.replace(tzinfo=None)
    if said_at.tzinfo is None:
        return said_at
    if zone == "UTC":
        return said_at.replace(tzinfo=None) if is_same_day(said_at) else None
    return said_at.astimezone(_zone_of(zone)).replace(tzinfo=None)


@lru_cache(maxsize=64)
def _zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInputError(f"{name!r} is no time zone. Use a name such as Europe/Vienna or UTC.") from error


def _find_certain(prose: str, line: str, said_at: datetime) -> Iterator[Phrase]:
    """Yield the phrases of one line that certainly mean their day; `prose` is the line with its code made blank."""
    words = skip_stamp(line)
    if _NOT_PROSE.match(line) or _DATED.search(line, words):
        return
    apart = [span.span() for pattern in (_LINKED, _QUOTED) for span in pattern.finditer(line)]
    for one in find_phrases(prose, said_at.date()):
        is_apart = any(start <= one.start < end for start, end in apart)
        is_balanced = one.date > said_at.date().isoformat() and _TODAY.search(prose)
        if one.is_plain and one.start >= words and not is_apart and not is_balanced and _is_certain(one, prose, words):
            yield one


def _is_certain(one: Phrase, prose: str, words: int) -> bool:
    """Tell whether a phrase is a point in time by itself, in a sentence that tells of a day; the line's words begin at `words`."""
    left = prose[words : one.start]
    starts = [stop.end() for stop in STOP.finditer(left)]
    lead, right = left[starts[-1] if starts else 0 :], prose[one.end :]
    end = STOP.search(right)
    said = prose[one.start : one.end]
    sentence = f"{lead}{said}{right[: end.end() if end else None]}"
    is_head = not lead.strip(" \t*_-+\u2022.0123456789)")
    if said[0].isupper() and not (is_head and _SUBJECT.match(right)):
        return False  # a title, or the name of a view
    if (
        _NO_POINT.search(lead)
        or any(one.match(right) for one in _NAMES)
        or _SUBORDINATE.search(lead)
        or _ORDER.match(sentence)
    ):
        return False
    if names_zone(sentence) or _LABEL_END.search(sentence):
        return False
    return not any(pattern.search(sentence) for pattern in (_GENERAL, _DESCRIBES, NO_SPEECH))
