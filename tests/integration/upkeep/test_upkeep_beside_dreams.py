"""Upkeep beside whole dreams: never two on a store, and neither counts for the other's failures or undo."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.all_ports import Ports
from shared.core.dream.model import UPKEEP_TRIGGERS, Dream, DreamState, Trigger
from shared.core.errors import ConflictError
from shared.services.dreams.redrive import find_failed, redrive_dream
from shared.services.dreams.start_upkeep import start_upkeep
from shared.services.operations.undo import find_last_undoable, undo_dream
from tests.integration.gates.gate_support import claim, save_tenant, start, start_and_claim
from tests.integration.upkeep.upkeep_support import fill, upkeep
from tests.support.builders import run_dream, take_picture

BOTH = sorted(UPKEEP_TRIGGERS)


@pytest.mark.parametrize("trigger", BOTH)
def test_upkeep_never_begins_on_a_store_that_dreams(trigger: Trigger, fresh_ports: Ports) -> None:
    fill(fresh_ports, "acme")
    save_tenant(fresh_ports, "acme", max_concurrent_dreams=3)
    running = start_and_claim(fresh_ports, "acme")
    started = start_upkeep(fresh_ports.db, "acme", "default", trigger)
    assert started.verdict.reason == f"Another dream is running ({running.id})"


@pytest.mark.parametrize("trigger", BOTH)
def test_a_dream_never_begins_on_a_store_in_upkeep(trigger: Trigger, fresh_ports: Ports) -> None:
    fill(fresh_ports, "acme")
    save_tenant(fresh_ports, "acme", max_concurrent_dreams=3)
    started = start_upkeep(fresh_ports.db, "acme", "default", trigger)
    assert started.dream is not None
    assert claim(fresh_ports, started.dream).dream is not None
    assert start(fresh_ports, "acme", force=True).verdict.reason == f"Another dream is running ({started.dream.id})"


def test_of_a_dream_and_upkeep_at_the_same_moment_one_begins(fresh_ports: Ports) -> None:
    for number in range(6):
        tenant = f"t{number}"
        fill(fresh_ports, tenant)
        save_tenant(fresh_ports, tenant, max_concurrent_dreams=3)
        together = Barrier(3)

        def begin(what: Trigger | None, tenant: str = tenant, together: Barrier = together) -> Dream | None:
            together.wait(timeout=30)
            if what is None:
                return start(fresh_ports, tenant, force=True).dream
            return start_upkeep(fresh_ports.db, tenant, "default", what).dream

        with ThreadPoolExecutor(3) as pool:
            begun = [dream for dream in pool.map(begin, [None, *BOTH]) if dream is not None]
        assert len(begun) == 1


def test_failed_upkeep_neither_leads_to_quarantine_nor_breaks_the_row_of_failures(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    fill(fresh_ports, "acme")

    def fail(dream: Dream | None) -> Dream:
        assert dream is not None
        assert claim(fresh_ports, dream).dream is not None
        with fresh_ports.db.transaction("acme") as uow:
            uow.dreams.finish(dream.id, DreamState.ERROR, reason="no", has_failed=True)
        return dream

    failed = [fail(start_upkeep(fresh_ports.db, "acme", "default", Trigger.DIGEST).dream) for _ in range(4)]
    assert find_failed(fresh_ports.db, "acme") == []
    with pytest.raises(ConflictError, match="its own sweep tries again"):
        redrive_dream(fresh_ports.db, "acme", failed[0].id, actor="test")
    for _ in range(2):
        fail(start(fresh_ports, "acme", force=True).dream)
    upkeep(fresh_ports, "acme", Trigger.COMPACTION)
    fail(start(fresh_ports, "acme", force=True).dream)
    assert start(fresh_ports, "acme", force=True).verdict.gate == "quarantine"
    owner.execute("UPDATE stores SET next_check_at = now() - interval '1 minute'")
    assert run_sweep(fresh_ports, due_stores.SWEEP)["acted"] == 0
    assert start_upkeep(fresh_ports.db, "acme", "default", Trigger.DIGEST).verdict.gate == "quarantine"


def test_the_last_dream_to_be_undone_is_a_whole_one_and_upkeep_is_undone_by_its_id(fresh_ports: Ports) -> None:
    fill(fresh_ports, "acme")
    upkeep_first = upkeep(fresh_ports, "acme", Trigger.COMPACTION)
    with pytest.raises(ConflictError, match="No dream to undo"):
        find_last_undoable(fresh_ports.db, "acme", "default")
    whole = run_dream(fresh_ports, "acme")
    digest = upkeep(fresh_ports, "acme", Trigger.DIGEST)
    assert find_last_undoable(fresh_ports.db, "acme", "default").id == whole.id
    before = take_picture(fresh_ports, "acme").books
    for dream in (digest, upkeep_first):
        assert undo_dream(fresh_ports.db, "acme", dream.id, actor="test").undone > 0
    assert take_picture(fresh_ports, "acme").books == before
    assert find_last_undoable(fresh_ports.db, "acme", "default").id == whole.id
