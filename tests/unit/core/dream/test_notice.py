"""The quiet line for an agent's session: what its dreams have done since it asked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.core.dream.model import Dream, DreamState, DreamSummary, Trigger
from shared.core.dream.notice import build_notice, say_improved

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def a_dream(
    number: int, *, merged: int = 1, state: DreamState = DreamState.COMPLETED, is_dry_run: bool = False
) -> Dream:
    """A dream that ended the given number of hours ago."""
    ended = NOW - timedelta(hours=number)
    return Dream(
        id=f"drm_{number}", tenant_id="acme", store_id="sto_1", store="default", state=state, trigger=Trigger.SWEEP,
        epoch=1, is_forced=False, is_dry_run=is_dry_run, created_at=ended, finished_at=ended,
        summary=DreamSummary(consolidated=merged, kept=5, decayed=9),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("improved", "to_review", "line"),
    [
        (0, 0, ""),
        (1, 0, "Improved 1 memory"),
        (1200, 0, "Improved 1,200 memories"),
        (0, 1, "1 change waits for a review"),
        (3, 2, "Improved 3 memories; 2 changes wait for a review"),
    ],
)
def test_the_line_says_only_what_there_is_to_say(improved: int, to_review: int, line: str) -> None:
    assert say_improved(improved, to_review) == line


def test_without_a_time_the_last_dream_is_told_and_what_it_left_unchanged_does_not_count() -> None:
    told = build_notice([a_dream(1, merged=2), a_dream(5)], since=None, to_review=0)
    assert (told.text, told.dream_ids, told.until) == ("Improved 2 memories", ("drm_1",), NOW - timedelta(hours=1))


def test_a_session_that_asks_from_the_last_notice_hears_of_each_dream_once() -> None:
    dreams = [a_dream(1), a_dream(3), a_dream(7)]
    first = build_notice(dreams[1:], since=NOW - timedelta(hours=5), to_review=0)
    second = build_notice(dreams, since=first.until, to_review=0)
    third = build_notice(dreams, since=second.until, to_review=4)
    assert [one.dream_ids for one in (first, second, third)] == [("drm_3",), ("drm_1",), ()]
    assert (third.text, third.until) == ("", second.until)


def test_dry_runs_and_dreams_that_failed_or_were_undone_are_not_told() -> None:
    silent = [a_dream(1, is_dry_run=True), a_dream(2, state=DreamState.UNDONE), a_dream(3, state=DreamState.ERROR)]
    assert build_notice(silent, since=None, to_review=0).text == ""
    assert build_notice([*silent, a_dream(4, state=DreamState.PARTIAL)], since=None, to_review=0).improved == 1
    assert build_notice([replace(a_dream(1), summary=None)], since=None, to_review=0).text == ""
