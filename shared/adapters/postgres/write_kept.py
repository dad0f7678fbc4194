"""Writes that leave path and content alone, many in two statements: the text never travels, only what is beside it."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from shared.adapters.postgres.memory_rows import signals_json
from shared.ports.memory_store import MemoryWrite

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
