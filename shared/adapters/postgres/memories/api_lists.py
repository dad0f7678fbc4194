"""Memories and their versions as records in PostgreSQL. Sizes and hashes are counted there, so that texts stay there."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, func, literal, null, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Text

from shared.adapters.postgres.sql.paging import paged, within
from shared.adapters.postgres.sql.statements import fetch_tuples
from shared.adapters.postgres.tables.mapping import MEMORIES, VERSIONS, Row
from shared.core.errors import NotFoundError
from shared.core.listings.records import MemoryRecord, VersionRecord
from shared.core.memory.model import MemoryState
from shared.ports.api_lists import VersionFilter

_SIZE = func.octet_length
_NO_TEXT = null().cast(Text).label("content")
_VERSION_COLUMNS = [
    VERSIONS.c[name] for name in ("memory_id", "version", "path", "change", "dream_id", "actor", "created_at", "state",
                                  "redacted_at", "redacted_by")
]  # fmt: skip


class PostgresMemoryListing:
    """Implements `MemoryListing`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._store_id = store_id
        self._live = (
            (MEMORIES.c.tenant_id == tenant_id)
            & (MEMORIES.c.store_id == store_id)
            & (MEMORIES.c.state == MemoryState.LIVE)
        )
        self._versions = (VERSIONS.c.tenant_id == tenant_id) & (VERSIONS.c.store_id == store_id)

    def find_page(self, *, prefix: str, after_path: str, limit: int, with_content: bool) -> list[MemoryRecord]:
        """Return live memories whose path begins with `prefix`, by path."""
        query = _memories(with_content=with_content).where(self._live, MEMORIES.c.path > after_path)
        if prefix:
            query = query.where(func.starts_with(MEMORIES.c.path, prefix))
        return [_memory_from(row) for row in self._connection.execute(query.order_by(MEMORIES.c.path).limit(limit)).mappings()]  # fmt: skip

    def find_tree_page(self, *, prefix: str, depth: int, after_path: str, limit: int) -> list[tuple[str, str | None]]:
        """Return (path, id) of live memories at most `depth` levels below a prefix, and (path, None) of deeper folders.

        A folder's path is the beginning of its memories' paths, so that what is behind `after_path` is found by them.
        """
        levels = func.string_to_array(func.substr(MEMORIES.c.path, len(prefix) + 1), "/", type_=ARRAY(Text))
        is_deeper = func.cardinality(levels) > depth
        folder = func.concat(prefix, func.array_to_string(levels[1:depth], "/"), "/")
        entries = (
            select(
                case((is_deeper, folder), else_=MEMORIES.c.path).label("path"),
                case((is_deeper, None), else_=MEMORIES.c.id).label("id"),
            )
            .where(self._live, MEMORIES.c.path > after_path, func.starts_with(MEMORIES.c.path, prefix))
            .distinct()
            .subquery()
        )
        query = select(entries.c.path, entries.c.id).where(entries.c.path > after_path)
        rows = fetch_tuples(self._connection, query.order_by(entries.c.path).limit(limit))
        return [(row[0], row[1]) for row in rows]

    def find_by_ids(self, ids: Collection[str], *, with_content: bool) -> dict[str, MemoryRecord]:
        """Return live memories by id."""
        query = _memories(with_content=with_content).where(self._live, MEMORIES.c.id.in_(list(ids)))
        return {row["id"]: _memory_from(row) for row in self._connection.execute(query).mappings()}

    def get_version(self, memory_id: str, version: int, *, with_content: bool) -> VersionRecord:
        """Return one version."""
        query = _history(with_content=with_content).where(
            self._versions, VERSIONS.c.memory_id == memory_id, VERSIONS.c.version == version
        )
        row = self._connection.execute(query).mappings().first()
        if row is None:
            msg = f"The store has no version {version} of a memory {memory_id!r}"
            raise NotFoundError(msg)
        return _version_from(row)

    def find_versions(
        self, wanted: VersionFilter, *, behind: tuple[datetime, str, int] | None, limit: int, with_content: bool
    ) -> list[VersionRecord]:
        """Return versions, newest first."""
        query = _history(with_content=with_content).where(self._versions, *within(VERSIONS.c.created_at, wanted.span))
        if wanted.memory_id is not None:
            query = query.where(VERSIONS.c.memory_id == wanted.memory_id)
        if wanted.actor is not None:
            query = query.where(VERSIONS.c.actor == wanted.actor)
        if wanted.dream_id is not None:
            query = query.where(VERSIONS.c.dream_id == wanted.dream_id)
        if wanted.operation is not None:
            query = query.where(_did(wanted.operation))
        order = (VERSIONS.c.created_at, VERSIONS.c.memory_id, VERSIONS.c.version)
        rows = self._connection.execute(paged(query, order, behind, limit)).mappings()
        return [_version_from(row) for row in rows]

    def redact(self, memory_id: str, version: int, *, by: str) -> int:
        """Remove a version's text for good, with its audit row."""
        query = text("SELECT slowwave_redact_version(:store, :memory, :version, :by)")
        values = {"store": self._store_id, "memory": memory_id, "version": version, "by": by}
        return int(self._connection.execute(query, values).scalar_one())


def _did(operation: str) -> ColumnElement[bool]:
    is_live: ColumnElement[bool] = VERSIONS.c.state == MemoryState.LIVE
    kinds: dict[str, ColumnElement[bool]] = {
        "created": is_live & (VERSIONS.c.version == 1),
        "modified": is_live & (VERSIONS.c.version > 1),
        "deleted": ~is_live,
    }
    return kinds.get(operation, literal(value=False))


def _memories(*, with_content: bool) -> Select[Any]:
    columns = [MEMORIES.c[name] for name in ("id", "path", "version", "content_hash", "created_at", "updated_at")]
    return select(*columns, _SIZE(MEMORIES.c.content).label("size"), MEMORIES.c.content if with_content else _NO_TEXT)


def _history(*, with_content: bool) -> Select[Any]:
    digest = func.encode(func.sha256(func.convert_to(VERSIONS.c.content, "UTF8")), "hex").label("digest")
    shown = VERSIONS.c.content if with_content else _NO_TEXT
    return select(*_VERSION_COLUMNS, digest, _SIZE(VERSIONS.c.content).label("size"), shown)


def _memory_from(row: Row) -> MemoryRecord:
    plain: dict[str, Any] = {
        name: row[name] for name in ("id", "path", "version", "content", "created_at", "updated_at")
    }
    return MemoryRecord(**plain, content_sha256=row["content_hash"], size_bytes=row["size"])


def _version_from(row: Row) -> VersionRecord:
    plain: dict[str, Any] = {column.name: row[column.name] for column in _VERSION_COLUMNS if column.name != "state"}
    return VersionRecord(
        **plain,
        content=row["content"],
        content_sha256=row["digest"],
        size_bytes=row["size"],
        state=MemoryState(row["state"]),
    )
