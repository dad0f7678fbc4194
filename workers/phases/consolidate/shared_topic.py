"""Name what two texts both speak of: names that few texts hold, and words that stand together in a sentence of each.

Words that merely occur in both say little: any two long notes of one project share a dozen. Where nothing specific is shared,
there is no topic, and no link is made.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from shared.core.merging.sentence_slots import read_sentences
from shared.core.merging.specifics import find_specifics
from shared.core.sessions.languages import find_language
from workers.offline.words import find_words, join_words, list_words, spell_specific, spell_words
from workers.phases.consolidate.offline_pairs import Offered, Pair, head_of, most_with_rare

_MOST_NAMES = 2
#: Without a name, so many words stand together with others of them: two alone may have met by chance.
_FEWEST_WORDS = 4
#: So many of a pair's names and of its terms, the rarest first, are looked at.
_LOOKED_AT = 40
_LEAST_NAME_CHARS = 4


def name_shared_topic(pair: Pair, offered: Sequence[Offered]) -> str:
    """Return what both texts speak of as a person lists it, or nothing when they share no more than words."""
    names = _find_names(pair, offered)
    if len(names) == _MOST_NAMES:
        return join_words(names)
    said = find_words(" ".join(names))
    together = [two for two in _find_together(pair, offered) if not said & set(two)]
    is_named = bool(names) and not _is_in_passing(names[0], pair)
    if is_named or len({word for two in together for word in two}) >= _FEWEST_WORDS:
        return join_words([*names, *_spell_best(pair, together[:_LOOKED_AT])])
    return "" if find_language(pair.left.body).is_spaced else join_words(pair.terms[:_MOST_NAMES])


def _is_in_passing(name: str, pair: Pair) -> bool:
    """Tell whether a text says a name only once, and no head of the two has it: `.gitignore` is what neither is about."""
    said = [one.lowered.count(name.lower()) for one in (pair.left, pair.right)]
    return min(said) <= 1 and not any(name.lower() in head_of(one).lower() for one in (pair.left, pair.right))


def _find_names(pair: Pair, offered: Sequence[Offered]) -> list[str]:
    """Return names, paths and codes that both texts hold and few others, as the left one spells them."""
    shared = sorted(_specifics_of(pair.left.body) & _specifics_of(pair.right.body), key=lambda one: (-len(one), one))
    most = most_with_rare(len(offered))
    texts = [one.lowered for one in offered]
    found: dict[str, str] = {}
    for name in shared[:_LOOKED_AT]:
        spelled = spell_specific(name, pair.left.body)
        is_new = _is_telling(spelled, pair) and not any(name in longer for longer in found)
        if is_new and sum(name in text for text in texts) <= most:
            found[name] = spelled
        if len(found) >= _MOST_NAMES:
            break
    return list(found.values())


def _is_telling(name: str, pair: Pair) -> bool:
    """Tell names from words: what looks like a word names something only where neither text writes it small."""
    if len(name) < _LEAST_NAME_CHARS or re.search(r"[^\W\d_]{3}", name) is None or re.match(r"\d{4}-\d{2}", name):
        return False
    if not name.isalpha():
        return True
    small = re.compile(rf"(?<![^\W_]){re.escape(name.lower())}(?![^\W_])")
    return not name.islower() and small.search(f"{pair.left.body}\n{pair.right.body}") is None


@lru_cache(maxsize=128)
def _specifics_of(body: str) -> frozenset[str]:
    return find_specifics(body)


def _find_together(pair: Pair, offered: Sequence[Offered]) -> list[tuple[str, str]]:
    """Return each two rare words that stand in one sentence of both texts; what both repeat and their heads name comes first.

    What many of the offered texts hold says nothing of these two: the words of a template, the names of tools.
    """
    most = most_with_rare(len(offered))
    looked_at = pair.terms[:_LOOKED_AT]
    terms = frozenset(term for term in looked_at if sum(term in one.words for one in offered) <= most)
    counts = [Counter(list_words(one.body)) for one in (pair.left, pair.right)]
    heads = [find_words(head_of(one)) for one in (pair.left, pair.right)]
    weights = {term: min(one[term] for one in counts) + sum(term in head for head in heads) for term in terms}
    together = _pairs_in(pair.left.body, terms) & _pairs_in(pair.right.body, terms)
    return sorted(together, key=lambda two: (-sum(map(weights.__getitem__, two)), two))


def _pairs_in(body: str, terms: frozenset[str]) -> set[tuple[str, str]]:
    rows = (sorted(terms & words) for words in _words_by_sentence(body))
    return {two for row in rows for two in combinations(row, 2)}


@lru_cache(maxsize=128)
def _words_by_sentence(body: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(list_words(one.plain)) for one in read_sentences(body))


def _spell_best(pair: Pair, together: Sequence[tuple[str, str]]) -> list[str]:
    """Return the first of these two words that both texts write side by side, as a phrase; else the first two."""
    texts = f"{pair.left.title}\n{pair.left.body}\n{pair.right.body}"
    spelled = spell_words(texts, frozenset(word for two in together for word in two))
    for two in together:
        ours, theirs = (spelled.get(word, word) for word in two)
        for phrase in (f"{ours} {theirs}", f"{theirs} {ours}"):
            said = re.compile(rf"(?<![^\W_]){re.escape(phrase.lower())}(?![^\W_])")
            if said.search(pair.left.lowered) and said.search(pair.right.lowered):
                return [phrase]
    return [spelled.get(word, word) for word in together[0]] if together else []
