"""Keys are masked before a session is stored; what merely looks technical is left as it was."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.adapters.secrets.mask import SecretMask
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import keep_text

MASK = SecretMask()
#: Put together, so that no scanner takes this file for a leak.
KEYS = [
    "AKIA" + "IOSFODNN7QWERTYU",
    "ghp_" + "a1B2c3D4e5F6g7H8i9" * 2,
    "sk-ant-" + "api03-" + "x7Yz9Kq2" * 5,
    "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "glpat-" + "abcdefghij0123456789",
    "xoxb-" + "123456789012-abcdefABCDEF",
    "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "AIza" + "SyB3kQ9Lm5Xw7Tz2Vn8Rc4Hp6Jd1Gf0Ue-Y",
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_replaced_by_what_it_is(key: str) -> None:
    masked = MASK(f"my key is {key}, keep it")
    assert key not in masked
    assert masked.startswith("my key is [masked: ")
    assert masked.endswith("keep it")


def test_of_an_address_with_a_password_only_the_password_goes() -> None:
    assert MASK("postgres://ann:hunter2@db:5432/x") == "postgres://ann:[masked: password]@db:5432/x"


def test_a_private_key_goes_whole_also_where_its_end_is_missing() -> None:
    begin, end = "-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----"
    assert MASK(f"a\n{begin}\nMIIE\nabcd\n{end}\nb") == "a\n[masked: private key]\nb"
    assert MASK(f"a\n{begin}\nMIIE\nabcd") == "a\n[masked: private key]"


def test_a_text_without_keys_comes_back_as_it_is() -> None:
    text = "See https://example.org/a@b, sk-learn, commit 3f786850e387550fdab836ed7e6dc881de23001b, 123e4567-e89b."
    assert MASK(text) is text


def test_a_key_right_behind_a_long_one_is_masked_too() -> None:
    first = "eyJ" + "a" * 300 + ".eyJ" + "b" * 5_000 + "." + "c" * 43
    assert MASK(f"{first} {KEYS[0]}.") == "[masked: JSON Web Token] [masked: AWS Access Key]."


def test_a_long_key_is_masked_to_its_end() -> None:
    key = "eyJ" + "a" * 300 + ".eyJ" + "b" * 5_000 + "." + "c" * 43
    assert MASK(f"x {key} y") == "x [masked: JSON Web Token] y"


def test_a_password_is_masked_where_the_text_repeats_it_bare() -> None:
    text = "The password is Tr0ub4dor&3.\n\nlogin: nadia Tr0ub4dor&3 ok\n"
    assert MASK(text).count("[masked: password]") == 2
    ordinary = "DATABASE_URL=postgres://postgres:postgres@db/app\nRestart postgres."
    assert MASK(ordinary).endswith("Restart postgres."), "a word of every day is no secret elsewhere"


@pytest.mark.parametrize(
    "part",
    [
        "AKIA", "eyJ", "eyJaaaaaaaaaaaa.eyJbbbbbbb.", "://a:", "aws", "sk-", "sk-ant-", "hf_", "xox", "://",
        "-----BEGIN PRIVATE KEY-----",
    ],
)  # fmt: skip
def test_no_text_takes_longer_than_its_length(part: str) -> None:
    short, long = part * (20_000 // len(part)), part * (200_000 // len(part))
    times = []
    for text in (short, long):
        start = time.thread_time()
        MASK(text)
        times.append(time.thread_time() - start)
    assert times[1] < 40 * max(times[0], 0.005)  # ten times the length: a quadratic search would take a hundred


@given(st.sampled_from(KEYS), st.integers(0, 12_000), st.sampled_from([" ", "x ", "word\n"]))
def test_of_a_key_nothing_is_kept_wherever_a_long_result_is_cut(key: str, place: int, filler: str) -> None:
    words = filler * (12_000 // len(filler))
    kept, _ = keep_text(f"{words[:place]} {key} {words[place:]}", EventKind.TOOL_RESULT, MASK)
    assert key[:12] not in kept
    assert key[-8:] not in kept


def test_a_key_that_is_longer_than_what_is_looked_at_leaves_no_end_behind() -> None:
    block = "-----BEGIN PRIVATE " + "KEY-----\n" + "MIIEabcd+\n" * 1_000 + "-----END PRIVATE " + "KEY-----"
    token = KEYS[6] + "Zq7" * 3_000
    for secret, part in ((block, "MIIEabcd"), (token, "Zq7")):
        kept, is_masked = keep_text("word " * 1_000 + secret + " the end", EventKind.TOOL_RESULT, MASK)
        assert is_masked
        assert part not in kept


def test_the_omitted_middle_of_a_long_result_is_not_searched_for_secrets() -> None:
    seen: list[int] = []

    def mask(text: str) -> str:
        seen.append(len(text))
        return text

    kept, is_masked = keep_text("some words " * 100_000, EventKind.TOOL_RESULT, mask)
    assert sum(seen) < 10_000
    assert (len(kept) < 3_000, is_masked) == (True, False)
