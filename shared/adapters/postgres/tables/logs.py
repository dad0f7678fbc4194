"""Tables of logs: the audit log of tenants, the log of the installation, the exams of models, evaluations and people's own questions."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlmodel import Field

from shared.adapters.postgres.tables.stores import Moment, same_tenant, tenant_column
from shared.adapters.postgres.tables.table_row import TableRow

_NOW = {"server_default": func.now()}
_EMPTY_OBJECT = {"server_default": text("'{}'::jsonb")}


class AuditRow(TableRow, table=True):
    """The audit log of a tenant: undo, review, pause, settings, each with its actor. Append-only."""

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


class InstallationLogRow(TableRow, table=True):
    """The operators' changes to the whole installation. Append-only; of a deleted tenant, only the id remains here."""

    __tablename__ = "installation_log"
    id: str = Field(primary_key=True, sa_type=Text)
    actor: str = Field(sa_type=Text)
    action: str = Field(sa_type=Text)
    detail: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class _ExamColumns(TableRow):
    """One exam of a model, or what a person set in its place. Append-only."""

    owner: str = Field(sa_type=Text)
    server: str = Field(sa_type=Text)
    model: str = Field(sa_type=Text)
    fingerprint: str = Field(sa_type=Text)
    passed: bool
    reason: str = Field(sa_type=Text)
    grade: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    set_by: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    tokens: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    cost_usd: float = Field(default=0.0, sa_column_kwargs={"server_default": text("0")})
    taken_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    expires_at: datetime | None = Field(default=None, sa_type=Moment)


class InstallationExamRow(_ExamColumns, table=True):
    """An exam at the installation's endpoint, which holds for all tenants that use it."""

    __tablename__ = "installation_exams"
    __table_args__ = (Index("ix_installation_exams_model", "owner", "model", "taken_at"),)
    id: str = Field(primary_key=True, sa_type=Text)


class ExamRow(_ExamColumns, table=True):
    """An exam at a tenant's own endpoint."""

    __tablename__ = "exams"
    __table_args__ = (Index("ix_exams_model", "tenant_id", "owner", "model", "taken_at"),)
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()


class EvaluationRow(TableRow, table=True):
    """An evaluation of a store, by dreams over copies of it."""

    __tablename__ = "evaluations"
    __table_args__ = (
        same_tenant("evaluations", "store_id", "stores"),
        UniqueConstraint("tenant_id", "id", name="uq_evaluations_tenant_id"),
        Index(
            "uq_evaluations_one_active",
            "store_id",
            unique=True,
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
        Index("ix_evaluations_recent", "tenant_id", "store_id", "created_at"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)
    request: dict[str, Any] = Field(sa_type=JSONB)
    terms: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    progress: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    report: dict[str, Any] | None = Field(default=None, sa_type=JSONB(none_as_null=True))
    reason: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    work: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    cost_usd: float = Field(default=0.0, sa_column_kwargs={"server_default": text("0")})
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    stepped_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    finished_at: datetime | None = Field(default=None, sa_type=Moment)


class EvaluationAnswerRow(TableRow, table=True):
    """A model's answer to a copy, which a dream over its store takes within a day."""

    __tablename__ = "evaluation_answers"
    __table_args__ = (
        same_tenant("evaluation_answers", "store_id", "stores"),
        same_tenant("evaluation_answers", "evaluation_id", "evaluations", ondelete="CASCADE"),
        Index("ix_evaluation_answers_age", "created_at"),
        Index("ix_evaluation_answers_evaluation", "tenant_id", "evaluation_id"),
    )
    store_id: str = Field(primary_key=True, sa_type=Text)
    question_hash: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    evaluation_id: str = Field(sa_type=Text)
    answer: dict[str, Any] = Field(sa_type=JSONB)
    cost_usd: float
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class ProbeRow(TableRow, table=True):
    """A person's own question about a store, and the quotes that answer it."""

    __tablename__ = "probes"
    __table_args__ = (same_tenant("probes", "store_id", "stores"),)
    store_id: str = Field(primary_key=True, sa_type=Text)
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    tenant_id: str = tenant_column()
    question: str = Field(sa_type=Text)
    evidence: list[str] = Field(sa_type=ARRAY(Text))
    group_name: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": text("''")})
    added_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
