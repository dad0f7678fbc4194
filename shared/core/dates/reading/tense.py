"""The tense of a sentence in a language with a grammar, and the words around a phrase that take its day away."""

import re
from functools import lru_cache

from shared.core.dates.languages.grammar import PLACE, Grammar

_REACH = 160
#: A dot behind a number is an ordinal in German.
_STOP = re.compile(r"(?<!\d)[.!?](?=\s|$)|\n|[。！？]")  # noqa: RUF001 - as Chinese and Japanese end a sentence
_NEAR = 24
_SHORTEST_CLAUSE = 6
_CLAUSE = re.compile(r"[,;:()\uff0c\u3001]")
_TOMORROW = frozenset({"morgen", "mañana"})
#: German writes the day small inside a sentence; with a capital it is the morning, an acre or a name.
_NOUN = re.compile(r"[^\W\d_,]\s{1,3}Morgen$")
#: "Verschiebe nicht auf morgen, was du heute kannst besorgen", "más vale hoy que mañana": no day is meant.
_BOTH_DAYS = re.compile(
    r"\b(?:heute|hoy|hoje|oggi|aujourd['\u2019]hui|vandaag)\b[^.!?\n]{0,120}\b(?:morgen|mañana|amanhã|domani|demain)\b"
    r"|\bdemain\b[^.!?\n]{0,80}\bjour même\b|\b(?:morgen|mañana|amanhã|domani|demain)\b[^.!?\n]{0,120}\b(?:heute|hoy|hoje|oggi|aujourd['\u2019]hui|vandaag)\b",
    re.IGNORECASE,
)
#: A weekday beside one of these is that of every week.
_HABIT = re.compile(
    r"\b(?:immer|stets|jede[nrsm]?|meist(?:ens)?|normalerweise|gewöhnlich|altijd|elke|iedere|meestal|toujours|chaque|tous|toutes|d'habitude|siempre|"
    r"cada|todos|todas|normalmente|suele|suelo|solemos|sempre|toda|todo|ogni|di solito|costuma|geralmente)\b|いつも|[毎每]|总是|通常|普段",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:wer|nicht|nie|nur|kein|besser|lieber|statt|als|no|nunca|mejor|más vale|que|não|melhor|non|meglio|mai|pas|jamais|mieux|niet|beter|"
    r"nooit|ce que|quello che|lo que|o que)\b",
    re.IGNORECASE,
)


def sentence_at(text: str, start: int, end: int) -> str:
    """Return the sentence around a phrase, as far as it is near."""
    return _before(text, start) + text[start:end] + _behind(text, end)


def _before(text: str, start: int) -> str:
    left = text[max(0, start - _REACH) : start]
    stops = list(_STOP.finditer(left))
    return left[stops[-1].end() :] if stops else left


def _behind(text: str, end: int) -> str:
    right = text[end : end + _REACH]
    stop = _STOP.search(right)
    return right[: stop.start()] if stop else right


def tense_of(grammar: Grammar, text: str, start: int, end: int) -> int:
    """Return -1 for a sentence about the past, 1 for one about the future, 0 for neither or both."""
    back, ahead = _tenses_of(grammar)
    # The phrase itself is no verb: "heute", "gestern".
    left, right = _before(text, start), _behind(text, end)
    clause = f"{_CLAUSE.split(left)[-1]} {PLACE} {_CLAUSE.split(right, maxsplit=1)[0]}"
    # A phrase alone between commas belongs to what stands around them.
    words = clause if len(clause.strip()) >= _SHORTEST_CLAUSE else f"{left} {PLACE} {right}"
    return (ahead.search(words) is not None) - (back.search(words) is not None)


def is_vague(grammar: Grammar, text: str, start: int) -> bool:
    """Tell whether the words before a count make it vague: "about", "2-3"."""
    return _vague_of(grammar).search(text[max(0, start - _NEAR) : start]) is not None


def is_habit(text: str, start: int, end: int) -> bool:
    """Tell whether a sentence tells of every week."""
    return _HABIT.search(sentence_at(text, start, end)) is not None


def is_said_of_any_day(found: re.Match[str], text: str) -> bool:
    """Tell whether a word for tomorrow is a name, or a day is part of a saying about both."""
    before = text[max(0, found.start() - _NEAR) : found.end()]
    if found[0].lower() in _TOMORROW and _NOUN.search(before):
        return True
    sentence = sentence_at(text, found.start(), found.end())
    return _BOTH_DAYS.search(sentence) is not None and _ADVICE.search(sentence) is not None


@lru_cache(maxsize=16)
def _compiled(back: str, ahead: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(back, re.IGNORECASE), re.compile(ahead, re.IGNORECASE)


def _tenses_of(grammar: Grammar) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return _compiled(grammar.looks_back, grammar.looks_ahead)


def _vague_of(grammar: Grammar) -> re.Pattern[str]:
    return _compiled(grammar.vague, r"(?!)")[0]
