"""Lay a dream out in time: its phases as bars on one axis, the calls of each below, in thousandths of the axis.

A wait may last for hours and the work for seconds. A wait is therefore drawn at most as long as a quarter of the work.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from gateway.console.views.words import now, took
from shared.core.dream.model import Dream, PhaseRun, Wait
from shared.ports.dreams import ModelCall

WIDTH = 1_000
#: The most calls of a phase to draw and list, so that a page does not grow with a dream.
SHOWN_CALLS = 40
#: A bar that is narrower could not be seen.
_NARROWEST = 4
#: A wait that is shorter is not worth a word.
_WAIT_SECONDS = 5.0
#: Of the work, the part that one wait may take on the axis.
_LONGEST_WAIT = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A stretch of time on the axis."""

    x: int
    width: int
    is_good: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRow:
    """One phase: when it ran, the first calls that it made, and the sums of all of them."""

    run: PhaseRun
    bar: Bar | None
    calls: tuple[ModelCall, ...]  # the first ones
    number: int
    call_bars: tuple[Bar, ...]
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A wait on the axis, and what it was for."""

    bar: Bar
    wait: Wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The phases of a dream, how long the axis is, the waits on it, and whether these are drawn shorter than they were."""

    rows: tuple[PhaseRow, ...]
    length: str
    pauses: tuple[Pause, ...]
    is_shortened: bool


class _Axis:
    """Places moments between the beginning and the end, in thousandths."""

    def __init__(self, first: datetime, last: datetime, waits: Sequence[Wait]) -> None:
        self._first, self._waits = first, waits
        waited = sum((wait.ended - wait.begun).total_seconds() for wait in waits)
        work = max((last - first).total_seconds() - waited, 0.001)
        self._most = work * _LONGEST_WAIT
        self.is_shortened = any((wait.ended - wait.begun).total_seconds() > self._most for wait in waits)
        self._length = max(self._pass(last), 0.001)

    def place(self, moment: datetime) -> float:
        return min(max(self._pass(moment) / self._length, 0.0), 1.0)

    def _pass(self, moment: datetime) -> float:
        """Return the seconds until a moment, as long as they are drawn."""
        seconds = (moment - self._first).total_seconds()
        for wait in self._waits:
            inside = (min(max(moment, wait.begun), wait.ended) - wait.begun).total_seconds()
            length = (wait.ended - wait.begun).total_seconds()
            seconds -= inside * max(0.0, 1 - self._most / length)
        return seconds


def make_timeline(dream: Dream, phases: Sequence[PhaseRun], calls: Sequence[ModelCall]) -> Timeline:
    """Return the timeline of a dream. The axis ends with the dream, or now.

    It begins when a worker takes the dream, or, if that took long, when the dream was asked for.
    """
    begun = [run.started_at for run in phases if run.started_at is not None]
    first = min([*begun, *([dream.started_at] if dream.started_at else [])], default=dream.created_at)
    last = dream.finished_at or now()
    waits = _find_waits(dream, first, last)
    axis = _Axis(min([first, *(wait.begun for wait in waits)]), last, waits)
    return Timeline(
        rows=tuple(_row(run, [call for call in calls if call.phase == run.phase], axis, last) for run in phases),
        length=took(first, last),
        pauses=tuple(Pause(bar=_bar(wait.begun, wait.ended, axis), wait=wait) for wait in waits),
        is_shortened=axis.is_shortened,
    )


def _row(run: PhaseRun, calls: Sequence[ModelCall], axis: _Axis, last: datetime) -> PhaseRow:
    return PhaseRow(
        run=run,
        bar=_bar(run.started_at, run.finished_at or last, axis) if run.started_at else None,
        calls=tuple(calls[:SHOWN_CALLS]),
        number=len(calls),
        call_bars=tuple(
            _bar(call.ended_at - timedelta(milliseconds=call.latency_ms), call.ended_at, axis, call.outcome)
            for call in calls[:SHOWN_CALLS]
        ),
        tokens=sum(call.input_tokens + call.output_tokens for call in calls),
        cost_usd=sum(call.cost_usd for call in calls),
    )


def _bar(begun: datetime, ended: datetime, axis: _Axis, outcome: str = "ok") -> Bar:
    left = axis.place(begun)
    right = max(axis.place(ended), left)
    width = max(_NARROWEST, round((right - left) * WIDTH))
    return Bar(x=min(round(left * WIDTH), WIDTH - width), width=width, is_good=outcome == "ok")


def _find_waits(dream: Dream, first: datetime, last: datetime) -> list[Wait]:
    """Return the waits that are worth a word, in their order: for a worker, those on record, and the one that lasts."""
    known = [Wait(begun=dream.created_at, ended=first, why="Waited for a worker"), *dream.waits]
    if dream.snoozed_at is not None and dream.finished_at is None:
        known.append(Wait(begun=dream.snoozed_at, ended=last, why=dream.reason))
    found: list[Wait] = []
    for wait in sorted(known, key=lambda one: one.begun):
        begun = max(wait.begun, found[-1].ended) if found else wait.begun
        ended = min(wait.ended, last)
        if (ended - begun).total_seconds() >= _WAIT_SECONDS:
            found.append(Wait(begun=begun, ended=ended, why=wait.why))
    return found
