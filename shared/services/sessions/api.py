"""Sessions over the API, of whichever store: begun with what their host says about them, found, archived."""

from collections.abc import Mapping
from dataclasses import replace

from shared.core.errors import ArchivedError, BadInputError
from shared.core.listings.records import SessionCard, check_labels
from shared.core.sessions.model import SessionEvent
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.api_lists import Place, SessionFilter, TimeSpan
from shared.ports.database import Database, UnitOfWork
from shared.services.sessions.live import set_current

_SOURCE = "api"
_MAX_TITLE_CHARS = 1_000


def begin_session(
    db: Database,
    tenant_id: str,
    external_id: str,
    *,
    store_id: str | None,
    title: str,
    details: Mapping[str, object],
    actor: str = "",
) -> SessionCard:
    """Begin a session of a store (None: `default`); it goes on until it is archived.

    Raises:
        NotFoundError: there is no such store.
        ArchivedError: the store is archived.
    """
    with db.transaction(tenant_id) as uow:
        if store_id is None:
            store_id = uow.stores.ensure(DEFAULT_STORE).id
        if uow.store_cards.get(store_id).archived_at is not None:
            raise ArchivedError
        session, _ = uow.sessions(store_id).ensure(external_id, source=_SOURCE)
        uow.sessions(store_id).set_current([session.id], is_current=True)
        uow.record_audit(actor, "session.begin", session_id=session.id)
        return _save(uow, uow.session_cards.get(session.id), title, details)


def describe_session(
    db: Database,
    tenant_id: str,
    session_id: str,
    *,
    title: str | None,
    labels: Mapping[str, str | None],
    actor: str = "",
) -> SessionCard:
    """Change what is given; a label that is None is removed. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        card = uow.session_cards.get(session_id)
        kept = card.details.get("metadata")
        merged = {**(kept if isinstance(kept, dict) else {}), **labels}
        found = check_labels({key: value for key, value in merged.items() if value is not None})
        texts = [*([] if title is None else ["title"]), *(["metadata"] if labels else [])]
        uow.record_audit(actor, "session.describe", session_id=session_id, texts=texts)
        return _save(uow, card, card.session.title if title is None else title, {**card.details, "metadata": found})


def archive_session(db: Database, tenant_id: str, session_id: str, *, actor: str = "") -> SessionCard:
    """End a session: the dreams of its store gather from it now. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        card = uow.session_cards.get(session_id)
        if card.archived_at is not None:
            return card
        held, _ = uow.sessions(card.store_id).ensure(card.session.external_id, source=card.session.source)
        set_current(uow, card.store_id, held, is_current=False)
        uow.session_cards.save(replace(card, archived_at=uow.now()))
        uow.record_audit(actor, "session.archive", session_id=session_id)
        return uow.session_cards.get(session_id)


def get_session_card(db: Database, tenant_id: str, session_id: str) -> SessionCard:
    """Return a session. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.session_cards.get(session_id)


def find_session_cards(
    db: Database,
    tenant_id: str,
    wanted: SessionFilter,
    *,
    behind: Place | None,
    is_ascending: bool,
    limit: int,
) -> list[SessionCard]:
    """Return sessions by the time at which they were made."""
    with db.transaction(tenant_id) as uow:
        return uow.session_cards.find_page(
            wanted,
            behind=behind,
            is_ascending=is_ascending,
            limit=limit,
        )


def find_session_events(
    db: Database,
    tenant_id: str,
    session_id: str,
    span: TimeSpan,
    *,
    behind: int | None,
    is_ascending: bool,
    limit: int,
) -> list[SessionEvent]:
    """Return a session's events of a time span in their order. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.session_cards.get(session_id)
        return uow.session_cards.find_events(session_id, span, behind=behind, is_ascending=is_ascending, limit=limit)


def _save(uow: UnitOfWork, card: SessionCard, title: str, details: Mapping[str, object]) -> SessionCard:
    if len(title) > _MAX_TITLE_CHARS or "\x00" in title:
        raise BadInputError(f"title has at most {_MAX_TITLE_CHARS:,} characters, none of them NUL")
    uow.session_cards.save(replace(card, session=replace(card.session, title=title), details=dict(details)))
    return uow.session_cards.get(card.session.id)
