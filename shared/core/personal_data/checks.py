"""Checks of personal data that python-stdnum does not have: of numbers whose form alone says too little, and of addresses."""

import re
from collections.abc import Callable, Mapping

from phonenumbers import NumberParseException, is_valid_number, parse
from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.cn import ric
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.us import ssn
from stdnum.util import clean

#: Addresses of no person: reserved names (RFC 2606, RFC 6761), logins of programs, senders that take no answers, and names of files.
_NO_PERSON = re.compile(
    r"(?:git|no-?reply|do-?not-?reply|noreply\+.*)@.*"
    r"|.*[@.](?:example(?:\.(?:com|net|org|edu))?|test|invalid|localhost|local|internal|iam\.gserviceaccount\.com)"
    r"|.*@users\.noreply\.github\.com"
    r"|.*\.(?:png|jpe?g|gif|svg|webp|js|jsx|ts|tsx|css|html?|json|ya?ml|toml|txt|pdf)",
    re.IGNORECASE,
)
_DAY = re.compile(r"(?:19|20)\d\d[-/. ](?:0?[1-9]|1[0-2])[-/. ]|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|\d+\.\d+")
_MY_NUMBER_WEIGHTS = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)


def is_card(text: str) -> bool:
    """Tell whether the digits of a card number have its checksum."""
    return bool(luhn.is_valid(clean(text, " -")))


def is_plain_ssn(text: str) -> bool:
    """Tell whether nine digits, with blanks or without, can be a US social security number."""
    return bool(ssn.is_valid(clean(text, " ")))


def is_my_number(text: str) -> bool:
    """Tell whether the last of twelve digits is the check digit of a Japanese individual number."""
    digits = [int(one) for one in text if one.isdigit()]
    rest = sum(weight * digit for weight, digit in zip(_MY_NUMBER_WEIGHTS, digits, strict=False)) % 11
    return len(digits) == len(_MY_NUMBER_WEIGHTS) + 1 and digits[-1] == (0 if rest <= 1 else 11 - rest)


def is_international_phone(text: str) -> bool:
    """Tell whether a number with `+` is one of its country's numbering plan."""
    return _is_phone(text, None)


def is_us_phone(text: str) -> bool:
    """Tell whether a number is one of the North American numbering plan."""
    return _is_phone(text, "US")


def is_national_phone(text: str) -> bool:
    """Tell whether what is said to be a phone number can be one: not a day, an address of the internet or an amount."""
    digits = sum(one.isdigit() for one in text)
    if _DAY.match(text) or _ADDRESS.fullmatch(text):
        return False
    is_grouped = not text.isdigit()
    return text.startswith(("0", "(")) or is_grouped or digits in (10, 11)


def is_persons_address(text: str) -> bool:
    """Tell whether an e-mail address can be that of a person: no reserved name, login of a program or name of a file."""
    return not _NO_PERSON.fullmatch(text)


def _is_phone(text: str, region: str | None) -> bool:
    try:
        return is_valid_number(parse(text, region))
    except NumberParseException:
        return False


#: By the names that `kinds.toml` gives them.
CHECKS: Mapping[str, Callable[[str], bool]] = {
    "card": is_card,
    "iban": iban.is_valid,
    "us.ssn": ssn.is_valid,
    "us.plain_ssn": is_plain_ssn,
    "de.idnr": idnr.is_valid,
    "fr.nir": nir.is_valid,
    "es.dni": dni.is_valid,
    "es.nie": nie.is_valid,
    "it.codicefiscale": codicefiscale.is_valid,
    "nl.bsn": bsn.is_valid,
    "br.cpf": cpf.is_valid,
    "cn.ric": ric.is_valid,
    "jp.my_number": is_my_number,
    "phone": is_international_phone,
    "us.phone": is_us_phone,
    "national_phone": is_national_phone,
    "address": is_persons_address,
}
