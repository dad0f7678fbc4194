"""Pages of a store's memories and versions, as the API lists them."""

from dataclasses import dataclass
from datetime import datetime

from shared.core.listings.records import MemoryRecord, VersionRecord
from shared.ports.api_lists import VersionFilter
from shared.ports.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeDepth:
    """A prefix (empty, or ending with `/`), and how many levels below it are listed one by one."""

    prefix: str
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder below the listed depth; its path ends with `/`."""

    path: str


def find_memory_records(
    db: Database, tenant_id: str, store_id: str, *, prefix: str, after_path: str, limit: int, with_content: bool
) -> list[MemoryRecord]:
    """Return live memories by path. Raises NotFoundError for the store."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        return uow.memory_listing(store_id).find_page(
            prefix=prefix, after_path=after_path, limit=limit, with_content=with_content
        )


def find_memory_tree(
    db: Database, tenant_id: str, store_id: str, below: TreeDepth, *, after: str, limit: int, with_content: bool
) -> list[MemoryRecord | Folder]:
    """Return the memories down to a depth below a prefix, and the deeper folders, by path. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        listing = uow.memory_listing(store_id)
        page = listing.find_tree_page(prefix=below.prefix, depth=below.depth, after_path=after, limit=limit)
        ids = [memory_id for _, memory_id in page if memory_id is not None]
        records = listing.find_by_ids(ids, with_content=with_content)
    return [Folder(path=path) if memory_id is None else records[memory_id] for path, memory_id in page]


def find_version_records(
    db: Database,
    tenant_id: str,
    store_id: str,
    wanted: VersionFilter,
    *,
    start_after: tuple[datetime, str, int] | None,
    limit: int,
    with_content: bool,
) -> list[VersionRecord]:
    """Return versions of a store's memories, newest first. Raises NotFoundError for the store."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        return uow.memory_listing(store_id).find_versions(
            wanted, start_after=start_after, limit=limit, with_content=with_content
        )


def get_version_record(
    db: Database, tenant_id: str, store_id: str, memory_id: str, version: int, *, with_content: bool
) -> VersionRecord:
    """Return one version. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        return uow.memory_listing(store_id).get_version(memory_id, version, with_content=with_content)
