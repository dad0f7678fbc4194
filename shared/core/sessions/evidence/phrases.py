"""Phrases as data: how they are written down, and which groups of them a sentence holds.

Phrases stand between bars. `^` is the beginning of a sentence behind the words that lead into it, `$` its end, `..` up to four words
(eight characters of Chinese or Japanese), `x*` a word that begins with x, and `*x` one that ends with it, but not as a first word.
English short forms are written out: `do not`, `we are`; `'s` and `let's` stay. The work is linear: each word is looked up once, and what is
compared behind it is bounded by the longest phrase.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

_WORD = re.compile(r"[^\W_]+(?:[-_./'][^\W_]+)*'?|[,;:?!()=\u2013\u2014]")
_CHARACTER = re.compile(r"[a-z0-9_.-]+|[^\s\u3002.]")
_SHORT = {"'re": "are", "'m": "am", "'ve": "have", "'ll": "will", "'d": "would", "'s": "'s"}
_ELIDED = re.compile(r"((?:[cdjlmnst]|qu|lorsqu|jusqu|puisqu)')(.+)")
_STEM = 2
_GAP, _GAP_OF_CHARACTERS = 4, 8
_PUNCTUATION = frozenset(",;:?!()\u2013\u2014\uff0c\u3001\uff1a\uff1b\uff1f\uff01")
_HEAD, _END, _ANY = "^", "$", ".."
#: What leads into a sentence is passed over up to here.
_LONGEST_LEAD = 8


@dataclass(frozen=True, slots=True)
class _Phrase:
    group: str
    words: tuple[str, ...]
    is_head: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseTable:
    """The phrases of one language, by their first two words, their first word, or the first letters of it."""

    is_spaced: bool
    leads: frozenset[str]
    pairs: Mapping[tuple[str, str], Sequence[_Phrase]] = field(repr=False)
    others: Mapping[str, Sequence[_Phrase]] = field(repr=False)
    stems: Mapping[str, Sequence[_Phrase]] = field(repr=False)

    def find_groups(self, sentence: str) -> dict[str, str]:
        """Return the groups of which a sentence holds a phrase, each with the first one that was found."""
        words = split_words(sentence, is_spaced=self.is_spaced)
        head = self._find_head(words)
        found: dict[str, str] = {}
        nothing: Sequence[_Phrase] = ()
        for at, word in enumerate(words):
            following = words[at + 1] if at + 1 < len(words) else ""
            for phrase in chain(
                self.pairs.get((word, following), nothing),
                self.others.get(word, nothing),
                self.stems.get(word[:_STEM], nothing),
            ):
                may_stand = phrase.group not in found and (at == head or not phrase.is_head)
                if may_stand and self._fits(words, at, phrase):
                    found[phrase.group] = " ".join(phrase.words)
        return found

    def _find_head(self, words: Sequence[str]) -> int:
        at = 0
        while at < min(len(words), _LONGEST_LEAD) and (words[at] in self.leads or words[at] in _PUNCTUATION):
            at += 1
        return at

    def _fits(self, words: Sequence[str], at: int, phrase: _Phrase) -> bool:
        gap = _GAP if self.is_spaced else _GAP_OF_CHARACTERS
        places = {at}
        for wanted in phrase.words:
            if wanted == _ANY:
                places = {near for place in places for near in _reach(words, place, gap)}
            elif wanted == _END:
                return any(
                    all(word in _PUNCTUATION for word in words[place : place + 3]) and place >= len(words) - 3
                    for place in places
                )
            else:
                places = {place + 1 for place in places if place < len(words) and _is_word(words[place], wanted)}
            if not places:
                return False
        return True


def _reach(words: Sequence[str], place: int, gap: int) -> Iterator[int]:
    """Yield the places that a gap may end at: it passes over no punctuation."""
    for near in range(place, min(place + gap, len(words)) + 1):
        yield near
        if near < len(words) and words[near] in _PUNCTUATION:
            return


def _is_word(word: str, wanted: str) -> bool:
    if wanted.endswith("*"):
        return word.startswith(wanted[:-1])
    return word.endswith(wanted[1:]) if wanted.startswith("*") else word == wanted


def split_words(sentence: str, *, is_spaced: bool = True) -> list[str]:
    """Return the words and marks of a sentence in lower case, short forms as two words; of Chinese and Japanese the characters."""
    lowered = sentence.lower()
    if not is_spaced:
        return _CHARACTER.findall(lowered)
    return [part for word in _WORD.findall(lowered) for part in _parts(word)]


def _parts(word: str) -> Sequence[str]:
    if "'" not in word or word == "let's":
        return (word,)
    if word.endswith("n't"):
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(word[:-3], word[:-3])
        return (stem, "not")
    begin, mark, end = word.rpartition("'")
    if mark + end in _SHORT and begin:
        return (begin, _SHORT[mark + end])
    elided = _ELIDED.fullmatch(word)
    return elided.groups() if elided else (word.rstrip("'"),)


def make_table(groups: Mapping[str, str], leads: str, *, is_spaced: bool = True) -> PhraseTable:
    """Return a table of the phrases of each group."""
    pairs: dict[tuple[str, str], list[_Phrase]] = {}
    others: dict[str, list[_Phrase]] = {}
    stems: dict[str, list[_Phrase]] = {}
    for group, text in groups.items():
        for written in text.split("|"):
            phrase = _read(group, written.strip(), is_spaced=is_spaced)
            if phrase is None:
                continue
            first, *rest = phrase.words
            if first.endswith("*"):
                stems.setdefault(first[:_STEM], []).append(phrase)
            elif not rest or rest[0] in {_ANY, _END} or "*" in rest[0]:
                others.setdefault(first, []).append(phrase)
            else:
                pairs.setdefault((first, rest[0]), []).append(phrase)
    leading = frozenset(leads.split())
    return PhraseTable(is_spaced=is_spaced, leads=leading, pairs=pairs, others=others, stems=stems)


def _read(group: str, written: str, *, is_spaced: bool) -> _Phrase | None:
    is_head, bare = written.startswith(_HEAD), written.removeprefix(_HEAD)
    words: list[str] = []
    for part in bare.split():
        if part in {_ANY, _END} or is_spaced:
            words.append(part)
        else:
            words += _CHARACTER.findall(part)
    return _Phrase(group=group, words=tuple(words), is_head=is_head) if words else None
