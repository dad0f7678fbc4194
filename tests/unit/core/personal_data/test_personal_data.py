"""Personal data of each kind is found in the words around it, and numbers that only look like it are left alone."""

import os
from pathlib import Path

import pytest

from shared.core.errors import BadInputError
from shared.core.personal_data.find import find_personal_data, mask_personal_data
from shared.core.personal_data.kinds import choose_kinds, kind_names, read_kinds
from tests.support.growth import PIECES, QUICK_SIZE, find_growth

_TREES = Path(os.environ.get("SLOWWAVE_DATA", "../shared/data")) / "memory-trees"

#: Digits of full width, as Japanese texts have them.
_WIDE = {ord(one): ord(one) + 0xFEE0 for one in "0123456789"}
#: Numbers that issuers, authorities and the makers of checks publish as examples or for tests.
VALID = {
    "card number": ["4111 1111 1111 1111", "5555555555554444", "3782-822463-10005", "6011000990139424"],
    "IBAN": ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "FR14 2004 1010 0505 0001 3M02 606"],
    "US SSN": ["536-90-4399", "SSN 536904399", "social security number: 111-22-3333"],
    "UK NINO": ["AB 12 34 56 C", "national insurance number AA123456A", "NINO JG103759A"],
    "DE tax id": ["36 574 261 809", "Steuer-ID: 36574261809", "IdNr. 86095742719"],
    "FR NIR": ["2 95 10 99 126 111 93", "295109912611193", "1 84 12 76 451 089 46"],
    "ES DNI": ["DNI 54362315K", "Mi NIF es 12345678Z", "DNI: 54362315-K"],
    "ES NIE": ["X2482300W", "X-2482300-W", "Z1234567R"],
    "IT codice fiscale": ["RCCMNL83S18D969H", "RSSMRA85T10A562S", "MRTMTT91D08F205J"],
    "NL BSN": ["BSN 111222333", "burgerservicenummer: 1112.22.333", "bsn 123456782"],
    "BR CPF": ["390.533.447-05", "CPF 39053344705", "111.444.777-35"],
    "CN resident id": ["360426199101010071", "11010519491231002X", "110101199003074477"],
    "JP My Number": ["My Number 1234 5678 9018", "マイナンバーは123456789018です", "個人番号:" + "123456789018".translate(_WIDE)],
    "phone number": [
        "+1 202-555-0143", "+44 20 7946 0018", "+491715123456", "(212) 555-0143", "415-555-2671", "Telefon: 030 23125 014",
        "phone 020 7946 0018", "Tél. 01 99 00 12 34", "电话:010-6552-9988", "call me at 2125550143", "携帯は090-1234-5678です",
    ],
    "e-mail address": ["iana@iana.org", "mailto:rfc-editor@rfc-editor.org", "<ann.o+notes@mail.acme.io>"],
}  # fmt: skip

#: What notes are full of and what is no number of a person.
ORDINARY = """
card 4111 1111 1111 1112, order 4111111111111113 and 1234567812345678
IBAN DE89 3704 0044 0532 0130 01 and GB82WEST12345698765433; commit DE8937040044
part 978-05-1234, 000-12-3456 and 666-12-3456; run 536904399 took 3 s
ticket AB123456C and BG 12 34 56 A
36 574 261 890 rows, 36574261809 bytes, Steuer-ID 36574261890
2 95 10 99 126 111 94 and 295109912611194
54362315K and DNI 54362315Z; build 20241103A; X2482300A
RCCMNL83S18D969A
BSN 111222334; port 111222333; CPF 39053344706; 390.533.447-06; 39053344705 bytes
360426199101010072 and id 360426199113010071
AWS account 123456789018, My Number 123456789019
2024-11-03T10:15:00+01:00, 1730625300, 1730625300123, 1730625300123456 and 1730625300123456789
20241103101500, 2024-11-03 10:15:00.123456, 03.11.2024, phone call on 2024-11-03 10:15
3f786850e387550fdab836ed7e6dc881de23001b, 550e8400-e29b-41d4-a716-446655440000
localhost:5432, 127.0.0.1:65535, ports 8000-8080, 10.0.0.12, phone app at 192.168.100.200
v1.2.3, 3.11.14, 2026.11.28, python==3.11.4, package@1.2.3, icon@2x.png, +1234567
52.5200, 13.4050, +40.6892494, -74.0445004, 48.8583701,2.2944813
order 1234-5678-9012, invoice 2024/000123, tracking 1Z999AA10123456784, ISBN 978-3-16-148410-0
git@github.com:acme/app.git, ssh://git@git.acme.io/app, postgres://app:pass@db.acme.io/app, @acme/app@2.0.0
ann@example.com, dev@project.iam.gserviceaccount.com, noreply@acme.io, 12345+ann@users.noreply.github.com
snowflake 1234567890123456789, 0.4111111111111111, https://acme.io/orders/4111111111111111
the phone has 4096 MB, 120000 users and version 11; mobile 1280 x 720; phone port 5060
""".strip().splitlines()


def _found(text: str) -> list[tuple[str, str]]:
    return [(one.kind, text[one.start : one.end]) for one in find_personal_data(text)]


@pytest.mark.parametrize(("kind", "words"), [(kind, words) for kind, all_words in VALID.items() for words in all_words])
def test_published_examples_are_found_within_their_words(kind: str, words: str) -> None:
    ((found, number),) = _found(f"# Notes\n\nAnn told us: {words}. We keep it until May.\n")
    assert found == kind
    assert number in words
    assert sum(one.isalnum() for one in number) >= 7
    masked = mask_personal_data(words)
    assert f"[masked: {kind}]" in masked
    assert mask_personal_data(masked) is masked


def test_each_kind_has_a_test_and_a_source() -> None:
    assert set(VALID) == set(kind_names())
    assert all("http" in one.source or "RFC" in one.source for one in read_kinds())


@pytest.mark.parametrize("line", ORDINARY)
def test_numbers_that_only_look_like_it_stay(line: str) -> None:
    assert _found(line) == []
    assert mask_personal_data(line) is line


def test_what_follows_a_number_or_stands_before_it_stays() -> None:
    assert mask_personal_data("IBAN DE89 3704 0044 0532 0130 00 BIC COBA, tel +44 20 7946 0018 12 May") == (
        "IBAN [masked: IBAN] BIC COBA, tel [masked: phone number] 12 May"
    )
    assert mask_personal_data("a,536-90-4399,x") == "a,[masked: US SSN],x"


def test_a_policy_names_the_kinds_that_it_keeps_out() -> None:
    text = "Card 4111 1111 1111 1111, mail iana@iana.org"
    kinds = choose_kinds("iban, Card number")
    assert kinds == {"card number", "IBAN"}
    assert mask_personal_data(text, kinds) == "Card [masked: card number], mail iana@iana.org"
    assert choose_kinds("") == set(kind_names())
    with pytest.raises(BadInputError, match="no kind of personal data 'cards'; choose of card number, IBAN"):
        choose_kinds("cards")


@pytest.mark.skipif(not _TREES.is_dir(), reason="the memories of real projects are not on this machine")
def test_no_number_of_real_projects_is_taken_for_one_of_a_card_an_account_or_a_person() -> None:
    texts = [path.read_text("utf-8", errors="replace") for path in _TREES.rglob("*") if path.is_file()]
    assert len(texts) > 10
    assert [one for text in texts for one in _found(text) if one[0] not in {"e-mail address", "phone number"}] == []


@pytest.mark.parametrize(
    "piece",
    [
        *PIECES[::12], "4111 ", "4111-", "1", "1 ", "DE89 ", "DE89", "A1", "+1", "+1 ", "(", "(2", "phone ", "phone 1", "0 ", "a@", "a.", "@a.",
        "://a", "ssn 1", "123-45-", "12.345.", "X", "RCCMNL", "マイナンバー1", "1".translate(_WIDE),
    ],
)  # fmt: skip
def test_no_text_takes_longer_than_its_length(piece: str) -> None:
    assert find_growth(mask_personal_data, piece, QUICK_SIZE * 4) == ""
