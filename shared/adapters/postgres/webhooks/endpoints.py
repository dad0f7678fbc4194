"""Webhook endpoints in PostgreSQL, and the claim across tenants."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Double, Engine, Integer, bindparam, func, insert, select, update
from sqlmodel import col

from shared.adapters.postgres.sql.statements import execute, fetch, fetch_one
from shared.adapters.postgres.sql.transactions import open_transaction
from shared.adapters.postgres.tables.access import WebhookEndpointRow
from shared.core.errors import NotFoundError
from shared.core.webhooks.endpoint import WebhookEndpoint
from shared.ports.webhooks import ClaimedDelivery

_FIXED = frozenset({"id", "tenant_id", "created_at"})
_CLAIM = select(
    func.slowwave_claim_deliveries(
        bindparam("at_once", type_=Integer), bindparam("per_tenant", type_=Integer), bindparam("hold", type_=Double)
    ).table_valued("tenant_id", "delivery_id", "claim")
)

_FIND_DUE_DIGESTS = select(func.slowwave_find_due_digests(bindparam("limit", type_=Integer)).table_valued("tenant_id"))


class PostgresDeliveryQueue:
    """Implements `DeliveryQueue`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def claim(self, *, at_once: int, per_tenant: int, hold_seconds: float) -> list[ClaimedDelivery]:
        """Return due deliveries, tenants and their endpoints in turns, while fewer than `at_once` are under way."""
        values = {"at_once": at_once, "per_tenant": per_tenant, "hold": hold_seconds}
        with open_transaction(self._engine) as connection:
            return [ClaimedDelivery(**row) for row in fetch(connection, _CLAIM, values)]

    def find_due_digests(self, limit: int) -> list[str]:
        """Return tenants with an endpoint whose weekly digest is due."""
        with open_transaction(self._engine) as connection:
            return [row["tenant_id"] for row in fetch(connection, _FIND_DUE_DIGESTS, {"limit": limit})]


class PostgresEndpointRepository:
    """Implements `EndpointRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = (col(WebhookEndpointRow.tenant_id) == tenant_id) & col(WebhookEndpointRow.deleted_at).is_(None)

    def add(self, endpoint: WebhookEndpoint) -> None:
        """Insert an endpoint."""
        values = {name: value for name, value in asdict(endpoint).items() if name != "created_at"}
        values |= {"tenant_id": self._tenant_id, "events": list(endpoint.events)}
        execute(self._connection, insert(WebhookEndpointRow).values(values))

    def get(self, endpoint_id: str, *, lock: bool = False) -> WebhookEndpoint:
        """Return an endpoint that is not deleted."""
        query = select(WebhookEndpointRow).where(self._mine, col(WebhookEndpointRow.id) == endpoint_id)
        row = fetch_one(self._connection, query.with_for_update() if lock else query)
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no webhook {endpoint_id!r}"
            raise NotFoundError(msg)
        return _endpoint_from(row)

    def find_all(self) -> list[WebhookEndpoint]:
        """Return the endpoints that are not deleted, newest first."""
        query = (
            select(WebhookEndpointRow)
            .where(self._mine)
            .order_by(col(WebhookEndpointRow.created_at).desc(), col(WebhookEndpointRow.id).desc())
        )
        return [_endpoint_from(row) for row in fetch(self._connection, query)]

    def save(self, endpoint: WebhookEndpoint) -> None:
        """Write an endpoint's settings and state."""
        values = {name: value for name, value in asdict(endpoint).items() if name not in _FIXED}
        values["events"] = list(endpoint.events)
        statement = update(WebhookEndpointRow).where(
            col(WebhookEndpointRow.tenant_id) == self._tenant_id, col(WebhookEndpointRow.id) == endpoint.id
        )
        execute(self._connection, statement.values(values))


def _endpoint_from(row: Mapping[Any, Any]) -> WebhookEndpoint:
    return WebhookEndpoint(**{**row, "events": tuple(row["events"])})
