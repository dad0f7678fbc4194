"""The languages in which cues are found, one file of data each, and how the language of a text is recognised."""

import re
from collections.abc import Sequence
from functools import cache

from shared.core.sessions.languages.chinese import CHINESE
from shared.core.sessions.languages.dutch import DUTCH
from shared.core.sessions.languages.english import ENGLISH
from shared.core.sessions.languages.french import FRENCH
from shared.core.sessions.languages.german import GERMAN
from shared.core.sessions.languages.italian import ITALIAN
from shared.core.sessions.languages.japanese import JAPANESE
from shared.core.sessions.languages.language import Language, Phrases, make_language
from shared.core.sessions.languages.portuguese import PORTUGUESE
from shared.core.sessions.languages.spanish import SPANISH

#: A new language is a file beside these and its name here, and a file in `evidence` with what people say in their own words;
#: ARCHITECTURE.md names the other places. The first one is taken for a text of which nothing is known.
LANGUAGES: Sequence[Phrases] = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, CHINESE, JAPANESE)
_WORDS_OF = {phrases.code: frozenset(phrases.words.split()) for phrases in LANGUAGES}
_OF_WORD = {
    word: [code for code, words in _WORDS_OF.items() if word in words]
    for word in sorted(set().union(*_WORDS_OF.values()))
}
_WORD = re.compile(r"[^\W\d_]{1,20}")
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
#: This many characters are enough to detect the language.
_LOOKED_AT = 2_000
#: A text in Chinese or Japanese may hold names and commands in Latin letters: one character says as much as a word.
_LEAST_HAN = 0.1


def find_language(text: str) -> Language:
    """Return the language that a text is written in, by its most frequent words; English when nothing tells."""
    head = text[:_LOOKED_AT]
    return _load(_decide_code(head))


def _decide_code(head: str) -> str:
    kana = _KANA.findall(head)
    if len(_HAN.findall(head)) + len(kana) > _LEAST_HAN * len(head):
        return JAPANESE.code if kana else CHINESE.code
    counts = dict.fromkeys(_WORDS_OF, 0)
    for word in _WORD.findall(head.lower()):
        for code in _OF_WORD.get(word, ()):
            counts[code] += 1
    return max(counts, key=lambda code: counts[code])


@cache
def _load(code: str) -> Language:
    """Return a language; its patterns are compiled when a text first is in it."""
    return make_language(next(phrases for phrases in LANGUAGES if phrases.code == code))
