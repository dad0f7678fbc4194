"""Memories and their versions as the API lists them. PostgreSQL counts sizes and hashes, so that no text is read for them."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Text, bindparam, case, func, literal, null, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped
from sqlmodel import col

from shared.adapters.postgres.memories.rows import IS_LIVE, OF_STORE
from shared.adapters.postgres.sql.paging import paged, within
from shared.adapters.postgres.sql.statements import Row, fetch, fetch_one, fetch_tuples
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow
from shared.core.errors import NotFoundError
from shared.core.listings.records import MemoryRecord, VersionRecord
from shared.core.memory.model import MemoryState
from shared.ports.api_lists import VersionFilter

_SIZE = func.octet_length
_NO_TEXT = null().cast(Text).label("content")
_VERSION_PLAIN = (
    "memory_id", "version", "path", "change", "dream_id", "actor", "created_at", "redacted_at", "redacted_by",
)  # fmt: skip
_LIVE = OF_STORE & IS_LIVE
_VERSIONS = (col(MemoryVersionRow.tenant_id) == bindparam("tenant", type_=Text)) & (
    col(MemoryVersionRow.store_id) == bindparam("store", type_=Text)
)
_REDACT = select(func.slowwave_redact_version(*(bindparam(name) for name in ("store", "memory", "version", "by"))))


class PostgresMemoryListing:
    """Implements `MemoryListing`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_page(self, *, prefix: str, after_path: str, limit: int, with_content: bool) -> list[MemoryRecord]:
        """Return live memories whose path begins with `prefix`, by path."""
        query = _memories(with_content=with_content).where(_LIVE, col(MemoryRow.path) > after_path)
        if prefix:
            query = query.where(func.starts_with(col(MemoryRow.path), prefix))
        return [
            _memory_from(row)
            for row in fetch(self._connection, query.order_by(col(MemoryRow.path)).limit(limit), self._keys)
        ]

    def find_tree_page(self, *, prefix: str, depth: int, after_path: str, limit: int) -> list[tuple[str, str | None]]:
        """Return (path, id) of live memories at most `depth` levels below a prefix, and (path, None) of deeper folders.

        A folder's path is the beginning of its memories' paths, so that the rows after `after_path` are found by them.
        """
        path = col(MemoryRow.path)
        levels = func.string_to_array(func.substr(path, len(prefix) + 1), "/", type_=ARRAY(Text))
        is_deeper = func.cardinality(levels) > depth
        folder = func.concat(prefix, func.array_to_string(levels[1:depth], "/"), "/")
        entries = (
            select(
                case((is_deeper, folder), else_=path).label("path"),
                case((is_deeper, None), else_=col(MemoryRow.id)).label("id"),
            )
            .where(_LIVE, path > after_path, func.starts_with(path, prefix))
            .distinct()
            .subquery()
        )
        query = select(entries.c.path, entries.c.id).where(entries.c.path > after_path)
        rows = fetch_tuples(self._connection, query.order_by(entries.c.path).limit(limit), self._keys)
        return [(row[0], row[1]) for row in rows]

    def find_by_ids(self, ids: Collection[str], *, with_content: bool) -> dict[str, MemoryRecord]:
        """Return live memories by id."""
        query = _memories(with_content=with_content).where(_LIVE, col(MemoryRow.id).in_(list(ids)))
        return {row["id"]: _memory_from(row) for row in fetch(self._connection, query, self._keys)}

    def get_version(self, memory_id: str, version: int, *, with_content: bool) -> VersionRecord:
        """Return one version."""
        query = _history(with_content=with_content).where(
            _VERSIONS, col(MemoryVersionRow.memory_id) == memory_id, col(MemoryVersionRow.version) == version
        )
        row = fetch_one(self._connection, query, self._keys)
        if row is None:
            msg = f"The store has no version {version} of a memory {memory_id!r}"
            raise NotFoundError(msg)
        return _version_from(row)

    def find_versions(
        self, wanted: VersionFilter, *, start_after: tuple[datetime, str, int] | None, limit: int, with_content: bool
    ) -> list[VersionRecord]:
        """Return versions, newest first."""
        query = _history(with_content=with_content).where(
            _VERSIONS, *within(col(MemoryVersionRow.created_at), wanted.span)
        )
        if wanted.memory_id is not None:
            query = query.where(col(MemoryVersionRow.memory_id) == wanted.memory_id)
        if wanted.actor is not None:
            query = query.where(col(MemoryVersionRow.actor) == wanted.actor)
        if wanted.dream_id is not None:
            query = query.where(col(MemoryVersionRow.dream_id) == wanted.dream_id)
        if wanted.operation is not None:
            query = query.where(_did(wanted.operation))
        order = (col(MemoryVersionRow.created_at), col(MemoryVersionRow.memory_id), col(MemoryVersionRow.version))
        rows = fetch(self._connection, paged(query, order, start_after, limit), self._keys)
        return [_version_from(row) for row in rows]

    def redact(self, memory_id: str, version: int, *, by: str) -> int:
        """Remove a version's text for good, with its audit row."""
        values = self._keys | {"memory": memory_id, "version": version, "by": by}
        return int(fetch_tuples(self._connection, _REDACT, values)[0][0])


def _did(operation: str) -> ColumnElement[bool]:
    is_live: ColumnElement[bool] = col(MemoryVersionRow.state) == MemoryState.LIVE
    kinds: dict[str, ColumnElement[bool]] = {
        "created": is_live & (col(MemoryVersionRow.version) == 1),
        "modified": is_live & (col(MemoryVersionRow.version) > 1),
        "deleted": ~is_live,
    }
    return kinds.get(operation, literal(value=False))


def _memories(*, with_content: bool) -> Select[*tuple[Any, ...]]:
    columns = [
        getattr(MemoryRow, name) for name in ("id", "path", "version", "content_hash", "created_at", "updated_at")
    ]
    return select(
        *columns, _SIZE(col(MemoryRow.content)).label("size"), col(MemoryRow.content) if with_content else _NO_TEXT
    )


def _history(*, with_content: bool) -> Select[*tuple[Any, ...]]:
    digest = func.encode(func.sha256(func.convert_to(col(MemoryVersionRow.content), "UTF8")), "hex").label("digest")
    shown = col(MemoryVersionRow.content) if with_content else _NO_TEXT
    plain: list[Mapped[Any]] = [getattr(MemoryVersionRow, name) for name in (*_VERSION_PLAIN, "state")]
    return select(*plain, digest, _SIZE(col(MemoryVersionRow.content)).label("size"), shown)


def _memory_from(row: Row) -> MemoryRecord:
    plain: dict[str, Any] = {
        name: row[name] for name in ("id", "path", "version", "content", "created_at", "updated_at")
    }
    return MemoryRecord(**plain, content_sha256=row["content_hash"], size_bytes=row["size"])


def _version_from(row: Row) -> VersionRecord:
    plain: dict[str, Any] = {name: row[name] for name in _VERSION_PLAIN}
    return VersionRecord(
        **plain,
        content=row["content"],
        content_sha256=row["digest"],
        size_bytes=row["size"],
        state=MemoryState(row["state"]),
    )
