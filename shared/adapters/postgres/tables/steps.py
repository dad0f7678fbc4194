"""Tables of the steps of a dream: its order over the API, its phases, and its questions."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSON, JSONB
from sqlmodel import Field

from shared.adapters.postgres.tables.stores import Moment, same_tenant, tenant_column
from shared.adapters.postgres.tables.table_row import TableRow

_NOW = {"server_default": func.now()}
#: Of columns that may be empty: SQLAlchemy would write None as the JSON value `null`, which SQL does not call NULL.
_JSON = JSON(none_as_null=True)
_EMPTY_OBJECT = {"server_default": text("'{}'::jsonb")}
_NONE: dict[str, Any] = {"server_default": text("'{}'::text[]")}


class DreamOrderRow(TableRow, table=True):
    """The request of a dream that was created over the API: its inputs and its output."""

    __tablename__ = "dream_orders"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "dream_id"],
            ["dreams.tenant_id", "dreams.id"],
            name="fk_dream_orders_dream_id",
            ondelete="CASCADE",  # it goes with its dream, when retention lets that go
        ),
    )
    dream_id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    input_store_id: str = Field(sa_type=Text)  # no foreign key: a copy stays when its input store is deleted
    behavior: str = Field(sa_type=Text)
    instructions: str | None = Field(default=None, sa_type=Text)
    session_ids: list[str] = Field(sa_type=ARRAY(Text))
    model: str = Field(default="", sa_type=Text)
    archived_at: datetime | None = Field(default=None, sa_type=Moment)


class PhaseRunRow(TableRow, table=True):
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


class BatchCallRow(TableRow, table=True):
    """A question that goes out, or has gone out, in a Message Batch, which names it by `id`."""

    __tablename__ = "batch_calls"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "dream_id"],
            ["dreams.tenant_id", "dreams.id"],
            name="fk_batch_calls_dream_id",
            ondelete="CASCADE",
        ),
        UniqueConstraint("dream_id", "phase", "key", name="uq_batch_calls_question"),
        Index("ix_batch_calls_created", "created_at"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    dream_id: str = Field(sa_type=Text)
    phase: str = Field(sa_type=Text)
    key: str = Field(sa_type=Text)
    model: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)
    request: Any | None = Field(default=None, sa_type=_JSON)
    result: dict[str, Any] | None = Field(default=None, sa_type=JSONB(none_as_null=True))
    batch_id: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    reserved_usd: float = Field(default=0.0, sa_column_kwargs={"server_default": text("0")})
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    sent_at: datetime | None = Field(default=None, sa_type=Moment)


class CostReservationRow(TableRow, table=True):
    """The highest price of a question that is being asked, reserved from the budget while its dream runs in this epoch.

    One without a dream is of an evaluation, and counts until it expires.
    """

    __tablename__ = "cost_reservations"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "dream_id"],
            ["dreams.tenant_id", "dreams.id"],
            name="fk_cost_reservations_dream_id",
            ondelete="CASCADE",
        ),
        CheckConstraint("(dream_id IS NULL) = (expires_at IS NOT NULL)", name="ck_cost_reservations_owner"),
        Index("ix_cost_reservations_dream", "tenant_id", "dream_id"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    dream_id: str | None = Field(default=None, sa_type=Text)
    epoch: int | None = None
    usd: float
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    expires_at: datetime | None = Field(default=None, sa_type=Moment)


class BudgetAlertRow(TableRow, table=True):
    """A budget in dollars that has sent an alert in one period, or has refused a question."""

    __tablename__ = "budget_alerts"
    tenant_id: str = Field(sa_column=Column(Text, ForeignKey("tenants.id"), primary_key=True))
    store_id: str = Field(primary_key=True, default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    budget: str = Field(primary_key=True, sa_type=Text)
    period: date = Field(primary_key=True)
    limit_usd: float
    refused_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class AskedRow(TableRow, table=True):
    """A question, or a settled cluster, that a dream's model has answered. It is deleted with its dream."""

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
