"""Tell whether two sentences state the same, so that one wish becomes one memory however often and loudly it is said.

They do if the same words are left once emphasis, politeness and "the user wants" are gone. In doubt they do not: that costs a
repetition, the other error a statement.
"""

from functools import lru_cache

from shared.core.text.wording import stem_of
from shared.core.text.words import cut
from shared.languages.language_file import every_word, pattern_of

#: What makes a sentence an order not to do something, in one form.
_FORBIDS = pattern_of("forbids")
_NOT = " not "
#: They stress a wish or say whose it is.
_STRESS = every_word("stresses")
#: The order of words tells which of two things is meant.
_ORDERS = frozenset(
    {"not", "instead", "rather", "than", "over", "before", "after", "from", "to", "into", "sondern", "statt"}
)
_FEWEST_WORDS = 2
_LONGEST = 2_000


def says_the_same(one: str, other: str) -> bool:
    """Tell whether two sentences state the same."""
    return key_of(one) == key_of(other)


@lru_cache(maxsize=20_000)
def key_of(sentence: str) -> tuple[str, ...]:
    """Return what is equal for sentences that state the same, and no others."""
    told = _FORBIDS.sub(_NOT, sentence[:_LONGEST].replace("\u2019", "'"))
    words = [stem_of(word) for word in cut(told.replace("'", "")) if word not in _STRESS]
    if len(words) < _FEWEST_WORDS or len(sentence) > _LONGEST:
        return (" ".join(sentence.split()),)
    return tuple(words) if not _ORDERS.isdisjoint(words) else tuple(sorted(words))
