"""The failure modes of Claude Code's auto-dream (the case study's table), one test a row, under its profile."""

from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.errors import BadInputError
from shared.core.policy.policy import GatePolicy
from shared.services.dreams.cancel import cancel_dream
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.failures.crash_support import Crash, CrashingDatabase, let_lapse
from tests.integration.gates.gate_support import claim, start, start_and_claim
from tests.support.builders import UNREACHABLE, a_store, get_dream, get_store, run_dream, take_picture, write
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import CATALOG, PHASES
from workers.runner.run import run_phase

#: Twins, so that there is something to ask a model.
_SAID = "The gateway checks the signature of every request before it reaches the billing service."
_NOTES = {f"api/{name}.md": f"# Gateway\n\n{_SAID} {name}.\n" for name in ("one", "two")}
_IN_PROGRESS = "Another dream is running"


def a_claude_store(ports: Ports, tenant: str, *, sessions: int = 5) -> None:
    """A store of the profile in which the given number of sessions ended since its last dream."""
    write(ports, tenant, _NOTES)
    a_store(ports, tenant, profile="claude-code")
    with ports.db.transaction(tenant) as uow:
        uow.activity.record(uow.stores.get("default").id, sessions=sessions)


def crash_at(ports: Ports, tenant: str, instant: int) -> str:
    dying = replace(
        ports, db=CrashingDatabase(ports.db, crash_at=instant, after_commit=True), dispatch=RecordingDispatch()
    )
    with pytest.raises(Crash):
        run_dream(dying, tenant)
    with ports.db.transaction(tenant) as uow:
        return uow.dreams.find_recent(limit=1)[0].id


def test_five_sessions_in_24_hours_open_the_gates_and_four_do_not(ports: Ports, tenant: str) -> None:
    a_claude_store(ports, tenant, sessions=4)
    assert start(ports, tenant).verdict.reason == "Not enough activity (4 < 5 sessions)"


def test_the_session_that_is_going_on_is_excluded(ports: Ports, tenant: str) -> None:
    a_claude_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
        uow.activity.set_busy(store.id, pending_tasks=0, active_until=uow.now() + timedelta(minutes=5))
    assert start(ports, tenant).verdict.reason == "Agent is active"


def test_row_crash_mid_consolidation_is_reclaimed_once_the_holder_is_dead(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_claude_store(ports, tenant)
    dream_id = crash_at(ports, tenant, 10)
    assert get_dream(ports, tenant, dream_id).state is DreamState.RUNNING
    assert _IN_PROGRESS in start(ports, tenant, force=True).verdict.reason
    let_lapse(owner_connection, dream_id)
    assert run_dream(ports, tenant, dream_id=dream_id).state is DreamState.COMPLETED


def test_row_two_sessions_dream_at_once_and_one_of_them_loses(ports: Ports, tenant: str) -> None:
    a_claude_store(ports, tenant)
    winner = start_and_claim(ports, tenant)
    loser = start(ports, tenant, force=True)
    assert loser.dream is None
    assert loser.verdict.reason.startswith(f"{_IN_PROGRESS} ({winner.id}")
    assert claim(ports, winner).dream is None, "the same message twice is not a second dream"


def test_row_a_holder_that_is_mistaken_for_another_writes_nothing(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    """There a process id could wrap and collide; here a dream that was taken over has another epoch."""
    a_claude_store(ports, tenant)
    zombie = start_and_claim(ports, tenant)
    let_lapse(owner_connection, zombie.id)
    assert claim(ports, zombie).dream is not None
    before = take_picture(ports, tenant)
    stale = PhaseKey(tenant_id=tenant, dream_id=zombie.id, epoch=zombie.epoch, phase="index")
    assert not run_phase(ports, PHASES[-1], stale)
    assert not finish_dream(ports, tenant, zombie.id, zombie.epoch)
    assert take_picture(ports, tenant) == before


def test_row_kill_then_new_turn_fires_rolls_back_and_waits_ten_minutes(ports: Ports, tenant: str) -> None:
    a_claude_store(ports, tenant)
    before = get_store(ports, tenant)
    started = start(ports, tenant)
    assert started.dream is not None
    cancel_dream(ports.db, tenant, started.dream.id, actor="a test")
    again = start(ports, tenant)
    assert again.verdict.gate == "throttle"
    assert "(< 10m)" in again.verdict.reason
    after = get_store(ports, tenant)
    assert (after.last_dream_at, after.sessions) == (before.last_dream_at, before.sessions)
    assert after.next_check_at is not None


def test_row_fork_fails_and_the_next_try_keeps_its_distance(ports: Ports, tenant: str) -> None:
    """There a failed rollback cost the full 24 hours; here the end of a dream is one transaction."""
    a_claude_store(ports, tenant)
    failed = run_dream(ports, tenant, ScriptedLlm(lambda _: UNREACHABLE))
    store = get_store(ports, tenant)
    assert failed.state is not DreamState.COMPLETED
    assert store.last_dream_at is None
    assert store.sessions == 5
    assert store.next_check_at is not None
    assert failed.finished_at is not None
    assert store.next_check_at - failed.finished_at >= timedelta(minutes=10)


def test_row_rollback_fails_and_nothing_is_half_done(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_claude_store(ports, tenant)
    started = start(ports, tenant)
    assert started.dream is not None
    claimed = claim(ports, started.dream).dream
    assert claimed is not None
    dying = replace(ports, db=CrashingDatabase(ports.db, crash_at=1, after_commit=False))
    with pytest.raises(Crash):
        finish_dream(dying, tenant, claimed.id, claimed.epoch)
    assert get_store(ports, tenant).last_dream_at is None
    assert _IN_PROGRESS in start(ports, tenant, force=True).verdict.reason
    let_lapse(owner_connection, claimed.id)
    assert run_dream(ports, tenant, dream_id=claimed.id).state is DreamState.COMPLETED


def test_row_memory_folder_missing_is_created_lazily(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="claude-code")
    assert run_dream(ports, tenant).state is DreamState.COMPLETED
    assert take_picture(ports, tenant).memories == {}
    write(ports, tenant, _NOTES)
    run_dream(ports, tenant)
    assert "MEMORY.md" in {memory.path for memory in take_picture(ports, tenant).memories.values()}


@pytest.mark.parametrize("garbage", ["soon", -1, True, [], {}, float("nan")])
def test_row_settings_are_garbage_and_the_published_numbers_stay(ports: Ports, tenant: str, garbage: object) -> None:
    a_store(ports, tenant, profile="claude-code")
    for key in ("gates.min_hours", "gates.min_sessions"):
        with pytest.raises(BadInputError):
            configure_store(
                ports.db,
                tenant,
                "default",
                changes=StoreChanges(overrides={key: garbage}),
                phases=CATALOG,
                actor="a test",
            )
    gates: GatePolicy = get_store(ports, tenant).policy.gates
    assert (gates.min_hours, gates.min_sessions) == (24, 5)
