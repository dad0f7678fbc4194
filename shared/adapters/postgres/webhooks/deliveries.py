"""The outbox of webhooks in PostgreSQL. The transaction that ends a dream also writes its messages."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, Text, bindparam, case, cast, func, literal_column, select, tuple_, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import execute, fetch, fetch_one
from shared.adapters.postgres.tables.access import WebhookDeliveryRow, WebhookEndpointRow
from shared.adapters.postgres.tables.dreams import OperationRow
from shared.adapters.ulid_ids import new_id
from shared.core.dream.model import Dream, DreamState, DreamSummary
from shared.core.errors import NotFoundError
from shared.core.tenants.shadow import is_shadow
from shared.core.webhooks.endpoint import (
    DELIVERY_PREFIX,
    LISTEN,
    Attempt,
    Delivery,
    DeliveryState,
    Message,
    WebhookEvent,
)
from shared.core.webhooks.message import ENDED_STATES, build_end_messages
from shared.core.webhooks.retries import AttemptVerdict
from shared.ports.webhooks import ClaimedDelivery, DeliveryFilter

_TRIES: TypeAdapter[tuple[Attempt, ...]] = TypeAdapter(tuple[Attempt, ...])
_TENANT, _DREAM = (bindparam(name, type_=Text) for name in ("tenant", "dream"))
_PENDING_REVIEWS = (
    select(func.count())
    .select_from(OperationRow)
    .where(
        col(OperationRow.tenant_id) == _TENANT,
        col(OperationRow.dream_id) == _DREAM,
        col(OperationRow.review) == literal_column("'pending'"),
    )
    .scalar_subquery()
)
_LISTENERS = select(
    col(WebhookEndpointRow.id),
    col(WebhookEndpointRow.events),
    func.now().label("time_now"),
    _PENDING_REVIEWS.label("pending"),
).where(
    col(WebhookEndpointRow.tenant_id) == _TENANT,
    col(WebhookEndpointRow.disabled_at).is_(None),
    col(WebhookEndpointRow.deleted_at).is_(None),
)


def announce_end(
    connection: Connection, dream: Dream, state: DreamState, summary: DreamSummary | None, *, has_failed: bool
) -> None:
    """Put into the outbox that a dream ends in this state, for every endpoint that subscribes to it."""
    if state not in ENDED_STATES or is_shadow(dream.store):
        return
    found = fetch(connection, _LISTENERS, {"tenant": dream.tenant_id, "dream": dream.id})
    if not found:
        return
    messages = build_end_messages(
        dream,
        state,
        summary,
        pending_reviews=found[0]["pending"],
        has_failed=has_failed,
        now=found[0]["time_now"],
    )
    rows = [
        _values(dream.tenant_id, endpoint["id"], message)
        for endpoint in found
        for message in messages
        if message.event in endpoint["events"]
    ]
    if rows:
        statement = insert(WebhookDeliveryRow).values(rows)
        execute(connection, statement.on_conflict_do_nothing(constraint="uq_webhook_deliveries_message"))


class PostgresDeliveryRepository:
    """Implements `DeliveryRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = col(WebhookDeliveryRow.tenant_id) == tenant_id

    def add(self, endpoint_id: str, message: Message) -> Delivery:
        """Add a message to the outbox of an endpoint. A message is added only once."""
        statement = insert(WebhookDeliveryRow).values(_values(self._tenant_id, endpoint_id, message))
        execute(self._connection, statement.on_conflict_do_nothing(constraint="uq_webhook_deliveries_message"))
        same = (col(WebhookDeliveryRow.endpoint_id) == endpoint_id) & (col(WebhookDeliveryRow.message_id) == message.id)
        row = fetch_one(self._connection, select(WebhookDeliveryRow).where(self._mine, same))
        return _delivery_from(self._found(row, message.id))

    def get(self, delivery_id: str) -> Delivery:
        """Return a delivery."""
        query = select(WebhookDeliveryRow).where(self._mine, col(WebhookDeliveryRow.id) == delivery_id)
        return _delivery_from(self._found(fetch_one(self._connection, query), delivery_id))

    def find_page(self, wanted: DeliveryFilter, *, start_after: str | None, limit: int) -> list[Delivery]:
        """Return deliveries, newest first, after the one of this id."""
        query = select(WebhookDeliveryRow).where(self._mine)
        if wanted.endpoint_id is not None:
            query = query.where(col(WebhookDeliveryRow.endpoint_id) == wanted.endpoint_id)
        if wanted.state is not None:
            query = query.where(col(WebhookDeliveryRow.state) == wanted.state)
        if start_after is not None:
            at = (
                select(col(WebhookDeliveryRow.created_at))
                .where(self._mine, col(WebhookDeliveryRow.id) == start_after)
                .scalar_subquery()
            )
            query = query.where(
                tuple_(col(WebhookDeliveryRow.created_at), col(WebhookDeliveryRow.id)) < tuple_(at, start_after)
            )
        query = query.order_by(col(WebhookDeliveryRow.created_at).desc(), col(WebhookDeliveryRow.id).desc()).limit(
            limit
        )
        return [_delivery_from(row) for row in fetch(self._connection, query)]

    def begin(self, delivery_id: str, claim: int) -> Delivery | None:
        """Consume a claim and count the attempt; None if it was used before or the delivery has ended."""
        statement = update(WebhookDeliveryRow).where(
            self._mine,
            col(WebhookDeliveryRow.id) == delivery_id,
            col(WebhookDeliveryRow.state) == DeliveryState.PENDING,
            col(WebhookDeliveryRow.claims) == claim,
            col(WebhookDeliveryRow.begun) < claim,
        )
        begun = statement.values(begun=claim, attempts=col(WebhookDeliveryRow.attempts) + 1)
        row = fetch_one(self._connection, begun.returning(WebhookDeliveryRow))
        return None if row is None else _delivery_from(row)

    def end(self, delivery: Delivery, attempt: Attempt, verdict: AttemptVerdict) -> None:
        """Record an attempt and its consequence. A delivery that ended meanwhile stays ended."""
        is_over = verdict.state is not DeliveryState.PENDING
        is_open = col(WebhookDeliveryRow.state) == DeliveryState.PENDING
        values = {
            "tries": col(WebhookDeliveryRow.tries).op("||")(cast(_TRIES.dump_python((attempt,), mode="json"), JSONB)),
            "state": case((is_open, verdict.state), else_=col(WebhookDeliveryRow.state)),
            "error": case((is_open, attempt.error), else_=col(WebhookDeliveryRow.error)),
            "ended_at": case((is_open & is_over, func.now()), else_=col(WebhookDeliveryRow.ended_at)),
            "next_attempt_at": None if is_over else verdict.retry_at,
            "lease_until": None,
        }
        statement = update(WebhookDeliveryRow).where(self._mine, col(WebhookDeliveryRow.id) == delivery.id)
        execute(self._connection, statement.values(values))

    def claim(self, delivery_id: str, hold_seconds: float) -> ClaimedDelivery:
        """Claim a delivery out of turn, for a person who waits for it."""
        until = func.now() + func.make_interval(0, 0, 0, 0, 0, 0, hold_seconds)
        statement = update(WebhookDeliveryRow).where(self._mine, col(WebhookDeliveryRow.id) == delivery_id)
        values = {"claims": col(WebhookDeliveryRow.claims) + 1, "lease_until": until, "next_attempt_at": until}
        row = fetch_one(self._connection, statement.values(values).returning(col(WebhookDeliveryRow.claims)))
        claim = self._found(row, delivery_id)["claims"]
        return ClaimedDelivery(tenant_id=self._tenant_id, delivery_id=delivery_id, claim=claim)

    def hold(self, endpoint_id: str) -> None:
        """Hold all pending deliveries back."""
        self._set_pending(endpoint_id, {"next_attempt_at": None})

    def release(self, endpoint_id: str, at: datetime) -> int:
        """Make all pending deliveries due at a moment; return their number."""
        return self._set_pending(endpoint_id, {"next_attempt_at": at})

    def drop(self, endpoint_id: str, reason: str) -> int:
        """End all pending deliveries without sending them; return how many."""
        ended = {"state": DeliveryState.FAILED, "error": reason, "next_attempt_at": None, "ended_at": func.now()}
        return self._set_pending(endpoint_id, ended)

    def replay(self, endpoint_id: str, *, delivery_id: str | None = None, failed_since: datetime | None = None) -> int:
        """Make one delivery, or all that failed since a moment, due again now; return their number."""
        is_over = col(WebhookDeliveryRow.state) != DeliveryState.PENDING
        is_idle = (
            is_over | col(WebhookDeliveryRow.lease_until).is_(None) | (col(WebhookDeliveryRow.lease_until) < func.now())
        )
        conditions = [self._mine, col(WebhookDeliveryRow.endpoint_id) == endpoint_id, is_idle]
        if delivery_id is not None:
            conditions.append(col(WebhookDeliveryRow.id) == delivery_id)
        if failed_since is not None:
            conditions += [
                col(WebhookDeliveryRow.state) == DeliveryState.FAILED,
                col(WebhookDeliveryRow.ended_at) >= failed_since,
            ]
        again = {
            "state": DeliveryState.PENDING, "next_attempt_at": _due(endpoint_id), "lease_until": None, "ended_at": None,
            "error": "", "attempts": case((is_over, 0), else_=col(WebhookDeliveryRow.attempts)),
        }  # fmt: skip
        return execute(self._connection, update(WebhookDeliveryRow).where(*conditions).values(again))

    def _set_pending(self, endpoint_id: str, values: dict[str, Any]) -> int:
        pending = (col(WebhookDeliveryRow.endpoint_id) == endpoint_id) & (
            col(WebhookDeliveryRow.state) == DeliveryState.PENDING
        )
        return execute(self._connection, update(WebhookDeliveryRow).where(self._mine, pending).values(values))

    def _found(self, row: Mapping[Any, Any] | None, delivery_id: str) -> Mapping[Any, Any]:
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no webhook delivery {delivery_id!r}"
            raise NotFoundError(msg)
        return row


def _values(tenant_id: str, endpoint_id: str, message: Message) -> dict[str, Any]:
    return {
        "id": new_id(DELIVERY_PREFIX),
        "tenant_id": tenant_id,
        "endpoint_id": endpoint_id,
        "message_id": message.id,
        "event": message.event,
        "dream_id": message.dream_id,
        "body": message.body,
        "tries": [],
        "next_attempt_at": _due(endpoint_id),
    }


def _due(endpoint_id: str) -> Any:  # noqa: ANN401 - a scalar subquery
    """Return when a message is posted: now, or never to an endpoint that it is taken from."""
    at = case((col(WebhookEndpointRow.url) != LISTEN, func.now()), else_=None)
    return select(at).where(col(WebhookEndpointRow.id) == endpoint_id).scalar_subquery()


_PLAIN = ("id", "tenant_id", "endpoint_id", "attempts", "next_attempt_at", "created_at", "ended_at", "error")


def _delivery_from(row: Mapping[Any, Any]) -> Delivery:
    message = Message(
        id=row["message_id"], event=WebhookEvent(row["event"]), body=row["body"], dream_id=row["dream_id"]
    )  # fmt: skip
    return Delivery(
        **{name: row[name] for name in _PLAIN},
        message=message,
        state=DeliveryState(row["state"]),
        tries=_TRIES.validate_python(row["tries"]),
    )
