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

#: Sentences about any day, of what is only reported or described, and orders.
_GENERAL = re.compile(
    r"\b(?:always|never|every|each|any|whenever|if|unless|when|until|daily|weekly|monthly|usually|typically|often|sometimes|rarely|seldom|tends? to|should|must|may|"
    r"might|can|could|would|shall|ought|needs?|normally|generally|regularly|in general|weekdays|weekends|most|some|many|e\.g|such as|like|says?|asks?|means?|phrases?|words?|"
    r"called|named|titled|none|nothing|nobody|no one|to be|ages?|aged|you|your|born|né|nació|nato|geboren|gives|returns|yields|denotes|immer|jeden?s?|täglich|soll\w{0,3}|wenn|falls|bis|meist(?:ens)?|gewöhnlich|"
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
    r"start|store|summari[sz]e|take|tell|update|use|format|log|answer|try|enter|count|choose|select|pick|provide|respond|finish|set|buy|book|call|send|fix|test|pay|order|plan|prepare|continue|resume|don't|do not|verify|write)\s",
    re.IGNORECASE,
)
#: Right before a phrase it makes no point of it: a span ("from next Friday"), an attribute ("the log of yesterday"), a name ("the today view").
_NO_POINT = re.compile(
    r"(?:\b(?:from|starting|beginning|between|through|throughout|within|during|over|to|than|and|or|for|about|around|of|as|usable|none|no|the|an?|our|my|your|its|their|this|that|"
    r"each|every|new|old|ago|most|least|nearly|almost|some|roughly|approximately|not|von|vom|seit|ab|de|del|di|du|da|do|dal|van|vanaf|desde|depuis|dès|el|la|le|les|il|der|die|das|"
    r"und|oder|et|ou|y|e|en|pas|nicht|niet|non|etwa|circa|ca|ungefähr|rund|fast|environ|presque|unos|casi|quasi|ongeveer|bijna)|\b(?:d|l)['\u2019]|[+/|=&\u2192({\[<@#~-]|(?<!\w)['\u2018])\s{0,3}\Z",
    re.IGNORECASE,
)
#: Right behind it, it belongs to something, is a label or one of several values.
_NAMES = re.compile(
    r"['\u2019]s?\b|s['\u2019]|[*_]{0,2}:|\s(?:plan|view|tab|list|task|page|week|fortnight|en huit)s?\b|\s{0,2}(?:[+/|=&\u2192\u2013\u2014-]|(?:and|or|to|through|until|till|und|bis|et|y|e|en)\s)|\s?\(",
    re.IGNORECASE,
)
#: At the head of a sentence, what follows it shows that it is no name: "Yesterday View was added".
_SUBJECT = re.compile(r"(?:,|\s[^\W\dA-Z_])")
#: "Here today, gone tomorrow", "today, tomorrow or next week": two days in balance are a saying, or values.
_TODAY = re.compile(r"\b(?:today|heute|vandaag|aujourd['\u2019]hui|hoy|hoje|oggi)\b", re.IGNORECASE)
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
    local = _find_local(said_at, zone)
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


def _find_local(said_at: datetime, zone: str) -> datetime | None:
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
    if _NO_POINT.search(lead) or _NAMES.match(right) or _SUBORDINATE.search(lead) or _ORDER.match(sentence):
        return False
    if names_zone(sentence) or _LABEL_END.search(sentence):
        return False
    return not any(pattern.search(sentence) for pattern in (_GENERAL, _DESCRIBES, NO_SPEECH))
