"""Recognise in which languages a sentence may be: by its frequent words and letters; else by the text around it."""

import re
from collections.abc import Mapping
from functools import lru_cache

from shared.core.dates.languages.known import GRAMMARS
from shared.core.dates.words import STOP

ENGLISH = "en"
_ENGLISH_WORDS = """a an the and or but if is are was were be been being am has have had do does did not no yes i you he she it we they me
    him her us them my your his its our their this that these those what which who where when why how there here to of in on at by
    for with from up out off over under into about after before between through during without again then once than too very can
    could will would shall should may might must as so because until while all any both each few more most other some such only own
    same just now new next last week weeks day days month months year years ago today tomorrow yesterday tonight monday tuesday
    wednesday thursday friday saturday sunday morning evening night get got gets make made need needs use used see says said t s d
    ll re ve m one two three first also still back still went goes go come came let see every team please call called called mr mrs"""
_WORD = re.compile(r"[^\W\d_]{1,20}")
#: How far a sentence reaches on both sides of a phrase.
_REACH = 240
#: So much of a text tells its language.
_LOOKED_AT = 4_000
_WORDS: Mapping[str, frozenset[str]] = {
    ENGLISH: frozenset(_ENGLISH_WORDS.split()),
    **{code: frozenset(re.split(r"[\s-]+", one.words)) for code, one in GRAMMARS.items() if one.words},
}
_OF_WORD: Mapping[str, tuple[str, ...]] = {
    word: tuple(code for code, words in _WORDS.items() if word in words)
    for word in sorted(frozenset().union(*_WORDS.values()))
}
#: The words that no English sentence is made of.
_OWN_WORDS = {word: codes for word, codes in _OF_WORD.items() if ENGLISH not in codes}
_LETTERS = {code: re.compile(f"[{one.letters}]") for code, one in GRAMMARS.items() if one.letters}


def find_words(folded: str) -> frozenset[str]:
    """Return the different words of a text in small letters: letters alone, at most 20 of them."""
    return frozenset(_WORD.findall(folded))


def find_possible(text: str, locale: str, words: frozenset[str] | None = None) -> frozenset[str]:
    """Return the languages besides English of which a text has any word or letter, and its tenant's.

    No sentence of the text is in another one: what it shares with English speaks for English as much.

    Args:
        text: it is looked at for letters.
        locale: two letters, of the tenant.
        words: those of the text, where they have been found already.
    """
    own = _OWN_WORDS.keys() & (find_words(text.lower()) if words is None else words)
    found = {code for word in own for code in _OWN_WORDS[word]} | {locale}
    if not text.isascii():
        found |= {code for code, letters in _LETTERS.items() if letters.search(text)}
    return frozenset(found) & GRAMMARS.keys()


class Languages:
    """The languages of the sentences of one text."""

    def __init__(self, text: str, locale: str) -> None:
        """Take a text and the language of its tenant, which counts where neither the sentence nor the text tells."""
        self._text = text
        self._locale = locale
        self._by_sentence: dict[tuple[int, int], frozenset[str]] = {}
        self._of_text: frozenset[str] | None = None

    def may_be_in(self, code: str, start: int, end: int) -> bool:
        """Tell whether the sentence around a place may be in a language."""
        left, right = self._text[max(0, start - _REACH) : start], self._text[end : end + _REACH]
        stops = [stop.end() for stop in STOP.finditer(left)]
        stop = STOP.search(right)
        place = (start - len(left) + (stops[-1] if stops else 0), end + (stop.start() if stop else len(right)))
        if place not in self._by_sentence:
            self._by_sentence[place] = self._decide(self._text[place[0] : place[1]])
        return code in self._by_sentence[place]

    def _decide(self, sentence: str) -> frozenset[str]:
        best, most = count_words(sentence)
        if best == {ENGLISH}:
            return frozenset()
        if len(best) == 1 and most > 1:
            return best
        wider = self._find_of_text()
        likely = best & wider or best or wider
        return likely & {self._locale} if ENGLISH in wider else likely

    def _find_of_text(self) -> frozenset[str]:
        if self._of_text is None:
            self._of_text = count_words(self._text[:_LOOKED_AT])[0] or frozenset({self._locale})
        return self._of_text


def count_words(words: str) -> tuple[frozenset[str], int]:
    """Return the languages that most of the frequent words speak for, several where they are even, and how many do so."""
    return _count_words(" ".join(words.lower().split()))


@lru_cache(maxsize=256)
def _count_words(said: str) -> tuple[frozenset[str], int]:
    counts = dict.fromkeys(_WORDS, 0)
    for word in _WORD.findall(said):
        for code in _OF_WORD.get(word, ()):
            counts[code] += 1
    for code, letters in _LETTERS.items():
        counts[code] += min(2, len(letters.findall(said)))
    most = max(counts.values())
    return frozenset(code for code, count in counts.items() if count == most and most), most
