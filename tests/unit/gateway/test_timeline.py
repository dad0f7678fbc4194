"""A dream's timeline: every bar lies on the axis, in its order, and so does every wait."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.console.views.timeline import SHOWN_CALLS, WIDTH, make_timeline
from gateway.console.views.words import tally
from shared.core.dream.model import Dream, DreamState, PhaseRun, PhaseState, Trigger, Wait
from shared.ports.dreams import ModelCall

T0 = datetime(2026, 3, 5, 2, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return T0 + timedelta(seconds=seconds)


def a_dream(**values: object) -> Dream:
    known: dict[str, object] = {
        "id": "drm_1", "tenant_id": "acme", "store_id": "st_1", "store": "default", "state": DreamState.COMPLETED, "trigger": Trigger.API,
        "epoch": 1, "is_forced": False, "is_dry_run": False, "created_at": T0, "started_at": T0, "finished_at": at(100),
    }  # fmt: skip
    return Dream(**(known | values))  # type: ignore[arg-type] # the fields of Dream


def a_run(phase: str, begun: float, ended: float | None) -> PhaseRun:
    state = PhaseState.RUNNING if ended is None else PhaseState.DONE
    finished = None if ended is None else at(ended)
    return PhaseRun(dream_id="drm_1", phase=phase, state=state, started_at=at(begun), finished_at=finished)


def a_call(phase: str, ended: float, seconds: float, outcome: str = "ok") -> ModelCall:
    return ModelCall(
        id="call_1", phase=phase, model="m", outcome=outcome, detail="", input_tokens=900, cached_tokens=0, output_tokens=100,
        cost_usd=0.01, latency_ms=round(1000 * seconds), ended_at=at(ended),
    )  # fmt: skip


def test_phases_and_calls_lie_where_they_happened() -> None:
    runs = [a_run("orient", 0, 10), a_run("consolidate", 10, 60)]
    calls = [a_call("consolidate", 40, 20), a_call("consolidate", 60, 10, "overloaded")]
    orient, consolidate = make_timeline(a_dream(), runs, calls).rows
    assert orient.bar is not None
    assert (orient.bar.x, orient.bar.width, orient.calls) == (0, 100, ())
    assert consolidate.bar is not None
    assert (consolidate.bar.x, consolidate.bar.width) == (100, 500)
    assert [(bar.x, bar.width, bar.is_good) for bar in consolidate.call_bars] == [(200, 200, True), (500, 100, False)]
    assert (consolidate.tokens, round(consolidate.cost_usd, 3)) == (2000, 0.02)


def test_waits_lie_on_the_axis_with_what_they_were_for_and_never_hide_the_work() -> None:
    slept = Wait(begun=at(7220), ended=at(10_820), why="Sleeps until the model takes calls again")
    dream = a_dream(started_at=at(7200), finished_at=at(10_840), waits=(slept,))
    timeline = make_timeline(dream, [a_run("orient", 7200, 7220), a_run("consolidate", 10_820, 10_840)], [])
    assert timeline.length == "60 min 40 s"
    queued, asleep = timeline.pauses
    assert (queued.wait.why, asleep.wait) == ("Waited for a worker", slept)
    assert timeline.is_shortened
    bars = [queued.bar, timeline.rows[0].bar, asleep.bar, timeline.rows[1].bar]
    assert [(bar.x, bar.width) for bar in bars if bar] == [(0, 167), (167, 333), (500, 167), (667, 333)]


def test_a_dream_that_sleeps_now_shows_until_now_why_and_short_waits_are_no_word_worth() -> None:
    asleep = a_dream(
        state=DreamState.RUNNING, finished_at=None, snoozed_at=at(60), reason="Sleeps while its agent is busy"
    )
    (pause,) = make_timeline(asleep, [a_run("orient", 0, 60)], []).pauses
    assert pause.wait.why == "Sleeps while its agent is busy"
    assert pause.bar.x + pause.bar.width == WIDTH
    assert make_timeline(a_dream(waits=(Wait(begun=at(1), ended=at(3), why="short"),)), [], []).pauses == ()


moments = st.floats(min_value=-50, max_value=500, allow_nan=False)


@given(
    st.lists(st.tuples(moments, st.none() | moments), max_size=4),
    st.lists(st.tuples(moments, moments), max_size=4),
    st.lists(st.tuples(moments, moments), max_size=4),
)
def test_every_bar_is_on_the_axis_and_can_be_seen(
    runs: list[tuple[float, float | None]], calls: list[tuple[float, float]], waits: list[tuple[float, float]]
) -> None:
    phases = [a_run(f"p{n}", *run) for n, run in enumerate(runs)]
    made = [a_call("p0", ended, abs(seconds)) for ended, seconds in calls]
    slept = tuple(Wait(begun=at(begun), ended=at(ended), why="Sleeps") for begun, ended in waits)
    timeline = make_timeline(a_dream(waits=slept), phases, made)
    bars = [bar for row in timeline.rows for bar in (row.bar, *row.call_bars)]
    for bar in bars + [pause.bar for pause in timeline.pauses]:
        assert bar is not None
        assert bar.width > 0
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH


def test_a_phase_of_many_calls_lists_the_first_and_counts_all() -> None:
    calls = [a_call("consolidate", 10 + number / 10, 1) for number in range(SHOWN_CALLS + 5)]
    (row,) = make_timeline(a_dream(), [a_run("consolidate", 0, 60)], calls).rows
    assert (len(row.calls), len(row.call_bars), row.number) == (SHOWN_CALLS, SHOWN_CALLS, SHOWN_CALLS + 5)
    assert row.tokens == 1_000 * (SHOWN_CALLS + 5)


@pytest.mark.parametrize(
    ("counter", "said"),
    [
        ("MERGE", "merged"),
        ("TEMPORAL_UPDATE", "dated"),
        ("proposed_CROSS_REFERENCE", "proposed: linked"),
        ("FLAG", "flagged"),
        ("flagged", "to review"),
        ("skip_no_answer", "left alone: no answer"),
        ("skip_left_alone", "left alone"),
        ("missing_model_overloaded", "unanswered: model overloaded"),
        ("probes", "searches tried"),
        ("INDEX", "index rewritten"),
        ("indexed", "memories listed"),
    ],
)
def test_a_counter_is_named_in_words(counter: str, said: str) -> None:
    assert tally(counter) == said
