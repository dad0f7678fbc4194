"""The normal form of a sentence, and the stems of words: two sentences certainly say the same if their normal forms are equal.

Only parts without meaning are removed: articles, markup, most punctuation, the endings of person and number. Order, negation,
modality, tense, names, numbers and signs such as `<` stay. In doubt two wordings count as different: that error costs a
repetition, while the other would cost a statement.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from shared.core.text.same_values import full_name, same_word
from shared.core.text.tokens import Token, TokenKind, find_tokens, tidy
from shared.languages.function_words import ARTICLES

_MARKER = re.compile(r"\s*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s+")
#: Signs between words without meaning. Every other sign counts: `<`, `~~`, `?`, an arrow, a tick.
_HARMLESS = frozenset(" \t\n\r.,;:!'\"()*_`#-\u2013\u2014\u2026[]{}\u00a0\u2010\u2011\u00b7")
#: Words that only join.
_JOINING = frozenset(["and", "also", "please"])
#: `A few` is more than `few`.
_AMOUNTS = frozenset(["few", "little", "lot"])
#: With a comma, these answer the sentence before: `no, deploy` is not `no deploy`.
_ANSWERS = frozenset(["no", "not", "never", "don't"])
_SAME_FORMS = {
    "are": "is",
    "were": "was",
    "has": "have",
    "does": "do",
    "cannot": "can not",
    "can't": "can not",
    "won't": "will not",
    "shan't": "shall not",
}
#: Of English and German words, after the ending of person or number.
_ENDINGS = (
    ("ction", "ct"), ("ation", ""), ("ating", ""), ("ated", ""), ("ate", ""), ("ment", ""), ("ingly", ""), ("ing", ""),
    ("ied", "y"), ("ungen", ""), ("ung", ""), ("ally", "al"), ("ly", ""), ("ed", ""), ("en", ""), ("e", ""), ("n", ""),
)  # fmt: skip
_FEWEST_LETTERS = 3
#: A longer sentence has the same wording as another one only if all characters are equal.
MAX_SENTENCE_CHARS = 2_000


@lru_cache(maxsize=20_000)
def wording_of(sentence: str) -> str:
    """Return the normal form of one sentence, list item or heading."""
    bare = _MARKER.sub("", sentence, count=1) if _MARKER.match(sentence) else sentence
    bare = " ".join(bare.split())
    if len(bare) > MAX_SENTENCE_CHARS:
        return bare
    return " ".join(_forms_of(tidy(bare))) or bare


def _forms_of(line: str) -> Iterator[str]:
    tokens = find_tokens(line)
    end, before = 0, ""
    for number, token in enumerate(tokens):
        yield from _signs_of(line[end : token.start], before, token)
        following = tokens[number + 1].text if number + 1 < len(tokens) else ""
        if not _says_nothing(token, following, is_first=number == 0):
            yield _form_of(token, is_first=number == 0)
        end, before = token.end, token.text
    yield from _signs_of(line[end:], before, None)


def _signs_of(gap: str, before: str, token: Token | None) -> Iterator[str]:
    yield from (sign for sign in gap if sign not in _HARMLESS and sign != "&")
    if gap.startswith(",") and before in _ANSWERS:
        yield ","
    is_number = token is not None and token.kind is TokenKind.NUMBER
    if is_number and gap.endswith(("-", "\u2013")) and (len(gap) == 1 or gap[-2] in " (["):
        yield "minus"


def _says_nothing(token: Token, following: str, *, is_first: bool) -> bool:
    if token.kind is not TokenKind.WORD or not (token.raw.islower() or is_first):
        return False
    return token.text in _JOINING or (token.text in ARTICLES and following not in _AMOUNTS)


def _form_of(token: Token, *, is_first: bool) -> str:
    if token.kind in {TokenKind.NUMBER, TokenKind.DATE, TokenKind.VERSION}:
        # `10 ms` and `10 milliseconds` are the same; `5M` and `5m` are not, and `#12` is not an amount.
        is_worded = token.raw[:1].isalpha() or ":" in token.text
        is_plain = is_worded or token.raw.islower() or not any(map(str.isalpha, token.raw))
        text = token.text if is_plain else "".join(token.raw.split())
        return f"#{text}" if token.raw.startswith("#") and not text.startswith("#") else text
    if token.kind is not TokenKind.WORD:
        return token.raw
    if token.raw.islower():
        unfolded = _unfold(token.text)
        return unfolded if unfolded != token.text else singular_of(token.text)
    is_name = not is_first or (len(token.raw) > 1 and token.raw.isupper())
    if is_name and token.text.endswith("n't"):  # after a stop: `Run it. Don't wait.`
        return _unfold(token.text).upper() if token.raw.isupper() else _unfold(token.text).capitalize()
    return full_name(token.raw) if is_name else _unfold(token.text)


def _unfold(word: str) -> str:
    """Expand a contraction of `not` into two words, and return one form for `is`, `are` and the like."""
    if word in _SAME_FORMS or not word.endswith("n't"):
        return _SAME_FORMS.get(word, word)
    return f"{_SAME_FORMS.get(word[:-3], word[:-3])} not"


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
