"""Delete a session for good: its events, and what dreams have kept of it. Memories that were gathered from it stay."""

from shared.core.dream.model import ACTIVE_STATES
from shared.core.errors import ConflictError
from shared.core.listings.records import SessionRecord
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.services.evaluation.shadows import check_no_shadow
from shared.working import Work, doing

#: More than a tenant can have at work and waiting.
_MAX_ACTIVE = 1_000


def delete_session(
    db: Database, tenant_id: str, session_id: str, *, store_name: str | None = None, actor: str = ""
) -> int:
    """Delete a session and return the number of its events.

    With `store_name` it is a session of that store, by its own or its source's id.

    Raises:
        NotFoundError: there is no such session.
        ConflictError: a dream may be reading it.
    """
    with doing(Work.PURGE), db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # serialises with claims, so that no dream begins to read meanwhile
        if store_name is not None:
            session_id = uow.sessions(uow.stores.get(store_name).id).get(session_id).id
        events = delete_within(uow, session_id, actor=actor)
    count("slowwave_sessions_deleted_total")
    return events


def delete_within(uow: UnitOfWork, session_id: str, *, actor: str) -> int:
    """Delete a session in a transaction that holds its tenant; return the number of its events. Raises as `delete_session` does."""
    record = uow.session_listing.get(session_id)
    _check_not_read(uow, record)
    check_no_shadow(uow, record.store_id)
    session = record.session
    held, _ = uow.sessions(record.store_id).ensure(session.external_id, source=session.source)
    if held.waiting > 0 and not held.is_current:  # it counted as activity when it began to wait
        uow.activity.consume(record.store_id, curations=0, sessions=1)
    events = uow.purges.delete_session(session_id)
    uow.record_audit(actor, "session.delete", session_id=session_id, store=record.store, events=events)
    return events


def _check_not_read(uow: UnitOfWork, record: SessionRecord) -> None:
    for dream in uow.dreams.find_recent(states=ACTIVE_STATES, limit=_MAX_ACTIVE):
        order = uow.orders.find(dream.id)
        if dream.store_id == record.store_id or (order and record.session.id in order.session_ids):
            raise ConflictError(f"A dream may be reading this session ({dream.id}); cancel it, or wait for its end")
