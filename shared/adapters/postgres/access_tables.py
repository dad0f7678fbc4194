"""Tables of who may come in: keys, and the requests that are answered once."""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, Index, Text, func
from sqlmodel import Field, SQLModel

from shared.adapters.postgres.tables import Moment, tenant_column

_NOW = {"server_default": func.now()}


class ApiKeyRow(SQLModel, table=True):
    """A key; of its secret only the hash."""

    __tablename__ = "api_keys"
    __table_args__ = (Index("ix_api_keys_tenant", "tenant_id", "created_at"),)
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    name: str = Field(sa_type=Text)
    role: str = Field(sa_type=Text)
    secret_hash: str = Field(sa_type=Text)
    previous_hash: str | None = Field(default=None, sa_type=Text)
    previous_until: datetime | None = Field(default=None, sa_type=Moment)
    rate_per_minute: int | None = None
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    expires_at: datetime | None = Field(default=None, sa_type=Moment)
    revoked_at: datetime | None = Field(default=None, sa_type=Moment)
    last_used_at: datetime | None = Field(default=None, sa_type=Moment)


class ApiRequestRow(SQLModel, table=True):
    """A request with an idempotency key, and its answer once there is one. Keys of different holders never meet."""

    __tablename__ = "api_requests"
    __table_args__ = (Index("ix_api_requests_expiry", "tenant_id", "expires_at"),)
    tenant_id: str = Field(sa_column=Column(Text, ForeignKey("tenants.id"), primary_key=True))
    key_id: str = Field(primary_key=True, sa_type=Text)
    request_key: str = Field(primary_key=True, sa_type=Text)
    request_hash: str = Field(sa_type=Text)
    status: int | None = None
    body: str | None = Field(default=None, sa_type=Text)
    held_until: datetime | None = Field(default=None, sa_type=Moment)
    expires_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
