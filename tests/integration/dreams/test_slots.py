"""One dream runs per store, and at most as many per tenant as its limit, through races and leftovers."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.services.dreams.claim import ClaimResult
from shared.services.dreams.start import StartResult
from tests.integration.gates.gate_support import claim, save_tenant, start, start_and_claim
from tests.support.builders import a_store, get_dream


def test_of_many_who_start_a_dream_at_once_one_does_and_the_others_learn_which(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    together = Barrier(6)

    def race(_: int) -> StartResult:
        together.wait(timeout=30)
        return start(ports, tenant, force=True)

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(race, range(6)))
    (dream,) = [result.dream for result in results if result.dream is not None]
    refused = {(r.verdict.gate, r.verdict.reason) for r in results if r.dream is None}
    assert refused == {("lock", f"Another dream is running ({dream.id})")}


def test_a_tenant_dreams_in_one_store_at_a_time(ports: Ports, tenant: str) -> None:
    for name in ("a", "b"):
        a_store(ports, tenant, name)
    start_and_claim(ports, tenant, "a")
    verdict = start(ports, tenant, "b", force=True).verdict
    assert (verdict.gate, verdict.reason) == ("lock", "No free slot (1 of 1 dreams running)")


def test_sweeps_never_fill_the_queue_with_the_stores_of_one_tenant(ports: Ports, tenant: str) -> None:
    for name in ("a", "b"):
        a_store(ports, tenant, name)
    assert start(ports, tenant, "a", force=True).dream is not None
    assert start(ports, tenant, "b", force=True).verdict.gate == "lock"


def test_a_person_may_queue_dreams_for_several_stores_and_they_take_turns(ports: Ports, tenant: str) -> None:
    for name in ("a", "b"):
        a_store(ports, tenant, name)
    first, second = (start(ports, tenant, name, force=True, trigger=Trigger.API).dream for name in ("a", "b"))
    assert first is not None
    assert second is not None
    assert claim(ports, first).dream is not None
    assert claim(ports, second).reason == "No free slot (1 of 1 dreams running)"
    assert get_dream(ports, tenant, second.id).state is DreamState.QUEUED


def test_a_tenant_may_be_given_more_slots(ports: Ports, tenant: str) -> None:
    for name in ("a", "b", "c"):
        a_store(ports, tenant, name)
    save_tenant(ports, tenant, max_concurrent_dreams=2)
    start_and_claim(ports, tenant, "a")
    start_and_claim(ports, tenant, "b")
    assert start(ports, tenant, "c", force=True).verdict.reason == "No free slot (2 of 2 dreams running)"


def test_of_more_queued_dreams_than_slots_as_many_run_as_there_are_slots(ports: Ports, tenant: str) -> None:
    """The cap was lowered, or rows were queued before it was: the claim counts again, under the tenant's row lock."""
    names = [f"s{n}" for n in range(4)]
    for name in names:
        a_store(ports, tenant, name)
    save_tenant(ports, tenant, max_concurrent_dreams=4)
    queued = [start(ports, tenant, name, force=True).dream for name in names]
    save_tenant(ports, tenant, max_concurrent_dreams=2)
    together = Barrier(4)

    def race(dream: Dream | None) -> ClaimResult:
        assert dream is not None
        together.wait(timeout=30)
        return claim(ports, dream)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(race, queued))
    assert sum(result.dream is not None for result in results) == 2
    assert {r.reason for r in results if r.dream is None} == {"No free slot (2 of 2 dreams running)"}
    with ports.db.transaction(tenant) as uow:
        states = sorted(dream.state for dream in uow.dreams.find_recent(limit=10))
    assert states == ["queued", "queued", "running", "running"]


def test_a_living_dream_is_not_taken_over(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    dream = start_and_claim(ports, tenant)
    assert claim(ports, dream).reason == f"{dream.id} is being worked on"


def test_a_dream_whose_worker_fell_silent_is_taken_over_with_its_lock(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant)
    dream = start_and_claim(ports, tenant)
    owner_connection.execute("UPDATE dreams SET lease_until = now() - interval '1 second' WHERE id = %s", [dream.id])
    taken = claim(ports, dream).dream
    assert taken is not None
    assert (taken.id, taken.epoch, taken.rescue_count) == (dream.id, 2, 1)
    assert ports.lock.find_holder(tenant, "default") == f"{dream.id}:2"
