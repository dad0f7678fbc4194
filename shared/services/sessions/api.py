"""Sessions of all stores as the API shows them: begin, describe, find, archive."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from shared.core.errors import ArchivedError, BadInputError
from shared.core.forgetting.json_values import change_strings
from shared.core.listings.records import SessionRecord
from shared.core.policy.choice import label_names
from shared.core.sessions.model import SessionEvent
from shared.core.tenants.labels import check_labels
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.api_lists import Place, SessionFilter, TimeSpan
from shared.ports.database import Database, UnitOfWork
from shared.services.left_out import is_forgotten_session, leave_out, leave_out_of_json
from shared.services.masking import name_mask_of
from shared.services.sessions.live import check_taken, set_current

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
) -> SessionRecord:
    """Begin a session of a store (None: `default`); it stays open until it is archived.

    Raises:
        BadInputError: the store takes no such session.
        NotFoundError: there is no such store.
        ArchivedError: the store is archived.
    """
    with db.transaction(tenant_id) as uow:
        if store_id is None:
            store_id = uow.stores.ensure(DEFAULT_STORE).id
        if uow.store_listing.get(store_id).archived_at is not None:
            raise ArchivedError
        labels = details.get("metadata")
        named = label_names(_SOURCE, labels if isinstance(labels, dict) else {})
        check_taken(uow.stores.get(uow.store_listing.get(store_id).name), external_id, title, *named)
        if is_forgotten_session(uow, store_id, external_id):
            raise BadInputError("This session was forgotten in this store, or its id says what was; name another one")
        session, _ = uow.sessions(store_id).ensure(external_id, source=_SOURCE)
        uow.sessions(store_id).set_current([session.id], is_current=True)
        uow.record_audit(actor, "session.begin", session_id=session.id)
        return _save(uow, uow.session_listing.get(session.id), title, details)


def describe_session(
    db: Database,
    tenant_id: str,
    session_id: str,
    *,
    title: str | None,
    labels: Mapping[str, str | None],
    actor: str = "",
) -> SessionRecord:
    """Change the given fields; a label that is None is removed. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        record = uow.session_listing.get(session_id)
        kept = record.details.get("metadata")
        merged = {**(kept if isinstance(kept, dict) else {}), **labels}
        found = check_labels({key: value for key, value in merged.items() if value is not None})
        texts = [*([] if title is None else ["title"]), *(["metadata"] if labels else [])]
        uow.record_audit(actor, "session.describe", session_id=session_id, texts=texts)
        return _save(
            uow, record, record.session.title if title is None else title, {**record.details, "metadata": found}
        )


def change_session_resources(
    db: Database,
    tenant_id: str,
    session_id: str,
    change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],
    *,
    actor: str = "",
) -> SessionRecord:
    """Replace what a session's host has attached to it. Raises NotFoundError, and BadInputError for an archived one."""
    with db.transaction(tenant_id) as uow:
        seen = uow.session_listing.get(session_id)
        uow.sessions(seen.store_id).ensure(seen.session.external_id, source=seen.session.source)  # holds its row
        record = uow.session_listing.get(session_id)
        if record.archived_at is not None:
            raise BadInputError("This session is archived; its resources cannot be changed")
        kept = record.details.get("resources")
        details = {**record.details, "resources": change(list(kept) if isinstance(kept, list) else [])}
        uow.record_audit(actor, "session.describe", session_id=session_id, texts=["resources"])
        return _save(uow, record, record.session.title, details)


def archive_session(db: Database, tenant_id: str, session_id: str, *, actor: str = "") -> SessionRecord:
    """End a session, so that the next dream gathers from it. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        record = uow.session_listing.get(session_id)
        if record.archived_at is not None:
            return record
        held, _ = uow.sessions(record.store_id).ensure(record.session.external_id, source=record.session.source)
        set_current(uow, record.store_id, held, is_current=False)
        uow.session_listing.save(replace(record, archived_at=uow.now()))
        uow.record_audit(actor, "session.archive", session_id=session_id)
        return uow.session_listing.get(session_id)


def get_session_record(db: Database, tenant_id: str, session_id: str) -> SessionRecord:
    """Return a session. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.session_listing.get(session_id)


def find_session_records(
    db: Database,
    tenant_id: str,
    wanted: SessionFilter,
    *,
    start_after: Place | None,
    is_ascending: bool,
    limit: int,
) -> list[SessionRecord]:
    """Return sessions by creation time."""
    with db.transaction(tenant_id) as uow:
        return uow.session_listing.find_page(
            wanted,
            start_after=start_after,
            is_ascending=is_ascending,
            limit=limit,
        )


def find_session_events(
    db: Database,
    tenant_id: str,
    session_id: str,
    span: TimeSpan,
    *,
    start_after: int | None,
    is_ascending: bool,
    limit: int,
) -> list[SessionEvent]:
    """Return a session's events of a time span, in order. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.session_listing.get(session_id)
        return uow.session_listing.find_events(
            session_id, span, start_after=start_after, is_ascending=is_ascending, limit=limit
        )


def _save(uow: UnitOfWork, record: SessionRecord, title: str, details: Mapping[str, object]) -> SessionRecord:
    if len(title) > _MAX_TITLE_CHARS or "\x00" in title:
        raise BadInputError(f"title has at most {_MAX_TITLE_CHARS:,} characters, none of them NUL")
    mask = name_mask_of(uow, uow.policy_of(record.store_id))
    session = replace(record.session, title=leave_out(uow, record.store_id, mask(title)))
    kept = leave_out_of_json(uow, record.store_id, change_strings(dict(details), mask))
    uow.session_listing.save(replace(record, session=session, details=kept))
    return uow.session_listing.get(record.session.id)
