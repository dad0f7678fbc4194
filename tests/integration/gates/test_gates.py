"""Gates against the real database: each verdict with its numbers, what force skips, and when to look again."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import psycopg
import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.errors import NotFoundError
from shared.core.gates.jitter import with_jitter
from shared.core.tenants.store import Store
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from tests.integration.gates.gate_support import claim, save_tenant, start
from tests.support.builders import a_store, get_dream, get_store, run_dream, write

ENOUGH = {f"web/{n}.md": f"# Note\n\nWhat the gardener said on visit {n}.\n" for n in ("a", "b", "c")}
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def set_store(owner_connection: psycopg.Connection) -> Callable[..., None]:
    """Set columns of a store that only activity and checks write, to moments relative to the database's now."""

    def set_columns(store: Store, **columns: object) -> None:
        for name, value in columns.items():
            is_ago = isinstance(value, timedelta)
            shown = "now() - %s" if is_ago else "%s"
            statement = f"UPDATE stores SET {name} = {shown} WHERE id = %s"
            owner_connection.execute(statement.encode(), [value, store.id])

    return set_columns


@pytest.fixture
def due(ports: Ports, tenant: str, set_store: Callable[..., None]) -> Store:
    """A store for which every gate is open."""
    write(ports, tenant, ENOUGH)
    store = a_store(ports, tenant)
    set_store(store, last_activity_at=HOUR)
    return store


class Shut(NamedTuple):
    """A gate that is shut: how, what it says, and after how long (from the database's now) it is worth asking."""

    columns: dict[str, object]
    reason: str
    again_in: timedelta | None


SHUT = {
    "time": Shut({"last_dream_at": 2.5 * HOUR + MINUTE}, "Too recent (2.5h < 12h)", 9.5 * HOUR - MINUTE),
    "throttle": Shut({"last_check_at": 3.5 * MINUTE}, "Checked 3m ago (< 10m)", 6.5 * MINUTE),
    "activity": Shut({"curations": 1}, "Not enough activity (1 < 3 curations, 0 < 5 sessions)", None),
    "queue": Shut({"pending_tasks": 3}, "Queue not empty (3 tasks pending)", 5 * MINUTE),
    "idle": Shut({"active_until": -7 * MINUTE}, "Agent is active", 7 * MINUTE),
}


def test_a_store_with_open_gates_gets_a_queued_dream_and_leaves_the_line(ports: Ports, tenant: str, due: Store) -> None:
    started = start(ports, tenant)
    assert started.dream is not None
    assert started.dream.state is DreamState.QUEUED
    store = get_store(ports, tenant)
    assert store.last_verdict is not None
    assert store.last_verdict.is_open
    assert store.next_check_at is None
    assert store.last_check_at == store.last_verdict.at
    assert due.last_check_at is None


@pytest.mark.parametrize("gate", SHUT)
def test_a_shut_gate_leaves_its_reason_and_the_time_to_look_again(
    gate: str, ports: Ports, tenant: str, due: Store, set_store: Callable[..., None]
) -> None:
    set_store(due, **SHUT[gate].columns)
    verdict = start(ports, tenant).verdict
    assert (verdict.is_open, verdict.gate, verdict.reason) == (False, gate, SHUT[gate].reason)
    store = get_store(ports, tenant)
    kept = store.last_verdict
    assert kept is not None
    assert (kept.is_open, kept.gate, kept.reason, kept.retry_at) == (False, gate, verdict.reason, verdict.retry_at)
    again_in = SHUT[gate].again_in
    if again_in is None:
        assert store.next_check_at is None
        return
    assert store.next_check_at is not None
    assert kept.retry_at is not None
    assert abs(kept.retry_at - kept.at - again_in) < MINUTE / 2  # columns were set a moment before the check
    assert store.next_check_at == with_jitter(store.id, kept.retry_at, kept.at)


@pytest.mark.parametrize("gate", SHUT)
def test_force_skips_a_gate_of_convenience(
    gate: str, ports: Ports, tenant: str, due: Store, set_store: Callable[..., None]
) -> None:
    set_store(due, **SHUT[gate].columns)
    assert start(ports, tenant, force=True).dream is not None


def test_the_gates_are_asked_in_the_published_order_and_the_lock_holds_against_force_too(
    ports: Ports, tenant: str, due: Store, set_store: Callable[..., None]
) -> None:
    set_store(due, **{name: value for gate in SHUT.values() for name, value in gate.columns.items()})
    opened: dict[str, dict[str, object]] = {
        "time": {"last_dream_at": None}, "throttle": {}, "activity": {"curations": 3}, "queue": {"pending_tasks": 0},
        "idle": {"active_until": None},
    }  # fmt: skip
    seen = []
    for gate, columns in opened.items():
        seen.append(start(ports, tenant).verdict.gate)
        # Each check throttles the next one.
        set_store(due, **columns, **({} if gate == "time" else {"last_check_at": None}))
    assert seen == list(SHUT)
    assert start(ports, tenant).dream is not None
    set_store(due, last_check_at=None)
    assert [start(ports, tenant, force=force).verdict.gate for force in (False, True)] == ["lock", "lock"]


def test_a_store_that_is_quiet_too_briefly_is_looked_at_when_it_will_have_been(ports: Ports, tenant: str) -> None:
    write(ports, tenant, ENOUGH)
    verdict = start(ports, tenant).verdict
    assert verdict.gate == "idle"
    store = get_store(ports, tenant)
    assert store.last_activity_at is not None
    quiet = timedelta(seconds=store.policy.gates.idle_seconds)
    assert store.last_verdict is not None
    assert store.next_check_at == with_jitter(store.id, store.last_activity_at + quiet, store.last_verdict.at)


@pytest.mark.parametrize("who", ["tenant", "store"])
def test_nothing_dreams_while_paused_not_even_by_force(who: str, ports: Ports, tenant: str, due: Store) -> None:
    paused_at = datetime.now(UTC)
    save_tenant(ports, tenant, paused_at=paused_at) if who == "tenant" else a_store(ports, tenant, paused_at=paused_at)
    for force in (False, True):
        verdict = start(ports, tenant, force=force).verdict
        assert (verdict.gate, verdict.reason) == ("paused", f"Dreaming is paused ({who})")
    store = get_store(ports, tenant)
    assert store.next_check_at is not None
    assert store.last_check_at is due.last_check_at is None


def test_nothing_dreams_once_the_days_tokens_are_spent_not_even_by_force(ports: Ports, tenant: str, due: Store) -> None:
    dream = run_dream(ports, tenant)
    reply = LlmReply(outcome=LlmOutcome.REFUSED, model="scripted", usage=LlmUsage(input_tokens=50_000))
    with ports.db.transaction(tenant) as uow:
        uow.calls.record(dream.id, "prune", "candidates", reply, latency_ms=1)
        spent = uow.calls.count_tokens_today()
        midnight = uow.now().replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    save_tenant(ports, tenant, tokens_per_day=50_000)
    verdict = start(ports, tenant, force=True).verdict
    assert verdict.reason.startswith(f"Daily token budget spent ({spent:,} of 50,000, by the tenant's tokens per day")
    assert verdict.retry_at == midnight
    assert due.curations > 0


def test_a_check_that_the_throttle_stopped_does_not_throttle_the_next(
    ports: Ports, tenant: str, due: Store, set_store: Callable[..., None]
) -> None:
    set_store(due, last_check_at=3.5 * MINUTE)
    before = get_store(ports, tenant).last_check_at
    start(ports, tenant)
    assert get_store(ports, tenant).last_check_at == before


def test_a_store_without_activity_is_not_put_into_the_line_by_a_check(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    save_tenant(ports, tenant, paused_at=datetime.now(UTC))
    start(ports, tenant)
    assert get_store(ports, tenant).next_check_at is None


@pytest.mark.parametrize("missing", ["tenant", "store"])
def test_an_unknown_tenant_or_store_is_said_to_be_unknown(missing: str, ports: Ports, tenant: str) -> None:
    if missing == "store":
        a_store(ports, tenant)
    with pytest.raises(NotFoundError):
        start(ports, tenant, "nowhere", force=True)


def test_a_dream_whose_store_was_paused_while_it_waited_is_canceled_with_the_reason(
    ports: Ports, tenant: str, due: Store
) -> None:
    dream = start(ports, tenant).dream
    assert dream is not None
    a_store(ports, tenant, paused_at=datetime.now(UTC))
    assert claim(ports, dream).reason == "Dreaming is paused (store)"
    canceled = get_dream(ports, tenant, dream.id)
    assert (canceled.state, canceled.reason) == (DreamState.CANCELED, "Dreaming is paused (store)")
    assert get_store(ports, tenant).next_check_at is not None
    assert due.curations > 0


def test_a_dreams_own_writes_are_no_activity(ports: Ports, tenant: str, due: Store) -> None:
    dream = run_dream(ports, tenant, ScriptedLlm())
    store = get_store(ports, tenant)
    assert (store.curations, store.sessions) == (0, 0)
    assert store.last_dream_id == dream.id
    assert due.curations == len(ENOUGH)
