"""Lay a dream out in time: its phases as bars on one axis, the calls of each below, in thousandths of the axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gateway.console.views.words import now, span, took
from shared.core.dream.model import Dream, PhaseRun
from shared.ports.dreams import ModelCall

WIDTH = 1_000
#: So many calls of a phase are drawn and listed, lest a page grow with a dream.
SHOWN_CALLS = 40
#: A bar that is narrower could not be seen.
_NARROWEST = 4
#: A wait that is shorter is not worth a word.
_WAIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A stretch of time on the axis."""

    x: int
    width: int
    is_good: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRow:
    """One phase: when it ran, the first calls that it made, and what all of them came to."""

    run: PhaseRun
    bar: Bar | None
    calls: tuple[ModelCall, ...]  # the first ones
    number: int
    call_bars: tuple[Bar, ...]
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The phases of a dream, how long the axis is, and the waits that it does not show."""

    rows: tuple[PhaseRow, ...]
    length: str
    waits: tuple[str, ...]


def make_timeline(dream: Dream, phases: Sequence[PhaseRun], calls: Sequence[ModelCall]) -> Timeline:
    """Return the timeline of a dream. The axis begins when a worker takes the dream, and ends with it, or now."""
    begun = [run.started_at for run in phases if run.started_at is not None]
    first = min([*begun, *([dream.started_at] if dream.started_at else [])], default=dream.created_at)
    last = dream.finished_at or now()
    return Timeline(
        rows=tuple(_row(run, [call for call in calls if call.phase == run.phase], first, last) for run in phases),
        length=took(first, last),
        waits=tuple(_find_waits(dream)),
    )


def _row(run: PhaseRun, calls: Sequence[ModelCall], first: datetime, last: datetime) -> PhaseRow:
    return PhaseRow(
        run=run,
        bar=_bar(run.started_at, run.finished_at or last, first, last) if run.started_at else None,
        calls=tuple(calls[:SHOWN_CALLS]),
        number=len(calls),
        call_bars=tuple(
            _bar(call.ended_at - timedelta(milliseconds=call.latency_ms), call.ended_at, first, last, call.outcome)
            for call in calls[:SHOWN_CALLS]
        ),
        tokens=sum(call.input_tokens + call.output_tokens for call in calls),
        cost_usd=sum(call.cost_usd for call in calls),
    )


def _bar(begun: datetime, ended: datetime, first: datetime, last: datetime, outcome: str = "ok") -> Bar:
    length = max((last - first).total_seconds(), 0.001)
    left = min(max((begun - first).total_seconds() / length, 0.0), 1.0)
    right = min(max((ended - first).total_seconds() / length, left), 1.0)
    width = max(_NARROWEST, round((right - left) * WIDTH))
    return Bar(x=min(round(left * WIDTH), WIDTH - width), width=width, is_good=outcome == "ok")


def _find_waits(dream: Dream) -> list[str]:
    """Say what lies outside of the axis, or is no work in it."""
    found = []
    waited = ((dream.started_at or dream.finished_at or now()) - dream.created_at).total_seconds()
    if waited >= _WAIT_SECONDS:
        found.append(f"waited {span(waited)} for a worker")
    if dream.snooze_count:
        times = "once" if dream.snooze_count == 1 else f"{dream.snooze_count} times"
        found.append(f"slept {times} until the model's server would take calls again")
    if dream.rescue_count:
        times = "once" if dream.rescue_count == 1 else f"{dream.rescue_count} times"
        found.append(f"taken over {times} from a worker that had gone")
    return found
