"""Tables of access: API keys, and requests that are answered once.

The filters of lists that persons keep under a name.

The table of directives: a tenant's own prompts, version by version.

Tables of webhooks: the endpoints of tenants, and the outbox of their deliveries.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Column, ForeignKey, Index, Text, UniqueConstraint, func, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlmodel import Field

from shared.adapters.postgres.tables.stores import Moment, same_tenant, tenant_column
from shared.adapters.postgres.tables.table_row import TableRow

_NOW = {"server_default": func.now()}


class ApiKeyRow(TableRow, table=True):
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


class ApiRequestRow(TableRow, table=True):
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


class SavedFilterRow(TableRow, table=True):
    """Filters that a person keeps under a name."""

    __tablename__ = "saved_filters"
    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id", sa_type=Text)
    owner: str = Field(primary_key=True, sa_type=Text)
    list_name: str = Field(primary_key=True, sa_type=Text)
    name: str = Field(primary_key=True, sa_type=Text)
    query: str = Field(sa_type=Text)


class DirectiveRow(TableRow, table=True):
    """One version of a directive; without content it is a reset."""

    __tablename__ = "directives"
    tenant_id: str = Field(primary_key=True, foreign_key="tenants.id", sa_type=Text)
    store: str = Field(default="", primary_key=True, sa_type=Text, sa_column_kwargs={"server_default": ""})
    name: str = Field(primary_key=True, sa_type=Text)
    version: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    content: str | None = Field(default=None, sa_type=Text)
    actor: str = Field(sa_type=Text)
    created_at: datetime | None = Field(
        default=None, sa_type=Moment, nullable=False, sa_column_kwargs={"server_default": func.now()}
    )


_WEBHOOK_TABLES_NOW = {"server_default": func.now()}
_EMPTY = {"server_default": ""}
_ZERO = {"server_default": text("0")}
_PENDING = text("state = 'pending'")


class WebhookEndpointRow(TableRow, table=True):
    """An endpoint; its secrets are sealed."""

    __tablename__ = "webhook_endpoints"
    __table_args__ = (
        UniqueConstraint("tenant_id", "id", name="uq_webhook_endpoints_tenant_id"),
        Index("ix_webhook_endpoints_digest", "digest_at", postgresql_where=text("digest_at IS NOT NULL")),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    url: str = Field(sa_type=Text)
    description: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    events: list[str] = Field(sa_type=ARRAY(Text))
    sealed: str = Field(sa_type=Text)
    previous_sealed: str | None = Field(default=None, sa_type=Text)
    previous_until: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime | None = Field(
        default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_WEBHOOK_TABLES_NOW
    )
    disabled_at: datetime | None = Field(default=None, sa_type=Moment)
    disabled_reason: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    deleted_at: datetime | None = Field(default=None, sa_type=Moment)
    failures: int = Field(default=0, sa_column_kwargs=_ZERO)
    failing_since: datetime | None = Field(default=None, sa_type=Moment)
    delivered_at: datetime | None = Field(default=None, sa_type=Moment)
    digest_at: datetime | None = Field(default=None, sa_type=Moment)


class WebhookDeliveryRow(TableRow, table=True):
    """A message to one endpoint. `claims` counts its claims, `begun` is the last claim that was used."""

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        same_tenant("webhook_deliveries", "endpoint_id", "webhook_endpoints"),
        UniqueConstraint("endpoint_id", "message_id", name="uq_webhook_deliveries_message"),
        Index("ix_webhook_deliveries_age", "tenant_id", "created_at", "id"),
        Index("ix_webhook_deliveries_due", "next_attempt_at", postgresql_where=_PENDING),
        Index("ix_webhook_deliveries_in_flight", "lease_until", postgresql_where=_PENDING),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    endpoint_id: str = Field(sa_type=Text)
    message_id: str = Field(sa_type=Text)
    event: str = Field(sa_type=Text)
    dream_id: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    body: str = Field(sa_type=Text)
    state: str = Field(default="pending", sa_type=Text, sa_column_kwargs={"server_default": "pending"})
    attempts: int = Field(default=0, sa_column_kwargs=_ZERO)
    claims: int = Field(default=0, sa_column_kwargs=_ZERO)
    begun: int = Field(default=0, sa_column_kwargs=_ZERO)
    tries: list[Any] = Field(sa_type=JSONB, sa_column_kwargs={"server_default": text("'[]'::jsonb")})
    error: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    created_at: datetime | None = Field(
        default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_WEBHOOK_TABLES_NOW
    )
    next_attempt_at: datetime | None = Field(default=None, sa_type=Moment, sa_column_kwargs=_WEBHOOK_TABLES_NOW)
    lease_until: datetime | None = Field(default=None, sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)
