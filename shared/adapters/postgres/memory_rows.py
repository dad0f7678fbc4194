"""Memories from rows of fixed columns: what is read with every request, without a look-up of columns by name."""

from collections.abc import Sequence
from typing import Any, LiteralString

from shared.core.decay import is_exempt
from shared.core.memory import Author, Maturity, Memory, MemoryState, Signals, Tier
from shared.ports.memory_catalog import Found

#: The columns of a memory, of a table that is called `m`, in the order of `memory_from_columns`.
MEMORY_COLUMNS: LiteralString = """m.id, m.path, m.content, m.importance, m.maturity, m.tier, m.access_count,
    m.reinforcement_count, m.pinned, m.last_seen_at, m.state, m.version, m.author, m.created_at, m.updated_at,
    m.touched_at, m.superseded_by, m.stub, m.is_dirty"""
#: What a search shows of a memory, in the order of `found_from_columns`.
FOUND_COLUMNS: LiteralString = """m.id, m.path, m.title, m.summary, m.stub, m.state, m.category, m.doc_type,
    m.updated_at, m.touched_at, m.importance, m.maturity, m.tier, m.access_count, m.reinforcement_count, m.pinned,
    m.last_seen_at"""

_STUB_CHARS = 200
_MATURITY = {value.value: value for value in Maturity}
_TIER = {value.value: value for value in Tier}
_AUTHOR = {value.value: value for value in Author}
_STATE = {value.value: value for value in MemoryState}


def memory_from_columns(row: Sequence[Any]) -> Memory:
    """Return a whole memory from a row of MEMORY_COLUMNS."""
    (
        memory_id, path, content, importance, maturity, tier, access_count, reinforcement_count, pinned, last_seen_at,
        state, version, author, created_at, updated_at, touched_at, superseded_by, stub, is_dirty,
    ) = row  # fmt: skip
    return Memory(
        id=memory_id,
        path=path,
        content=content,
        signals=Signals(
            importance=importance,
            maturity=_MATURITY[maturity],
            tier=_TIER[tier],
            access_count=access_count,
            reinforcement_count=reinforcement_count,
            pinned=pinned,
            last_seen_at=last_seen_at,
        ),
        state=_STATE[state],
        version=version,
        author=_AUTHOR[author],
        created_at=created_at,
        updated_at=updated_at,
        touched_at=touched_at,
        superseded_by=superseded_by,
        stub=stub,
        is_dirty=is_dirty,
    )


def found_from_columns(row: Sequence[Any]) -> Found:
    """Return what a search shows from a row of FOUND_COLUMNS; an archived memory shows its stub."""
    (
        memory_id, path, title, summary, stub, state, category, doc_type, updated_at, touched_at,
        importance, maturity, tier, access_count, reinforcement_count, pinned, last_seen_at,
    ) = row  # fmt: skip
    is_archived = _STATE[state] is not MemoryState.LIVE
    return Found(
        memory_id=memory_id,
        path=path,
        title=title,
        excerpt=(stub or "")[:_STUB_CHARS] if is_archived else summary,
        signals=Signals(
            importance=importance,
            maturity=_MATURITY[maturity],
            tier=_TIER[tier],
            access_count=access_count,
            reinforcement_count=reinforcement_count,
            pinned=pinned,
            last_seen_at=last_seen_at,
        ),
        updated_at=updated_at,
        touched_at=touched_at,
        is_lasting=is_exempt(category, doc_type),
        is_archived=is_archived,
    )
