"""Rows into core values and back. The only place that knows both."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import RowMapping
from sqlmodel import SQLModel

from shared.adapters.postgres.dream_tables import DreamRow, LlmCallRow, OperationRow, PhaseRunRow
from shared.adapters.postgres.tables import MemoryRow, MemoryVersionRow, PendingMergeRow, StoreRow, TenantRow
from shared.core.doc_type import category_of, type_of
from shared.core.dream import (
    Dream,
    DreamState,
    DreamSummary,
    PhaseRun,
    PhaseState,
    Trigger,
)
from shared.core.fold_hash import fold_hash
from shared.core.frontmatter import summary_of, title_of
from shared.core.memory import Author, Maturity, Memory, MemoryHead, MemoryState, Signals, Tier
from shared.core.policy import Autonomy
from shared.core.similarity import content_hash
from shared.core.store import Store, Tenant, Verdict

Row = Mapping[str, Any] | RowMapping


def table(row: type[SQLModel]) -> Any:  # noqa: ANN401 - SQLModel declares __table__ at run time only
    """Return the SQLAlchemy table of a SQLModel class."""
    return row.__table__  # type: ignore[attr-defined] # the same


MEMORIES, VERSIONS, MERGES = table(MemoryRow), table(MemoryVersionRow), table(PendingMergeRow)
STORES, TENANTS = table(StoreRow), table(TenantRow)
DREAMS, PHASES, OPERATIONS, CALLS = table(DreamRow), table(PhaseRunRow), table(OperationRow), table(LlmCallRow)

HEAD_COLUMNS = [
    MEMORIES.c[name]
    for name in (
        "id", "path", "title", "summary", "importance", "maturity", "tier", "access_count", "reinforcement_count",
        "pinned", "last_seen_at", "version", "author", "doc_type", "size_chars", "updated_at", "touched_at", "is_dirty",
        "category",
    )
]  # fmt: skip
_MATURITY = {value.value: value for value in Maturity}
_TIER = {value.value: value for value in Tier}
_AUTHOR = {value.value: value for value in Author}
_VERDICT = TypeAdapter(Verdict)
_SUMMARY = TypeAdapter(DreamSummary)
_SIGNALS = TypeAdapter(Signals)


def signals_from(row: Row) -> Signals:
    """Return the signals that are columns of a row."""
    return Signals(
        importance=row["importance"],
        maturity=Maturity(row["maturity"]),
        tier=Tier(row["tier"]),
        access_count=row["access_count"],
        reinforcement_count=row["reinforcement_count"],
        pinned=row["pinned"],
        last_seen_at=row["last_seen_at"],
    )


def signals_json(signals: Signals) -> dict[str, Any]:
    """Return signals as JSON for the version log."""
    dumped: dict[str, Any] = _SIGNALS.dump_python(signals, mode="json")
    return dumped


def memory_from(row: Row) -> Memory:
    """Return a whole memory."""
    return Memory(
        id=row["id"],
        path=row["path"],
        content=row["content"],
        signals=signals_from(row),
        state=MemoryState(row["state"]),
        version=row["version"],
        author=Author(row["author"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        touched_at=row["touched_at"],
        superseded_by=row["superseded_by"],
        stub=row["stub"],
        is_dirty=row["is_dirty"],
    )


def head_from(row: Sequence[Any]) -> MemoryHead:
    """Return a memory without its text, from a row of HEAD_COLUMNS in their order: surveys read them all."""
    (
        memory_id, path, title, summary, importance, maturity, tier, access_count, reinforcement_count,
        pinned, last_seen_at, version, author, doc_type, size_chars, updated_at, touched_at, is_dirty,
        category,
    ) = row  # fmt: skip
    return MemoryHead(
        id=memory_id,
        path=path,
        title=title,
        summary=summary,
        signals=Signals(
            importance=importance,
            maturity=_MATURITY[maturity],
            tier=_TIER[tier],
            access_count=access_count,
            reinforcement_count=reinforcement_count,
            pinned=pinned,
            last_seen_at=last_seen_at,
        ),
        version=version,
        author=_AUTHOR[author],
        doc_type=doc_type,
        category=category,
        size_chars=size_chars,
        updated_at=updated_at,
        touched_at=touched_at,
        is_dirty=is_dirty,
    )


_MEMORY_PLAIN = tuple(field.name for field in fields(Memory) if field.name != "signals")
_SIGNALS_PLAIN = tuple(field.name for field in fields(Signals))


def memory_values(memory: Memory) -> dict[str, Any]:
    """Return the columns of a memory's head, except its tenant and store."""
    return {
        **{name: getattr(memory, name) for name in _MEMORY_PLAIN},
        **{name: getattr(memory.signals, name) for name in _SIGNALS_PLAIN},
        "content_hash": content_hash(memory.content),
        "title": title_of(memory.path, memory.content),
        "summary": summary_of(memory.content),
        "doc_type": type_of(memory.content),
        "category": category_of(memory.content),
        "fold_hash": fold_hash(memory.path, memory.content),
        "size_chars": len(memory.content),
    }


def tenant_from(row: Row) -> Tenant:
    """Return a tenant."""
    return Tenant(**{name: row[name] for name in _TENANT_PLAIN})


_TENANT_PLAIN = tuple(field.name for field in fields(Tenant))


def store_from(row: Row) -> Store:
    """Return a store."""
    plain = {name: row[name] for name in _STORE_PLAIN}
    verdict = row["last_verdict"]
    return Store(
        **plain,
        autonomy=Autonomy(row["autonomy"]),
        last_verdict=_VERDICT.validate_python(verdict) if verdict else None,
    )


_STORE_PLAIN = (
    "id", "tenant_id", "name", "profile", "overrides", "paused_at", "curations", "sessions", "pending_tasks",
    "active_until", "last_activity_at", "last_dream_at", "last_dream_id", "total_dreams", "next_check_at",
    "last_check_at", "forgiven_at", "archived_at", "digest_check_at", "compaction_check_at",
)  # fmt: skip
STORE_COLUMNS = (*_STORE_PLAIN, "autonomy", "last_verdict")


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON."""
    dumped: dict[str, Any] = _VERDICT.dump_python(verdict, mode="json")
    return dumped


def summary_json(summary: DreamSummary | None) -> dict[str, Any] | None:
    """Return a summary as JSON."""
    return None if summary is None else _SUMMARY.dump_python(summary, mode="json")


_DREAM_PLAIN = (
    "id", "tenant_id", "store_id", "epoch", "is_forced", "is_dry_run", "created_at", "started_at", "deadline_at",
    "lease_until", "finished_at", "rescue_count", "cancel_requested_at", "model", "reason", "before",
    "has_failed", "next_attempt_at", "snooze_count", "snoozed_at",
)  # fmt: skip


def dream_from(row: Row) -> Dream:
    """Return a dream from a row that was joined with its store's name as `store`."""
    return Dream(
        **{name: row[name] for name in _DREAM_PLAIN},
        store=row["store"],
        state=DreamState(row["state"]),
        trigger=Trigger(row["trigger"]),
        summary=_SUMMARY.validate_python(row["summary"]) if row["summary"] else None,
    )


def phase_from(row: Row) -> PhaseRun:
    """Return a phase's record."""
    return PhaseRun(
        dream_id=row["dream_id"],
        phase=row["phase"],
        state=PhaseState(row["state"]),
        inputs=row["inputs"],
        plan=row["plan"],
        reason=row["reason"],
        counts=row["counts"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
    )
