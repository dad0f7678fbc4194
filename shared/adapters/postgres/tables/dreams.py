"""Tables of dreams, their operations on memories, and their model calls."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from shared.adapters.postgres.tables.stores import Moment, same_tenant, tenant_column
from shared.adapters.postgres.tables.table_row import TableRow

_NOW = {"server_default": func.now()}
#: Of columns that may be empty: SQLAlchemy would write None as the JSON value `null`, which SQL does not call NULL.
_JSONB = JSONB(none_as_null=True)
_EMPTY_OBJECT = {"server_default": text("'{}'::jsonb")}
_EMPTY_LIST = {"server_default": text("'[]'::jsonb")}
_ZERO = {"server_default": text("0")}


class DreamRow(TableRow, table=True):
    """One dream. The partial unique index guarantees promise P3: one active dream per store."""

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
        Index(
            "ix_dreams_incomplete",
            "created_at",
            "tenant_id",
            "state",
            postgresql_where=text("state IN ('error', 'partial')"),
        ),
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
    is_batched: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
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
    waits: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSONB, sa_column_kwargs=_EMPTY_LIST)
    live_memories: int | None = None
    changed_topics: int | None = None
    domains: dict[str, int] | None = Field(default=None, sa_type=_JSONB)


class OperationRow(TableRow, table=True):
    """One reversible operation: its planned `changes` and their `effects` (images before and after)."""

    __tablename__ = "operations"
    __table_args__ = (
        same_tenant("operations", "store_id", "stores"),
        same_tenant("operations", "dream_id", "dreams"),
        UniqueConstraint("dream_id", "phase", "position", name="uq_operations_position"),
        Index("ix_operations_pending", "tenant_id", "created_at", postgresql_where=text("review = 'pending'")),
        Index("ix_operations_fingerprint", "store_id", "fingerprint", postgresql_where=text("fingerprint <> ''")),
        Index("ix_operations_retiring", "store_id", "created_at", postgresql_where=text("kind = 'RETIRE'")),
        Index("ix_operations_flags", "store_id", "created_at", postgresql_where=text("kind = 'FLAG'")),
        Index(
            "ix_operations_decided",
            "tenant_id",
            "decided_at",
            postgresql_where=text("review IN ('approved', 'rejected')"),
        ),
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
    undone: list[Any] = Field(default_factory=list, sa_type=JSONB, sa_column_kwargs=_EMPTY_LIST)
    was_proposed: bool = Field(default=False)
    fingerprint: str = Field(default="", sa_type=Text)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    decided_at: datetime | None = Field(default=None, sa_type=Moment)
    decided_by: str = Field(default="", sa_type=Text)
    decided_why: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    assigned_to: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    comments: list[Any] = Field(default_factory=list, sa_type=JSONB, sa_column_kwargs=_EMPTY_LIST)


class LlmCallRow(TableRow, table=True):
    """One model call. An `ok` answer is kept, so that it is never bought twice. The prompt is kept to explain decisions.

    A call of an evaluation outlives its dream, without texts, and names the store instead.
    """

    __tablename__ = "llm_calls"
    __table_args__ = (
        same_tenant("llm_calls", "dream_id", "dreams"),
        same_tenant("llm_calls", "paid_for", "stores"),
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
    dream_id: str | None = Field(default=None, sa_type=Text)
    paid_for: str | None = Field(default=None, sa_type=Text)
    phase: str = Field(sa_type=Text)
    key: str = Field(sa_type=Text)
    model: str = Field(sa_type=Text)
    outcome: str = Field(sa_type=Text)
    detail: str = Field(default="", sa_type=Text)
    answer: dict[str, Any] | None = Field(default=None, sa_type=_JSONB)
    prompt: dict[str, list[str]] | None = Field(default=None, sa_type=_JSONB)
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    cost_usd: float
    latency_ms: int
    saved_usd: float | None = None
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
