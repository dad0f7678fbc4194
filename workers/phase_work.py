"""One run of a phase: who claimed it, what it goes by, and its fenced transactions."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.core.dream import Dream, PhaseRun, PhaseState
from shared.core.policy import Policy
from shared.core.snooze import find_busy_until
from shared.core.store import Store, Tenant
from shared.counting import count
from shared.ports.all_ports import Ports
from shared.ports.database import UnitOfWork
from workers.clock import TimeLeft, time_left
from workers.phase import Phase
from workers.phase_key import PhaseKey


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseWork:
    """What one run of a phase knows."""

    ports: Ports
    key: PhaseKey
    phase: Phase
    runner: str
    dream: Dream
    store: Store
    tenant: Tenant
    policy: Policy
    record: PhaseRun
    survey: Mapping[str, Any]
    tokens_left: int
    busy_seconds: float  # how long the store's agent is busy yet, as far as it said; 0 for a forced dream
    left: TimeLeft
    wish: str = ""  # of whoever ordered the dream

    @contextmanager
    def fenced(self) -> Iterator[UnitOfWork]:
        """Open a transaction that begins with the fence. Raises LostLeaseError before anything is written."""
        seconds = self.ports.settings.lease_seconds
        with self.ports.db.transaction(self.key.tenant_id) as uow:
            uow.dreams.fence(self.key.dream_id, self.key.epoch, seconds)
            uow.phases.renew(self.key.dream_id, self.key.phase, runner=self.runner, lease_seconds=seconds)
            yield uow

    def finish(self, state: PhaseState, reason: str, counts: Counter[str] | None = None) -> None:
        """End the phase."""
        with self.fenced() as uow:
            uow.phases.finish(self.key.dream_id, self.key.phase, state, reason=reason, counts=dict(counts or {}))
        count("slowwave_phases_ended_total", phase=self.key.phase, state=str(state))


def claim_phase(ports: Ports, phase: Phase, key: PhaseKey, runner: str) -> PhaseWork | None:
    """Claim a phase for this runner; None while another runner is alive. Raises LostLeaseError."""
    seconds = ports.settings.lease_seconds
    with ports.db.transaction(key.tenant_id) as uow:
        dream = uow.dreams.fence(key.dream_id, key.epoch, seconds)
        record = uow.phases.claim(key.dream_id, key.phase, runner=runner, lease_seconds=seconds)
        if record is None:
            return None
        tenant, store = uow.stores.get_tenant(), uow.stores.get(dream.store)
        policy = store.policy
        per_day = tenant.tokens_per_day if tenant.tokens_per_day is not None else policy.budget.tokens_per_day
        order = uow.orders.find(dream.id)
        spent = uow.calls.get_totals(dream.id).tokens
        return PhaseWork(
            ports=ports,
            key=key,
            phase=phase,
            runner=runner,
            dream=dream,
            store=store,
            tenant=tenant,
            policy=policy,
            record=record,
            survey=get_survey(uow, dream.id),
            tokens_left=min(policy.budget.tokens_per_dream - spent, per_day - uow.calls.count_tokens_today()),
            busy_seconds=_busy_seconds(dream, store, uow.now()),
            left=time_left(uow.now(), dream.deadline_at, policy.budget.dream_seconds),
            wish=(order.instructions or "") if order else "",
        )


def get_survey(uow: UnitOfWork, dream_id: str) -> Mapping[str, Any]:
    """Return what orient found, empty while it has not run."""
    found = next((run.inputs for run in uow.phases.find_all(dream_id) if run.phase == "orient"), None)
    return found if isinstance(found, dict) else {}


def _busy_seconds(dream: Dream, store: Store, now: datetime) -> float:
    until = None if dream.is_forced else find_busy_until(store, store.policy.gates, now)
    return (until - now).total_seconds() if until else 0.0
