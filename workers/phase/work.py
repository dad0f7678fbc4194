"""The state of one claimed phase run, and the fenced transactions in which it writes.

The time is read from the database once, when the phase is claimed, and then advanced by this process's monotonic clock, so
that a wrong or jumping wall clock cannot move a deadline.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self

from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState, PhaseRun, PhaseState
from shared.core.dream.operations import KINDS, Extent, retired_ids
from shared.core.gates.snooze import find_busy_until
from shared.core.policy.policy import Policy
from shared.core.tenants.store import Store, Tenant
from shared.counting import count
from shared.ports.database import UnitOfWork
from shared.ports.dreams import PhaseFacts
from shared.services.dreams.gate_facts import get_tokens_per_day
from workers.phase.shape import Phase, ask_nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseKey:
    """A phase of a dream in one epoch: the arguments of its task."""

    tenant_id: str
    dream_id: str
    epoch: int
    phase: str


#: Kept back from the time budget, for storing and applying the answers.
_RESERVE_SHARE = 0.05
RESERVE_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLeft:
    """A deadline by the monotonic clock."""

    ends_at: float  # time.monotonic()

    def seconds(self) -> float:
        """Return the seconds left, never negative."""
        return max(0.0, self.ends_at - time.monotonic())


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseClock:
    """The database's time, carried on by this process's monotonic clock without further queries."""

    started_at: datetime
    monotonic: float

    @classmethod
    def at(cls, now: datetime) -> Self:
        """Return a clock that shows the database's time `now`."""
        return cls(started_at=now, monotonic=time.monotonic())

    def now(self) -> datetime:
        """Return the time."""
        return self.started_at + timedelta(seconds=time.monotonic() - self.monotonic)


def time_left(now: datetime, deadline_at: datetime | None, budget_seconds: float) -> TimeLeft:
    """Return the time that phases may spend on models: until shortly before the deadline."""
    reserve = min(RESERVE_SECONDS, budget_seconds * _RESERVE_SHARE)
    left = (deadline_at - now).total_seconds() - reserve if deadline_at else budget_seconds
    return TimeLeft(ends_at=time.monotonic() + left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The operations that this dream had recorded when a phase was claimed. Only the claim's owner adds to them."""

    positions: frozenset[int]  # of this phase's plan that are recorded
    gathered: int  # memories from sessions, which later phases take for changed
    retired: int  # memories that the dream has hidden


NO_PROGRESS = Progress(positions=frozenset(), gathered=0, retired=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseWork:
    """One run of a phase: its dream, its stored record, its policy and its limits."""

    ports: Ports
    key: PhaseKey
    phase: Phase
    runner: str
    dream: Dream
    policy: Policy
    record: PhaseRun
    facts: PhaseFacts
    tokens_left: int
    busy_seconds: float  # how much longer the store's agent is busy, as it reported; 0 for a forced dream
    left: TimeLeft
    clock: DatabaseClock
    progress: Progress
    unreviewed: int = 0  # memories that earlier dreams have hidden, and that wait for a review
    #: The phases of this run that failed; shared with the works of the later phases.
    failed: list[str] = field(default_factory=list)
    #: The phases of this run that a budget or a missing answer cut short, each with the reason; shared likewise.
    cut: list[str] = field(default_factory=list)

    @property
    def store(self) -> Store:
        """Return the store as it was when the phase was claimed."""
        return self.facts.store

    @property
    def tenant(self) -> Tenant:
        """Return the tenant as it was when the phase was claimed."""
        return self.facts.tenant

    @contextmanager
    def fenced(self) -> Iterator[UnitOfWork]:
        """Open a transaction that begins with the fence. Raises LostLeaseError before anything is written."""
        with self.ports.db.transaction(self.key.tenant_id) as uow:
            self.fence(uow)
            yield uow

    def fence(self, uow: UnitOfWork) -> None:
        """Renew the leases before the first write of a transaction. Raises LostLeaseError."""
        key, seconds = self.key, self.ports.settings.lease_seconds
        uow.phases.fence(key.dream_id, key.epoch, key.phase, runner=self.runner, lease_seconds=seconds)

    def finish(self, state: PhaseState, reason: str, counts: Counter[str] | None = None) -> None:
        """End the phase."""
        counted = dict(counts or {})
        with self.fenced() as uow:
            uow.phases.finish(self.key.dream_id, self.key.phase, state, reason=reason, counts=counted)
        self.count_end(state, reason if "missing_time_budget" in counted else "")

    def count_left_today(self) -> int:
        """Return the tokens that all dreams of the tenant together may still spend today."""
        with self.ports.db.transaction(self.key.tenant_id) as uow:
            return get_tokens_per_day(self.tenant, self.store) - uow.calls.count_tokens_today()

    def count_end(self, state: PhaseState, cut: str = "") -> None:
        """Count a phase that has ended, and note why it was cut short, if it was; call it after the commit."""
        count("slowwave_phases_ended_total", phase=self.key.phase, state=str(state))
        if state is PhaseState.FAILED:
            self.failed.append(self.key.phase)
        else:
            self.note_cut(self.key.phase, cut)

    def note_cut(self, phase: str, reason: str) -> None:
        """Note that a phase was cut short, for those who watch the task; an empty reason says that it was not."""
        if reason:
            self.cut.append(f"{phase} was cut short: {reason}")


def claim_phase(ports: Ports, phase: Phase, key: PhaseKey, runner: str) -> PhaseWork | None:
    """Claim a phase for this runner; None while another runner is alive. Raises LostLeaseError."""
    try:
        return _claim(ports, phase, key, runner)
    except _HeldError:  # rolled back: a duplicate message must not renew the lease of a worker that may be dead
        return None


class _HeldError(Exception):
    """Another runner has the phase."""


def _claim(ports: Ports, phase: Phase, key: PhaseKey, runner: str) -> PhaseWork:
    seconds = ports.settings.lease_seconds
    with ports.db.transaction(key.tenant_id) as uow:
        dream = uow.dreams.fence(key.dream_id, key.epoch, seconds)
        record = uow.phases.claim(key.dream_id, key.phase, runner=runner, lease_seconds=seconds)
        if record is None:
            raise _HeldError
        facts = uow.phase_facts.get(dream, phase.name, with_tokens=phase.ask is not ask_nothing)
        policy = facts.store.policy
        return PhaseWork(
            ports=ports,
            key=key,
            phase=phase,
            runner=runner,
            dream=dream,
            policy=policy,
            record=record,
            facts=facts,
            tokens_left=0 if phase.ask is ask_nothing else _count_tokens_left(facts),
            busy_seconds=count_busy_seconds(dream, facts.store, uow.now()),
            left=time_left(uow.now(), dream.deadline_at, policy.budget.dream_seconds),
            clock=DatabaseClock.at(uow.now()),
            progress=read_progress(uow, dream.id, phase.name) if facts.has_operations else NO_PROGRESS,
            unreviewed=count_unreviewed(uow, dream, phase, policy),
        )


def _count_tokens_left(facts: PhaseFacts) -> int:
    per_dream = facts.store.policy.budget.tokens_per_dream
    return min(per_dream - facts.tokens_spent, get_tokens_per_day(facts.tenant, facts.store) - facts.tokens_today)


def read_progress(uow: UnitOfWork, dream_id: str, phase: str) -> Progress:
    """Return the progress of a dream, and of one of its phases, from its recorded operations."""
    recorded = uow.operations.find_all(dream_id)
    applied = (op.operation for op in recorded if op.state is OperationState.APPLIED)
    return Progress(
        positions=frozenset(op.position for op in recorded if op.operation.phase == phase),
        gathered=sum(KINDS[op.operation.kind].brings_knowledge for op in recorded),
        retired=sum(len(retired_ids(operation)) for operation in applied),
    )


def count_unreviewed(uow: UnitOfWork, dream: Dream, phase: Phase, policy: Policy) -> int:
    """Count what other dreams have retired unreviewed, toward the loss cap of a phase that hides memories."""
    if not any(KINDS[kind].extent in {Extent.HIDES, Extent.JOINS} for kind in phase.may_emit):
        return 0
    since = uow.now() - timedelta(days=policy.safety.loss_window_days)
    return uow.verdicts(dream.store_id).count_unreviewed(since, besides=dream.id)


def count_busy_seconds(dream: Dream, store: Store, now: datetime) -> float:
    """Return for how many more seconds the store's agent is busy; 0 for a forced dream."""
    until = None if dream.is_forced else find_busy_until(store, store.policy.gates, now)
    return (until - now).total_seconds() if until else 0.0
