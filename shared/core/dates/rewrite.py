"""Make relative dates in a text absolute: the date is inserted after the phrase, which stays.

This is far more careful than `resolve_dates`. A phrase gets its date only where its sentence states what happened on a day,
or will: it has the tense of its phrase, and is no title, label, order, rule, habit, question, quotation or story. In doubt,
nothing is written.
"""

import re
from bisect import bisect_right
from datetime import datetime, timedelta
from operator import itemgetter

from shared.core.dates.resolve import resolve_dates, zone_of
from shared.core.dates.resolved import Granularity, ResolvedDate, render
from shared.core.dates.spoken import NO_SPEECH, find_spoken, skip_stamp
from shared.core.dates.stamps import is_same_day, names_zone
from shared.core.dates.words import MONTH, STOP, WEEKDAY, N

#: English phrases that name one point in time. "This week" is a limit, "the last 30 days" are a window, "50 years ago"
#: is a round number, "Friday" lies on either side, and "next month" mostly takes turns with "this month".
_PLAIN = re.compile(
    r"(?:the )?day before yesterday|(?:the )?day after tomorrow|(?:yesterday|tomorrow)(?: (?:morning|afternoon|evening|night))?|today|tonight|"
    rf"last night|this (?:morning|afternoon|evening)|{N} (?:day|week)s? ago|last (?:week|month|year|weekend|{WEEKDAY})|next (?:week|year)",
    re.IGNORECASE,
)
#: Sentences about any day, of what is only reported or described, and orders.
_GENERAL = re.compile(
    r"\b(?:always|never|every|each|any|whenever|if|unless|when|until|daily|weekly|monthly|usually|typically|often|sometimes|rarely|seldom|tends? to|should|must|may|"
    r"might|can|could|would|shall|ought|needs?|normally|generally|regularly|in general|weekdays|weekends|most|some|many|e\.g|such as|like|says?|asks?|means?|phrases?|words?|"
    r"called|named|titled|none|nothing|nobody|no one|to be|ages?|aged|you|your|gives|returns|yields|denotes|immer|jeden?s?|täglich|soll\w{0,3}|wenn|falls|bis|meist(?:ens)?|gewöhnlich|"
    r"manchmal|normalerweise|toujours|chaque|souvent|parfois|quand|si|doit|doivent|tous|toutes|jamais|jusqu'\w*|siempre|cada|todos|todas|nunca|cuando|debe|"
    r"deben|a veces|a menudo|hasta|normalmente|ogni|sempre|spesso|quando|qualora|deve|devono|às vezes|geralmente|devem|elke|iedere|altijd|nooit|"
    r"meestal|soms|tot)\b|\?|[{}$]|\bYYYY\b|<\w",
    re.IGNORECASE,
)
#: Who reads, lists or posts something does it each time: a job, a page, a function.
_DESCRIBES = re.compile(
    r"\b(?:reads|lists|posts|sends|collects|exports|imports|fetches|checks|summari[sz]es|scans|loads|pulls|pushes|shows|displays|writes|includes|covers|counts|compares|"
    r"reports|runs|creates|generates|processes|handles|uses|gets|prints|logs|stores|keeps|deletes|removes|filters|renders|computes|calculates|sums|queries|"
    r"selects|tracks|updates|reviews|monitors|captures|contains|opens|copies|moves|archives|parses|analy[sz]es|tells|looks|takes|liest|zeigt|sendet|listet|lit|"
    r"affiche|envoie|liste|lee|muestra|envía|legge|mostra|invia|leest|toont)\b",
    re.IGNORECASE,
)
#: In front of a phrase, a subordinate clause speaks of another time than its sentence: "lists what was sold yesterday".
_SUBORDINATE = re.compile(
    r"\b(?:what|whatever|that|which|who|whom|whose|where|how|whether|why|dass|ob|qui|que|quoi|qu'\w*|dont|quel|quello|che|cui|dat|wat)\b(?=[^,;:]{0,120}\Z)",
    re.IGNORECASE,
)
#: An order at the head of a sentence or an item: "Check today", "Deploy tomorrow". It may hold on any day.
_ORDER = re.compile(
    r"\W{0,12}(?:please\s)?(?:add|append|ask|check|clean|collect|compare|copy|create|delete|deploy|do|ensure|fetch|find|follow|get|give|go|include|"
    r"keep|list|load|look|make|move|open|query|remember|remind|remove|replace|report|review|scan|search|show|skip|"
    r"start|store|summari[sz]e|take|tell|update|use|format|log|answer|try|enter|count|choose|select|pick|provide|respond|don't|do not|verify|write)\s",
    re.IGNORECASE,
)
#: Right before a phrase it makes no point of it: a span ("from next Friday"), an attribute ("the log of yesterday"), a name ("the today view").
_NO_POINT = re.compile(
    r"(?:\b(?:from|starting|beginning|between|through|throughout|within|during|over|to|than|and|or|for|about|around|of|as|usable|none|no|the|an?|our|my|your|its|their|this|that|"
    r"each|every|new|old)|[+/|=&\u2192({\[<@#~-]|(?<!\w)['\u2018])\s{0,3}\Z",
    re.IGNORECASE,
)
_NO_POINT_ABROAD = re.compile(
    r"(?:\b(?:von|vom|seit|ab|de|del|di|du|da|do|dal|van|vanaf|desde|depuis|dès|el|la|le|les|il|der|die|das|und|oder|et|ou|y|e|en|of|o)|\b(?:d|l)['\u2019])\s{0,3}\Z",
    re.IGNORECASE,
)
#: "Today" lies ahead where something is due on it; else it may mean "nowadays".
_DUE = re.compile(r"(?:\b(?:will|due|deadline)|'ll)\b[^,;:]*\Z", re.IGNORECASE)
#: "I wanted to see what people are running today": how things stand nowadays.
_STANDS = re.compile(r"\b(?:is|are|am)\b|\w['\u2019](?:s|re|m)\b", re.IGNORECASE)
#: "It pays for itself in 25 days": how long it takes.
_LASTS = re.compile(r"(?:in|dans|en|dentro de|daqui a|em|tra|fra|over|binnen)\s", re.IGNORECASE)
#: Right behind it, it belongs to something, is a label or one of several values.
_NAMES = re.compile(
    r"['\u2019]s?\b|s['\u2019]|[*_]{0,2}:|\s{0,2}(?:[+/|=&\u2192\u2013\u2014-]|(?:and|or|to|through|until|till|und|bis|et|y|e|en)\s)|\s?\(",
    re.IGNORECASE,
)
#: At the head of a sentence, what follows it shows that it is no name: "Today View was added".
_SUBJECT = re.compile(
    r"(?:\s(?:morning|afternoon|evening|night))?(?:,|\s(?:i|we|he|she|they|it|the|an?|our|my|his|her|their|this|that|these|those|there|all|both|no|two|three|at|in|on)\b)",
    re.IGNORECASE,
)
_DATED = re.compile(
    rf"\d{{4}}-\d{{2}}|\b(?:19|20)\d{{2}}\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\b{MONTH}\.?\s\d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s{MONTH}\b",
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


def rewrite_dates(text: str, said_at: datetime, zone: str = "UTC", locale: str = "en") -> str:
    """Return the text with the date behind every phrase that certainly has one: `yesterday (2026-03-04)`.

    Code, quotes, headings, tables, names and frontmatter stay as they are, and so does every doubtful phrase. Doing it again
    changes nothing.

    Args:
        text: what was written.
        said_at: when. Without a time zone, or with an offset other than UTC, it is local; in UTC, `zone` makes it so.
        zone: where, as a time zone's name. `UTC`, which most have never set, tells nothing: then only those hours count in
            which the day is the same almost everywhere. `Etc/UTC` says that it is UTC.
        locale: the language.

    Raises:
        BadInputError: the time zone is unknown.
    """
    local = _find_local(said_at, zone)
    if local is None:
        return text
    found = resolve_dates(text, local, locale=locale)
    linked = [span.span() for span in _LINKED.finditer(text)] if found else []
    parts, end = [], 0
    for one in found:
        before = bisect_right(linked, one.start, key=itemgetter(0))
        if (before and one.start < linked[before - 1][1]) or not _is_certain(text, one, local):
            continue
        parts.append(f"{text[end : one.end]} ({render(one)})")
        end = one.end
    return "".join((*parts, text[end:]))


def rewrite_spoken(path: str, text: str) -> str:
    """Return a text, without its frontmatter, with dates where it was certainly written on a known day; see `find_spoken`."""
    parts, end = [], 0
    for one in find_spoken(path, text):
        parts += [text[end : one.start], rewrite_dates(text[one.start : one.end], one.said_at)]
        end = one.end
    return "".join((*parts, text[end:]))


def _find_local(said_at: datetime, zone: str) -> datetime | None:
    if said_at.utcoffset() not in {None, timedelta()}:
        return said_at.replace(tzinfo=None)
    if said_at.tzinfo is None:
        return said_at
    if zone == "UTC":
        return said_at.replace(tzinfo=None) if is_same_day(said_at) else None
    return said_at.astimezone(zone_of(zone)).replace(tzinfo=None)


def _is_certain(text: str, one: ResolvedDate, said_at: datetime) -> bool:
    begin = text.rfind("\n", 0, one.start) + 1
    stop = text.find("\n", one.end)
    line = text[begin : stop if stop >= 0 else len(text)]
    words = begin + skip_stamp(line)
    if one.start < words or len(line) > _LONGEST_LINE or _NOT_PROSE.match(line) or _DATED.search(line, words - begin):
        return False
    left, right = text[words : one.start], line[one.end - begin :]
    starts, end = [stop.end() for stop in STOP.finditer(left)], STOP.search(right)
    lead = left[starts[-1] if starts else 0 :]
    sentence = f"{lead}{text[one.start : one.end]}{right[: end.end() if end else None]}"
    if not _has_its_tense(one, said_at, lead) or not _is_point(text, one, lead, right):
        return False
    return not names_zone(sentence) and not _is_any_day(lead, sentence)


def _has_its_tense(one: ResolvedDate, said_at: datetime, lead: str) -> bool:
    """Tell whether the clause of a phrase looks to the side on which its days lie; "today" may be done or due."""
    today = said_at.date()
    if not one.is_clear or one.granularity is Granularity.RANGE:
        return False
    if one.from_date == one.to_date == today:
        return (one.tense < 0 and not _STANDS.search(lead)) or (one.tense > 0 and _DUE.search(lead) is not None)
    return (one.to_date < today and one.tense < 0) or (one.from_date > today and one.tense > 0)


def _is_point(text: str, one: ResolvedDate, lead: str, right: str) -> bool:
    """Tell whether a phrase is a point in time by itself: no part of a span, a name, a label or a list of values."""
    words = " ".join(text[one.start : one.end].split())
    if not _PLAIN.fullmatch(words) if one.is_english else _NO_POINT_ABROAD.search(lead):
        return False
    if not one.is_english and one.granularity is Granularity.YEAR:
        return False  # "vor 10 Jahren" is a round number, as "10 years ago" is
    if _NO_POINT.search(lead) or _NAMES.match(right) or _LASTS.match(words):
        return False
    is_head = not lead.strip(" \t*_-+\u2022.0123456789)")
    return not (one.is_english and is_head and words[0].isupper()) or _SUBJECT.match(right) is not None


def _is_any_day(lead: str, sentence: str) -> bool:
    return (
        _SUBORDINATE.search(lead) is not None
        or _ORDER.match(sentence) is not None
        or _LABEL_END.search(sentence) is not None
        or any(one.search(sentence) for one in (_GENERAL, _DESCRIBES, NO_SPEECH))
    )
