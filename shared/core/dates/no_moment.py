"""Phrases that look like a date and mean no moment: in a quotation, a title, a name, a template, a saying, a thing that is only supposed."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from shared.core.dates.resolved import ResolvedDate
from shared.core.dates.words import STOP

_REACH = 240
_QUOTED = re.compile(
    r"\"[^\"\n]{0,2000}\"|\u201c[^\u201d\n]{0,2000}\u201d|\u201e[^\u201c\u201d\n]{0,2000}[\u201c\u201d]|\u00ab[^\u00bb\n]{0,2000}\u00bb"
    r"|\u300c[^\u300d\n]{0,2000}\u300d|(?<!\w)'[^'\n]{1,400}'(?!\w)|(?<!\w)\u2018[^\u2018\u2019\n]{1,400}\u2019(?!\w)"
)
#: What stands in front of a name: a word and one space, and "named".
_WORD_BEFORE = re.compile(r"[^\W\d_] $")
_CAPITAL = re.compile(
    r"(?:The\s(?:Day|Week)\s|(?:A|An|One|Two|Three|Four|Five|Six|Seven|Ten)\s|Yesterday|Today|Tonight|Tomorrow|Last|Next|This|Previous)(?:\b|(?<=\s))"
)
_NAMED = re.compile(
    r"\b(?:(?:nick)?named|(?:is|are|was|were|be|'s) called|titled|entitled|dubbed|named after|namens|heißt|genannt|appelée?|nommée?|llamad[oa]|chamad[oa]|chiamat[oa]|"
    r"mr\.?|mrs\.?|ms\.?|miss|herr|herrn|frau|familie|monsieur|madame|mme|señora?|signora?|mevrouw|meneer|captain|doctor|dr\.?)\s{1,3}$",
    re.IGNORECASE,
)
#: "Tomorrow Never Knows": a title goes on with a word that only titles write large.
_TITLE_BEHIND = re.compile(
    r"(?:['\u2019]s)?\s(?-i:(?:Never|Is|Was|Will|Comes|And|Or|We|They|Now|Again|Always|Papers|People|Land|World|Show|News)\b)"
)
_ADVICE_OF_DAYS = re.compile(
    r"\W{0,12}better\b[^.!?\n]{1,200}\bthan\b|[^.!?\n]{0,200}\bborn\s(?:yesterday|tomorrow)\b", re.IGNORECASE
)
#: "Tomorrow is another day", in any language.
_PUT_OFF = re.compile(
    r"\bnever\b[^.!?\n]{0,60}\btomorrow\b[^.!?\n]{0,60}\btoday\b|\bput off (?:till|until|to) tomorrow\b", re.IGNORECASE
)
#: "Tomorrow is a brand of tea": what it is shows that it is a name.
_IS_THING = re.compile(
    r"\s(?:is|was|est|ist|es|era|è|é)\s(?:[\w'\u2019-]{1,16}\s){0,4}?(?:brands?|names?|nickname|codename|band|film|movie|song|album|book|novel|app|magazine|"
    r"company|game|service|character|project|product|personnage|compagnon|personaje|personaggio|figur|nom|nombre|nome|marke|marque|marca)\b",
    re.IGNORECASE,
)
#: Right before a title, which then is written large.
_WORK_BEFORE = re.compile(
    r"\b(?:film|movie|song|band|album|book|novel|show|series|game|play|película|canción|novela|libro|chanson|livre|série|lied|buch|roman|filme|"
    r"música|canzone|romanzo|boek|liedje)\s{1,3}$",
    re.IGNORECASE,
)
#: "Last Week Tonight": in a sentence only the first word is large, but for names of days, months and holidays.
_LARGE = re.compile(
    r"(?:Last|Next|This|Past|The|A|An|One|Two|Three|Four|Five|Six|Seven|Ten)\s{1,3}(?!(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Christmas|Xmas|Easter|New|Year|"
    r"Eve|Boxing|Good|Q\d|Thanksgiving|Labor|Memorial|Independence|Halloween))[A-Z][a-z]"
)
#: "The word tomorrow", "the variable yesterday", "im Gestern": the word itself, or an age.
_MENTIONED = re.compile(
    r"(?:\b(?:words?|terms?|variables?|functions?|keywords?|strings?|fields?|columns?|phrases?|tokens?|alias|methods?|parameters?|arguments?|wort|begriff|"
    r"mot|palabra|parola|palavra|woord)\s{1,2}|[!<>=]=\s{1,2}|\w\s?=\s{1,2})$",
    re.IGNORECASE,
)
#: "She lives in yesterday".
_AGE = re.compile(r"\b(?:in|the)\s{1,3}(?:yesterday|tomorrow)(?!['\u2019])", re.IGNORECASE)
#: "Yesterday is history": a day that is over is no longer anything.
_OVER = re.compile(r"\s(?:is|ist|est|es|è|é)\s(?:history|gone|past|over|vorbei|vergangen|passé)\b", re.IGNORECASE)
_PAST_DAY = re.compile(r"(?:yesterday|gestern|hier|ayer|ieri|ontem|gisteren)\Z", re.IGNORECASE)
#: "The report covers the last 30 days", whenever it is looked at.
_WINDOW = re.compile(
    r"\b(?:covers|shows|displays|lists|includes|keeps|retains|counts|summari[sz]es|pulls|fetches|averages|covering|showing)\b[^.,;:!?\n]{0,60}$",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"(?:the\s{1,3})?(?:last|past|next)\s{1,3}\w{1,12}\s{1,3}\w{2,8}s\Z", re.IGNORECASE)
#: "Im Gestern", "el ayer".
_ARTICLE = re.compile(r"\b(?:im|das|el|l['\u2019])\s{0,2}$", re.IGNORECASE)
#: "Input: yesterday": a label and its value.
_LABELLED = re.compile(
    r"^\W{0,8}(?:input|output|value|label|default|options?|choices?|button|example|subject)\b[^:.\n]{0,20}:\s|\((?:button|placeholder|label|example|template)\b",
    re.IGNORECASE,
)
_TODAY = r"(?:today|heute|hoy|hoje|oggi|aujourd['\u2019]hui|vandaag)"
_NEXT_DAY = r"(?:tomorrow|morgen|mañana|amanhã|domani|demain)"
#: "Hoy por ti, mañana por mí", "never put off till tomorrow": two days in balance are a saying.
_BALANCED = re.compile(
    rf"^\W{{0,4}}{_TODAY}(?:\s[^\s,.]{{1,16}}){{1,3}},\s(?:and\s)?{_NEXT_DAY}(?:\s[^\s,.]{{1,16}}){{1,3}}\W{{0,4}}$"
    r"|\btoday\b[^.!?\n]{0,60}\bneed not\b|今日[^。\n]{0,20}明日[にへ]延ば|昨日の敵|今天[^。\n]{0,12}(?:不要|别|莫)[^。\n]{0,8}明天|明天会更好|"
    r"\byesterday\b[^.!?\n]{0,40}\btomorrow is a\b|\btomorrow belongs\b|\b(?:is|there's) always tomorrow\b|\bcount on tomorrow\b|\baspett\w{0,4} domani\b",
    re.IGNORECASE,
)
_USUAL = re.compile(
    r"\b(?:usually|normally|typically|generally|as a rule|tends? to)\b[^.,;:!?\n]{0,80}$", re.IGNORECASE
)
_ANOTHER_DAY = re.compile(
    r"\b(?:another|(?:un |an )?autre|otro|outro|(?:un )?altro|neuer|noch ein|auch (?:noch )?ein|ook (?:nog )?een|weer een|nog een)\s(?:day|jour|día|dia|giorno|tag|dag)\b",
    re.IGNORECASE,
)
_DAY = (
    r"(tomorrow|yesterday|morgen|gestern|demain|hier|mañana|ayer|amanhã|ontem|domani|ieri|gisteren|明日|昨日|明天|昨天)"
)
#: "Tomorrow, and tomorrow", "morgen, morgen, nur nicht heute": a day that is said twice is that of a verse or a saying.
_TWICE = re.compile(rf"{_DAY}(?:[^\w\n]{{1,3}}(?:and |und |et |y |e |en )?|[はの、])\1", re.IGNORECASE)
#: "That is so last year", "we felt like there was no tomorrow", "the cities of tomorrow", "Schnee von gestern": no day is meant.
_SAID_SO = re.compile(
    r"(?:\b(?:is|are|was|were|be|being|looks?|feels?|seems?|sounds?|\w{1,5}'(?:s|re)) (?:just |all |already |oh )?so"
    r"|\b(?:like|as if|as though)\b[^.,;!?\n]{0,24}|(?<!\bas )(?<!\bend )(?<!\brest )(?<!\bstart )(?<!\bbeginning )(?<!\bmiddle )(?<!\bclose )\bof|\b(?:jam|gone|nací|naciste|nació|nacimos|nasci|nasceu|nato|nata)"
    r"|\b(?:need|needs|want|wants|wanted) (?:it|this|that|them)"
    r"|\bschnee (?:\w+ )?von|\b(?:nicht|bin|bist|ist|sind|seid) (?:\w+ ){0,2}von|\b(?:nées?|nés?|date) (?:pas )?(?:d'|de)?|\bno)\s{0,3}$",
    re.IGNORECASE,
)
#: The same, told by what follows.
_SAID_SO_BEHIND = re.compile(
    r"['\u2019]s\s(?:news|man|men|papers?|hero(?:es)?|world|problem|leaders?)\b|,?\s(?:and )?gone tomorrow\b"
    r"|\s(?:never|ne)\s(?:comes|dies|knows|viene|vient)\b|,? on rase gratis\b|\s{0,2}(?:=(?!=)|:=)\s",
    re.IGNORECASE,
)
#: A place to be filled in.
_TEMPLATE = re.compile(r"\{\{?\s?\w|\$\{|%\(\w|\[[A-Z][A-Z_ ]{2,20}\]|<[a-z_]{2,20}>", re.ASCII)
#: "If the deadline were next Friday", "had we migrated last year": it is only supposed.
_SUPPOSED = re.compile(
    r"^\W{0,8}(?:suppose|supposing|imagine|say a|what if|what happens (?:if|when)|had (?:we|i|they|he|she|it|you)\b)|\b(?:if|unless)\b[^.!?\n]{1,120}\b(?:were|had|came|would|could)\b|"
    r"\b(?:would|could)\b[^.!?\n]{1,120}\bif\b|\b(?:si|se)\b[^.!?\n]{1,80}\b(?:fuera|fuese|hubiera|hubiese|fosse|fossem|avesse|tivesse|était|avait)\b|"
    r"\bsi\b[^.!?\n]{1,80}\b\w{2,12}(?:ara|iera|iese|ais|ait|aient)(?:s|n|mos)?\b|\bse\b[^.!?\n]{1,80}\b\w{2,12}(?:assi|essi|issi|asse|esse|isse)m?\b|"
    r"\b(?:wenn|falls)\b[^.!?\n]{1,80}\b(?:wäre|wären|hätte|hätten|würde|käme|gäbe)\b|\bals\b[^.!?\n]{1,80}\b(?:zou|zouden)\b|もし",
    re.IGNORECASE,
)
#: What is sung, printed or told in a work says nothing of a day.
_OF_A_WORK = re.compile(
    r"\b(?:sings?|sang) (?:that|about|of)\b|^\W{0,8}(?:in the (?:novel|book|film|movie|song|story|play|poem|episode|game)|im (?:roman|film|lied|buch)|"
    r"dans le (?:roman|film|livre)|en la (?:novela|película))\b|\b(?:poster|sign|slogan|motto|lyrics?|proverb|label|button|banner|headline)\b[^.!?\n]{0,30}\b(?:said|says|reads?|goes)\b",
    re.IGNORECASE,
)


#: Between two phrases that are values of a list.
_SLASH = re.compile(r"\s{0,2}[/|]\s{0,2}")
_LISTED = re.compile(r"\s{0,2}(?:[,/|]|,?\s(?:or|and|oder|und|ou|et|o|y|of|en|e)\b)\s{0,2}")


class Moments:
    """The phrases of one text that mean a moment."""

    def __init__(self, text: str) -> None:
        """Take a text with its code made blank."""
        self._text = text
        self._quoted = [span.span() for span in _QUOTED.finditer(text) if span.end() - span.start() < len(text.strip())]

    def has_moment(self, start: int, end: int) -> bool:
        """Tell whether a phrase means a moment."""
        before = bisect_right(self._quoted, start, key=itemgetter(0))
        if before and start < self._quoted[before - 1][1]:
            return False
        near = self._text[max(0, start - 60) : start]
        if _SAID_SO.search(near) or _NAMED.search(near) or _SAID_SO_BEHIND.match(self._text, end):
            return False
        if _IS_THING.match(self._text, end) or _USUAL.search(near):
            return False
        words = self._text[start:end]
        is_word = _MENTIONED.search(near) or _AGE.search(near[-8:] + words + self._text[end : end + 1])
        is_over = _PAST_DAY.match(words) and (_OVER.match(self._text, end) or _ARTICLE.search(near))
        is_window = _TRAILING.match(words) and _WINDOW.search(near)
        if is_word or is_over or is_window or self._text[end : end + 1] == "(":
            return False
        return not self._is_title(start, end, near) and not _says_no_moment(self._sentence_at(start, end))

    def without_lists(self, found: Sequence[ResolvedDate]) -> tuple[ResolvedDate, ...]:
        """Return phrases without those that are listed as values: "today, yesterday or last week", "today / tomorrow"."""
        listed: set[int] = set()
        for number in range(1, len(found)):
            between = self._text[found[number - 1].end : found[number].start]
            is_value = _SLASH.fullmatch(between) is not None
            is_third = (
                number > 1
                and _LISTED.fullmatch(between)
                and _LISTED.fullmatch(self._text[found[number - 2].end : found[number - 1].start])
            )
            if is_value or is_third:
                listed.update(range(number - (1 if is_value else 2), number + 1))
        return tuple(one for number, one in enumerate(found) if number not in listed)

    def _is_title(self, start: int, end: int, near: str) -> bool:
        """Tell whether a phrase is a title, as in "USA Today": English writes such words small inside a sentence."""
        words = self._text[start:end]
        if words[:1].isupper() and (_WORK_BEFORE.search(near) or (words.isascii() and _LARGE.match(words))):
            return True
        is_capital = _CAPITAL.match(self._text, start) is not None
        return is_capital and (
            _WORD_BEFORE.search(near) is not None or _TITLE_BEHIND.match(self._text, end) is not None
        )

    def _sentence_at(self, start: int, end: int) -> str:
        left, right = self._text[max(0, start - _REACH) : start], self._text[end : end + _REACH]
        stops = [stop.end() for stop in STOP.finditer(left)]
        stop = STOP.search(right)
        return left[stops[-1] if stops else 0 :] + self._text[start:end] + (right[: stop.end()] if stop else right)


def _says_no_moment(sentence: str) -> bool:
    if _ADVICE_OF_DAYS.match(sentence):
        return True
    return any(
        one.search(sentence)
        for one in (_ANOTHER_DAY, _BALANCED, _LABELLED, _PUT_OFF, _TWICE, _TEMPLATE, _SUPPOSED, _OF_A_WORK)
    )
