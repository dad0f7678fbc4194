"""Rows of tenants, stores, dreams and phases as core values, and back; memories/rows.py does that for memories."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import RowMapping

from shared.core.dream.model import Dream, DreamState, DreamSummary, PhaseRun, PhaseState, Trigger, Wait
from shared.core.policy.policy import Autonomy
from shared.core.tenants.store import Store, Tenant, Verdict

Row = Mapping[str, Any] | RowMapping


_VERDICT = TypeAdapter(Verdict)
_SUMMARY = TypeAdapter(DreamSummary)
_WAITS = TypeAdapter(tuple[Wait, ...])


def tenant_from(row: Row) -> Tenant:
    """Return a tenant."""
    return Tenant(**{name: row[name] for name in TENANT_COLUMNS})


TENANT_COLUMNS = tuple(field.name for field in fields(Tenant))


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
    "id", "tenant_id", "name", "profile", "overrides", "llm", "paused_at", "curations", "sessions", "pending_tasks",
    "active_until", "last_activity_at", "last_dream_at", "last_dream_id", "total_dreams", "next_check_at",
    "last_check_at", "forgiven_at", "archived_at", "digest_check_at", "compaction_check_at",
    "waiting_sessions", "waiting_changes", "arm", "arm_set_at", "arm_before",
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
    "id", "tenant_id", "store_id", "epoch", "is_forced", "is_dry_run", "is_batched", "created_at", "started_at", "deadline_at",
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
        waits=_WAITS.validate_python(row["waits"]) if row["waits"] else (),
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
