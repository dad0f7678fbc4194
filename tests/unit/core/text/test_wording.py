"""The wording of sentences: articles, punctuation and endings make no difference, and all that carries meaning does."""

import pytest
from hypothesis import given

from shared.core.text.wording import wording_of
from tests.support.laws import examples
from tests.support.turned import Turned, turned


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The retry policy is five attempts.", "Our retry policy is five attempts"),
        ("The deploy doesn't wait for the tests.", "- The deploy does not wait for tests"),
        ("Run it once. Don't wait.", "Run it once. Do not wait."),
        ("Format with `ruff format`, lint with `ruff check`.", "Format with `ruff format` and lint with `ruff check`."),
        ("**Backups** run at 02:00!", "Backups run at 02:00."),
        ("The timeout is 10 ms.", "The timeout is 10 milliseconds"),
        ("each worker holds a lock", "Each workers hold the lock."),
    ],
)
def test_words_without_meaning_make_no_difference_to_a_wording(one: str, other: str) -> None:
    assert wording_of(one) == wording_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna reports to Bob.", "Bob reports to Anna."),
        ("William pays the rent.", "Williams pays the rent."),
        ("A few hosts are old.", "Few hosts are old."),
        ("No, deploy on Friday.", "No deploy on Friday."),
        ("The latency is < 5 ms.", "The latency is > 5 ms."),
        ("It is -5 outside.", "It is 5 outside."),
        ("~~Deploy on Friday.~~", "Deploy on Friday."),
        ("- [x] Move the database", "- [ ] Move the database"),
        ("Deploy on Friday?", "Deploy on Friday."),
        ("Use `rm -f` for it.", "Use `rm -F` for it."),
        ("Release the fix in May.", "Release the fix in may."),
        ("The server was in Paris.", "The server is in Paris."),
        ("Die Sperre gilt nachts.", "Die Sperre gilt nachts nicht."),
        ("The cache holds 5M.", "The cache holds 5m."),
    ],
)
def test_words_that_change_the_meaning_make_another_wording(one: str, other: str) -> None:
    assert wording_of(one) != wording_of(other)


@examples(400)
@given(turned())
def test_a_turned_sentence_has_another_wording(pair: Turned) -> None:
    assert wording_of(pair.sentence) != wording_of(pair.other)
