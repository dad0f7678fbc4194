"""The outbox of webhooks in PostgreSQL. What ends a dream writes into it in the same transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, case, cast, func, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from ulid import ULID

from shared.adapters.postgres.tables.access import WebhookDeliveryRow
from shared.adapters.postgres.tables.mapping import table
from shared.core.dream.model import Dream, DreamState, DreamSummary
from shared.core.errors import NotFoundError
from shared.core.webhooks.endpoint import DELIVERY_PREFIX, Attempt, Delivery, DeliveryState, Message, WebhookEvent
from shared.core.webhooks.message import ENDED_STATES, build_end_messages
from shared.core.webhooks.retries import AttemptVerdict
from shared.ports.webhooks import ClaimedDelivery, DeliveryFilter

DELIVERIES = table(WebhookDeliveryRow)
_TRIES: TypeAdapter[tuple[Attempt, ...]] = TypeAdapter(tuple[Attempt, ...])
_LISTENERS = text(
    "SELECT e.id, e.events, now() AS time_now, (SELECT count(*) FROM operations o WHERE o.tenant_id = :tenant"
    " AND o.dream_id = :dream AND o.review = 'pending') AS pending FROM webhook_endpoints e"
    " WHERE e.tenant_id = :tenant AND e.disabled_at IS NULL AND e.deleted_at IS NULL"
)


def announce_end(connection: Connection, dream: Dream, state: DreamState, summary: DreamSummary | None) -> None:
    """Put into the outbox that a dream ends in this state, for every endpoint that wants to hear it."""
    if state not in ENDED_STATES:
        return
    found = connection.execute(_LISTENERS, {"tenant": dream.tenant_id, "dream": dream.id}).mappings().all()
    if not found:
        return
    messages = build_end_messages(
        dream, state, summary, pending_reviews=found[0]["pending"], now=found[0]["time_now"]
    )  # fmt: skip
    rows = [
        _values(dream.tenant_id, endpoint["id"], message)
        for endpoint in found
        for message in messages
        if message.event in endpoint["events"]
    ]
    if rows:
        connection.execute(insert(DELIVERIES).on_conflict_do_nothing(constraint="uq_webhook_deliveries_message"), rows)


class PostgresDeliveryRepository:
    """Implements `DeliveryRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._mine = DELIVERIES.c.tenant_id == tenant_id

    def add(self, endpoint_id: str, message: Message) -> Delivery:
        """Put a message into the outbox of an endpoint. The same message goes in once."""
        statement = insert(DELIVERIES).values(_values(self._tenant_id, endpoint_id, message))
        self._connection.execute(statement.on_conflict_do_nothing(constraint="uq_webhook_deliveries_message"))
        same = (DELIVERIES.c.endpoint_id == endpoint_id) & (DELIVERIES.c.message_id == message.id)
        row = self._connection.execute(select(DELIVERIES).where(self._mine, same)).mappings().one()
        return _delivery_from(row)

    def get(self, delivery_id: str) -> Delivery:
        """Return a delivery."""
        query = select(DELIVERIES).where(self._mine, DELIVERIES.c.id == delivery_id)
        return _delivery_from(self._found(self._connection.execute(query).mappings().first(), delivery_id))

    def find_page(self, wanted: DeliveryFilter, *, behind: str | None, limit: int) -> list[Delivery]:
        """Return deliveries, newest first, behind the one of this id."""
        query = select(DELIVERIES).where(self._mine)
        if wanted.endpoint_id is not None:
            query = query.where(DELIVERIES.c.endpoint_id == wanted.endpoint_id)
        if wanted.state is not None:
            query = query.where(DELIVERIES.c.state == wanted.state)
        if behind is not None:
            at = select(DELIVERIES.c.created_at).where(self._mine, DELIVERIES.c.id == behind).scalar_subquery()
            query = query.where(tuple_(DELIVERIES.c.created_at, DELIVERIES.c.id) < tuple_(at, behind))
        query = query.order_by(DELIVERIES.c.created_at.desc(), DELIVERIES.c.id.desc()).limit(limit)
        return [_delivery_from(row) for row in self._connection.execute(query).mappings()]

    def begin(self, delivery_id: str, claim: int) -> Delivery | None:
        """Use a claim up and count the attempt; None when it was used before or the delivery is over."""
        statement = update(DELIVERIES).where(
            self._mine,
            DELIVERIES.c.id == delivery_id,
            DELIVERIES.c.state == DeliveryState.PENDING,
            DELIVERIES.c.claims == claim,
            DELIVERIES.c.begun < claim,
        )
        done = self._connection.execute(
            statement.values(begun=claim, attempts=DELIVERIES.c.attempts + 1).returning(DELIVERIES)
        )
        row = done.mappings().first()
        return None if row is None else _delivery_from(row)

    def end(self, delivery: Delivery, attempt: Attempt, verdict: AttemptVerdict) -> None:
        """Log an attempt and write what follows from it. What ended meanwhile stays ended."""
        is_over = verdict.state is not DeliveryState.PENDING
        is_open = DELIVERIES.c.state == DeliveryState.PENDING
        values = {
            "tries": DELIVERIES.c.tries.op("||")(cast(_TRIES.dump_python((attempt,), mode="json"), JSONB)),
            "state": case((is_open, verdict.state), else_=DELIVERIES.c.state),
            "error": case((is_open, attempt.error), else_=DELIVERIES.c.error),
            "ended_at": case((is_open & is_over, func.now()), else_=DELIVERIES.c.ended_at),
            "next_attempt_at": None if is_over else verdict.retry_at,
            "lease_until": None,
        }
        statement = update(DELIVERIES).where(self._mine, DELIVERIES.c.id == delivery.id)
        self._connection.execute(statement.values(values))

    def claim(self, delivery_id: str, hold_seconds: float) -> ClaimedDelivery:
        """Claim a delivery out of turn, for a person who waits for it."""
        until = func.now() + func.make_interval(0, 0, 0, 0, 0, 0, hold_seconds)
        statement = update(DELIVERIES).where(self._mine, DELIVERIES.c.id == delivery_id)
        values = {"claims": DELIVERIES.c.claims + 1, "lease_until": until, "next_attempt_at": until}
        row = self._connection.execute(statement.values(values).returning(DELIVERIES.c.claims)).mappings().first()
        claim = self._found(row, delivery_id)["claims"]
        return ClaimedDelivery(tenant_id=self._tenant_id, delivery_id=delivery_id, claim=claim)

    def hold(self, endpoint_id: str) -> None:
        """Have everything that is pending wait."""
        self._set_pending(endpoint_id, {"next_attempt_at": None})

    def release(self, endpoint_id: str, at: datetime) -> int:
        """Have everything that is pending go out from a moment on; return how many."""
        return self._set_pending(endpoint_id, {"next_attempt_at": at})

    def drop(self, endpoint_id: str, reason: str) -> int:
        """End everything that is pending without sending it; return how many."""
        ended = {"state": DeliveryState.FAILED, "error": reason, "next_attempt_at": None, "ended_at": func.now()}
        return self._set_pending(endpoint_id, ended)

    def replay(self, endpoint_id: str, *, delivery_id: str | None = None, failed_since: datetime | None = None) -> int:
        """Have one delivery, or all that failed since a moment, go out again now; return how many."""
        is_over = DELIVERIES.c.state != DeliveryState.PENDING
        is_idle = is_over | DELIVERIES.c.lease_until.is_(None) | (DELIVERIES.c.lease_until < func.now())
        conditions = [self._mine, DELIVERIES.c.endpoint_id == endpoint_id, is_idle]
        if delivery_id is not None:
            conditions.append(DELIVERIES.c.id == delivery_id)
        if failed_since is not None:
            conditions += [DELIVERIES.c.state == DeliveryState.FAILED, DELIVERIES.c.ended_at >= failed_since]
        again = {
            "state": DeliveryState.PENDING, "next_attempt_at": func.now(), "lease_until": None, "ended_at": None,
            "error": "", "attempts": case((is_over, 0), else_=DELIVERIES.c.attempts),
        }  # fmt: skip
        return int(self._connection.execute(update(DELIVERIES).where(*conditions).values(again)).rowcount)

    def _set_pending(self, endpoint_id: str, values: dict[str, Any]) -> int:
        pending = (DELIVERIES.c.endpoint_id == endpoint_id) & (DELIVERIES.c.state == DeliveryState.PENDING)
        done = self._connection.execute(update(DELIVERIES).where(self._mine, pending).values(values))
        return int(done.rowcount)

    def _found(self, row: Mapping[Any, Any] | None, delivery_id: str) -> Mapping[Any, Any]:
        if row is None:
            msg = f"Tenant {self._tenant_id!r} has no webhook delivery {delivery_id!r}"
            raise NotFoundError(msg)
        return row


def _values(tenant_id: str, endpoint_id: str, message: Message) -> dict[str, Any]:
    return {
        "id": f"{DELIVERY_PREFIX}_{ULID()}",
        "tenant_id": tenant_id,
        "endpoint_id": endpoint_id,
        "message_id": message.id,
        "event": message.event,
        "dream_id": message.dream_id,
        "body": message.body,
        "tries": [],
    }


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
