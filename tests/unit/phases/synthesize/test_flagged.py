"""Flags that a person has decided do not come back: laws over the flags shown."""

from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.model import ReviewState
from shared.core.dream.operations import Flag
from workers.phase.flags import decide_shown, find_shown

texts = st.sampled_from([f"{number:064x}" for number in range(6)])
beside = st.lists(texts, max_size=3, unique=True)
decided = st.sampled_from([ReviewState.APPROVED, ReviewState.REJECTED])


def flag(text: str, about: list[str], *, is_old: bool = False) -> Flag:
    prints = () if is_old else tuple(about)
    return Flag(
        memory_id="mem_1", version=1, path="a.md", fingerprint=text, about=tuple(about), about_fingerprints=prints
    )


def pairs(text: str, about: list[str]) -> set[frozenset[str]]:
    """Return what a flag is about: each pair of texts, whichever is named first, or the one text."""
    return {frozenset((text, one)) for one in about} or {frozenset((text, "nothing beside it"))}


@given(texts, texts, st.sampled_from([ReviewState.PENDING, ReviewState.APPROVED, ReviewState.REJECTED]))
def test_which_of_two_texts_is_named_first_does_not_make_another_flag(
    one: str, other: str, review: ReviewState
) -> None:
    assert decide_shown(find_shown([(flag(one, [other]), review)]), other, [one])


@given(texts, beside, st.sampled_from([one for one in ReviewState if one is not ReviewState.NONE]))
def test_the_same_flag_is_never_shown_twice(text: str, about: list[str], review: ReviewState) -> None:
    assert decide_shown(find_shown([(flag(text, about), review)]), text, about[::-1])


@given(texts, beside, texts, beside, decided)
def test_a_decided_flag_hides_nothing_but_what_it_was_about(
    text: str, about: list[str], other: str, other_about: list[str], review: ReviewState
) -> None:
    hidden = decide_shown(find_shown([(flag(text, about), review)]), other, other_about)
    assert hidden is (pairs(other, other_about) <= pairs(text, about))


@given(texts, beside, beside)
def test_while_a_flag_waits_its_memory_is_flagged_for_nothing_else(
    text: str, about: list[str], other_about: list[str]
) -> None:
    assert decide_shown(find_shown([(flag(text, about), ReviewState.PENDING)]), text, other_about)


@given(texts, beside.filter(bool), beside, decided)
def test_a_flag_that_does_not_know_what_it_was_about_holds_for_anything(
    text: str, about: list[str], other_about: list[str], review: ReviewState
) -> None:
    old = flag(text, about, is_old=True)
    assert decide_shown(find_shown([(old, review)]), text, other_about)
