"""Tables of dreams: runs, phases, operations, model calls, and the audit log.

The table of what dreams have asked.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, Text, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import ARRAY, JSON, JSONB
from sqlmodel import Field, SQLModel

from shared.adapters.postgres.tables.stores import Moment, same_tenant, tenant_column

_NOW = {"server_default": func.now()}
#: Of columns that may be empty: SQLAlchemy would write None as the JSON value `null`, which SQL does not call NULL.
_JSON, _JSONB = JSON(none_as_null=True), JSONB(none_as_null=True)
_EMPTY_OBJECT = {"server_default": text("'{}'::jsonb")}
_ZERO = {"server_default": text("0")}


class DreamRow(SQLModel, table=True):
    """One dream. The partial unique index is what promise P3 rests on: one active dream per store."""

    __tablename__ = "dreams"
    __table_args__ = (
        same_tenant("dreams", "store_id", "stores"),
        UniqueConstraint("tenant_id", "id", name="uq_dreams_tenant_id"),
        Index(
            "uq_dreams_one_active",
            "store_id",
            unique=True,
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
        Index(
            "ix_dreams_active",
            "tenant_id",
            "lease_until",
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
        Index("ix_dreams_store_created", "store_id", "created_at"),
        Index("ix_dreams_created", "created_at", postgresql_using="brin"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)
    trigger: str = Field(sa_type=Text)
    epoch: int = Field(default=0, sa_column_kwargs=_ZERO)
    is_forced: bool = Field(default=False)
    is_dry_run: bool = Field(default=False)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    sent_at: datetime | None = Field(default=None, sa_type=Moment)
    started_at: datetime | None = Field(default=None, sa_type=Moment)
    deadline_at: datetime | None = Field(default=None, sa_type=Moment)
    lease_until: datetime | None = Field(default=None, sa_type=Moment)
    finished_at: datetime | None = Field(default=None, sa_type=Moment)
    rescue_count: int = Field(default=0, sa_column_kwargs=_ZERO)
    cancel_requested_at: datetime | None = Field(default=None, sa_type=Moment)
    model: str = Field(default="", sa_type=Text)
    reason: str = Field(default="", sa_type=Text)
    summary: dict[str, Any] | None = Field(default=None, sa_type=_JSONB)
    before: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    has_failed: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    next_attempt_at: datetime | None = Field(default=None, sa_type=Moment)
    snoozed_at: datetime | None = Field(default=None, sa_type=Moment)
    snooze_count: int = Field(default=0, sa_column_kwargs=_ZERO)
    live_memories: int | None = None
    changed_topics: int | None = None


class DreamOrderRow(SQLModel, table=True):
    """What was asked for when a dream was created over the API: which inputs, and where its result goes."""

    __tablename__ = "dream_orders"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "dream_id"],
            ["dreams.tenant_id", "dreams.id"],
            name="fk_dream_orders_dream_id",
            ondelete="CASCADE",  # it goes with its dream, when retention lets that go
        ),
        same_tenant("dream_orders", "input_store_id", "stores"),
    )
    dream_id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    input_store_id: str = Field(sa_type=Text)
    behavior: str = Field(sa_type=Text)
    instructions: str | None = Field(default=None, sa_type=Text)
    session_ids: list[str] = Field(sa_type=ARRAY(Text))
    model: str = Field(default="", sa_type=Text)
    archived_at: datetime | None = Field(default=None, sa_type=Moment)


class PhaseRunRow(SQLModel, table=True):
    """One phase of one dream. `runner` is the process that works on it until `runner_until`."""

    __tablename__ = "phase_runs"
    __table_args__ = (same_tenant("phase_runs", "dream_id", "dreams"),)
    dream_id: str = Field(primary_key=True, sa_type=Text)
    phase: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    state: str = Field(sa_type=Text)
    runner: str = Field(default="", sa_type=Text)
    runner_until: datetime | None = Field(default=None, sa_type=Moment)
    inputs: Any | None = Field(default=None, sa_type=_JSON)  # JSONB would put keys into another order
    plan: Any | None = Field(default=None, sa_type=_JSON)
    reason: str = Field(default="", sa_type=Text)
    counts: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    started_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    finished_at: datetime | None = Field(default=None, sa_type=Moment)


class OperationRow(SQLModel, table=True):
    """One reversible change: what was wanted (`changes`) and what it did (`effects`: images before and after)."""

    __tablename__ = "operations"
    __table_args__ = (
        same_tenant("operations", "store_id", "stores"),
        same_tenant("operations", "dream_id", "dreams"),
        UniqueConstraint("dream_id", "phase", "position", name="uq_operations_position"),
        Index("ix_operations_pending", "tenant_id", "created_at", postgresql_where=text("review = 'pending'")),
        Index("ix_operations_flags", "store_id", "created_at", postgresql_where=text("kind = 'FLAG'")),
        Index("ix_operations_rejected", "store_id", postgresql_where=text("review = 'rejected'")),
        Index("ix_operations_put_back", "store_id", "created_at", postgresql_where=text("kind = 'PUT_BACK'")),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    dream_id: str = Field(sa_type=Text)
    phase: str = Field(sa_type=Text)
    position: int
    kind: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)
    review: str = Field(sa_type=Text)
    reason: str = Field(sa_type=Text)
    confidence: float | None = None
    note: str = Field(default="", sa_type=Text)
    changes: list[Any] = Field(sa_type=JSONB)
    effects: list[Any] = Field(sa_type=JSONB)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    decided_at: datetime | None = Field(default=None, sa_type=Moment)
    decided_by: str = Field(default="", sa_type=Text)


class LlmCallRow(SQLModel, table=True):
    """One model call. An `ok` answer is kept, so that it is never bought twice."""

    __tablename__ = "llm_calls"
    __table_args__ = (
        same_tenant("llm_calls", "dream_id", "dreams"),
        Index(
            "uq_llm_calls_answer",
            "dream_id",
            "phase",
            "key",
            unique=True,
            postgresql_where=text("outcome = 'ok'"),
        ),
        Index("ix_llm_calls_day", "tenant_id", "created_at"),
        Index("ix_llm_calls_created", "created_at", postgresql_using="brin"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    dream_id: str = Field(sa_type=Text)
    phase: str = Field(sa_type=Text)
    key: str = Field(sa_type=Text)
    model: str = Field(sa_type=Text)
    outcome: str = Field(sa_type=Text)
    detail: str = Field(default="", sa_type=Text)
    answer: dict[str, Any] | None = Field(default=None, sa_type=_JSONB)
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    cost_usd: float
    latency_ms: int
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class AuditRow(SQLModel, table=True):
    """Who did what: undo, review, pause, settings. Append-only."""

    __tablename__ = "audit_log"
    __table_args__ = (
        Index("ix_audit_log_age", "tenant_id", "created_at"),
        Index("ix_audit_log_recent", "created_at", "id"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    actor: str = Field(sa_type=Text)
    action: str = Field(sa_type=Text)
    detail: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


_NONE: dict[str, Any] = {"server_default": text("'{}'::text[]")}


class AskedRow(SQLModel, table=True):
    """A question, or a settled cluster, that a dream's model has answered. It goes with its dream."""

    __tablename__ = "asked_questions"
    __table_args__ = (
        same_tenant("asked_questions", "store_id", "stores"),
        ForeignKeyConstraint(
            ["tenant_id", "dream_id"],
            ["dreams.tenant_id", "dreams.id"],
            name="fk_asked_questions_dream_id",
            ondelete="CASCADE",
        ),
        Index("ix_asked_questions_dream", "dream_id"),
        Index(
            "ix_asked_questions_due", "store_id", "phase", "reopens_at", postgresql_where=text("reopens_at IS NOT NULL")
        ),
    )
    store_id: str = Field(primary_key=True, sa_type=Text)
    phase: str = Field(primary_key=True, sa_type=Text)
    fingerprint: str = Field(primary_key=True, sa_type=Text)
    dream_id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    asked_at: datetime = Field(sa_type=Moment)
    times_settled: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    reopens_at: datetime | None = Field(default=None, sa_type=Moment)
    members: list[str] = Field(default_factory=list, sa_type=ARRAY(Text), sa_column_kwargs=_NONE)
