"""Writes of whole memories: head and version of each, in two fixed statements that travel together.

A write is not one of SQLAlchemy's: building the statements and their parameters took it longer than PostgreSQL needs.

Writes that leave path and content alone, many in two statements: the text never travels, only what is beside it.
"""

import json
from collections.abc import Sequence
from typing import Any, LiteralString

from psycopg.types.json import Jsonb
from sqlalchemy import Connection, text

from shared.adapters.postgres.memories.rows import memory_values, signals_json
from shared.adapters.postgres.sql.statements import raw_of
from shared.core.memory.model import Author
from shared.ports.memories import MemoryWrite

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


_COLUMNS = {
    "state": "text", "version": "integer", "author": "text", "importance": "double precision", "maturity": "text",
    "tier": "text", "access_count": "integer", "reinforcement_count": "integer", "pinned": "boolean",
    "last_seen_at": "timestamptz", "created_at": "timestamptz", "updated_at": "timestamptz",
    "touched_at": "timestamptz", "superseded_by": "text", "stub": "text", "is_dirty": "boolean",
}  # fmt: skip
_ROWS = "jsonb_to_recordset(CAST(:rows AS jsonb)) AS r"
_MINE = "m.tenant_id = :tenant_id AND m.store_id = :store_id AND m.id = r.id"
_SET = ", ".join(f"{name} = r.{name}" for name in _COLUMNS)
_TYPES = ", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())

#: Names and types are the constants above; every value is bound.
UPDATE_KEPT = text(f"UPDATE memories m SET {_SET} FROM {_ROWS}(id text, {_TYPES}) WHERE {_MINE}")  # noqa: S608 - constants
APPEND_KEPT = text(f"""
    INSERT INTO memory_versions (memory_id, version, tenant_id, store_id, path, content, state, author, signals,
                                 change, dream_id, operation_id, actor)
    SELECT m.id, m.version, m.tenant_id, m.store_id, m.path, m.content, m.state, m.author, r.signals,
           r.change, r.dream_id, r.operation_id, r.actor
      FROM {_ROWS}(id text, signals jsonb, change text, dream_id text, operation_id text, actor text)
      JOIN memories m ON {_MINE}""")  # noqa: S608 - constants


def kept_rows(writes: Sequence[MemoryWrite]) -> str:
    """Return the writes as the JSON that both statements read."""
    return json.dumps([_row(write) for write in writes])


def _row(write: MemoryWrite) -> dict[str, Any]:
    memory = write.memory
    signals = signals_json(memory.signals)
    return {
        "id": memory.id, "state": memory.state, "version": memory.version, "author": memory.author,
        "created_at": memory.created_at.isoformat(), "updated_at": memory.updated_at.isoformat(),
        "touched_at": memory.touched_at.isoformat(), "superseded_by": memory.superseded_by, "stub": memory.stub,
        "is_dirty": memory.is_dirty, **signals, "signals": signals,
        "change": write.change, "dream_id": write.dream_id, "operation_id": write.operation_id, "actor": write.actor,
    }  # fmt: skip
