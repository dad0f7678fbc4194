"""Webhook endpoints in PostgreSQL, and the claim across tenants."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Engine, insert, select, text, update

from shared.adapters.postgres.sql.transactions import open_transaction
from shared.adapters.postgres.tables.access import WebhookEndpointRow
from shared.adapters.postgres.tables.mapping import table
from shared.core.errors import NotFoundError
from shared.core.webhooks.endpoint import WebhookEndpoint
from shared.ports.webhooks import ClaimedDelivery

ENDPOINTS = table(WebhookEndpointRow)
_FIXED = frozenset({"id", "tenant_id", "created_at"})
_CLAIM = text("SELECT tenant_id, delivery_id, claim FROM slowwave_claim_deliveries(:at_once, :per_tenant, :hold)")


class PostgresDeliveryQueue:
    """Implements `DeliveryQueue`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def claim(self, *, at_once: int, per_tenant: int, hold_seconds: float) -> list[ClaimedDelivery]:
        """Return due deliveries, tenants and their endpoints in turns, while fewer than `at_once` are under way."""
        values = {"at_once": at_once, "per_tenant": per_tenant, "hold": hold_seconds}
        with open_transaction(self._engine) as connection:
            rows = connection.execute(_CLAIM, values)
            return [ClaimedDelivery(tenant_id=row[0], delivery_id=row[1], claim=row[2]) for row in rows]


class PostgresEndpointRepository:
    """Implements `EndpointRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = (ENDPOINTS.c.tenant_id == tenant_id) & ENDPOINTS.c.deleted_at.is_(None)

    def add(self, endpoint: WebhookEndpoint) -> None:
        """Insert an endpoint."""
        values = {name: value for name, value in asdict(endpoint).items() if name != "created_at"}
        values |= {"tenant_id": self._tenant_id, "events": list(endpoint.events)}
        self._connection.execute(insert(ENDPOINTS).values(values))

    def get(self, endpoint_id: str, *, lock: bool = False) -> WebhookEndpoint:
        """Return an endpoint that is not deleted."""
        query = select(ENDPOINTS).where(self._mine, ENDPOINTS.c.id == endpoint_id)
        row = self._connection.execute(query.with_for_update() if lock else query).mappings().first()
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no webhook {endpoint_id!r}"
            raise NotFoundError(msg)
        return _endpoint_from(row)

    def find_all(self) -> list[WebhookEndpoint]:
        """Return the endpoints that are not deleted, newest first."""
        query = select(ENDPOINTS).where(self._mine).order_by(ENDPOINTS.c.created_at.desc(), ENDPOINTS.c.id.desc())
        return [_endpoint_from(row) for row in self._connection.execute(query).mappings()]

    def save(self, endpoint: WebhookEndpoint) -> None:
        """Write an endpoint's settings and state."""
        values = {name: value for name, value in asdict(endpoint).items() if name not in _FIXED}
        values["events"] = list(endpoint.events)
        statement = update(ENDPOINTS).where(ENDPOINTS.c.tenant_id == self._tenant_id, ENDPOINTS.c.id == endpoint.id)
        self._connection.execute(statement.values(values))


def _endpoint_from(row: Mapping[Any, Any]) -> WebhookEndpoint:
    return WebhookEndpoint(**{**row, "events": tuple(row["events"])})
