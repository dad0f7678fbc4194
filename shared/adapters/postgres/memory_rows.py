"""Memories from rows of fixed columns: what is read with every request, without a look-up of columns by name."""

from collections.abc import Sequence
from typing import Any, LiteralString

from shared.core.memory import Author, Maturity, Memory, MemoryState, Signals, Tier

#: The columns of a memory, of a table that is called `m`, in the order of `memory_from_columns`.
MEMORY_COLUMNS: LiteralString = """m.id, m.path, m.content, m.importance, m.maturity, m.tier, m.access_count,
    m.reinforcement_count, m.pinned, m.last_seen_at, m.state, m.version, m.author, m.created_at, m.updated_at,
    m.touched_at, m.superseded_by, m.stub, m.is_dirty"""

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
