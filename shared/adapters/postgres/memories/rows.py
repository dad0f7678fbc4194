"""Memories as rows: the columns that are read together, and the conversion of rows to core values."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, SQLColumnExpression, Text, bindparam, case, func, literal_column
from sqlalchemy.orm import Mapped
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Row
from shared.adapters.postgres.tables.stores import MemoryRow
from shared.core.memory.model import (
    Author,
    Maturity,
    Memory,
    MemoryHead,
    MemoryState,
    Signals,
    Tier,
)
from shared.core.memory.writers import UNKNOWN, Rank, Through, Writer, Writers
from shared.core.upkeep.decay import is_exempt
from shared.ports.memories import Found, MemoryVersion

SIGNAL_NAMES = tuple(field.name for field in fields(Signals))
_MEMORY_NAMES = (
    "id", "path", "content", "state", "version", "author", "created_at", "updated_at", "touched_at", "superseded_by",
    "writers", "stub", "is_dirty", *SIGNAL_NAMES,
)  # fmt: skip


def _columns(*names: str) -> list[Mapped[Any]]:
    return [getattr(MemoryRow, name) for name in names]


#: A whole memory, in the order of `memory_from`.
MEMORY_COLUMNS = _columns(*_MEMORY_NAMES)
#: The columns for a search hit, in the order of `found_from`.
FOUND_COLUMNS: list[SQLColumnExpression[Any]] = [
    *_columns(
        "id", "path", "title", "summary", "stub", "state", "category", "doc_type", "updated_at", "touched_at", "expires"
    ),
    col(MemoryRow.writers)["by"],  # without the marks of the statements
    *_columns(*SIGNAL_NAMES),
]
#: A memory without its text, in the order of `head_from`.
HEAD_COLUMNS = _columns(
    "id", "path", "title", "summary", "version", "author", "doc_type", "category", "size_chars", "updated_at",
    "touched_at", "is_dirty", "expires", "trust", *SIGNAL_NAMES,
)  # fmt: skip
#: Written out and not bound, so that a plan that is kept for any value may go through the indexes of live memories.
IS_LIVE: ColumnElement[bool] = col(MemoryRow.state) == literal_column("'live'")
_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
#: Every memory of the store that a repository is for.
OF_STORE: ColumnElement[bool] = (col(MemoryRow.tenant_id) == _TENANT) & (col(MemoryRow.store_id) == _STORE)
#: Paths that `kind_of` does not count as knowledge. A contract test compares the two.
GENERATED_PATHS = (
    r"^MEMORY\.md$|(^|/)_index\.md$|\.(abstract|overview|stub|full)\.md$|^_archived/|^skills/[^/]*/"
    r"|\.(?!(?:[mM][dD]|[mM][aA][rR][kK][dD][oO][wW][nN]|[tT][xX][tT]|[tT][eE][xX][tT])$)[A-Za-z0-9]{1,8}$"
    r"|^logs/[0-9]{4}/[0-9]{2}/[0-9]{4}-[0-9]{2}-[0-9]{2}\.md$"
)

_VERSION_NAMES = (
    "memory_id", "version", "path", "content", "change", "dream_id", "operation_id", "created_at", "redacted_at",
)  # fmt: skip
_SIGNALS = TypeAdapter(Signals)
_STUB_CHARS = 200
_MATURITY = {value.value: value for value in Maturity}
_TIER = {value.value: value for value in Tier}
_AUTHOR = {value.value: value for value in Author}
_RANK = {value.value: value for value in Rank}
_THROUGH = {value.value: value for value in Through}
_STATE = {value.value: value for value in MemoryState}


def select_domain(path: SQLColumnExpression[str]) -> ColumnElement[str]:
    """Return the first folder of a path, as `domain_of` does."""
    return case((func.strpos(path, "/") > 0, func.split_part(path, "/", 1)), else_=literal_column("''"))


def memory_from(row: Sequence[Any]) -> Memory:
    """Return a whole memory from a row of MEMORY_COLUMNS: a look-up by name would cost more than all the rest."""
    (
        memory_id, path, content, state, version, author, created_at, updated_at, touched_at, superseded_by, writers, stub,
        is_dirty, *signals,
    ) = row  # fmt: skip
    return Memory(
        id=memory_id,
        path=path,
        content=content,
        signals=_signals_from(signals),
        state=_STATE[state],
        version=version,
        author=_AUTHOR[author],
        created_at=created_at,
        updated_at=updated_at,
        touched_at=touched_at,
        superseded_by=superseded_by,
        writers=writers_from(writers),
        stub=stub,
        is_dirty=is_dirty,
    )


def head_from(row: Sequence[Any]) -> MemoryHead:
    """Return a memory without its text, from a row of HEAD_COLUMNS: surveys read them all."""
    (
        memory_id, path, title, summary, version, author, doc_type, category, size_chars, updated_at, touched_at, is_dirty,
        expires, trust, *signals,
    ) = row  # fmt: skip
    return MemoryHead(
        id=memory_id,
        path=path,
        title=title,
        summary=summary,
        signals=_signals_from(signals),
        version=version,
        author=_AUTHOR[author],
        doc_type=doc_type,
        category=category,
        size_chars=size_chars,
        updated_at=updated_at,
        touched_at=touched_at,
        is_dirty=is_dirty,
        expires=expires,
        trust=_RANK[trust],
    )


def found_from(row: Sequence[Any]) -> Found:
    """Return a search hit from a row of FOUND_COLUMNS; an archived memory shows its stub."""
    (
        memory_id, path, title, summary, stub, state, category, doc_type, updated_at, touched_at, expires, by, *signals,
    ) = row  # fmt: skip
    writers = writers_from({"by": by} if by else {})
    is_archived = _STATE[state] is not MemoryState.LIVE
    return Found(
        memory_id=memory_id,
        path=path,
        title=title,
        excerpt=(stub or "")[:_STUB_CHARS] if is_archived else summary,
        signals=_signals_from(signals),
        updated_at=updated_at,
        touched_at=touched_at,
        is_lasting=is_exempt(category, doc_type),
        trust=writers.lowest.rank,
        day=writers.newest_day or updated_at.date().isoformat(),
        is_archived=is_archived,
        expires=expires,
    )


def version_from(row: Row) -> MemoryVersion:
    """Return one entry of a memory's history from its row."""
    return MemoryVersion(
        **{name: row[name] for name in _VERSION_NAMES},
        state=_STATE[row["state"]],
        author=_AUTHOR[row["author"]],
        trust=_RANK[row["trust"]],
        signals=_SIGNALS.validate_python(row["signals"]),
    )


def writers_from(stored: dict[str, Any]) -> Writers:
    """Return the writers of a memory's statements as they were stored."""
    if not stored:
        return UNKNOWN
    by = tuple(Writer(_RANK[rank], who, _THROUGH[through], *rest) for rank, who, through, *rest in stored["by"])
    return Writers(by, tuple(stored.get("marks", {}).items()))


def _signals_from(row: Sequence[Any]) -> Signals:
    """Return signals from their columns, in the order of `SIGNAL_NAMES`."""
    importance, maturity, tier, access_count, reinforcement_count, pinned, last_seen_at, by_person = row
    return Signals(
        importance=importance,
        maturity=_MATURITY[maturity],
        tier=_TIER[tier],
        access_count=access_count,
        reinforcement_count=reinforcement_count,
        pinned=pinned,
        last_seen_at=last_seen_at,
        by_person=by_person,
    )
