"""Two texts say much of the same when a place of the one says what a sentence of the other says."""

from shared.core.merging.overlap import overlap_mostly
from shared.core.merging.subject_words import read_subject

_SHORT = "The gate opens at seven. A guard walks the yard at night. Milk comes on Friday."
#: Holds each word of the short text, each in another sentence.
_SCATTERED = (
    "The yard is paved. A new gate costs too much this year. Milk is sold out. Nora opens the shop herself. The night bus is late. "
    "Friday was a holiday. He walks to school. It comes with a bell. Seven tables were ordered. The guard asked for badges."
)


def same(left: str, right: str, *, is_one_subject: bool = True) -> bool:
    first, second = read_subject("a/one.md", left), read_subject("a/two.md", right)
    found = overlap_mostly(first, second, is_one_subject=is_one_subject)
    assert overlap_mostly(second, first, is_one_subject=is_one_subject) == found
    return found


def test_a_long_text_that_holds_every_word_of_a_short_one_does_not_say_it() -> None:
    assert not same(_SHORT, _SCATTERED)
    assert same(_SHORT, f"{_SCATTERED} {_SHORT}", is_one_subject=False)


def test_half_of_each_text_is_enough_only_where_the_subject_is_one() -> None:
    left = "The lift is serviced by Otis in May. The spare keys hang in the cellar."
    right = "In May Otis services the lift. The alarm calls a centre in Graz."
    assert same(left, right)
    assert not same(left, right, is_one_subject=False)


def test_one_sentence_about_the_same_terms_is_no_proof() -> None:
    sent = "The webhook payload and its signature header are sent by POST."
    assert not same(sent, "Compare and log the webhook payload with its signature header.")
    assert same(sent, "By POST the webhook payload is sent, with a signature header.")


def test_an_empty_text_is_contained_in_no_text() -> None:
    assert not same("", "")
    assert not same("", _SHORT)
