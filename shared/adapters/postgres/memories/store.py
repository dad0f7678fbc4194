"""Memories of one store in PostgreSQL."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from typing import LiteralString

import psycopg
from sqlalchemy import ColumnElement, Connection, any_, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import IntegrityError
from sqlalchemy.types import Text

from shared.adapters.postgres.memories.decayed import decayed_importance
from shared.adapters.postgres.memories.rows import (
    HEAD_COLUMNS,
    MEMORY_COLUMNS,
    head_from,
    memory_from,
    memory_from_columns,
)
from shared.adapters.postgres.memories.writes import APPEND_KEPT, UPDATE_KEPT, kept_rows, write_whole
from shared.adapters.postgres.sql.statements import Prepared, ask
from shared.adapters.postgres.sql.store_lock import lock_store
from shared.adapters.postgres.tables.mapping import MEMORIES, VERSIONS
from shared.core.errors import ConflictError, NotFoundError, PathTakenError
from shared.core.memory.model import Author, Memory, MemoryHead, MemoryState
from shared.core.policy.upkeep import DecayPolicy
from shared.ports.memories import MemoryVersion, MemoryWrite, SurveyLine

_FIND_BY_PATH: LiteralString = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    WHERE m.tenant_id = %(tenant_id)s AND m.store_id = %(store_id)s AND m.state = 'live' AND m.path = %(path)s"""  # noqa: S608 - constants
#: A live memory that no import ever wrote stands in the place of what the last import brought: its archiving is older.
_FIND_OUTGROWN: LiteralString = """
    SELECT m.path, CASE WHEN m.imported_hash = wanted.hash AND EXISTS (
        SELECT FROM memories n WHERE n.tenant_id = m.tenant_id AND n.store_id = m.store_id AND n.path = m.path
          AND n.state = 'live' AND n.imported_hash = '') THEN 'live' ELSE m.state END
    FROM unnest(%(paths)s::text[], %(hashes)s::text[]) AS wanted (path, hash)
    JOIN memories m ON m.tenant_id = %(tenant_id)s AND m.store_id = %(store_id)s AND m.path = wanted.path
    WHERE m.state IN ('live', 'archived', 'superseded') AND (
      m.imported_hash = wanted.hash OR EXISTS (
        SELECT FROM memory_versions v
        WHERE v.tenant_id = m.tenant_id AND v.memory_id = m.id AND v.redacted_at IS NULL
          AND v.version >= coalesce((
            SELECT max(i.version) FROM memory_versions i
            WHERE i.tenant_id = m.tenant_id AND i.memory_id = m.id AND i.author = 'import'), 1)
          AND encode(sha256(convert_to(v.content, 'UTF8')), 'hex') = wanted.hash))"""
_LIVE = (
    (MEMORIES.c.tenant_id == bindparam("tenant_id"))
    & (MEMORIES.c.store_id == bindparam("store_id"))
    & (MEMORIES.c.state == MemoryState.LIVE.value)
)
_SURVEY = Prepared(
    expression=select(MEMORIES.c.id, MEMORIES.c.path, MEMORIES.c.version, MEMORIES.c.is_dirty)
    .where(_LIVE)
    .order_by(MEMORIES.c.path)
)
_HEADS = Prepared(expression=select(*HEAD_COLUMNS).where(_LIVE).order_by(MEMORIES.c.path))
_OF_TYPE = Prepared(
    expression=select(MEMORIES).where(_LIVE, MEMORIES.c.doc_type == bindparam("doc_type")).order_by(MEMORIES.c.path)
)
_WHOLE = Prepared(expression=select(MEMORIES).where(_LIVE).order_by(MEMORIES.c.path))
_AT_PATHS = Prepared(
    expression=select(MEMORIES).where(_LIVE, MEMORIES.c.path == any_(bindparam("paths", type_=ARRAY(Text))))
)
_MOVES = Prepared(
    "SELECT path, superseded_by FROM memories WHERE tenant_id = %(tenant_id)s AND store_id = %(store_id)s"
    " AND state IN ('archived', 'superseded')"
)
_SET_DIRTY = Prepared(
    "UPDATE memories m SET is_dirty = %(is_dirty)s"
    " FROM unnest(%(ids)s::text[], %(numbers)s::integer[]) AS read (id, version)"
    " WHERE m.tenant_id = %(tenant_id)s AND m.store_id = %(store_id)s AND m.id = read.id AND m.version = read.version"
)
_WANTED = Prepared(
    expression=select(MEMORIES)
    .where(_LIVE, MEMORIES.c.id == any_(bindparam("ids", type_=ARRAY(Text))))
    .order_by(MEMORIES.c.path)
)


@lru_cache(maxsize=64)
def _top_heads(decay: DecayPolicy) -> Prepared:
    order = (MEMORIES.c.is_dirty.desc(), decayed_importance(decay).desc(), MEMORIES.c.path)
    domain = func.split_part(MEMORIES.c.path, "/", 1)
    place = func.row_number().over(partition_by=domain, order_by=order).label("place")
    ranked = select(*HEAD_COLUMNS, place).where(_LIVE).subquery()
    columns = [ranked.c[column.name] for column in HEAD_COLUMNS]
    is_near_top = ranked.c.place <= bindparam("per_domain")
    return Prepared(expression=select(*columns).where(is_near_top).order_by(ranked.c.place))


_RETIRED = (MemoryState.ARCHIVED, MemoryState.SUPERSEDED)


class PostgresMemoryRepository:
    """Implements `MemoryRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant_id": tenant_id, "store_id": store_id}

    @cached_property
    def _mine(self) -> ColumnElement[bool]:
        is_mine: ColumnElement[bool] = MEMORIES.c.tenant_id == self._keys["tenant_id"]
        is_of_store: ColumnElement[bool] = MEMORIES.c.store_id == self._keys["store_id"]
        return is_mine & is_of_store

    @cached_property
    def _live(self) -> ColumnElement[bool]:
        is_live: ColumnElement[bool] = MEMORIES.c.state == MemoryState.LIVE
        return self._mine & is_live

    def find_survey(self) -> list[SurveyLine]:
        """Return one line for every live memory, ordered by path."""
        return [SurveyLine(*row) for row in _SURVEY.find_tuples(self._connection, self._keys)]

    def find_top_heads(self, per_domain: int, now: datetime, decay: DecayPolicy) -> list[MemoryHead]:
        """Return the changed and the most important live memories of each domain, without their text."""
        values = {"per_domain": per_domain, "now": now}
        return [head_from(row) for row in _top_heads(decay).find_tuples(self._connection, self._keys | values)]

    def find_of_type(self, doc_type: str) -> list[Memory]:
        """Return the live memories whose frontmatter names this type, ordered by path."""
        rows = _OF_TYPE.find_all(self._connection, self._keys | {"doc_type": doc_type})
        return [memory_from(row) for row in rows]

    def find_heads(self) -> list[MemoryHead]:
        """Return every live memory without its text, ordered by path."""
        return [head_from(row) for row in _HEADS.find_tuples(self._connection, self._keys)]

    def find_live(self, ids: Collection[str] | None = None) -> list[Memory]:
        """Return live memories with their text, ordered by path."""
        if ids is None:
            rows = _WHOLE.find_all(self._connection, self._keys)
        else:
            rows = _WANTED.find_all(self._connection, self._keys | {"ids": list(ids)})
        return [memory_from(row) for row in rows]

    def find_texts(self) -> list[tuple[str, str, str]]:
        """Return (id, path, text) of every live memory."""
        columns = (MEMORIES.c.id, MEMORIES.c.path, MEMORIES.c.content)
        return [(row[0], row[1], row[2]) for row in self._connection.execute(select(*columns).where(self._live))]

    def find_by_path(self, path: str) -> Memory | None:
        """Return the live memory at a path."""
        rows = ask(self._connection, _FIND_BY_PATH, self._keys | {"path": path})
        return memory_from_columns(rows[0]) if rows else None

    def find_by_paths(self, paths: Collection[str]) -> dict[str, Memory]:
        """Return the live memories at these paths."""
        rows = _AT_PATHS.find_all(self._connection, self._keys | {"paths": list(paths)})
        return {row["path"]: memory_from(row) for row in rows}

    def find_retired(self) -> list[Memory]:
        """Return archived and superseded memories, ordered by path."""
        query = select(MEMORIES).where(self._mine, MEMORIES.c.state.in_(_RETIRED)).order_by(MEMORIES.c.path)
        return [memory_from(row) for row in self._connection.execute(query).mappings()]

    def find_moves(self) -> list[tuple[str, str | None]]:
        """Return (path, id of the successor or None) of every archived or superseded memory."""
        return [(path, successor) for path, successor in _MOVES.find_tuples(self._connection, self._keys)]

    def find_outgrown(self, hashes: Mapping[str, str]) -> dict[str, MemoryState]:
        """Return, by path, what became of memories that had this text when it was last imported or after."""
        if not hashes:
            return {}
        values = self._keys | {"paths": list(hashes), "hashes": list(hashes.values())}
        found = ask(self._connection, _FIND_OUTGROWN, values)
        return {path: MemoryState(state) for path, state in sorted(found, key=lambda row: row[1] == MemoryState.LIVE)}

    def lock(self, ids: Collection[str]) -> dict[str, Memory]:
        """Return memories in any state by id, held until the transaction ends, and with them the store's turn."""
        lock_store(self._connection, self._keys["store_id"])
        if not ids:
            return {}
        wanted = bindparam("ids", list(ids), ARRAY(Text))
        query = select(MEMORIES).where(self._mine, MEMORIES.c.id == any_(wanted)).order_by(MEMORIES.c.id)
        rows = self._connection.execute(query.with_for_update()).mappings()
        return {row["id"]: memory_from(row) for row in rows}

    def write(self, writes: Sequence[MemoryWrite]) -> None:
        """Write heads and append one version each. What hides a path goes before what takes it."""
        lock_store(self._connection, self._keys["store_id"])
        hiding = [write for write in writes if write.memory.state is not MemoryState.LIVE]
        taking = [write for write in writes if write.memory.state is MemoryState.LIVE]
        for part in (hiding, taking):
            self._write_part([write for write in part if write.keeps_text], self._write_kept)
            self._write_part([write for write in part if not write.keeps_text], self._write_whole)

    def _write_part(self, writes: Sequence[MemoryWrite], execute: Callable[[Sequence[MemoryWrite]], int]) -> None:
        if not writes:
            return
        try:
            written = execute(writes)
        except (IntegrityError, psycopg.errors.IntegrityError) as error:
            if isinstance(getattr(error, "orig", error), psycopg.errors.ForeignKeyViolation):
                raise NotFoundError("The store was deleted while this was written") from error
            paths = ", ".join(w.memory.path for w in writes[:5])
            msg = f"A path or version is taken already among {paths}; somebody else wrote there"
            raise PathTakenError(msg) from error
        if written != len(writes):
            msg = "A memory of another store cannot be written here"
            raise ConflictError(msg)

    def _write_whole(self, writes: Sequence[MemoryWrite]) -> int:
        return write_whole(self._connection, self._keys, writes)

    def _write_kept(self, writes: Sequence[MemoryWrite]) -> int:
        rows = kept_rows(writes)
        written = self._connection.execute(UPDATE_KEPT, self._keys | {"rows": rows})
        self._connection.execute(APPEND_KEPT, self._keys | {"rows": rows})
        return written.rowcount

    def find_history(
        self, memory_id: str, *, below: int | None = None, limit: int | None = None
    ) -> list[MemoryVersion]:
        """Return a memory's versions, newest first: all, or at most `limit` with numbers below one."""
        query = (
            select(VERSIONS)
            .where(VERSIONS.c.memory_id == memory_id, VERSIONS.c.store_id == self._keys["store_id"])
            .order_by(VERSIONS.c.version.desc())
            .limit(limit)
        )
        if below is not None:
            query = query.where(VERSIONS.c.version < below)
        return [
            MemoryVersion(
                **{name: row[name] for name in _VERSION_PLAIN},
                state=MemoryState(row["state"]),
                author=Author(row["author"]),
            )
            for row in self._connection.execute(query).mappings()
        ]

    def set_dirty(self, versions: Sequence[tuple[str, int]], *, is_dirty: bool) -> None:
        """Put memories on or off the changed set where they are still at the version that was read."""
        if not versions:
            return
        lock_store(self._connection, self._keys["store_id"])
        pairs = {"ids": [memory_id for memory_id, _ in versions], "numbers": [version for _, version in versions]}
        _SET_DIRTY.run(self._connection, self._keys | pairs | {"is_dirty": is_dirty})


_VERSION_PLAIN = (
    "memory_id", "version", "path", "content", "change", "dream_id", "operation_id", "created_at", "redacted_at",
)  # fmt: skip
