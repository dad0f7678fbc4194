"""Writes of whole memories: head and version of each, in two fixed statements that travel together.

A write is not one of SQLAlchemy's: building the statements and their parameters took it longer than PostgreSQL needs.
"""

from collections.abc import Sequence
from typing import Any, LiteralString

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from shared.adapters.postgres.memory_rows import memory_values, signals_json
from shared.adapters.postgres.plain import raw_of
from shared.core.memory import Author
from shared.ports.memory_store import MemoryWrite

_HEAD = (
    "id", "tenant_id", "store_id", "path", "content", "content_hash", "title", "summary", "doc_type", "category",
    "fold_hash", "size_chars", "state", "version", "author", "importance", "maturity", "tier", "access_count",
    "reinforcement_count", "pinned", "last_seen_at", "created_at", "updated_at", "touched_at", "superseded_by", "stub",
    "is_dirty", "imported_hash",
)  # fmt: skip
_VERSION = (
    "memory_id", "version", "tenant_id", "store_id", "path", "content", "state", "author", "signals", "change",
    "dream_id", "operation_id", "actor",
)  # fmt: skip


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(f'%({name})s' for name in columns)})"  # noqa: S608 - constants


#: Only a memory of the same store is replaced. Names are the constants above; every value is bound.
_UPSERT: LiteralString = f"""{_insert("memories", _HEAD)}
    ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _HEAD[3:-1])},
      imported_hash = coalesce(nullif(excluded.imported_hash, ''), memories.imported_hash)
    WHERE memories.tenant_id = excluded.tenant_id AND memories.store_id = excluded.store_id"""
_APPEND: LiteralString = _insert("memory_versions", _VERSION)


def write_whole(connection: Connection, keys: dict[str, str], writes: Sequence[MemoryWrite]) -> int:
    """Write heads and append one version each; return how many heads were this store's to write.

    Args:
        connection: in a transaction of the tenant.
        keys: `tenant_id` and `store_id`.
        writes: at least one.

    Raises:
        psycopg.errors.IntegrityError: a path or a version is taken.
    """
    raw = raw_of(connection)
    heads = [_head_values(write) | keys for write in writes]
    versions = [_version_values(write) | keys for write in writes]
    cursor = raw.cursor()
    if len(writes) > 1:  # psycopg makes a pipeline of each
        cursor.executemany(_UPSERT, heads)
        raw.cursor().executemany(_APPEND, versions)
    else:
        with raw.pipeline():
            cursor.execute(_UPSERT, heads[0])
            raw.cursor().execute(_APPEND, versions[0])
    return cursor.rowcount


def _head_values(write: MemoryWrite) -> dict[str, Any]:
    values = memory_values(write.memory)
    return values | {"imported_hash": values["content_hash"] if write.memory.author is Author.IMPORT else ""}


def _version_values(write: MemoryWrite) -> dict[str, Any]:
    memory = write.memory
    return {
        "memory_id": memory.id,
        "version": memory.version,
        "path": memory.path,
        "content": memory.content,
        "state": memory.state,
        "author": memory.author,
        "signals": Jsonb(signals_json(memory.signals)),
        "change": write.change,
        "dream_id": write.dream_id,
        "operation_id": write.operation_id,
        "actor": write.actor,
    }
