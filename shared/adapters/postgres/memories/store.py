"""Memories of one store, for reads and writes of dreams, imports and agents."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import psycopg
from sqlalchemy import (
    INTEGER,
    Boolean,
    Connection,
    Double,
    Select,
    Text,
    any_,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased
from sqlmodel import col

from shared.adapters.postgres.memories.decayed import days_since, decayed_importance, is_lasting
from shared.adapters.postgres.memories.rows import (
    HEAD_COLUMNS,
    IS_LIVE,
    MEMORY_COLUMNS,
    OF_STORE,
    head_from,
    memory_from,
    version_from,
)
from shared.adapters.postgres.sql.statements import Fixed, execute, fetch, fetch_tuples
from shared.adapters.postgres.sql.store_lock import lock_store
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow
from shared.core.errors import ConflictError, NotFoundError, PathTakenError
from shared.core.memory.model import Author, Maturity, Memory, MemoryHead, MemoryState
from shared.core.policy.upkeep import DecayPolicy
from shared.ports.memories import ChangedLine, MemoryVersion, MemoryWrite, StaleRule, TextLine

_LIVE = OF_STORE & IS_LIVE
_SLACK = 0.001
_BY_PATH = col(MemoryRow.path)
_RETIRED = col(MemoryRow.state).in_([MemoryState.ARCHIVED, MemoryState.SUPERSEDED])
_IS_NAMED = col(MemoryRow.id) == any_(bindparam("ids", type_=ARRAY(Text)))
_WHOLE = select(*MEMORY_COLUMNS)
_FIND_CHANGED = Fixed(
    "memories.find_changed",
    select(col(MemoryRow.id), col(MemoryRow.path), col(MemoryRow.version))
    .where(_LIVE, col(MemoryRow.is_dirty))
    .order_by(_BY_PATH),
    reason="twice a dream, a row for each changed memory of the store",
)
_FIND_HEADS = Fixed(
    "memories.find_heads",
    select(*HEAD_COLUMNS).where(_LIVE).order_by(_BY_PATH),
    reason="once a dream, a row for each memory of the store",
)
#: Paths alone are read from the index, and as an array, so that the few rows there are get looked up by their ids.
_IDS_IN = func.array(
    select(col(MemoryRow.id))
    .where(_LIVE, _BY_PATH.bool_op("^@")(any_(bindparam("folders", type_=ARRAY(Text)))))
    .scalar_subquery()
)
_FIND_HEADS_IN = Fixed(
    "memories.find_heads_in",
    select(*HEAD_COLUMNS).where(OF_STORE, col(MemoryRow.id) == any_(_IDS_IN)).order_by(_BY_PATH),
    reason="3 to 5 times a dream",
)
#: 4,000 is written out, as the index says it.
_FIND_LARGE_HEADS = (
    select(*HEAD_COLUMNS)
    .where(
        _LIVE,
        col(MemoryRow.size_chars) > literal_column("4000"),
        col(MemoryRow.size_chars) > bindparam("over_chars"),
    )
    .order_by(_BY_PATH)
)
_FIND_LIVE = Fixed(
    "memories.find_live",
    _WHOLE.where(_LIVE).order_by(_BY_PATH),
    reason="with a dream that has sessions to read, a row for each memory of the store, with its text",
)
_FIND_NAMED = Fixed(
    "memories.find_named", _WHOLE.where(_LIVE, _IS_NAMED).order_by(_BY_PATH), reason="3 to 9 times a dream"
)
_FIND_OF_TYPE = Fixed(
    "memories.find_of_type",
    _WHOLE.where(_LIVE, col(MemoryRow.doc_type) == bindparam("of_type")).order_by(_BY_PATH),
    reason="3 to 9 times a dream",
)
_FIND_AT_PATHS = _WHOLE.where(_LIVE, any_(bindparam("paths", type_=ARRAY(Text))) == _BY_PATH)
_FIND_BY_PATH = Fixed(
    "memories.find_by_path",
    _WHOLE.where(_LIVE, bindparam("path") == _BY_PATH),
    reason="with each request that writes or reads a memory by its path",
)
_FIND_TEXTS = Fixed(
    "memories.find_texts",
    select(col(MemoryRow.id), col(MemoryRow.path), col(MemoryRow.content), col(MemoryRow.is_dirty))
    .where(_LIVE)
    .order_by(_BY_PATH),
    reason="twice a dream, a row for each memory of the store, with its text",
)
_FIND_RETIRED = _WHOLE.where(OF_STORE, _RETIRED).order_by(_BY_PATH)
_FIND_RETIRED_NAMED = _FIND_RETIRED.where(_IS_NAMED)
_FIND_MOVES = select(_BY_PATH, col(MemoryRow.superseded_by)).where(OF_STORE, _RETIRED)
_LOCK = _WHOLE.where(OF_STORE, _IS_NAMED).order_by(col(MemoryRow.id)).with_for_update()
_FIND_HISTORY = (
    select(MemoryVersionRow)
    .where(
        col(MemoryVersionRow.memory_id) == bindparam("memory"),
        col(MemoryVersionRow.store_id) == bindparam("store", type_=Text),
    )
    .order_by(col(MemoryVersionRow.version).desc())
)
_READ = (
    func.unnest(bindparam("ids", type_=ARRAY(Text)), bindparam("numbers", type_=ARRAY(INTEGER)))
    .table_valued("id", "version", name="read")
    .render_derived()
)
_SET_DIRTY = Fixed(
    "memories.set_dirty",
    update(MemoryRow)
    .where(OF_STORE, col(MemoryRow.id) == _READ.c.id, col(MemoryRow.version) == _READ.c.version)
    .values(is_dirty=bindparam("dirty", type_=Boolean)),
    reason="twice a dream, with a pair for each memory that it has read",
)


def _changed_since_import() -> Select[*tuple[Any, ...]]:
    wanted = (
        func.unnest(bindparam("paths", type_=ARRAY(Text)), bindparam("hashes", type_=ARRAY(Text)))
        .table_valued("path", "hash", name="wanted")
        .render_derived()
    )
    successor, version, imported = aliased(MemoryRow), aliased(MemoryVersionRow), aliased(MemoryVersionRow)
    # A live memory that no import ever wrote took the place of what the last import brought: its archiving is older.
    is_replaced = exists().where(
        col(successor.tenant_id) == col(MemoryRow.tenant_id),
        col(successor.store_id) == col(MemoryRow.store_id),
        col(successor.path) == _BY_PATH,
        col(successor.state) == literal_column("'live'"),
        col(successor.imported_hash) == "",
    )
    last_import = (
        select(func.max(col(imported.version)))
        .where(
            col(imported.tenant_id) == col(MemoryRow.tenant_id),
            col(imported.memory_id) == col(MemoryRow.id),
            col(imported.author) == Author.IMPORT,
        )
        .scalar_subquery()
    )
    had_text = exists().where(
        col(version.tenant_id) == col(MemoryRow.tenant_id),
        col(version.memory_id) == col(MemoryRow.id),
        col(version.redacted_at).is_(None),
        col(version.version) >= func.coalesce(last_import, 1),
        func.encode(func.sha256(func.convert_to(col(version.content), "UTF8")), "hex") == wanted.c.hash,
    )
    is_last_import = col(MemoryRow.imported_hash) == wanted.c.hash
    return (
        select(_BY_PATH, case((is_last_import & is_replaced, MemoryState.LIVE), else_=col(MemoryRow.state)))
        .join(wanted, wanted.c.path == _BY_PATH)
        .where(OF_STORE, or_(col(MemoryRow.state) == MemoryState.LIVE, _RETIRED), or_(is_last_import, had_text))
    )


_FIND_CHANGED_SINCE_IMPORT = _changed_since_import()


@lru_cache(maxsize=64)
def _top_heads(decay: DecayPolicy) -> Select[*tuple[Any, ...]]:
    order = (col(MemoryRow.is_dirty).desc(), decayed_importance(decay).desc(), _BY_PATH)
    domain = func.split_part(_BY_PATH, "/", 1)
    place = func.row_number().over(partition_by=domain, order_by=order).label("place")
    ranked = select(*HEAD_COLUMNS, place).where(_LIVE).subquery()
    columns = [column for column in ranked.c if column.key != "place"]
    return select(*columns).where(ranked.c.place <= bindparam("per_domain")).order_by(ranked.c.place)


@lru_cache(maxsize=64)
def _aged_heads(decay: DecayPolicy) -> Select[*tuple[Any, ...]]:
    """Return the query for possibly stale or unimportant memories; the rules then check each of them."""
    is_draft = col(MemoryRow.maturity) == Maturity.DRAFT
    days = case((is_draft, bindparam("draft_days", type_=Double)), else_=bindparam("other_days", type_=Double))
    is_low = is_draft & (decayed_importance(decay) < bindparam("low_importance", type_=Double))
    is_aged = or_(days_since(col(MemoryRow.touched_at)) >= days, is_low)
    return select(*HEAD_COLUMNS).where(_LIVE, not_(is_lasting()), is_aged).order_by(_BY_PATH)


def _limits_of(aged: StaleRule) -> dict[str, object]:
    """Return slightly wider limits, because the database computes days and powers differently."""
    rules = aged.rules
    days = {"draft_days": rules.draft_stale_days - _SLACK, "other_days": rules.validated_stale_days - _SLACK}
    return {"now": aged.now, "low_importance": rules.min_importance + _SLACK, **days}


class PostgresMemoryRepository:
    """Implements `MemoryRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_changed(self) -> list[ChangedLine]:
        """Return one line for every live memory in the changed set, ordered by path."""
        return [*map(ChangedLine._make, fetch_tuples(self._connection, _FIND_CHANGED, self._keys))]

    def find_top_heads(self, per_domain: int, now: datetime, decay: DecayPolicy) -> list[MemoryHead]:
        """Return the changed and the most important live memories of each domain, without their text."""
        values = {"per_domain": per_domain, "now": now}
        return [head_from(row) for row in fetch_tuples(self._connection, _top_heads(decay), self._keys | values)]

    def find_of_type(self, doc_type: str) -> list[Memory]:
        """Return the live memories whose frontmatter names this type, ordered by path."""
        rows = fetch_tuples(self._connection, _FIND_OF_TYPE, self._keys | {"of_type": doc_type})
        return [memory_from(row) for row in rows]

    def find_heads(
        self, folders: Sequence[str] | None = None, *, over_chars: int = 0, aged: StaleRule | None = None
    ) -> list[MemoryHead]:
        """Return live memories without their texts, ordered by path; all, large or aged ones, or those in these folders."""
        if aged is not None:
            rows = fetch_tuples(self._connection, _aged_heads(aged.decay), self._keys | _limits_of(aged))
        elif over_chars:
            rows = fetch_tuples(self._connection, _FIND_LARGE_HEADS, self._keys | {"over_chars": over_chars})
        elif folders is None:
            rows = fetch_tuples(self._connection, _FIND_HEADS, self._keys)
        else:
            rows = fetch_tuples(self._connection, _FIND_HEADS_IN, self._keys | {"folders": list(folders)})
        return [head_from(row) for row in rows]

    def find_live(self, ids: Collection[str] | None = None) -> list[Memory]:
        """Return live memories with their text, ordered by path."""
        if ids is None:
            rows = fetch_tuples(self._connection, _FIND_LIVE, self._keys)
        else:
            rows = fetch_tuples(self._connection, _FIND_NAMED, self._keys | {"ids": list(ids)})
        return [memory_from(row) for row in rows]

    def find_texts(self) -> list[TextLine]:
        """Return every live memory's text, ordered by path."""
        return [*map(TextLine._make, fetch_tuples(self._connection, _FIND_TEXTS, self._keys))]

    def find_by_path(self, path: str) -> Memory | None:
        """Return the live memory at a path."""
        rows = fetch_tuples(self._connection, _FIND_BY_PATH, self._keys | {"path": path})
        return memory_from(rows[0]) if rows else None

    def find_by_paths(self, paths: Collection[str]) -> dict[str, Memory]:
        """Return the live memories at these paths."""
        rows = fetch_tuples(self._connection, _FIND_AT_PATHS, self._keys | {"paths": list(paths)})
        return {memory.path: memory for memory in map(memory_from, rows)}

    def find_retired(self, ids: Collection[str] | None = None) -> list[Memory]:
        """Return archived and superseded memories, ordered by path."""
        if ids is None:
            rows = fetch_tuples(self._connection, _FIND_RETIRED, self._keys)
        else:
            rows = fetch_tuples(self._connection, _FIND_RETIRED_NAMED, self._keys | {"ids": list(ids)})
        return [memory_from(row) for row in rows]

    def find_moves(self) -> list[tuple[str, str | None]]:
        """Return (path, id of the successor or None) of every archived or superseded memory."""
        return [(path, successor) for path, successor in fetch_tuples(self._connection, _FIND_MOVES, self._keys)]

    def find_changed_since_import(self, hashes: Mapping[str, str]) -> dict[str, MemoryState]:
        """Return, by path, the current state of memories that had this text when it was last imported or later."""
        if not hashes:
            return {}
        values = self._keys | {"paths": list(hashes), "hashes": list(hashes.values())}
        found = fetch_tuples(self._connection, _FIND_CHANGED_SINCE_IMPORT, values)
        return {path: MemoryState(state) for path, state in sorted(found, key=lambda row: row[1] == MemoryState.LIVE)}

    def lock(self, ids: Collection[str]) -> dict[str, Memory]:
        """Return memories in any state by id, locked with the store until the transaction ends."""
        lock_store(self._connection, self._keys["store"])
        if not ids:
            return {}
        rows = fetch_tuples(self._connection, _LOCK, self._keys | {"ids": list(ids)})
        return {memory.id: memory for memory in map(memory_from, rows)}

    def write(self, writes: Sequence[MemoryWrite]) -> None:
        """Write heads and append one version each. A write that frees a path comes before the one that takes it."""
        lock_store(self._connection, self._keys["store"])
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
                raise NotFoundError("The store was deleted during this write") from error
            paths = ", ".join(w.memory.path for w in writes[:5])
            msg = f"Another transaction has already written a path or version among {paths}"
            raise PathTakenError(msg) from error
        if written != len(writes):
            msg = "A memory of another store cannot be written here"
            raise ConflictError(msg)

    def _write_whole(self, writes: Sequence[MemoryWrite]) -> int:
        from shared.adapters.postgres.memories.writes import write_whole  # noqa: PLC0415 - `slowwave status` only reads

        return write_whole(self._connection, self._keys, writes)

    def _write_kept(self, writes: Sequence[MemoryWrite]) -> int:
        from shared.adapters.postgres.memories.writes import write_kept  # noqa: PLC0415 - as above

        return write_kept(self._connection, self._keys, writes)

    def find_history(
        self, memory_id: str, *, below: int | None = None, limit: int | None = None
    ) -> list[MemoryVersion]:
        """Return a memory's versions, newest first: all, or at most `limit` with numbers below one."""
        query = _FIND_HISTORY.limit(limit)
        if below is not None:
            query = query.where(col(MemoryVersionRow.version) < below)
        return [version_from(row) for row in fetch(self._connection, query, self._keys | {"memory": memory_id})]

    def set_dirty(self, versions: Sequence[tuple[str, int]], *, is_dirty: bool) -> None:
        """Put memories on or off the changed set where they are still at the version that was read."""
        if not versions:
            return
        lock_store(self._connection, self._keys["store"])
        pairs = {"ids": [memory_id for memory_id, _ in versions], "numbers": [version for _, version in versions]}
        execute(self._connection, _SET_DIRTY, self._keys | pairs | {"dirty": is_dirty})
