"""Sweeps over all tenants: what they find, what they never look at, and two of them at once."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier
from typing import LiteralString

import psycopg
from psycopg import sql

from scheduler.check_eligibility import check_eligibility
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores, stalled_dreams
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.ports.database import StalledDream
from shared.ports.stores import DueStore
from tests.integration.gates.gate_support import start, start_and_claim
from tests.support.builders import a_store, get_dream, get_store, run_dream, write

HOLD_SECONDS = 600.0
ENOUGH = {f"web/{n}.md": f"# Note\n\nWhat the gardener said on visit {n}.\n" for n in ("a", "b", "c")}


def make_due(owner: psycopg.Connection, tenant: str, store: str = "default", *, since_seconds: float = 60) -> None:
    """As if the store's time had come some while ago, its agent quiet since."""
    owner.execute(
        "UPDATE stores SET next_check_at = now() - %(ago)s, last_activity_at = now() - interval '1 day'"
        " WHERE tenant_id = %(tenant)s AND name = %(store)s",
        {"ago": timedelta(seconds=since_seconds), "tenant": tenant, "store": store},
    )


def claim_due(ports: Ports, limit: int = 100) -> list[DueStore]:
    return ports.db.sweeps.claim_due_stores(limit, HOLD_SECONDS)


def test_only_due_stores_are_found_oldest_first_and_once(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    for name in ("acme", "beta", "calm", "later"):
        a_store(fresh_ports, name)
    make_due(owner, "beta", since_seconds=500)
    make_due(owner, "acme", since_seconds=100)
    make_due(owner, "later", since_seconds=-100)
    assert claim_due(fresh_ports) == [DueStore("beta", "default"), DueStore("acme", "default")]
    assert claim_due(fresh_ports) == []


def test_of_more_due_stores_than_wanted_the_oldest_are_claimed(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    for number in range(6):
        a_store(fresh_ports, f"t{number}")
        make_due(owner, f"t{number}", since_seconds=100 + number)
    assert [due.tenant_id for due in claim_due(fresh_ports, 4)] == ["t5", "t4", "t3", "t2"]
    assert [due.tenant_id for due in claim_due(fresh_ports, 4)] == ["t1", "t0"]


def test_a_claimed_store_that_was_not_checked_comes_up_again(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    a_store(fresh_ports, "acme")
    make_due(owner, "acme")
    claim_due(fresh_ports)
    row = owner.execute("SELECT extract(epoch FROM next_check_at - now()) FROM stores").fetchone()
    assert row is not None
    assert 0.85 * HOLD_SECONDS < float(row[0]) < 1.15 * HOLD_SECONDS


def test_two_sweeps_at_once_share_the_work_and_claim_nothing_twice(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    names = {f"t{number}" for number in range(40)}
    for name in names:
        a_store(fresh_ports, name)
        make_due(owner, name)
    together = Barrier(4)

    def sweep(_: int) -> list[str]:
        together.wait(timeout=30)
        return [due.tenant_id for due in claim_due(fresh_ports, 25)]

    with ThreadPoolExecutor(4) as pool:
        found = [tenant for claimed in pool.map(sweep, range(4)) for tenant in claimed]
    found += [due.tenant_id for due in claim_due(fresh_ports)]
    assert len(found) == len(set(found))
    assert set(found) == names


def test_a_store_without_activity_is_never_visited(fresh_ports: Ports, dispatch: RecordingDispatch) -> None:
    a_store(fresh_ports, "idle")
    assert run_sweep(fresh_ports, due_stores.SWEEP) == {"found": 0, "acted": 0, "failed": 0}
    assert dispatch.checks == []


def test_a_store_leaves_the_line_with_the_dream_that_read_everything(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    write(fresh_ports, "acme", ENOUGH)
    make_due(owner, "acme")
    assert claim_due(fresh_ports) == [DueStore("acme", "default")]
    queued = check_eligibility(fresh_ports, "acme", "default")
    assert queued is not None
    run_dream(fresh_ports, "acme", dream_id=queued)
    assert get_store(fresh_ports, "acme").next_check_at is None


def test_a_due_store_is_checked_and_its_dream_sent(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    write(fresh_ports, "acme", ENOUGH)
    make_due(owner, "acme")
    assert run_sweep(fresh_ports, due_stores.SWEEP) == {"found": 1, "acted": 1, "failed": 0}
    assert dispatch.checks == [("acme", "default")]
    dream_id = check_eligibility(fresh_ports, *dispatch.checks[0])
    assert dream_id is not None
    assert dispatch.dreams == [("acme", "default", dream_id)]
    assert get_dream(fresh_ports, "acme", dream_id).trigger is Trigger.SWEEP


def test_a_store_that_may_not_dream_says_why(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    write(fresh_ports, "acme", {"web/a.md": "# Note\n"})
    make_due(owner, "acme")
    assert check_eligibility(fresh_ports, "acme", "default") is None
    verdict = get_store(fresh_ports, "acme").last_verdict
    assert verdict is not None
    assert verdict.reason == "Not enough activity (1 < 3 curations, 0 < 5 sessions)"


def test_a_sweep_starts_nothing_while_the_house_is_full(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    for name in ("acme", "beta", "cara"):
        write(fresh_ports, name, ENOUGH)
    start_and_claim(fresh_ports, "acme")
    make_due(owner, "beta", since_seconds=100)
    make_due(owner, "cara", since_seconds=50)
    full = replace(fresh_ports, settings=fresh_ports.settings.model_copy(update={"max_active_dreams": 1}))
    assert run_sweep(full, due_stores.SWEEP)["found"] == 0
    room = replace(fresh_ports, settings=fresh_ports.settings.model_copy(update={"max_active_dreams": 2}))
    assert run_sweep(room, due_stores.SWEEP)["found"] == 1
    assert dispatch.checks == [("beta", "default")]


def test_a_broker_that_is_away_delays_a_check_and_loses_nothing(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    write(fresh_ports, "acme", ENOUGH)
    make_due(owner, "acme")
    dispatch.is_down = True
    assert run_sweep(fresh_ports, due_stores.SWEEP) == {"found": 1, "acted": 0, "failed": 1}
    assert get_store(fresh_ports, "acme").next_check_at is not None
    dream_id = check_eligibility(fresh_ports, "acme", "default")
    assert dream_id is not None
    dispatch.is_down = False
    assert stalled(fresh_ports, unsent_seconds=0) == [StalledDream("acme", dream_id)]


def stalled(ports: Ports, *, unsent_seconds: float = 30, limit: int = 100) -> list[StalledDream]:
    return ports.db.sweeps.find_stalled_dreams(limit, unsent_seconds)


def set_dream(owner: psycopg.Connection, dream: Dream, column: LiteralString, *, seconds_ago: float) -> None:
    statement = sql.SQL("UPDATE dreams SET {} = now() - %s WHERE id = %s").format(sql.Identifier(column))
    owner.execute(statement, [timedelta(seconds=seconds_ago), dream.id])


def test_a_dream_with_progress_is_not_stalled(fresh_ports: Ports) -> None:
    for name in ("queued", "running", "ended"):
        a_store(fresh_ports, name)
    assert start(fresh_ports, "queued", force=True).dream is not None
    start_and_claim(fresh_ports, "running")
    run_dream(fresh_ports, "ended")
    assert stalled(fresh_ports) == []


def test_stalled_dreams_are_found_and_sent_again(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    for name in ("lapsed", "unsent", "sent", "lost"):
        a_store(fresh_ports, name)
    lapsed = start_and_claim(fresh_ports, "lapsed")
    unsent, sent, lost = (start(fresh_ports, name, force=True).dream for name in ("unsent", "sent", "lost"))
    assert unsent is not None
    assert sent is not None
    assert lost is not None
    set_dream(owner, lapsed, "lease_until", seconds_ago=50)
    for waiting in (unsent, sent, lost):
        set_dream(owner, waiting, "created_at", seconds_ago=40)
    set_dream(owner, sent, "sent_at", seconds_ago=5)
    set_dream(owner, lost, "sent_at", seconds_ago=35)
    expected = {(dream.tenant_id, dream.id) for dream in (lapsed, unsent, lost)}
    assert {(found.tenant_id, found.dream_id) for found in stalled(fresh_ports)} == expected
    assert stalled(fresh_ports, limit=1) == [StalledDream("lapsed", lapsed.id)]
    assert run_sweep(fresh_ports, stalled_dreams.SWEEP) == {"found": 3, "acted": 3, "failed": 0}
    assert {(tenant, dream_id) for tenant, _, dream_id in dispatch.dreams} == expected
    for dream in (unsent, lost):
        assert dream.state is DreamState.QUEUED
    assert (stalled(fresh_ports), get_dream(fresh_ports, "unsent", unsent.id).state) == (
        [StalledDream("lapsed", lapsed.id)],
        DreamState.QUEUED,
    )
