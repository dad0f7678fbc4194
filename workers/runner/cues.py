"""Find the cues in new events before a phase reads sessions. This takes processor time, outside of any transaction."""

from shared.ports.database import UnitOfWork
from shared.services.sessions.find_cues import SearchScope, find_new_cues, has_unsearched
from workers.phase.heartbeat import Heartbeat
from workers.phase.shape import Phase
from workers.phase.work import PhaseWork
from workers.process.running import RUNNING


def wants_cues(work: PhaseWork, phase: Phase, uow: UnitOfWork) -> bool:
    """Tell whether events must be searched before a phase reads, which needs its own task; costs two queries."""
    return _searches(work, phase) and has_unsearched(uow, _find_scope(work, uow))


def prepare_cues(work: PhaseWork, heartbeat: Heartbeat) -> None:
    """Find and store the cues of the events that this dream may read, within bounds; the rest waits for the next dream.

    It stops early when the worker drains, the dream was canceled, or another worker has it.
    """
    if not _searches(work, work.phase):
        return
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        scope = _find_scope(work, uow)
    ends = (RUNNING.draining, heartbeat.cancel_requested, heartbeat.is_lost)
    find_new_cues(work.ports.db, scope, goes_on=lambda: not any(end.is_set() for end in ends))


def _searches(work: PhaseWork, phase: Phase) -> bool:
    return phase.searches_sessions and phase.entry.runs_whole_by(work.policy)


def _find_scope(work: PhaseWork, uow: UnitOfWork) -> SearchScope:
    order = uow.orders.find(work.dream.id)
    ids = order.session_ids if order else None
    return SearchScope(tenant_id=work.key.tenant_id, store_id=work.store.id, session_ids=ids)
