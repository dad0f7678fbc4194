"""Map spellings of the same value to one: number words and digits, clock times, prices, degrees, spellings of a word.

Every comparison of texts uses this, so that `8 pm` equals `20:00`, `three sets` equals `3 sets`, and `colour` equals
`color`. A spelling is only mapped if no other word of any supported language is spelled like the result; in doubt, two
spellings stay two values. `2 GB` is not `2048 MB`, and `9:30` alone is neither morning nor evening.
"""

import re
from decimal import Decimal
from functools import lru_cache

from shared.languages.language_file import every_word, read_readings

_READINGS = read_readings()


def _number(kind: str, first: int, step: int = 1) -> dict[str, str]:
    lists = (getattr(one, kind).split() for one in _READINGS)
    return {word: str(first + step * at) for words in lists for at, word in enumerate(words)}


def _join_numbers() -> dict[str, str]:
    """Return the numbers that a language writes as one word with its ones first: `einundzwanzig`."""
    return {
        f"{one}{language.joined_by}{ten}": str(10 * tens + ones)
        for language in _READINGS
        for ones, one in enumerate(language.ones.split(), 1)
        for tens, ten in enumerate(language.tens.split(), 2)
    }


_VALUES = {word: value for one in _READINGS for word, value in one.values.items()}
_VALUES |= _number("numbers", 2) | _number("teens", 13) | _number("tens", 20, 10) | _join_numbers()
#: Number words that also mean something else, perhaps in another language: they equal the digits, but are not evidence
#: of a different number. Spanish `once` (11) is left out altogether, because it is an English word for one time.
_UNCERTAIN = every_word("ambiguous")
_SCALES = {word: factor for one in _READINGS for word, factor in one.scales.items()}
_ORDINAL = {number: word for one in _READINGS for number, word in enumerate(one.ordinals.split(), start=1)}
#: American for British spellings; the rules for endings below cover `-our`, `-ise` and `-yse`.
_SPELLINGS = {british: usual for one in _READINGS for british, usual in one.spellings}
_SPELLINGS |= {
    f"{verb}l{ending}": f"{verb}{ending}"
    for one in _READINGS
    for verb in one.doubled.split()
    for ending in ("ed", "ing", "er", "ers")
}
#: Only with a capital: `wed`, `sat` and `sun` are ordinary words.
_SHORT_NAMES = {short: name for one in _READINGS for short, name in one.short_names}
_OUR = re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|ings|al|ite|ites|hood|hoods|able|ful|less|y|er|ers|ly)?$)")
_ISE = re.compile(r"(?<=[a-z]{3})([iy])s(?=(?:e|es|ed|ing|er|ers|ation|ations)$)")

_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?")
_FRENCH_CLOCK = re.compile(r"(\d{1,2})h(\d{2})")
_THOUSANDS = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)k")
_NUMBERED = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_HALVES = frozenset(["am", "pm"])
_LAST_HOUR, _NOON, _LAST_MINUTE = 23, 12, 59

_DOTTED_HALF = re.compile(r"(?<=\d) ?([apAP])\.[mM](?:\.(?=\s+[^A-Z\s])|\b)")
_DEGREES = re.compile(r"(?<=\d)(?: ?\u00b0 ?| degrees? )(C|F)(?:elsius|ahrenheit)?\b")
_DEGREE_NAMES = {"C": " celsius", "F": " fahrenheit"}
_EURO_BEFORE, _EURO_BEHIND = re.compile(r"\u20ac ?(\d+(?:[.,]\d+)*)"), re.compile(r"(?<=\d) ?\u20ac")
_NO_CENTS = re.compile(
    r"(?<=\d)[.,]00(?= ?(?:euros?|EUR|dollars?)\b)|(?<=[$\u00a3]\d)[.,]00\b|(?<=[$\u00a3]\d\d)[.,]00\b"
)


@lru_cache(maxsize=20_000)
def same_word(word: str) -> str:
    """Return the usual spelling of a word in lower case: digits for a number word, American for British."""
    known = _VALUES.get(word) or _SPELLINGS.get(word)
    if known or not word.isascii():
        return known or word
    return _ISE.sub(r"\1z", _OUR.sub("or", word))


def full_name(word: str) -> str:
    """Return the long form of a shortened weekday, month or title that begins with a capital, or the word itself."""
    return _SHORT_NAMES.get(word, word)


def is_number_word(word: str) -> bool:
    """Tell whether a word in lower case names a number or a time of day, and nothing else in any language."""
    return word in _VALUES and word not in _UNCERTAIN


def scale_of(word: str) -> int:
    """Return the factor by which a word in lower case multiplies the number before it, 0 for none."""
    return _SCALES.get(word, 0)


def same_number(text: str) -> str:
    """Return the usual spelling of a number with letters: `10k` is `10000`, `14h30` is `14:30`, `3rd` is `third`."""
    if found := _THOUSANDS.fullmatch(text):
        value = Decimal(found[1]) * 1000
        return str(int(value))
    if (found := _FRENCH_CLOCK.fullmatch(text)) and int(found[1]) <= _LAST_HOUR and int(found[2]) <= _LAST_MINUTE:
        return f"{found[1]}:{found[2]}"
    if found := _NUMBERED.fullmatch(text):
        return _ORDINAL.get(int(found[1]), text)
    return text


def read_clock(number: str, word: str) -> str | None:
    """Return a time of day as `20:00`, or None if a number and the word after it are no time.

    An hour up to twelve with only `Uhr` or `o'clock` may be in the morning or the evening: it keeps one digit, `8:00`.
    """
    found = _CLOCK.fullmatch(number)
    if found is None or not (word in _HALVES or word in {"uhr", "o'clock"}):
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    if minute > _LAST_MINUTE or hour > _LAST_HOUR or (word in _HALVES and not 1 <= hour <= _NOON):
        return None
    if word in _HALVES:
        return f"{hour % _NOON + (_NOON if word == 'pm' else 0):02d}:{minute:02d}"
    return f"{found[1]}:{minute:02d}"


def may_be_one_time(one: str, other: str) -> bool:
    """Tell whether two spellings may name one time of day: `8:30` or `8` may be in either half of the day."""
    first, second = _CLOCK.fullmatch(one), _CLOCK.fullmatch(other)
    if first is None or second is None or not (":" in one or ":" in other):
        return False
    hours = int(first[1]), int(second[1])
    is_open = any(len(found[1]) == 1 for found in (first, second))
    return is_open and (first[2] or "00") == (second[2] or "00") and hours[0] % _NOON == hours[1] % _NOON


def place_on_dial(number: str) -> tuple[int, str] | None:
    """Return the position of a clock's hands at a time, as (hour 0 to 11, minutes); None if the text is no time.

    Only times with the same position may be equal (`may_be_one_time`), so many numbers need not be compared pair by
    pair.
    """
    found = _CLOCK.fullmatch(number)
    return None if found is None else (int(found[1]) % _NOON, found[2] or "00")


def tidy_values(text: str) -> str:
    """Return a text with one spelling for `p.m.`, degrees and euros, so that no full stop or sign splits them."""
    if ".m" in text or ".M" in text:
        text = _DOTTED_HALF.sub(lambda found: f" {found[1].lower()}m", text)
    if "\u20ac" in text:
        text = _EURO_BEHIND.sub(" euros", _EURO_BEFORE.sub(r"\1 euros", text))
    if ".00" in text or ",00" in text:
        text = _NO_CENTS.sub("", text)
    if "\u00b0" in text or " degree" in text:
        text = _DEGREES.sub(lambda found: _DEGREE_NAMES[found[1]], text)
    return text
