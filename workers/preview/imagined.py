"""An imagined dream: everything that phases need to read and ask, without a row, a claim or a lease."""

import time
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseRun, PhaseState, Trigger
from shared.core.evaluation.replay import Family, PastOperation
from shared.core.tenants.store import Store
from shared.ports.database import UnitOfWork
from workers.phase.shape import Phase
from workers.phase.work import NO_PROGRESS, DatabaseClock, PhaseKey, PhaseWork, TimeLeft

_ID = "drm_imagined"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBefore:
    """A phase whose questions are asked again: its inputs and its result, or the family that it is asked about."""

    work: PhaseWork
    inputs: Any
    past: tuple[PastOperation, ...] = ()
    family: Family | None = None


def imagine_dream(tenant_id: str, store: Store, now: datetime, *, force: bool) -> Dream:
    """Return a dream over a store without a row in the database; every query about its past returns nothing."""
    return Dream(
        id=_ID,
        tenant_id=tenant_id,
        store_id=store.id,
        store=store.name,
        state=DreamState.RUNNING,
        trigger=Trigger.CLI,
        epoch=1,
        is_forced=force,
        is_dry_run=False,
        created_at=now,
    )


def imagine_work(ports: Ports, uow: UnitOfWork, dream: Dream, phase: Phase) -> PhaseWork:
    """Return the work of a dream's phase as for a worker that has just claimed it."""
    facts = uow.phase_facts.get(dream, phase.name, with_tokens=False)
    seconds = facts.store.policy.budget.dream_seconds
    return PhaseWork(
        ports=ports,
        key=PhaseKey(tenant_id=dream.tenant_id, dream_id=dream.id, epoch=dream.epoch, phase=phase.name),
        phase=phase,
        runner="",
        dream=dream,
        policy=facts.store.policy,
        record=PhaseRun(dream_id=dream.id, phase=phase.name, state=PhaseState.RUNNING),
        facts=facts,
        tokens_left=0,
        busy_seconds=0.0,
        left=TimeLeft(ends_at=time.monotonic() + seconds),
        clock=DatabaseClock.at(uow.now()),
        progress=NO_PROGRESS,
    )


def imagine_next(work: PhaseWork, phase: Phase) -> PhaseWork:
    """Return the work of another phase of the same dream."""
    key, record = replace(work.key, phase=phase.name), replace(work.record, phase=phase.name)
    return replace(work, phase=phase, key=key, record=record)
