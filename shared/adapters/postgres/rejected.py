"""What a person wants to keep: memories whose archiving was rejected, and that nobody has written since."""

from sqlalchemy import Select, bindparam, func, select, true
from sqlalchemy.dialects.postgresql import JSONB

from shared.adapters.postgres.mapping import DREAMS, MEMORIES, OPERATIONS
from shared.core.dream import DreamState, OperationState
from shared.core.operation import OperationKind

_ARCHIVING = (OperationKind.ARCHIVE, OperationKind.ARCHIVE_STALE, OperationKind.COMPACT)


def select_kept() -> Select[tuple[str]]:
    """Return the query for their ids, of `tenant_id` and `store_id`. An undone dream rejects what it had proposed, which is nobody's verdict."""
    change = func.jsonb_array_elements(OPERATIONS.c.changes, type_=JSONB).table_valued("value").lateral()
    rejected = (
        select(change.c.value.op("->>")("memory_id").label("memory_id"), OPERATIONS.c.created_at)
        .select_from(OPERATIONS.join(DREAMS, DREAMS.c.id == OPERATIONS.c.dream_id).join(change, true()))
        .where(
            OPERATIONS.c.tenant_id == bindparam("tenant_id"),
            OPERATIONS.c.store_id == bindparam("store_id"),
            OPERATIONS.c.review == "rejected",
            OPERATIONS.c.state == OperationState.REJECTED,
            OPERATIONS.c.kind.in_(_ARCHIVING),
            DREAMS.c.state != DreamState.UNDONE,
        )
        .subquery()
    )
    kept = MEMORIES.alias("kept")
    is_unwritten = kept.c.updated_at <= rejected.c.created_at
    return (
        select(kept.c.id)
        .join(rejected, rejected.c.memory_id == kept.c.id)
        .where(kept.c.tenant_id == bindparam("tenant_id"), is_unwritten)
    )
