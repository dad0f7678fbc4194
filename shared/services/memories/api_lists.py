"""Memories of a store and their versions, page by page, as the API lists them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.errors import NotFoundError
from shared.core.listings.records import MemoryRecord, VersionRecord
from shared.ports.api_lists import VersionFilter
from shared.ports.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Below:
    """What lies under a prefix (empty, or ending with `/`), at most `depth` levels deep."""

    prefix: str
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """Memories that lie deeper than a list goes, under one prefix that ends with `/`."""

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
    db: Database, tenant_id: str, store_id: str, below: Below, *, after: str, limit: int, with_content: bool
) -> list[MemoryRecord | Folder]:
    """Return the memories at most so deep below a prefix, what is deeper as folders. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        lines = uow.memories(store_id).find_survey()
        page = _page_of([(line.path, line.id) for line in lines], below, after=after, limit=limit)
        records = uow.memory_listing(store_id).find_by_ids([i for _, i in page if i], with_content=with_content)
    return [records[memory_id] if memory_id else Folder(path=path) for path, memory_id in page]


def _page_of(lines: Sequence[tuple[str, str]], below: Below, *, after: str, limit: int) -> list[tuple[str, str]]:
    """Return (path, id) of the entries behind a path; a folder has no id."""
    entries: dict[str, str] = {}
    for path, memory_id in lines:
        if not path.startswith(below.prefix):
            continue
        segments = path[len(below.prefix) :].split("/")
        if len(segments) > below.depth:
            entries[below.prefix + "/".join(segments[: below.depth]) + "/"] = ""
        else:
            entries[path] = memory_id
    return [(path, entries[path]) for path in sorted(entries) if path > after][:limit]


def get_memory_record(
    db: Database, tenant_id: str, store_id: str, memory_id: str, *, with_content: bool
) -> MemoryRecord:
    """Return a live memory. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        found = uow.memory_listing(store_id).find_by_ids([memory_id], with_content=with_content)
    if memory_id not in found:
        raise NotFoundError
    return found[memory_id]


def find_version_records(
    db: Database,
    tenant_id: str,
    store_id: str,
    wanted: VersionFilter,
    *,
    behind: tuple[datetime, str, int] | None,
    limit: int,
    with_content: bool,
) -> list[VersionRecord]:
    """Return versions of a store's memories, newest first. Raises NotFoundError for the store."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        return uow.memory_listing(store_id).find_versions(wanted, behind=behind, limit=limit, with_content=with_content)


def get_version_record(
    db: Database, tenant_id: str, store_id: str, memory_id: str, version: int, *, with_content: bool
) -> VersionRecord:
    """Return one version. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        return uow.memory_listing(store_id).get_version(memory_id, version, with_content=with_content)
