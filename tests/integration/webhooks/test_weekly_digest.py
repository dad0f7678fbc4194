"""The digest of a week by webhook: once a week in the tenant's time zone, whatever stops or runs twice, and only where asked for."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from starlette.testclient import TestClient

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import weekly_digest
from shared.all_ports import Ports
from shared.core.webhooks.endpoint import WebhookEvent
from shared.services.forgetting.forget import forget
from shared.services.forgetting.wanted import Kind, Target
from shared.services.insight.weekly_digest import send_weekly_digest
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.gates.gate_support import save_tenant
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.integration.webhooks.webhook_support import (
    TENANT,
    Receiver,
    an_endpoint,
    deliver_due,
    deliveries,
    endpoint,
)

LEARNED = "The code of the office door is 5678."


@pytest.fixture
def subscribed(hooked: Ports, receiver: Receiver, owner: psycopg.Connection) -> Ports:
    """A tenant whose only week with a dream is over, and whose endpoint wants the digest, which is not due yet."""
    a_rich_store(hooked, TENANT)
    dream = dream_of_everything(hooked, TENANT)
    owner.execute("UPDATE dreams SET created_at = created_at - interval '7 days' WHERE id = %s", (dream.id,))
    an_endpoint(hooked, TENANT, receiver.url, events=[WebhookEvent.INSIGHT_WEEKLY])
    return hooked


def let_weeks_pass(owner: psycopg.Connection, weeks: int = 1) -> None:
    """As if the scheduler had been down since then."""
    owner.execute("UPDATE webhook_endpoints SET digest_at = digest_at - %s * interval '7 days'", (weeks,))


def told(ports: Ports, receiver: Receiver) -> list[dict[str, Any]]:
    deliver_due(ports, rounds=2)
    return [one.json["data"] for one in receiver.received]


def fetched(client: TestClient, header: dict[str, str], week: str) -> Any:
    return client.get("/api/insight", params={"week": week}, headers=header).json()


def test_the_last_week_is_told_once_with_the_facts_that_insight_shows(
    subscribed: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    assert run_sweep(subscribed, weekly_digest.SWEEP)["found"] == 0, "the week is not over"
    let_weeks_pass(owner)
    assert run_sweep(subscribed, weekly_digest.SWEEP)["acted"] == 1
    assert run_sweep(subscribed, weekly_digest.SWEEP)["found"] == 0
    (data,) = told(subscribed, receiver)
    shown = fetched(a_client(an_app(subscribed)), bearer(a_token(subscribed, TENANT)), data["week"])
    assert {name: data[name] for name in shown} == shown
    assert LEARNED in data["markdown"]
    assert datetime.fromisoformat(data["week"]).date() < datetime.now(UTC).date() - timedelta(days=6)


def test_after_ten_weeks_of_downtime_only_the_last_week_is_told(
    subscribed: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    let_weeks_pass(owner, 10)
    for _ in range(3):
        run_sweep(subscribed, weekly_digest.SWEEP)
    (data,) = told(subscribed, receiver)
    assert LEARNED in data["markdown"]


def test_two_schedulers_at_once_tell_a_week_once(subscribed: Ports, owner: psycopg.Connection) -> None:
    let_weeks_pass(owner)
    with ThreadPoolExecutor(4) as pool:
        sent = list(pool.map(lambda _: send_weekly_digest(subscribed.db, TENANT), range(4)))
    assert sent.count(True) == 1
    assert len(deliveries(subscribed)) == 1


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_a_week_ends_when_monday_begins_for_the_tenant(hooked: Ports, receiver: Receiver, zone: str) -> None:
    a_rich_store(hooked, TENANT)
    save_tenant(hooked, TENANT, time_zone=zone)
    an_endpoint(hooked, TENANT, receiver.url, events=[WebhookEvent.INSIGHT_WEEKLY])
    due = endpoint(hooked).digest_at
    assert due is not None
    there = due.astimezone(ZoneInfo(zone))
    assert (there.weekday(), there.hour, there.minute) == (0, 0, 0)
    assert timedelta() < due - datetime.now(UTC) <= timedelta(days=7, hours=1)


def test_an_endpoint_that_names_no_event_gets_no_digest_since_that_quotes_memories(
    hooked: Ports, receiver: Receiver
) -> None:
    an_endpoint(hooked, TENANT, receiver.url)
    assert WebhookEvent.INSIGHT_WEEKLY not in endpoint(hooked).events
    assert endpoint(hooked).digest_at is None


def test_what_a_store_hides_from_agents_does_not_leave_by_webhook(
    subscribed: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    a_rich_store(subscribed, TENANT, overrides={"recall.least_rank": "owner"})
    let_weeks_pass(owner)
    run_sweep(subscribed, weekly_digest.SWEEP)
    (data,) = told(subscribed, receiver)
    assert data["lessons"] == []
    assert LEARNED not in data["markdown"]


def test_a_forgotten_statement_is_in_no_digest_that_waits(
    subscribed: Ports, receiver: Receiver, owner: psycopg.Connection
) -> None:
    let_weeks_pass(owner)
    run_sweep(subscribed, weekly_digest.SWEEP)
    forget(subscribed.db, TENANT, "default", Target(kind=Kind.TEXT, value=LEARNED), actor="a test")
    (data,) = told(subscribed, receiver)
    assert "5678" not in str(data)
