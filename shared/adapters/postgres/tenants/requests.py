"""Requests with idempotency keys in PostgreSQL."""

from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from shared.adapters.postgres.tables.access import ApiRequestRow
from shared.adapters.postgres.tables.mapping import table
from shared.ports.tenants import KeptResponse, RequestClaim

REQUESTS = table(ApiRequestRow)


class PostgresRequestRepository:
    """Implements `RequestRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def claim(self, key_id: str, request_key: str, request_hash: str, *, hold_seconds: float) -> RequestClaim:
        """Take a request, unless it was answered, is being worked on, or was another one."""
        is_old = (REQUESTS.c.tenant_id == self._tenant_id) & (REQUESTS.c.expires_at < func.now())
        self._connection.execute(delete(REQUESTS).where(is_old))
        held_until = func.now() + timedelta(seconds=hold_seconds)
        values: dict[str, object] = {"tenant_id": self._tenant_id, "key_id": key_id, "request_key": request_key}
        values |= {"request_hash": request_hash, "held_until": held_until, "expires_at": held_until}
        done = self._connection.execute(
            insert(REQUESTS).values(values).on_conflict_do_nothing().returning(REQUESTS.c.key_id)
        )
        if done.first() is not None:
            return RequestClaim(is_mine=True)
        row = self._connection.execute(
            select(REQUESTS).where(self._is(key_id, request_key)).with_for_update()
        ).mappings().one()  # fmt: skip
        if row["request_hash"] != request_hash:
            return RequestClaim(is_mine=False, is_other_request=True)
        if row["status"] is None:
            return RequestClaim(is_mine=False)
        return RequestClaim(is_mine=False, response=KeptResponse(status=row["status"], body=row["body"]))

    def keep(self, key_id: str, request_key: str, response: KeptResponse, *, keep_hours: float) -> None:
        """Store the answer for a repeat of the request."""
        self._connection.execute(
            update(REQUESTS)
            .where(self._is(key_id, request_key))
            .values(
                status=response.status,
                body=response.body,
                held_until=None,
                expires_at=func.now() + timedelta(hours=keep_hours),
            )
        )

    def release(self, key_id: str, request_key: str) -> None:
        """Let go of a request that failed."""
        is_open = self._is(key_id, request_key) & REQUESTS.c.status.is_(None)
        self._connection.execute(delete(REQUESTS).where(is_open))

    def delete(self, words: Collection[str]) -> None:
        """Forget the kept answers that hold one of these words."""
        holds = or_(*(func.strpos(REQUESTS.c.body, word) > 0 for word in words))
        self._connection.execute(delete(REQUESTS).where(REQUESTS.c.tenant_id == self._tenant_id, holds))

    def _is(self, key_id: str, request_key: str) -> ColumnElement[bool]:
        is_it: ColumnElement[bool] = (
            (REQUESTS.c.tenant_id == self._tenant_id)
            & (REQUESTS.c.key_id == key_id)
            & (REQUESTS.c.request_key == request_key)
        )
        return is_it
