"""Write what a user said as a plain sentence: the same words, without the shouting and without "the user wants:" before them."""

import re

from shared.languages.language_file import every_word

_FRAME = re.compile(
    r"^(?:the )?user(?:'s)? (?:wants?|wish(?:es)?|prefers?|preference|rule|says|said|asks?|asked)\s?:\s+(?=\S)",
    re.IGNORECASE,
)
#: Words that are never names, so that capitals only stress them.
_STRESSED = every_word("stressed")
#: Before a colon, nothing but these says that something is said again, or is to be remembered.
_REPEATED = every_word("repeated")
_LEAD = re.compile(r"([^\s:][^:\n]{0,60}?):\s+(?=\S)(?!.*[.!?]\s+\S)", re.DOTALL)
#: Code and quotations stay as they are.
_WORDS = re.compile(r"`[^`]*`|\"[^\"]*\"|\u201c[^\u201c\u201d]*\u201d|(?<![\w./-])[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_SHOUTS = re.compile(r"(?<=\w)[!\u00a1]+$|(?<=\w)\uff01+$")
_FULL_WIDTH = "\uff01"


def plain_sentence(text: str) -> str:
    """Return one sentence or more without emphasis; names, numbers, code, quotations and all other words stay as they are."""
    bare = text.strip()
    told = _without_lead(_FRAME.sub("", bare, count=1))
    told = told if told == bare else f"{told[:1].upper()}{told[1:]}"
    words = [found[0] for found in _WORDS.finditer(told)]
    if any(word.islower() for word in words):
        told = _WORDS.sub(_calm, told)
    told = _SHOUTS.sub(lambda found: "\u3002" if found[0][0] == _FULL_WIDTH else ".", told)
    return told.removeprefix("\u00a1") if told.endswith(".") else told


def _without_lead(text: str) -> str:
    """Cut off what only tells that the one sentence after it was said before, or matters: "I told you already: …", "Merke: …"."""
    lead = _LEAD.match(text)
    words = lead[1].lower().replace("\u2019", "'").replace(",", " ").split() if lead else []
    return text[lead.end() :] if lead and words and _REPEATED.issuperset(words) else text


def _calm(found: re.Match[str]) -> str:
    word = found[0]
    if len(word) == 1 or not word.isupper() or word.lower().replace("\u2019", "'") not in _STRESSED:
        return word
    before = found.string[: found.start()].rstrip(" \u00a1*-(")
    return word.capitalize() if not before or before.endswith((".", "!", "?", "\n")) else word.lower()
