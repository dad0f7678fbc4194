"""Many due stores checked at once: each is told what a check of its own would tell it, and nothing is lost on the way."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.tenants.store import Store, Verdict
from shared.ports.stores import DueStore, ShutVerdict
from shared.services.dreams.check import check_many
from tests.integration.gates.gate_support import save_tenant, start, start_and_claim
from tests.support.builders import a_store, get_store, write

ENOUGH = {f"web/{n}.md": f"# Note\n\nWhat the gardener said on visit {n}.\n" for n in ("a", "b", "c")}


def quieten(owner: psycopg.Connection, *, due_seconds_ago: float = 60) -> None:
    """As if every agent had been quiet for a day, and every store were due."""
    owner.execute(
        "UPDATE stores SET last_activity_at = now() - interval '1 day', next_check_at = now() - %s",
        [timedelta(seconds=due_seconds_ago)],
    )


def with_slots(ports: Ports, slots: int) -> Ports:
    return replace(ports, settings=ports.settings.model_copy(update={"max_active_dreams": slots}))


def told(store: Store) -> tuple[object, ...]:
    """Return the state that a check leaves on a store, without its moment and the store's own spread."""
    verdict = store.last_verdict
    assert verdict is not None
    is_full_check = store.last_check_at == verdict.at
    return verdict.gate, verdict.reason, verdict.retry_at is None, store.next_check_at is None, is_full_check


SHAPES: dict[str, dict[str, Any]] = {
    "paused": {"tenant": {"paused_at": "now"}},
    "budget": {"tenant": {"tokens_per_day": 0}},
    "defer": {"tenant": {"defer_percent": 100}},
    "time": {"store": {"last_dream_at": "now"}},
    "activity": {"store": {"overrides": {"gates.min_curations": 9}}},
    "queue": {"busy": 2},
    "lock": {"running": True},
    "quarantine": {"failed": 3},
}


def _with_now(settings: dict[str, Any], now: datetime) -> dict[str, Any]:
    return {key: now if value == "now" else value for key, value in settings.items()}


def prepare(ports: Ports, owner: psycopg.Connection, tenant: str, shape: dict[str, Any]) -> None:
    write(ports, tenant, ENOUGH)
    with ports.db.transaction(tenant) as uow:
        now = uow.now()
    store_id = get_store(ports, tenant).id
    save_tenant(ports, tenant, **_with_now(shape.get("tenant", {}), now))
    a_store(ports, tenant, "default", **_with_now(shape.get("store", {}), now))
    if "busy" in shape:
        with ports.db.transaction(tenant) as uow:
            uow.activity.set_busy(store_id, pending_tasks=shape["busy"], active_until=None)
    if "running" in shape:
        a_store(ports, tenant, "other")
        start_and_claim(ports, tenant, "other")
    owner.execute(
        "INSERT INTO dreams (id, tenant_id, store_id, state, trigger, is_forced, is_dry_run, model, reason, has_failed,"
        " finished_at) SELECT %s || n, %s, %s, 'error', 'cli', false, false, '', 'the model is away', true, now()"
        " FROM generate_series(1, %s) n",
        [f"drm_{tenant}", tenant, store_id, shape.get("failed", 0)],
    )


@pytest.mark.parametrize("gate", SHAPES)
def test_a_store_checked_among_many_is_told_what_it_is_told_alone(
    gate: str, fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    for tenant in ("alone", "among", "between"):
        prepare(fresh_ports, owner, tenant, SHAPES[gate])
    quieten(owner)
    assert start(fresh_ports, "alone").verdict.gate == gate
    assert check_many(fresh_ports.db, [DueStore("between", "default"), DueStore("among", "default")]) == []
    assert told(get_store(fresh_ports, "among")) == told(get_store(fresh_ports, "alone"))
    assert told(get_store(fresh_ports, "between")) == told(get_store(fresh_ports, "alone"))


def test_a_store_that_may_dream_or_does_not_exist_is_left_to_a_check_of_its_own(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    write(fresh_ports, "acme", ENOUGH)
    quieten(owner)
    due = [DueStore("unknown", "default"), DueStore("acme", "default"), DueStore("acme", "gone")]
    assert check_many(fresh_ports.db, due) == due
    assert get_store(fresh_ports, "acme").last_verdict is None


def test_a_store_with_unreadable_settings_holds_up_no_other(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    for tenant in ("odd", "acme"):
        a_store(fresh_ports, tenant)
    owner.execute("UPDATE stores SET profile = 'no such profile' WHERE tenant_id = 'odd'")
    assert check_many(fresh_ports.db, [DueStore("odd", "default"), DueStore("acme", "default")]) == [
        DueStore("odd", "default")
    ]


def test_activity_that_comes_between_reading_and_the_verdict_is_not_covered_by_it(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    write(fresh_ports, "acme", {"web/a.md": "# Note\n"})
    quieten(owner)
    (state,) = fresh_ports.db.sweeps.read_states([DueStore("acme", "default")], ended=3)
    write(fresh_ports, "acme", ENOUGH)
    stale = ShutVerdict(
        tenant_id="acme",
        store_id=state.store.id,
        version=state.version,
        verdict=Verdict(at=state.at, is_open=False, gate="activity"),
        next_check_at=None,
        is_full_check=True,
    )
    assert fresh_ports.db.sweeps.keep_verdicts([stale]) == set()
    assert get_store(fresh_ports, "acme").next_check_at is not None


def test_a_locked_store_keeps_no_other_waiting(fresh_ports: Ports) -> None:
    for tenant in ("acme", "beta"):
        a_store(fresh_ports, tenant)
    with fresh_ports.db.transaction("acme") as uow:
        uow.stores.get("default", lock=True)
        left = check_many(fresh_ports.db, [DueStore("acme", "default"), DueStore("beta", "default")])
    assert left == [DueStore("acme", "default")]


def test_stores_whose_gate_is_shut_use_up_no_slot(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    for number in range(30):
        a_store(fresh_ports, f"shut{number}")
    quieten(owner, due_seconds_ago=600)
    write(fresh_ports, "ready", ENOUGH)
    owner.execute(
        "UPDATE stores SET last_activity_at = now() - interval '1 day', next_check_at = now() WHERE tenant_id = 'ready'"
    )
    assert run_sweep(with_slots(fresh_ports, 1), due_stores.SWEEP) == {"found": 31, "acted": 1, "failed": 0}
    assert dispatch.checks == [("ready", "default")]


def test_stores_beyond_the_free_slots_keep_their_place_in_the_line(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    for name in ("first", "second", "third"):
        write(fresh_ports, name, ENOUGH)
    quieten(owner)
    for place, name in enumerate(("first", "second", "third")):
        owner.execute(
            "UPDATE stores SET next_check_at = next_check_at + %s WHERE tenant_id = %s",
            [timedelta(seconds=place), name],
        )
    before = {name: get_store(fresh_ports, name).next_check_at for name in ("second", "third")}
    assert run_sweep(with_slots(fresh_ports, 1), due_stores.SWEEP)["acted"] == 1
    assert dispatch.checks == [("first", "default")]
    assert {name: get_store(fresh_ports, name).next_check_at for name in ("second", "third")} == before
