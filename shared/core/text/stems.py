"""Take the endings of words off: those of person and number alone, or all that a word of the same root may have."""

from functools import lru_cache

from shared.core.text.same_values import same_word

#: Of English and German words, after the ending of person or number.
_ENDINGS = (
    ("ction", "ct"), ("ation", ""), ("ating", ""), ("ated", ""), ("ate", ""), ("ment", ""), ("ingly", ""), ("ing", ""),
    ("ied", "y"), ("ungen", ""), ("ung", ""), ("ally", "al"), ("ly", ""), ("ed", ""), ("en", ""), ("e", ""), ("n", ""),
)  # fmt: skip
_FEWEST_LETTERS = 3


def singular_of(word: str) -> str:
    """Return a word in lower case without its ending of person or number."""
    if len(word) <= _FEWEST_LETTERS or word.endswith(("ss", "us", "is", "'s")):
        return word
    if word.endswith("ies") and len(word) > _FEWEST_LETTERS + 1:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "ches", "shes", "xes", "zes")) else word.removesuffix("s")


@lru_cache(maxsize=20_000)
def stem_of(word: str) -> str:
    """Return a word in lower case without its commonest English or German endings, in its one spelling."""
    word = singular_of(same_word(word))
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _FEWEST_LETTERS + (len(ending) == 1):
            return _undouble(word[: -len(ending)] + instead)
    return word


def _undouble(word: str) -> str:
    return word[:-1] if len(word) > _FEWEST_LETTERS and word[-1] == word[-2] and word[-1] not in "aeioulsz" else word
