"""An excerpt: by how a text begins, and by what it shares with others, a reader can tell whether it is about the same."""

from hypothesis import given
from hypothesis import strategies as st

from shared.core.text.excerpt import excerpt_of
from shared.core.text.similarity import significant_words

TEXT = (
    "# Depot of Malmo\n\nThe depot opens at six on weekdays and at eight on Saturdays for everyone. "
    "Two people work there. Parcels of Nordpost are scanned at the northern gate.\n\nKeys hang behind the door.\n"
)


def test_a_short_text_is_shown_as_it_is() -> None:
    assert excerpt_of("Two people work there.", 100) == "Two people work there."


def test_without_others_a_text_is_shown_from_its_beginning_up_to_a_word() -> None:
    assert excerpt_of(TEXT, 40) == "# Depot of Malmo\n\nThe depot opens at …"


def test_the_statement_that_shares_most_with_others_is_shown_beside_the_beginning() -> None:
    others = significant_words("Nordpost brings its parcels to the northern gate.", 50)
    shown = excerpt_of(TEXT, 120, others)
    assert shown.startswith("# Depot of Malmo")
    assert shown.endswith("… Parcels of Nordpost are scanned at the northern gate.")


def test_a_statement_that_the_beginning_shows_is_not_shown_twice() -> None:
    others = significant_words("The depot opens on Saturdays.", 50)
    assert excerpt_of(TEXT, 120, others) == excerpt_of(TEXT, 120)


def test_one_common_word_makes_no_relation() -> None:
    assert excerpt_of(TEXT, 80, significant_words("The door is green.", 50)) == excerpt_of(TEXT, 80)


@given(
    st.text(alphabet="ab \n#.é", max_size=200), st.integers(0, 120), st.sets(st.sampled_from(["aab", "bbb", "abab"]))
)
def test_an_excerpt_is_never_longer_than_its_limit_allows(text: str, limit: int, others: set[str]) -> None:
    assert len(excerpt_of(text, limit, others)) <= max(limit, len(" …"))
