"""Map spellings of the same value to one: number words and digits, clock times, prices, degrees, spellings of a word.

Every comparison of texts uses this, so that `8 pm` equals `20:00`, `three sets` equals `3 sets`, and `colour` equals
`color`. A spelling is only mapped if no other word of any supported language is spelled like the result; in doubt, two
spellings stay two values. `2 GB` is not `2048 MB`, and `9:30` alone is neither morning nor evening.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

_UP_TO_TWELVE = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "de": "zwei drei vier f\u00fcnf sechs sieben acht neun zehn elf zw\u00f6lf",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez",
    "pt": "dois tr\u00eas quatro cinco seis sete oito nove dez onze doze",
}
_TEENS = {
    "en": "thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "de": "dreizehn vierzehn f\u00fcnfzehn sechzehn siebzehn achtzehn neunzehn",
    "fr": "treize quatorze quinze",
    "es": "trece catorce quince",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig drei\u00dfig vierzig f\u00fcnfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
}
_UNITS_OF_COMPOUNDS = "ein zwei drei vier f\u00fcnf sechs sieben acht neun"
#: Number words that also mean something else, perhaps in another language: they equal the digits, but are not evidence
#: of a different number. Spanish `once` (11) is left out altogether, because it is an English word for one time.
_UNCERTAIN = frozenset(["one", "elf", "acht", "neuf", "sept", "dos", "quince"])
_TIMES = {
    "noon": "12:00", "midday": "12:00", "midnight": "00:00", "mitternacht": "00:00", "minuit": "00:00", "medianoche": "00:00",
}  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1000, "hundert": 100, "tausend": 1000}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINAL = dict(enumerate(_ORDINALS.split(), start=1))

#: British spellings on the left; the rules for endings below cover `-our`, `-ise` and `-yse`.
_SPELLINGS_TEXT = """
centre center | centres centers | centred centered | theatre theater | theatres theaters | litre liter | litres liters
metre meter | metres meters | kilometre kilometer | kilometres kilometers | centimetre centimeter | centimetres centimeters
millimetre millimeter | millimetres millimeters | millilitre milliliter | millilitres milliliters | fibre fiber
fibres fibers | calibre caliber | catalogue catalog | catalogues catalogs | dialogue dialog | dialogues dialogs
analogue analog | licence license | licences licenses | defence defense | offence offense | pretence pretense | grey gray
greys grays | greyed grayed | judgement judgment | judgements judgments | acknowledgement acknowledgment
acknowledgements acknowledgments | artefact artifact | artefacts artifacts | programme program | programmes programs
mould mold | plough plow | sceptical skeptical | aluminium aluminum | cosy cozy | ageing aging | fulfil fulfill
fulfils fulfills | enrol enroll | enrols enrolls | instalment installment | instalments installments | skilful skillful
learnt learned | dreamt dreamed | whilst while | amongst among | towards toward | practise practice | practised practiced
practising practicing | e-mail email | e-mails emails | on-line online | off-line offline | web-site website
co-operate cooperate | co-ordinate coordinate | okay ok | maths math | moustache mustache | pyjamas pajamas
"""
_DOUBLED_TEXT = """
cancel channel counsel dial equal fuel initial label level marshal model panel pencil signal total travel tunnel unravel
"""
#: Only with a capital: `wed`, `sat` and `sun` are ordinary words.
_SHORT_NAMES_TEXT = """
Mon Monday | Tue Tuesday | Tues Tuesday | Wed Wednesday | Thu Thursday | Thur Thursday | Thurs Thursday | Fri Friday
Sat Saturday | Sun Sunday | Feb February | Aug August | Sept September | Oct October | Nov November | Dec December | Dr Doctor
"""


def _read_pairs(text: str) -> dict[str, str]:
    pairs = (pair.split() for line in text.strip().splitlines() for pair in line.split("|"))
    return {pair[0]: pair[1] for pair in pairs}


def _number(tables: Iterable[str], first: int, step: int = 1) -> dict[str, str]:
    return {word: str(first + step * at) for table in tables for at, word in enumerate(table.split())}


def _count_in_german() -> dict[str, str]:
    units, tens = _UNITS_OF_COMPOUNDS.split(), _TENS["de"].split()
    return {f"{u}und{t}": str(10 * ten + unit) for unit, u in enumerate(units, 1) for ten, t in enumerate(tens, 2)}


_VALUES = {
    "zero": "0", "one": "1", **_number(_UP_TO_TWELVE.values(), 2), **_number(_TEENS.values(), 13),
    **_number(_TENS.values(), 20, 10), **_count_in_german(), **_TIMES,
}  # fmt: skip
_SPELLINGS = {
    **_read_pairs(_SPELLINGS_TEXT),
    **{
        f"{verb}l{ending}": f"{verb}{ending}" for verb in _DOUBLED_TEXT.split() for ending in ("ed", "ing", "er", "ers")
    },
}
_SHORT_NAMES = _read_pairs(_SHORT_NAMES_TEXT)
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
