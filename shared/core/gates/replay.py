"""Replay the gates over recorded activity: find out when a store would have dreamt with other settings.

The replay uses the real gates (shared/core/gates/gates.py) and check intervals. It leaves out what is not recorded: pauses,
budgets, busy agents, failed or long dreams, and work that only the passing of time made due.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.core.gates.busy_agent import decide_busy_since, find_busy_since
from shared.core.gates.gates import GateFacts, GateVerdict, decide_gates
from shared.core.gates.next_check import PRE_SCAN_GATES, QUIET, decide_next_check, decide_wake_at, has_rest, is_timer
from shared.core.tenants.store import Store, Verdict

#: The least time between two checks: the sweep finds due stores at this interval.
_LEAST_PAUSE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """The activity of a store within one minute: writes, and the number of sessions that began."""

    at: datetime
    curations: int = 0
    sessions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The hours in which a tenant's dreams do not start by themselves."""

    quiet_hours: str = ""
    time_zone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The moments at which a store would have dreamt, and the number of checks that each gate would have stopped."""

    dreams: tuple[datetime, ...]
    shut: Mapping[str, int]


def replay_gates(
    store: Store, activity: Sequence[Activity], clock: Clock, *, since: datetime, until: datetime
) -> Replay:
    """Return when a store would have dreamt from one moment until another.

    Args:
        store: as it was at `since`, with the settings to try.
        activity: what came in from then on, the oldest first.
        clock: the tenant's.
        since: the beginning.
        until: the end.
    """
    dreams: list[datetime] = []
    shut: Counter[str] = Counter()
    coming = deque(one for one in activity if since <= one.at < until)
    check_at = since if has_rest(store) else decide_wake_at(store, since)
    while coming or (check_at is not None and check_at < until):
        if check_at is None or (coming and coming[0].at <= check_at):
            store, check_at = _receive(store, coming.popleft(), check_at)
            continue
        verdict = decide_gates(_facts(store, clock), store.policy.gates, check_at, force=False)
        if verdict.is_open:
            dreams.append(check_at)
            store = _dreamt(store, check_at)
            check_at = decide_wake_at(store, check_at)
        else:
            shut[verdict.gate] += 1
            store, check_at = _refused(store, verdict, check_at), _next(store, verdict, check_at)
    return Replay(dreams=tuple(dreams), shut=dict(shut.most_common()))


def _receive(store: Store, one: Activity, check_at: datetime | None) -> tuple[Store, datetime]:
    grown = replace(
        store,
        curations=store.curations + one.curations,
        sessions=store.sessions + one.sessions,
        last_activity_at=one.at,
    )
    soon = one.at + QUIET
    if check_at is None or is_timer(store):
        return grown, min(check_at or soon, soon)
    return grown, check_at


def _facts(store: Store, clock: Clock) -> GateFacts:
    return GateFacts(
        quiet_hours=clock.quiet_hours,
        time_zone=clock.time_zone,
        last_dream_at=store.last_dream_at,
        last_check_at=store.last_check_at,
        curations=store.curations,
        sessions=store.sessions,
        last_activity_at=store.last_activity_at,
        busy_since=find_busy_since(store),
        has_due_change=False,
    )


def _dreamt(store: Store, at: datetime) -> Store:
    seen = Verdict(at=at, is_open=True)
    return replace(store, curations=0, sessions=0, last_dream_at=at, last_check_at=at, last_verdict=seen)


def _refused(store: Store, verdict: GateVerdict, at: datetime) -> Store:
    seen = Verdict(at=at, is_open=False, gate=verdict.gate, busy_since=decide_busy_since(store, verdict.gate, at))
    checked = store.last_check_at if verdict.gate in PRE_SCAN_GATES else at
    return replace(store, last_verdict=seen, last_check_at=checked)


def _next(store: Store, verdict: GateVerdict, at: datetime) -> datetime | None:
    following = decide_next_check(store, verdict, at)
    return None if following is None else max(following, at + _LEAST_PAUSE)
