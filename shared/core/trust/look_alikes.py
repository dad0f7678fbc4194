"""Read a text as a person sees it: without invisible characters, and with Latin letters in place of those that look like them.

Sources: Unicode's confusables (UTS 39), as the package `confusable_homoglyphs` ships them.
"""

import unicodedata
from functools import cache

from confusable_homoglyphs.confusables import confusables_data

#: Blank in every font, though letters, symbols or marks by their category.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
#: Format characters, and marks that no letter took in: a variation selector, a line through the letter.
_UNSEEN = frozenset({"Cf", "Mn", "Me", "Cc"})
#: Letters up to this one belong to the languages that are spoken.
_LAST_OF_LATIN = 0x17F
_DOTLESS = "\u0131"


@cache
def _read_look_alikes() -> dict[str, str]:
    """Return the Latin letter that each letter of another script looks like."""
    found: dict[str, str] = {}
    for character, others in confusables_data.items():
        if len(character) == 1 and (ord(character) > _LAST_OF_LATIN or character == _DOTLESS):
            letter = next((one["c"] for one in others if one["c"].isascii() and one["c"].isalpha()), "")
            if len(letter) == 1:
                found[character] = letter
    return found


@cache
def _read_codes() -> dict[int, str]:
    return {ord(character): letter for character, letter in _read_look_alikes().items()}


def list_readings(text: str) -> tuple[str, ...]:
    """Return a text as it looks: in NFKC, without what cannot be seen, in Latin letters where others look like them.

    If something cannot be seen, the text comes twice: without that, and with blanks for it, since it may part words too.
    """
    if text.isascii() and text.isprintable():
        return (text,)
    plain = unicodedata.normalize("NFKC", text)
    characters = set(plain)
    if not _read_look_alikes().keys().isdisjoint(characters):
        plain = plain.translate(_read_codes())
        characters = set(plain)
    unseen = [ord(one) for one in characters if not _is_seen(one)]
    return tuple(plain.translate(dict.fromkeys(unseen, instead)) for instead in ("", " ")) if unseen else (plain,)


@cache
def _is_seen(character: str) -> bool:
    return character in "\n\t" or not (character in _BLANK or unicodedata.category(character) in _UNSEEN)
