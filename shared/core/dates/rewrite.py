"""Make relative dates in a text absolute: the date is inserted after the phrase, which stays.

This is more careful than `resolve_dates`: it skips sentences that speak of any day, ask, quote or hold a date already.
"""

import re
from bisect import bisect_right
from datetime import datetime
from operator import itemgetter

from shared.core.dates.anchor import find_sections
from shared.core.dates.protected import blank_code_blocks
from shared.core.dates.resolve import resolve_dates
from shared.core.dates.resolved import ResolvedDate, render
from shared.core.dates.words import STOP
from shared.core.memory.yaml_read import split_frontmatter

#: Sentences about any day, and orders, have no date of their own.
_GENERAL = re.compile(
    r"\b(?:always|never|every|each|whenever|if|when|daily|usually|typically|often|sometimes|rarely|seldom|tends? to|should|"
    r"(?:most|some|many|weekend|week)\s(?:days|mornings|afternoons|evenings|nights|weeks|weekends|months|years)|weekdays|at weekends|in general|"
    r"meist(?:ens)?|gewöhnlich|manchmal|normalerweise|souvent|parfois|d'habitude|la plupart du temps|la plupart des jours|a veces|a menudo|"
    r"normalmente|às vezes|geralmente|di solito|spesso|meestal|soms|"
    r"must|may|can|could|would|"
    r"e\.g|such as|like|says?|asks?|means?|phrases?|words?|normally|generally|regularly|weekly|monthly|ages?|aged|you|your|"
    r"examples?|templates?|placeholders?|gives|returns|yields|denotes|immer|jeden?s?|täglich|soll\w{0,3}|wenn|falls|toujours|chaque|siempre|cada|ogni|elke|iedere|altijd|nooit|qualora|"
    r"sempre|tous|toutes|jamais|quand|doit|doivent|todos|todas|nunca|cuando|debe|deben|quando|deve|devem)\b|[每毎]|如果|总是|应该|必须|いつも|もし|場合|べき|"
    r"\?|[{}$]|\bYYYY\b|<\w",
    re.IGNORECASE,
)
#: An order at the head of a sentence, a list item or a checkbox: "Check today + yesterday". It holds on any day.
_ORDER = re.compile(
    r"\W{0,12}(?:please\s)?(?:add|append|ask|check|collect|compare|copy|create|delete|do|ensure|fetch|find|get|give|go|include|"
    r"keep|list|load|look|make|move|open|query|read|remember|remove|replace|report|review|run|scan|search|send|set|show|skip|"
    r"start|store|summari[sz]e|take|tell|update|use|format|log|answer|try|enter|count|choose|select|pick|provide|respond|don't|do not|verify|write)\s(?!(?:is|are|was|were|has|had|did|will|broke|went|\w{3,40}ed)\b)",
    re.IGNORECASE,
)
#: The same in other languages.
_ORDER_ABROAD = re.compile(
    r"\W{0,12}(?:bitte\s)?(?:(?:frag|prüf|schreib|notier|kopier|vergleich|trag|zeig|lösch|sammle?|füg|stell|nimm|lies|gib)(?:e|en sie)?|"
    r"(?:demande|vérifie|note|copie|montre|supprime|compare|ajoute)[rz]?|écri(?:s|re|vez)|lis(?:ez)?|pregunt[ae]|revis[ae]|comprueb[ae]|anot[ae]|copi[ae]|escrib[ae]|"
    r"muestr[ae]|borr[ae]|compar[ae]|pergunte|verifique|escreva|leia|mostre|apague|chiedi|controlla|annota|scrivi|leggi|mostra|cancella|"
    r"confronta|vraag|controleer|noteer|kopieer|schrijf|lees|toon|verwijder|vergelijk)\s",
    re.IGNORECASE,
)
#: Signs beside a phrase that make it one of several values: "today + yesterday", "yesterday/today", "(yesterday = 1)".
_SIGN_BEFORE = re.compile(r"(?:[+/|=&\u2192]|(?<!\w)['\u2018])\s{0,2}$")
_SIGN_BEHIND = re.compile(r"\s{0,2}(?:[+/|=&\u2192]|['\u2019](?!s\b|\w))")
#: A line that is a label or a title.
_TITLE_LINE = re.compile(r"[ \t]*(?:[-*+][ \t]{1,4})?(?:\*\*[^*\n]{1,400}\*\*|__[^_\n]{1,400}__):?[ \t]*$")
#: "**Today:** three or more": a heading of what is done at once, and not of a day.
_LABEL_BEFORE, _LABEL_BEHIND = re.compile(r"(?:\*\*|__)$"), re.compile(r":?(?:\*\*|__):?")
#: A date stands there already; also what an earlier run has written.
_DATED = re.compile(
    r"\d{4}-\d{2}-\d{2}|\(\d{4}(?:-\d{2})?\)|\b\d{1,2}\s[A-Z][a-z]{2,8}\s\d{4}|[A-Z][a-z]{2,8}\s\d{1,2},?\s\d{4}"
)
#: "today" is a day only where something happened or is due; elsewhere it means "nowadays".
_EVENT = re.compile(
    r"\b(?:\w{3,40}ed|was|were|had|did|due|broke|lost|met|sent|found|saw|began|went|made|wrote|ran|took|got|gave|told|as of)\b",
    re.IGNORECASE,
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_HEADS = re.compile(
    r"^(?:#{1,6}\s.*|[ \t]{0,20}(?:[-*+][ \t]{1,4})?(?:\*\*[^*\n]{1,400}\*\*|\d{4}-\d{2}-\d{2}\b))", re.MULTILINE
)
_LINKED = re.compile(r"\[[^\[\]\n]{0,500}\]\(")
_NOT_PROSE = re.compile(r"[ \t]*(?:#{1,6}\s|>|\||<)| {4,}\S|\t\S")
#: A longer one is no prose. With its dates it is longer still: what was left alone stays so.
_LONGEST_SENTENCE = 1_000
#: "None pay tomorrow" and "there is no tomorrow" name no day.
_DENIED = re.compile(r"\b(?:(?:none|nothing|no one)\b[^.,;!?\n]{0,40}|no\s{1,3})$", re.IGNORECASE)
_OWNER = re.compile(r"['\u2019]s\b")


def rewrite_dates(text: str, said_at: datetime, zone: str = "UTC", locale: str = "en", *, name: str = "") -> str:
    """Return the text with the date behind every phrase that has one meaning: `yesterday (2026-03-04)`.

    Code, quotes, headings, tables, names and frontmatter stay as they are, and so does everything ambiguous. Doing it
    again changes nothing.

    Args:
        text: what was written.
        said_at: when; see `resolve_dates`.
        zone: where, as a time zone's name.
        locale: the language.
        name: the path of the text. When it, or a heading, carries another date than the day of `said_at`, the text was
            written over several days, which are unknown, and it is left alone.

    Raises:
        BadInputError: the time zone is unknown.
    """
    found = resolve_dates(text, said_at, zone, locale)
    if not found or _has_other_dates(text, said_at, name):
        return text
    linked = [span.span() for span in _LINKED.finditer(text)]
    parts, end = [], 0
    for one in found:
        before = bisect_right(linked, one.start, key=itemgetter(0))
        is_linked = before > 0 and one.start < linked[before - 1][1]
        if is_linked or not _is_datable(text, one):
            continue
        owner = _OWNER.match(text, one.end)
        stop = owner.end() if owner else one.end
        parts.append(f"{text[end:stop]} ({render(one)})")
        end = stop
    return "".join((*parts, text[end:]))


def rewrite_sections(text: str, locale: str = "en") -> str:
    """Return a text whose headings name several days with dates behind the phrases of each section, from its own day."""
    parts, end = [], 0
    for one in find_sections(text):
        parts += [text[end : one.start], rewrite_dates(text[one.start : one.end], one.said_at, locale=locale)]
        end = one.end
    return "".join((*parts, text[end:]))


def _has_other_dates(text: str, said_at: datetime, name: str) -> bool:
    prose, _ = blank_code_blocks(split_frontmatter(text).body)
    named = _ISO.findall(" ".join((name, *_HEADS.findall(prose))))
    return bool(set(named) - {said_at.date().isoformat()})


def _is_datable(text: str, one: ResolvedDate) -> bool:
    sentence = _sentence_around(text, one)
    if not one.is_clear or sentence is None or _is_no_statement(text, one):
        return False
    words = text[one.start : one.end].lower()
    is_nowadays = words == "today" and not _EVENT.search(sentence)
    if words == "tomorrow" and _DENIED.search(text[max(0, one.start - 60) : one.start]):
        return False
    return not (
        _GENERAL.search(sentence)
        or _ORDER.match(sentence)
        or _ORDER_ABROAD.match(sentence)
        or _DATED.search(sentence)
        or is_nowadays
    )


def _is_no_statement(text: str, one: ResolvedDate) -> bool:
    """Tell whether a phrase stands in a heading, title, table or quotation, or is one of several values."""
    begin = text.rfind("\n", 0, one.start) + 1
    if _NOT_PROSE.match(text, begin) or _TITLE_LINE.match(
        text[begin : begin + 2 * _LONGEST_SENTENCE].partition("\n")[0]
    ):
        return True
    if _LABEL_BEFORE.search(text[max(0, one.start - 2) : one.start]) and _LABEL_BEHIND.match(text, one.end):
        return True
    is_joined = _SIGN_BEFORE.search(text[max(0, one.start - 3) : one.start]) or _SIGN_BEHIND.match(text, one.end)
    return is_joined is not None


def _sentence_around(text: str, one: ResolvedDate) -> str | None:
    """Return the sentence of a phrase; None for one without an end."""
    left = text[max(0, one.start - _LONGEST_SENTENCE) : one.start]
    right = text[one.end : one.end + _LONGEST_SENTENCE]
    starts, stop = [stop.end() for stop in STOP.finditer(left)], STOP.search(right)
    is_cut = (not starts and len(left) == _LONGEST_SENTENCE) or (stop is None and len(right) == _LONGEST_SENTENCE)
    sentence = (
        f"{left[starts[-1] if starts else 0 :]}{text[one.start : one.end]}{right[: stop.end() if stop else None]}"
    )
    return None if is_cut or len(sentence) > _LONGEST_SENTENCE else sentence
