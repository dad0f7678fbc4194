import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.errors import BadInputError
from shared.core.search.vectors import (
    EMBEDDED_CHARS,
    embeddable_text,
    embedded_text,
    least_cosine,
    pack_vector,
    unpack_vector,
)

_NUMBERS = st.lists(st.floats(-1e6, 1e6).filter(lambda number: abs(number) > 1e-3), min_size=1, max_size=40)


@given(_NUMBERS)
def test_a_kept_vector_has_length_one_and_its_direction(numbers: list[float]) -> None:
    found = unpack_vector(pack_vector(numbers))
    length = math.sqrt(sum(number * number for number in numbers))
    assert math.isclose(sum(number * number for number in found), 1, rel_tol=1e-4)
    assert all(
        math.isclose(one * length, number, rel_tol=1e-4, abs_tol=1e-3)
        for one, number in zip(found, numbers, strict=True)
    )


@pytest.mark.parametrize("numbers", [[], [0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0]])
def test_an_embedding_without_a_direction_is_refused(numbers: list[float]) -> None:
    with pytest.raises(BadInputError):
        pack_vector(numbers)


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=EMBEDDED_CHARS * 2))
def test_every_embedder_can_take_the_beginning_of_any_text(text: str) -> None:
    found = embeddable_text(text)
    assert "\0" not in found
    assert len(found) <= EMBEDDED_CHARS
    assert isinstance(found.encode(), bytes)


def test_frontmatter_and_sources_are_no_part_of_what_a_text_means() -> None:
    text = "---\ntitle: Cookies\ncreatedAt: 2026-01-01\n---\n# Login\n\nThe page signs\nits cookies.\n"
    assert embedded_text(text) == "# Login The page signs its cookies."


def test_a_text_that_is_all_frontmatter_still_means_something() -> None:
    assert "Cookies" in embedded_text("---\ntitle: Cookies\n---\n")


def test_only_what_is_nearer_than_most_stands_out() -> None:
    cosines = [0.80, 0.81, 0.79, 0.80, 0.80, 0.81, 0.79, 0.80, 0.95]
    least = least_cosine(len(cosines), sum(cosines), sum(one * one for one in cosines))
    assert [one for one in cosines if one >= least] == [0.95]


def test_among_a_few_texts_none_can_stand_out_so_all_count() -> None:
    assert least_cosine(3, 0.3, 0.03) == -1.0
