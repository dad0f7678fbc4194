"""The sweeps of digest and compaction: what they find, what they cost, and that they never meet a dream of the store."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import psycopg
import pytest

from scheduler.run_sweep import run_sweep
from scheduler.sweep import Sweep
from scheduler.sweeps import compaction, daily_digest
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import UPKEEP_TRIGGERS, Dream, DreamState, Trigger
from shared.ports.stores import DueStore
from shared.services.dreams.start_upkeep import start_upkeep
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.pause import set_paused
from tests.integration.gates.gate_support import claim, save_tenant
from tests.integration.upkeep.upkeep_support import NOTES, a_swarmclaw_store, fill, have_looked_at
from tests.support.builders import get_dream, get_store, write
from workers.phases import CATALOG

BOTH = sorted(UPKEEP_TRIGGERS)


def sent(dispatch: RecordingDispatch) -> list[str]:
    return [tenant for tenant, _, _ in dispatch.dreams]


def the_dream(ports: Ports, tenant: str) -> Dream:
    with ports.db.transaction(tenant) as uow:
        return uow.dreams.find_recent(limit=1)[0]


@pytest.mark.parametrize("trigger", BOTH)
def test_a_due_store_gets_its_upkeep_dream(
    trigger: Trigger, fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    fill(fresh_ports, "acme")
    assert have_looked_at(fresh_ports, owner, trigger) == {"found": 1, "acted": 1, "failed": 0}
    dream = the_dream(fresh_ports, "acme")
    assert (dream.trigger, dream.state, dispatch.dreams) == (
        trigger,
        DreamState.QUEUED,
        [("acme", "default", dream.id)],
    )


@pytest.mark.parametrize("sweep", [daily_digest.SWEEP, compaction.SWEEP], ids=lambda sweep: sweep.name)
def test_a_store_without_activity_is_never_visited(sweep: Sweep, fresh_ports: Ports) -> None:
    a_swarmclaw_store(fresh_ports, "idle")
    assert run_sweep(fresh_ports, sweep) == {"found": 0, "acted": 0, "failed": 0}


def test_activity_has_a_store_looked_at_where_upkeep_is_on_and_nowhere_else(fresh_ports: Ports) -> None:
    a_swarmclaw_store(fresh_ports, "on")
    a_swarmclaw_store(fresh_ports, "half", overrides={"digest.enabled": False})
    for tenant in ("on", "half", "off"):
        write(fresh_ports, tenant, NOTES)
    looks = {t: get_store(fresh_ports, t) for t in ("on", "half", "off")}
    assert {t: one.digest_check_at is not None for t, one in looks.items()} == {"on": True, "half": False, "off": False}
    assert {t: one.compaction_check_at is not None for t, one in looks.items()} == {
        "on": True,
        "half": True,
        "off": False,
    }


def test_a_store_that_is_written_to_all_day_is_looked_at_once_an_hour(fresh_ports: Ports) -> None:
    a_swarmclaw_store(fresh_ports, "busy")
    write(fresh_ports, "busy", NOTES)
    first = get_store(fresh_ports, "busy")
    write(fresh_ports, "busy", {"more/a.md": "# More\n"})
    assert get_store(fresh_ports, "busy").digest_check_at == first.digest_check_at
    assert first.digest_check_at is not None
    assert first.last_activity_at is not None
    wait = first.digest_check_at - first.last_activity_at
    assert timedelta(hours=1) <= wait <= timedelta(hours=1, minutes=15)


def test_switching_upkeep_on_has_the_store_looked_at_and_switching_it_off_leaves_it_alone(fresh_ports: Ports) -> None:
    write(fresh_ports, "acme", NOTES)
    for is_on in (True, False):
        configure_store(fresh_ports.db, "acme", "default", changes=StoreChanges(overrides={"digest.enabled": is_on}), phases=CATALOG, actor="test")  # fmt: skip
        assert (get_store(fresh_ports, "acme").digest_check_at is not None) is is_on


@pytest.mark.parametrize("trigger", BOTH)
def test_a_store_with_nothing_to_do_leaves_the_line(
    trigger: Trigger, fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    a_swarmclaw_store(fresh_ports, "acme")
    assert have_looked_at(fresh_ports, owner, trigger) == {"found": 1, "acted": 0, "failed": 0}
    store = get_store(fresh_ports, "acme")
    assert getattr(store, f"{trigger}_check_at") is None


@pytest.mark.parametrize("trigger", BOTH)
@pytest.mark.parametrize("who", ["operator", "tenant", "store"])
def test_a_pause_holds_for_upkeep(
    who: str, trigger: Trigger, fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    fill(fresh_ports, "acme")
    if who == "operator":
        fresh_ports.db.installation.set_paused(paused=True, actor="test")
    else:
        set_paused(fresh_ports.db, "acme", "default" if who == "store" else None, paused=True, actor="test")
    assert have_looked_at(fresh_ports, owner, trigger)["acted"] == 0
    assert dispatch.dreams == []


@pytest.mark.parametrize("trigger", BOTH)
def test_quiet_hours_hold_for_upkeep_and_end_with_a_look(
    trigger: Trigger, fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    fill(fresh_ports, "acme")
    save_tenant(fresh_ports, "acme", quiet_hours="00:00-23:59")
    have_looked_at(fresh_ports, owner, trigger)
    assert dispatch.dreams == []
    assert getattr(get_store(fresh_ports, "acme"), f"{trigger}_check_at") is not None


def test_no_more_upkeep_begins_than_there_are_slots(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    for number in range(5):
        fill(fresh_ports, f"t{number}")
    two = replace(fresh_ports, settings=fresh_ports.settings.model_copy(update={"max_active_dreams": 2}))
    assert have_looked_at(two, owner, Trigger.DIGEST) == {"found": 5, "acted": 2, "failed": 0}
    assert len(dispatch.dreams) == 2
    assert have_looked_at(two, owner, Trigger.DIGEST)["found"] == 0


def test_a_tenant_whose_slots_are_taken_is_not_looked_at_in_vain(
    fresh_ports: Ports, owner: psycopg.Connection, dispatch: RecordingDispatch
) -> None:
    fill(fresh_ports, "acme")
    fill(fresh_ports, "acme", "second")
    assert have_looked_at(fresh_ports, owner, Trigger.DIGEST)["acted"] == 1
    assert have_looked_at(fresh_ports, owner, Trigger.DIGEST)["found"] == 0
    assert sent(dispatch) == ["acme"]


@pytest.mark.parametrize("trigger", BOTH)
def test_queued_upkeep_is_canceled_when_it_is_switched_off(trigger: Trigger, fresh_ports: Ports) -> None:
    fill(fresh_ports, "acme")
    queued = start_upkeep(fresh_ports.db, "acme", "default", trigger).dream
    assert queued is not None
    configure_store(fresh_ports.db, "acme", "default", changes=StoreChanges(overrides={f"{trigger}.enabled": False}), phases=CATALOG, actor="test")  # fmt: skip
    assert claim(fresh_ports, queued).dream is None
    canceled = get_dream(fresh_ports, "acme", queued.id)
    assert (canceled.state, canceled.reason) == (DreamState.CANCELED, f"Switched off ({trigger}.enabled=false)")


def test_two_sweeps_at_once_share_the_work(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    names = {f"t{number}" for number in range(30)}
    for name in names:
        a_swarmclaw_store(fresh_ports, name)
    owner.execute("UPDATE stores SET digest_check_at = now() - interval '1 minute'")
    together = Barrier(3)

    def sweep(_: int) -> list[DueStore]:
        together.wait(timeout=30)
        return fresh_ports.db.sweeps.claim_due_stores(20, 600.0, Trigger.DIGEST)

    with ThreadPoolExecutor(3) as pool:
        found = [due.tenant_id for claimed in pool.map(sweep, range(3)) for due in claimed]
    assert sorted(found) == sorted(names)
    assert fresh_ports.db.sweeps.claim_due_stores(20, 600.0, Trigger.COMPACTION) == []
