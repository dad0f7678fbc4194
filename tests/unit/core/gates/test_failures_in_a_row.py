"""Failed dreams count against a store, and several in a row put it into quarantine."""

import pytest

from shared.core.dream.model import DreamState
from shared.core.gates.quarantine import EndedDream, decide_failed, decide_quarantined

FAILED = EndedDream(has_failed=True, reason="the disk is full")
WENT_WELL = EndedDream(has_failed=False)


@pytest.mark.parametrize(
    ("state", "rescues", "is_failed"),
    [
        (DreamState.ERROR, 0, True),
        (DreamState.PARTIAL, 3, False),  # as many as are allowed
        (DreamState.PARTIAL, 4, True),
        (DreamState.COMPLETED, 4, False),
        (DreamState.CANCELED, 4, False),
    ],
)
def test_a_dream_counts_against_its_store_in_error_or_with_its_rescues_spent(
    state: DreamState, rescues: int, is_failed: bool
) -> None:
    assert decide_failed(state, rescues=rescues, max_rescues=3, is_dry_run=False) is is_failed
    assert not decide_failed(state, rescues=rescues, max_rescues=3, is_dry_run=True)


@pytest.mark.parametrize(
    "ended", [[], [FAILED, FAILED], [WENT_WELL, FAILED, FAILED, FAILED], [FAILED, FAILED, WENT_WELL, FAILED]]
)
def test_fewer_failures_in_a_row_are_no_quarantine(ended: list[EndedDream]) -> None:
    assert decide_quarantined(ended, 3) == ""


@pytest.mark.parametrize("after", [None, 0])
def test_quarantine_can_be_switched_off(after: int | None) -> None:
    assert decide_quarantined([FAILED] * 9, after) == ""


def test_the_sentence_says_how_many_failed_and_what_the_last_one_met() -> None:
    assert decide_quarantined([FAILED, EndedDream(has_failed=True, reason="older"), FAILED], 3) == (
        "Quarantined after 3 failed dreams (the disk is full); resume it or redrive a dream when the cause is fixed"
    )
    once = decide_quarantined([EndedDream(has_failed=True), WENT_WELL], 1)
    assert once.startswith("Quarantined after 1 failed dream (no reason was left);")
