"""Name what two texts both speak of: names that few texts hold, and phrases that both write.

Words that merely occur in both say little: any two long notes of one project share a dozen, also in one sentence. Where nothing
is shared that a reader takes for a subject, there is no topic, and no link is made.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from shared.core.dates.languages.known import CALENDAR_NAMES
from shared.core.merging.sentence_slots import read_sentences
from shared.core.merging.specifics import find_specifics
from shared.core.text.words import has_unspaced
from workers.offline.words import find_words, join_words, list_words, spell_specific, spell_words
from workers.phases.consolidate.offered import Offered, head_of
from workers.phases.consolidate.offline_pairs import Pair, most_with_rare

_MOST_NAMES = 2
#: The times that two texts together write a phrase which neither has in a head: twice may be chance.
_FEWEST_TOLD = 3
#: The most names, and terms, of a pair that are compared, the rarest first.
_LOOKED_AT = 40
_LEAST_NAME_CHARS = 4
#: A longer word in capitals is a shouted one.
_LONGEST_ACRONYM = 4
#: A word, with or without the ending of a file: every project has an `index.json`, and it is no subject.
_PLAIN_FILE = re.compile(r"[./~]*[^\W\d_]+(?:\.[a-z]{1,4}\d?)?")
#: Words between slashes are mostly what one may choose from (`rename/everywhere`), and no path.
_CHOICE = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)+")
#: Who wrote two pages is not what they speak of.
_MAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,200}\.[a-z]{2,10}", re.IGNORECASE)
#: What a template leaves open, and every page made from it: `{{ name }}`, `${name}`, `{% if %}`, `<%= name %>`.
_LEFT_OPEN = re.compile(r"\{\{[^{}\n]{0,80}\}\}|\$\{[^{}\n]{0,80}\}|\{%[^{}\n]{0,80}%\}|<%[^<>\n]{0,80}%>")
_FENCED = re.compile(r"^[ \t>]*(```+|~~~+).*?(?:^[ \t>]*\1|\Z)", re.MULTILINE | re.DOTALL)


def name_shared_topic(pair: Pair, offered: Sequence[Offered]) -> str:
    """Return what both texts speak of as a person lists it, or nothing when they share no more than words."""
    found = _find_names(pair, offered)
    if pair.named:
        others = [name for name in found if pair.named not in name.lower() and "://" not in name]
        return join_words([spell_specific(pair.named, pair.left.body), *others][:_MOST_NAMES])
    told = [name for name in found if not _is_in_passing(name, pair)]
    names = [name for name in found if name in told or not _is_word(name)]
    titled = _find_titled(pair, offered)
    plain = [name for name in names if "://" not in name]
    if len(names) == _MOST_NAMES:
        return join_words(plain or titled or names)
    phrase = _find_phrase(pair, _find_together(pair, offered)[:_LOOKED_AT], find_words(" ".join(names)))
    return join_words([*plain, *filter(None, [phrase])] or titled or names) if titled or told or phrase else ""


def _is_word(name: str) -> bool:
    """Tell a word with a capital from a name that was made up: `PierWatch`, `crane_log`."""
    return name.isalpha() and (name.isupper() or name[1:].islower())


def _find_titled(pair: Pair, offered: Sequence[Offered]) -> list[str]:
    """Return a word that the titles of both have and few others: each is about it."""
    most = most_with_rare(len(offered))
    titles = find_words(pair.left.title) & find_words(pair.right.title)
    found = [
        term
        for term in pair.terms
        if term in titles and not has_unspaced(term) and sum(term in one.words for one in offered) <= most
    ]
    spelled = spell_words(f"{pair.left.title}\n{pair.right.title}", frozenset(found))
    return [spelled[term] for term in found if term in spelled][:1]


def _is_in_passing(name: str, pair: Pair) -> bool:
    """Tell whether a text says a name only once, and no head of the two has it: `.gitignore` is what neither is about."""
    said = [one.lowered.count(name.lower()) for one in (pair.left, pair.right)]
    return min(said) <= 1 and not any(name.lower() in head_of(one).lower() for one in (pair.left, pair.right))


def _find_names(pair: Pair, offered: Sequence[Offered]) -> list[str]:
    """Return names, paths and codes that both texts hold and few others, as the left one spells them."""
    # A run of letters without spaces is a piece of a sentence as often as a name.
    both = (name for name in _specifics_of(pair.left.body) & _specifics_of(pair.right.body) if not has_unspaced(name))
    shared = sorted(both, key=lambda one: (-len(one), one))
    most = most_with_rare(len(offered))
    texts = [one.lowered for one in offered]
    found: dict[str, str] = {}
    for name in shared[:_LOOKED_AT]:
        spelled = spell_specific(name, pair.left.body)
        is_new = _is_telling(spelled, pair) and not any(name in longer for longer in found)
        if is_new and sum(name in text for text in texts) <= most and not _is_written_small(spelled, offered):
            found[name] = spelled
        if len(found) >= _MOST_NAMES:
            break
    return list(found.values())


def _is_telling(name: str, pair: Pair) -> bool:
    """Tell names from words: what looks like words names something only where neither text writes them small."""
    if len(name) < _LEAST_NAME_CHARS or re.search(r"[^\W\d_]{3}", name) is None or _names_time(name.lower()):
        return False
    bodies = (pair.left.body, pair.right.body)
    if not all(_whole(name).search(body) for body in bodies):
        return False
    if not name.isalpha() and (_PLAIN_FILE.fullmatch(name) or _MAIL.fullmatch(name)):
        return False
    if _CHOICE.fullmatch(name):
        return all(f"`{name}`" in body for body in bodies)
    if not name.replace(" ", "").isalpha():
        return True
    if name.isalpha() and name.isupper() and len(name) > _LONGEST_ACRONYM:
        return False
    return not name.islower() and not any(_whole(name.lower()).search(body) for body in bodies)


def _names_time(name: str) -> bool:
    return re.match(r"\d{4}-\d{2}", name) is not None or not CALENDAR_NAMES.isdisjoint((name, name.removesuffix("s")))


def _is_written_small(name: str, offered: Sequence[Offered]) -> bool:
    """Tell whether a single word that looks like a name is a word to another text: `Status: Deprecated` names nothing."""
    small = name.lower()
    if small == name or not _is_word(name):
        return False
    return any(small in one.body and _whole(small).search(one.body) for one in offered)


def _whole(name: str) -> re.Pattern[str]:
    """Return what finds a name that is no part of a longer one: `wide` in `system-wide` is none."""
    return re.compile(rf"(?<![^\W_])(?<![^\W_]-){re.escape(name)}(?!-?[^\W_])")


@lru_cache(maxsize=128)
def _specifics_of(body: str) -> frozenset[str]:
    """Return the specifics of what a text says: a line of code is what it shows, and a template's gap says nothing."""
    return find_specifics(_LEFT_OPEN.sub("", _FENCED.sub("", body)))


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


def _titles_of(one: Offered) -> str:
    """Return the title and the headings of a text: its first sentence, which `head_of` has too, says much in passing."""
    return "\n".join([one.title, *(line for line in one.body.splitlines() if line.startswith("#"))]).lower()


def _sections_of(one: Offered) -> frozenset[str]:
    """Return the headings below the title of a text, in small letters."""
    return frozenset(
        line.lstrip("#* ").rstrip(":* ").lower() for line in one.body.splitlines() if line.startswith(("##", "**"))
    )


def _find_phrase(pair: Pair, together: Sequence[tuple[str, str]], said: frozenset[str]) -> str:
    """Return the first of these two words that both texts write side by side, as a phrase that one of them is about."""
    texts = f"{pair.left.title}\n{pair.left.body}\n{pair.right.body}"
    spelled = spell_words(texts, frozenset(word for two in together for word in two))
    heads = [_titles_of(one) for one in (pair.left, pair.right)]
    sections = [_sections_of(one) for one in (pair.left, pair.right)]
    for two in together:
        ours, theirs = (spelled.get(word, word) for word in two)
        if any(len(word) < _LEAST_NAME_CHARS and word.islower() for word in (ours, theirs)):
            continue  # a short word in small letters may be an article of any language: `das vias`
        for phrase in (f"{ours} {theirs}", f"{theirs} {ours}"):
            whole = _whole(phrase.lower())
            told = [len(whole.findall(one.lowered)) for one in (pair.left, pair.right)]
            is_told = sum(told) >= _FEWEST_TOLD or any(whole.search(head) for head in heads)
            if all(phrase.lower() in one for one in sections):
                continue  # a heading that both have is of their template
            if all(told) and is_told and not said & set(two):
                return phrase
    return ""
