"""Tables of feedback and workflow runs."""

from datetime import datetime

from sqlalchemy import Index, Text, UniqueConstraint, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Field, SQLModel

from shared.adapters.postgres.tables import Moment, same_tenant, tenant_column

_EMPTY = {"server_default": ""}
_NOW = {"server_default": func.now()}
_TEXTS = ARRAY(Text)


class FeedbackRow(SQLModel, table=True):
    """What somebody said about an agent's work. Its session is named by its source's id and need not be here."""

    __tablename__ = "feedback"
    __table_args__ = (
        same_tenant("feedback", "store_id", "stores"),
        UniqueConstraint("store_id", "external_id", name="uq_feedback_external_id"),
        Index("ix_feedback_recent", "store_id", "occurred_at"),
        Index("ix_feedback_age", "tenant_id", "created_at"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    external_id: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    text: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    rating: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    subject: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    skill: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    session: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    occurred_at: datetime = Field(sa_type=Moment, nullable=False)
    consumed_by: str | None = Field(default=None, sa_type=Text)
    consumed_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class WorkflowRunRow(SQLModel, table=True):
    """One run of a workflow: what was to be done, what was done, how it ended."""

    __tablename__ = "workflow_runs"
    __table_args__ = (
        same_tenant("workflow_runs", "store_id", "stores"),
        UniqueConstraint("store_id", "external_id", name="uq_workflow_runs_external_id"),
        Index("ix_workflow_runs_recent", "store_id", "occurred_at"),
        Index("ix_workflow_runs_age", "tenant_id", "created_at"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    external_id: str = Field(sa_type=Text)
    description: str = Field(sa_type=Text)
    steps: list[str] = Field(sa_type=_TEXTS)
    outcome: str = Field(sa_type=Text)
    classification: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    error: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    skills: list[str] = Field(sa_type=_TEXTS)
    session: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    occurred_at: datetime = Field(sa_type=Moment, nullable=False)
    consumed_by: str | None = Field(default=None, sa_type=Text)
    consumed_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
