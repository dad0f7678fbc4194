"""Tables of logs: the audit log of tenants and the log of the installation."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from shared.adapters.postgres.tables.stores import Moment, tenant_column
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
