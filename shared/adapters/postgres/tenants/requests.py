"""Requests with idempotency keys in PostgreSQL."""

from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import execute, fetch
from shared.adapters.postgres.tables.access import ApiRequestRow
from shared.ports.tenants import KeptResponse, RequestClaim


class PostgresRequestRepository:
    """Implements `RequestRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def claim(self, key_id: str, request_key: str, request_hash: str, *, hold_seconds: float) -> RequestClaim:
        """Claim a request, unless it was answered, is in progress, or differs from the first one with this key."""
        is_old = (col(ApiRequestRow.tenant_id) == self._tenant_id) & (col(ApiRequestRow.expires_at) < func.now())
        execute(self._connection, delete(ApiRequestRow).where(is_old))
        held_until = func.now() + timedelta(seconds=hold_seconds)
        values: dict[str, object] = {"tenant_id": self._tenant_id, "key_id": key_id, "request_key": request_key}
        values |= {"request_hash": request_hash, "held_until": held_until, "expires_at": held_until}
        if execute(self._connection, insert(ApiRequestRow).values(values).on_conflict_do_nothing()):
            return RequestClaim(is_mine=True)
        query = select(ApiRequestRow).where(self._is(key_id, request_key)).with_for_update()
        (row,) = fetch(self._connection, query)
        if row["request_hash"] != request_hash:
            return RequestClaim(is_mine=False, is_other_request=True)
        if row["status"] is None:
            return RequestClaim(is_mine=False)
        return RequestClaim(is_mine=False, response=KeptResponse(status=row["status"], body=row["body"]))

    def keep(self, key_id: str, request_key: str, response: KeptResponse, *, keep_hours: float) -> None:
        """Store the answer for a repeat of the request."""
        execute(
            self._connection,
            update(ApiRequestRow)
            .where(self._is(key_id, request_key))
            .values(
                status=response.status,
                body=response.body,
                held_until=None,
                expires_at=func.now() + timedelta(hours=keep_hours),
            ),
        )

    def release(self, key_id: str, request_key: str) -> None:
        """Release a failed request."""
        is_open = self._is(key_id, request_key) & col(ApiRequestRow.status).is_(None)
        execute(self._connection, delete(ApiRequestRow).where(is_open))

    def delete(self, words: Collection[str]) -> None:
        """Delete the stored answers that contain one of these words."""
        holds = or_(*(func.strpos(col(ApiRequestRow.body), word) > 0 for word in words))
        execute(self._connection, delete(ApiRequestRow).where(col(ApiRequestRow.tenant_id) == self._tenant_id, holds))

    def _is(self, key_id: str, request_key: str) -> ColumnElement[bool]:
        is_it: ColumnElement[bool] = (
            (col(ApiRequestRow.tenant_id) == self._tenant_id)
            & (col(ApiRequestRow.key_id) == key_id)
            & (col(ApiRequestRow.request_key) == request_key)
        )
        return is_it
