"""The languages in which cues are found, one file of data each, and how the language of a text is recognised."""

import re
from collections.abc import Sequence

from shared.core.sessions.languages.chinese import CHINESE
from shared.core.sessions.languages.english import ENGLISH
from shared.core.sessions.languages.french import FRENCH
from shared.core.sessions.languages.german import GERMAN
from shared.core.sessions.languages.japanese import JAPANESE
from shared.core.sessions.languages.language import Language
from shared.core.sessions.languages.portuguese import PORTUGUESE
from shared.core.sessions.languages.spanish import SPANISH

#: A new language is a file beside these and its name here. The first one is taken for a text of which nothing is known.
LANGUAGES: Sequence[Language] = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, CHINESE, JAPANESE)
_OF_WORD = {
    word: [one for one in LANGUAGES if word in one.words] for word in sorted(set().union(*(o.words for o in LANGUAGES)))
}
_WORD = re.compile(r"[^\W\d_]{1,20}")
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
#: The language shows within so many characters.
_LOOKED_AT = 2_000
#: A text in Chinese or Japanese may hold names and commands in Latin letters: one character says as much as a word.
_LEAST_HAN = 0.1


def find_language(text: str) -> Language:
    """Return the language that a text is written in, by its most frequent words; English when nothing tells."""
    head = text[:_LOOKED_AT]
    if len(_HAN.findall(head)) + len(_KANA.findall(head)) > _LEAST_HAN * len(head):
        return JAPANESE if _KANA.search(head) else CHINESE
    counts = dict.fromkeys((one.code for one in LANGUAGES), 0)
    for word in _WORD.findall(head.lower()):
        for language in _OF_WORD.get(word, ()):
            counts[language.code] += 1
    return max(LANGUAGES, key=lambda one: counts[one.code])
