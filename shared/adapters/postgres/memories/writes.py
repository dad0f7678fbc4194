"""Write memories: the head and a version of each.

A write of a whole memory sends two fixed statements together, and two more if its text has, or may have had, links.
Writes that keep path and content change many memories in two statements, without sending texts.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import INTEGER, Connection, Text, any_, bindparam, column, delete, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlmodel import col

from shared.adapters.postgres.memories.rows import OF_STORE, SIGNAL_NAMES
from shared.adapters.postgres.sql.statements import Fixed, Values, execute, execute_together
from shared.adapters.postgres.tables.stores import MemoryLinkRow, MemoryRow, MemoryVersionRow
from shared.core.memory.doc_type import category_of, type_of
from shared.core.memory.expiry import read_expiry
from shared.core.memory.frontmatter import summary_of, title_of
from shared.core.memory.links import find_links, list_targets
from shared.core.memory.model import Author, Memory, Signals
from shared.core.memory.writers import Writers
from shared.core.text.duplicates import content_hash, fold_hash
from shared.ports.memories import MemoryWrite

_PLAIN_NAMES = tuple(field.name for field in fields(Memory) if field.name not in {"signals", "writers"})
_SIGNALS = TypeAdapter(Signals)
_HEAD = (
    "id", "tenant_id", "store_id", "path", "content", "content_hash", "title", "summary", "doc_type", "category",
    "fold_hash", "size_chars", "state", "version", "author", "importance", "maturity", "tier", "access_count",
    "reinforcement_count", "pinned", "last_seen_at", "by_person", "created_at", "updated_at", "touched_at",
    "superseded_by", "writers", "trust", "stub", "is_dirty", "expires", "imported_hash",
)  # fmt: skip
_VERSION = (
    "memory_id", "version", "tenant_id", "store_id", "path", "content", "state", "author", "trust", "signals", "change",
    "dream_id", "operation_id", "actor",
)  # fmt: skip
#: The columns that a write without a new text changes.
_KEPT = (
    "state", "version", "author", "importance", "maturity", "tier", "access_count", "reinforcement_count", "pinned",
    "last_seen_at", "by_person", "created_at", "updated_at", "touched_at", "superseded_by", "writers", "trust", "stub",
    "is_dirty",
)  # fmt: skip
_NEW_HEAD = insert(MemoryRow)
_UPSERT = Fixed(
    "memories.upsert",
    _NEW_HEAD.on_conflict_do_update(
        index_elements=[col(MemoryRow.id)],
        set_={name: _NEW_HEAD.excluded[name] for name in _HEAD[3:-1]}
        | {
            "imported_hash": func.coalesce(
                func.nullif(_NEW_HEAD.excluded.imported_hash, ""), col(MemoryRow.imported_hash)
            )
        },
        # Only a memory of the same store is replaced.
        where=(col(MemoryRow.tenant_id) == _NEW_HEAD.excluded.tenant_id)
        & (col(MemoryRow.store_id) == _NEW_HEAD.excluded.store_id),
    ),
    columns=_HEAD,
    reason="with each write: SQLAlchemy took longer to build it than PostgreSQL to run it",
)
_APPEND = Fixed(
    "memories.append",
    insert(MemoryVersionRow),
    columns=(*_VERSION, "redacted_by"),
    reason="with each write, in one message with its head",
)
_OLD_LINKS = Fixed(
    "links.delete",
    delete(MemoryLinkRow).where(
        col(MemoryLinkRow.tenant_id) == bindparam("tenant", type_=Text),
        col(MemoryLinkRow.memory_id) == any_(bindparam("ids", type_=ARRAY(Text))),
    ),
    reason="with each write of another text of a memory",
)
_LINK_COLUMNS = ("memory_id", "place", "rank", "target")
_LINK = (
    func.unnest(
        bindparam("ids", type_=ARRAY(Text)),
        bindparam("places", type_=ARRAY(INTEGER)),
        bindparam("ranks", type_=ARRAY(INTEGER)),
        bindparam("targets", type_=ARRAY(Text)),
    )
    .table_valued(*_LINK_COLUMNS, name="link")
    .render_derived()
)
_NEW_LINKS = Fixed(
    "links.add",
    insert(MemoryLinkRow).from_select(
        ["tenant_id", "store_id", *_LINK_COLUMNS],
        select(
            bindparam("tenant", type_=Text), bindparam("store", type_=Text), *(_LINK.c[name] for name in _LINK_COLUMNS)
        ),
    ),
    reason="with each write of a text that has links",
)
_ROWS = bindparam("rows", type_=JSONB)


def _updating() -> Any:  # noqa: ANN401 - an update of many rows has no narrower type
    names = ("id", *_KEPT)
    row = (
        func.jsonb_to_recordset(_ROWS)
        .table_valued(*(column(name, getattr(MemoryRow, name).type) for name in names))
        .render_derived(name="row", with_types=True)
    )
    return (
        update(MemoryRow).where(OF_STORE, col(MemoryRow.id) == row.c.id).values({name: row.c[name] for name in _KEPT})
    )


def _appending() -> Any:  # noqa: ANN401 - what `from_select` returns has no public name
    log = ("change", "dream_id", "operation_id", "actor")
    row = (
        func.jsonb_to_recordset(_ROWS)
        .table_valued(column("id", Text), column("signals", JSONB), *(column(name, Text) for name in log))
        .render_derived(name="row", with_types=True)
    )
    head = [
        getattr(MemoryRow, name)
        for name in ("version", "tenant_id", "store_id", "path", "content", "state", "author", "trust")
    ]
    given = select(col(MemoryRow.id), *head, row.c.signals, *(row.c[name] for name in log))
    written = given.join(row, col(MemoryRow.id) == row.c.id).where(OF_STORE)
    return insert(MemoryVersionRow).from_select(_VERSION, written, include_defaults=False)


_UPDATE_KEPT, _APPEND_KEPT = _updating(), _appending()


def write_whole(connection: Connection, keys: dict[str, str], writes: Sequence[MemoryWrite]) -> int:
    """Write heads and append one version each; return the number of this store's heads among them.

    Args:
        connection: in a transaction of the tenant.
        keys: `tenant` and `store`.
        writes: at least one.

    Raises:
        psycopg.errors.IntegrityError: a path or a version is taken.
    """
    mine = {"tenant_id": keys["tenant"], "store_id": keys["store"]}
    heads = [_head_values(write) | mine for write in writes]
    versions = [_version_values(write) | mine for write in writes]
    return execute_together(connection, (_UPSERT, heads), (_APPEND, versions), *_write_links(keys, writes))


def _write_links(keys: dict[str, str], writes: Sequence[MemoryWrite]) -> list[tuple[Fixed, Sequence[Values]]]:
    """Return the statements that replace the links of these memories; none for new memories without links."""
    old = [write.memory.id for write in writes if write.memory.version > 1]
    rows = [
        (write.memory.id, place, rank, target)
        for write in writes
        for place, link in enumerate(find_links(write.memory.path, write.memory.content).links)
        for rank, target in enumerate(list_targets(write.memory.path, link))
    ]
    statements: list[tuple[Fixed, Sequence[Values]]] = []
    if old:
        statements.append((_OLD_LINKS, [keys | {"ids": old}]))
    if rows:
        ids, places, ranks, targets = map(list, zip(*rows, strict=True))
        statements.append((_NEW_LINKS, [keys | {"ids": ids, "places": places, "ranks": ranks, "targets": targets}]))
    return statements


def write_kept(connection: Connection, keys: dict[str, str], writes: Sequence[MemoryWrite]) -> int:
    """Write all columns except texts and append one version each; return the number of this store's heads among them."""
    values = keys | {"rows": [_kept_values(write) for write in writes]}
    written = execute(connection, _UPDATE_KEPT, values)
    execute(connection, _APPEND_KEPT, values)
    return written


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
        "trust": int(memory.writers.lowest.rank),
        "signals": signals_json(memory.signals),
        "change": write.change,
        "dream_id": write.dream_id,
        "operation_id": write.operation_id,
        "actor": write.actor,
        "redacted_by": "",
    }


def _kept_values(write: MemoryWrite) -> dict[str, Any]:
    memory = write.memory
    signals = signals_json(memory.signals)
    return {
        "id": memory.id, "state": memory.state, "version": memory.version, "author": memory.author,
        "created_at": memory.created_at.isoformat(), "updated_at": memory.updated_at.isoformat(),
        "touched_at": memory.touched_at.isoformat(), "superseded_by": memory.superseded_by, "stub": memory.stub,
        "is_dirty": memory.is_dirty, "writers": writers_json(memory.writers), "trust": int(memory.writers.lowest.rank), **signals, "signals": signals,
        "change": write.change, "dream_id": write.dream_id, "operation_id": write.operation_id, "actor": write.actor,
    }  # fmt: skip


def memory_values(memory: Memory) -> dict[str, Any]:
    """Return the columns of a memory's head, except its tenant and store."""
    return {
        **{name: getattr(memory, name) for name in _PLAIN_NAMES},
        **{name: getattr(memory.signals, name) for name in SIGNAL_NAMES},
        "writers": writers_json(memory.writers),
        "trust": int(memory.writers.lowest.rank),
        "content_hash": content_hash(memory.content),
        "title": title_of(memory.path, memory.content),
        "summary": summary_of(memory.content),
        "doc_type": type_of(memory.content),
        "category": category_of(memory.content),
        "fold_hash": fold_hash(memory.path, memory.content),
        "size_chars": len(memory.content),
        "expires": read_expiry(memory.content),
    }


def signals_json(signals: Signals) -> dict[str, Any]:
    """Return signals as JSON for the version log."""
    dumped: dict[str, Any] = _SIGNALS.dump_python(signals, mode="json")
    return dumped


def writers_json(writers: Writers) -> dict[str, Any]:
    """Return the writers of a memory's statements as they are stored: a list for each."""
    by = [[int(one.rank), one.who, one.through, one.day, one.session, one.project] for one in writers.by]
    return {"by": by} | ({"marks": dict(writers.marks)} if writers.marks else {})
