"""Read, create, describe and archive stores; for operators also read tenants. A described store gets a generated name."""

from collections.abc import Mapping
from dataclasses import replace

from shared.core.dream.model import ACTIVE_STATES
from shared.core.errors import ArchivedError, ConflictError
from shared.core.forgetting.json_values import change_strings
from shared.core.listings.records import StoreRecord, check_record
from shared.core.memory.paths import ascii_slug_of
from shared.core.tenants.audit import name_changed_fields
from shared.core.tenants.store import Store, Tenant
from shared.ports.api_lists import Place, TimeSpan
from shared.ports.database import Database, UnitOfWork
from shared.ports.runtime import Ids
from shared.services.left_out import leave_out_of_json
from shared.services.masking import name_mask_of

_MAX_SLUG_CHARS = 60
_MARK_CHARS = 10


def add_described_store(
    uow: UnitOfWork, ids: Ids, *, title: str, description: str = "", labels: Mapping[str, str] | None = None
) -> StoreRecord:
    """Create a store within a transaction. Raises BadInputError."""
    mark = ids.new("s").rpartition("_")[2][-_MARK_CHARS:].lower()
    store = uow.stores.ensure(f"{ascii_slug_of(title, _MAX_SLUG_CHARS)}-{mark}")
    made = uow.store_listing.get(store.id)
    record = check_record(replace(made, title=title, description=description, labels=dict(labels or {})))
    uow.store_listing.save(record)
    return record


def create_described_store(
    db: Database, ids: Ids, tenant_id: str, *, title: str, description: str, labels: Mapping[str, str], actor: str
) -> StoreRecord:
    """Create a store; titles need not be unique. Raises BadInputError."""
    with db.transaction(tenant_id) as uow:
        record = add_described_store(uow, ids, title=title, description=description, labels=labels)
        uow.record_audit(actor, "store.create", store=record.name)
        return record


def get_store_record(db: Database, tenant_id: str, store_id: str) -> StoreRecord:
    """Return a store by its id. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.store_listing.get(store_id)


def find_store_records(
    db: Database, tenant_id: str, span: TimeSpan, *, with_archived: bool, start_after: Place | None, limit: int
) -> list[StoreRecord]:
    """Return stores, newest first."""
    with db.transaction(tenant_id) as uow:
        return uow.store_listing.find_page(span, with_archived=with_archived, start_after=start_after, limit=limit)


def describe_store(
    db: Database,
    tenant_id: str,
    store_id: str,
    *,
    title: str | None,
    description: str | None,
    labels: Mapping[str, str | None],
    actor: str,
) -> StoreRecord:
    """Change the given fields; a label that is None is removed.

    Raises:
        NotFoundError: there is no such store.
        ArchivedError: the store is archived.
    """
    with db.transaction(tenant_id) as uow:
        record = uow.store_listing.get(store_id, lock=True)
        if record.archived_at is not None:
            raise ArchivedError
        merged = {key: value for key, value in {**record.labels, **labels}.items() if value is not None}
        texts = {
            "title": record.title or record.name if title is None else title,
            "description": record.description if description is None else description,
            "labels": merged,
        }
        mask = name_mask_of(uow, uow.policy_of(record.id))
        changed = replace(record, **leave_out_of_json(uow, record.id, change_strings(texts, mask)))
        if changed == record:
            return record
        changed = check_record(replace(changed, described_at=uow.now()))
        uow.store_listing.save(changed)
        names = name_changed_fields(record, changed, ("title", "description", "labels"))
        uow.record_audit(actor, "store.describe", store=record.name, texts=names)
        return changed


def archive_store(db: Database, tenant_id: str, store_id: str, *, actor: str) -> StoreRecord:
    """Make a store read-only, for dreams, too; archiving it again changes nothing.

    Raises:
        NotFoundError: there is no such store.
        ConflictError: a dream of the store is running.
    """
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # claims take turns by this row, so that no dream can begin meanwhile
        record = uow.store_listing.get(store_id, lock=True)
        if record.archived_at is not None:
            return record
        check_no_dream(uow, store_id)
        archived = replace(record, archived_at=uow.now(), described_at=uow.now())
        uow.store_listing.save(archived)
        uow.record_audit(actor, "store.archive", store=record.name)
        return archived


def check_no_dream(uow: UnitOfWork, store_id: str) -> None:
    """Raise ConflictError while a dream of the store is queued or running."""
    active = uow.dreams.find_recent(store_id=store_id, states=ACTIVE_STATES, limit=1)
    if active:
        raise ConflictError(f"A dream is active in this store ({active[0].id}); cancel it, or wait for its end")


def find_stores(db: Database, tenant_id: str) -> list[Store]:
    """Return a tenant's stores, ordered by name."""
    with db.transaction(tenant_id) as uow:
        return uow.stores.find_all()


def get_store(db: Database, tenant_id: str, store_name: str) -> Store:
    """Return a store. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.stores.get(store_name)


def get_tenant(db: Database, tenant_id: str) -> Tenant:
    """Return a tenant. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.stores.get_tenant()
