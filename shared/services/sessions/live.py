"""Live sessions: opened, appended to and closed while they happen."""

from collections.abc import Sequence
from dataclasses import replace

from shared.core.errors import BadInputError
from shared.core.policy.choice import choice_of, label_names
from shared.core.sessions.model import Session, SessionEvent, Window
from shared.core.sessions.transcript import FoundEvent, keep_labels
from shared.core.tenants.labels import check_labels
from shared.core.tenants.store import Store
from shared.core.trust.hidden import Shown
from shared.ports.database import Database, UnitOfWork
from shared.ports.sessions import Margins, SessionFilter, SessionPlace
from shared.services.left_out import is_forgotten_session
from shared.services.sessions.ingest import ImportCounts, ImportTarget, import_session_items


def open_live_session(db: Database, target: ImportTarget, external_id: str) -> Session:
    """Return the session with this host id, created if it is new.

    Raises:
        BadInputError: the store takes no such session.
        NotFoundError: there is no such store.
    """
    with db.transaction(target.tenant_id) as uow:
        store = uow.stores.get(target.store)
        check_taken(store, external_id, target.project, *label_names(target.source, target.labels))
        store_id = store.id
        if is_forgotten_session(uow, store_id, external_id):
            raise BadInputError("This session was forgotten in this store, or its id says what was; name another one")
        session, is_new = uow.sessions(store_id).ensure(external_id, source=target.source)
        if target.labels:
            labels = check_labels(
                {
                    **session.labels,
                    **keep_labels(target.labels, target.for_store(uow, store).keep_name),
                }
            )
            told = Margins(session_id=session.id, title="", labels=labels, skipped=0, malformed=0)
            uow.ingest(store_id).record_margins([told])
        if is_new:
            set_current(uow, store_id, session, is_current=target.is_current)
            uow.record_audit(target.actor, "session.begin", session_id=session.id)
        return uow.sessions(store_id).get(session.id)


def append_events(
    db: Database, target: ImportTarget, session_id: str, events: Sequence[FoundEvent]
) -> tuple[Session, ImportCounts]:
    """Append events to an open session and set whether it goes on. Each event counts once.

    Raises:
        BadInputError: the store takes no such session any more.
        NotFoundError: the store has no such session.
    """
    session = get_session(db, target.tenant_id, target.store, session_id)
    with db.transaction(target.tenant_id) as uow:
        labels = label_names(session.source, session.labels)
        check_taken(uow.stores.get(target.store), session.external_id, session.title, session.project, *labels)
    named = (replace(event, session=session.external_id) for event in events)
    counts = import_session_items(db, replace(target, source=session.source, is_taken=True), named)
    with db.transaction(target.tenant_id) as uow:
        store_id = uow.stores.get(target.store).id
        held, _ = uow.sessions(store_id).ensure(session.external_id, source=session.source)
        if session.is_current != target.is_current:
            action = "session.reopen" if target.is_current else "session.close"
            uow.record_audit(target.actor, action, session_id=session.id)
        set_current(uow, store_id, held, is_current=target.is_current)
        return uow.sessions(store_id).get(session.id), counts


def check_taken(store: Store, *names: str) -> None:
    """Raise BadInputError if a store leaves out a session with these names, of which the first is its id."""
    if not choice_of(store.policy.sessions).takes(names):
        raise BadInputError(
            f"The store {store.name} takes no session {names[0]!r}: sessions.include or sessions.exclude leaves it out"
        )


def get_session(db: Database, tenant_id: str, store_name: str, session_id: str) -> Session:
    """Return a session by its own or the host's id. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.sessions(uow.stores.get(store_name).id).get(session_id)


def find_sessions(
    db: Database,
    tenant_id: str,
    store_name: str,
    limit: int,
    start_after: SessionPlace | None = None,
    only: SessionFilter | None = None,
) -> list[Session]:
    """Return a store's sessions, those with the newest events first. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.sessions(uow.stores.get(store_name).id).find_recent(limit, start_after, only)


def find_session_sources(db: Database, tenant_id: str, store_name: str, limit: int) -> list[str]:
    """Return the formats and hosts that a store's sessions came from, by name. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.sessions(uow.stores.get(store_name).id).find_sources(limit)


def find_events(
    db: Database, tenant_id: str, store_name: str, session_id: str, *, after: int, limit: int, max_chars: int
) -> Shown[SessionEvent]:
    """Return events of a session after a position, each with its first `max_chars` characters.

    Raises:
        NotFoundError: the store has no such session.
    """
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        session = uow.sessions(store_id).get(session_id)
        found = Shown[SessionEvent]((), uow.sessions(store_id).note_hidden(session.id))
        while after < session.last_position and len(found) < limit:  # of what is hidden, positions are left out
            window = Window(session_id=session.id, after=after, upto=min(after + limit, session.last_position))
            found += uow.gathering(store_id).find_windows([window], max_chars=max_chars)[0][: limit - len(found)]
            after = window.upto
        return found


def set_current(uow: UnitOfWork, store_id: str, session: Session, *, is_current: bool) -> None:
    """Set whether a session goes on; a session that ends with something to gather counts as activity."""
    if session.is_current == is_current:
        return
    uow.sessions(store_id).set_current([session.id], is_current=is_current)
    if not is_current and session.waiting > 0:
        uow.activity.record(store_id, sessions=1)
