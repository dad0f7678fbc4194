"""A digest or a compaction on request: what force gets past, and what it leaves as it was."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import UPKEEP_TRIGGERS, Dream, DreamState, Trigger
from shared.core.gates.gates import GateVerdict
from shared.core.tenants.roles import Role
from shared.ports.tenants import AuditFilter
from shared.services.dreams.start_upkeep import start_upkeep
from shared.services.operations.undo import undo_dream
from shared.services.tenants.audit import find_audit
from shared.services.tenants.pause import set_paused
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.gates.gate_support import claim
from tests.integration.upkeep.upkeep_support import NOTES, a_swarmclaw_store, everything, fill, put_unused, upkeep
from tests.support.builders import a_store, get_dream, get_store, run_dream, write

BOTH = sorted(UPKEEP_TRIGGERS)
DIGEST, COMPACTION = Trigger.DIGEST, Trigger.COMPACTION
OLD = {"ops/old.md": "# Old\n\nThis was never asked about.\n"}


def ask_for(ports: Ports, tenant: str, trigger: Trigger, *, force: bool = False) -> GateVerdict:
    started = start_upkeep(ports.db, tenant, "default", trigger, force=force, actor="a test")
    assert started.dream is None
    return started.verdict


def have(ports: Ports, tenant: str, trigger: Trigger, *, dry_run: bool = False) -> Dream:
    """Force an upkeep dream, and run it."""
    started = start_upkeep(ports.db, tenant, "default", trigger, force=True, dry_run=dry_run, actor="a test")
    assert started.dream is not None, started.verdict
    return run_dream(ports, tenant, OfflineLlm(), dream_id=started.dream.id)


def digests(ports: Ports, tenant: str) -> list[str]:
    return [path for path in everything(ports, tenant) if path.startswith("daily_digest/2")]


@pytest.mark.parametrize("trigger", BOTH)
def test_upkeep_that_is_switched_off_is_refused_with_the_switch_and_forced_once(
    trigger: Trigger, ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant)
    write(ports, tenant, NOTES)
    put_unused(ports, tenant, OLD)
    refused = ask_for(ports, tenant, trigger)
    assert (refused.gate, refused.reason) == ("off", f"Switched off ({trigger}.enabled=false)")
    assert have(ports, tenant, trigger).state is DreamState.COMPLETED
    assert bool(digests(ports, tenant)) is (trigger is DIGEST)
    assert getattr(get_store(ports, tenant), f"{trigger}_check_at") is None


def test_three_memories_are_worth_a_forced_digest_and_two_are_not(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    write(ports, tenant, dict(list(NOTES.items())[:2]))
    assert ask_for(ports, tenant, DIGEST, force=True).reason == "Not enough new memories (2 < 3 in 24 h)"
    write(ports, tenant, {"garden/n9.md": "# Note 9\n\nThe gardener planted bed 9.\n"})
    assert ask_for(ports, tenant, DIGEST).reason == "Not enough new memories (3 < 5 in 24 h)"
    assert have(ports, tenant, DIGEST).summary is not None
    assert len(digests(ports, tenant)) == 1


def test_a_day_has_one_digest_and_what_was_undone_comes_back_by_force(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    write(ports, tenant, NOTES)
    first = upkeep(ports, tenant, DIGEST)
    assert ask_for(ports, tenant, DIGEST, force=True).reason == "There is a digest of today already"
    undo_dream(ports.db, tenant, first.id, actor="a test")
    assert ask_for(ports, tenant, DIGEST).reason == "There is a digest of today already"
    assert have(ports, tenant, DIGEST).state is DreamState.COMPLETED
    assert len(digests(ports, tenant)) == 1


def test_a_second_compaction_of_a_day_is_forced_and_finds_what_came_of_age(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    write(ports, tenant, NOTES)
    put_unused(ports, tenant, OLD)
    upkeep(ports, tenant, COMPACTION)
    nothing = "No durable memory was without an access for more than 60 days"
    assert ask_for(ports, tenant, COMPACTION, force=True).reason == nothing
    put_unused(ports, tenant, {"ops/older.md": "# Older\n\nNor about this.\n"})
    assert ask_for(ports, tenant, COMPACTION).reason == "Compacted less than 24 h ago"
    assert have(ports, tenant, COMPACTION).summary is not None
    assert everything(ports, tenant)["ops/older.md"].stub


@pytest.mark.parametrize("trigger", BOTH)
def test_force_gets_past_a_busy_agent_and_never_past_a_pause(trigger: Trigger, ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant, overrides={"gates.idle_seconds": 3600})
    write(ports, tenant, NOTES)
    put_unused(ports, tenant, OLD)
    assert ask_for(ports, tenant, trigger).gate == "idle"
    set_paused(ports.db, tenant, "default", paused=True, actor="a test")
    assert ask_for(ports, tenant, trigger, force=True).gate == "paused"
    set_paused(ports.db, tenant, "default", paused=False, actor="a test")
    assert have(ports, tenant, trigger).state is DreamState.COMPLETED


@pytest.mark.parametrize("trigger", BOTH)
def test_a_dry_run_applies_nothing_and_leaves_the_day_and_the_line_to_the_sweep(
    trigger: Trigger, fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    fill(fresh_ports, "acme")
    owner.execute("UPDATE stores SET last_activity_at = now() - interval '1 hour'")
    before = everything(fresh_ports, "acme"), getattr(get_store(fresh_ports, "acme"), f"{trigger}_check_at")
    tried = have(fresh_ports, "acme", trigger, dry_run=True)
    assert (tried.is_dry_run, tried.state) == (True, DreamState.COMPLETED)
    assert before == (
        everything(fresh_ports, "acme"),
        getattr(get_store(fresh_ports, "acme"), f"{trigger}_check_at"),
    )
    assert start_upkeep(fresh_ports.db, "acme", "default", trigger).dream is not None


@pytest.mark.parametrize("trigger", BOTH)
def test_a_refused_request_leaves_the_line_to_the_sweep(trigger: Trigger, ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    write(ports, tenant, {"garden/n1.md": "# Note\n\nA bed.\n"})
    looked_at = getattr(get_store(ports, tenant), f"{trigger}_check_at")
    assert looked_at > datetime.now(UTC)
    ask_for(ports, tenant, trigger)
    assert getattr(get_store(ports, tenant), f"{trigger}_check_at") == looked_at


def test_one_that_was_forced_moves_the_sweeps_next_look(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    write(ports, tenant, NOTES)
    put_unused(ports, tenant, OLD)
    have(ports, tenant, COMPACTION)
    looked_at = get_store(ports, tenant).compaction_check_at
    assert looked_at is not None
    assert looked_at > datetime.now(UTC) + timedelta(hours=23)


def test_the_audit_log_says_who_wanted_which_kind(ports: Ports, tenant: str) -> None:
    a_swarmclaw_store(ports, tenant)
    write(ports, tenant, NOTES)
    dream = have(ports, tenant, DIGEST)
    [entry] = find_audit(ports.db, tenant, AuditFilter(action="dream.start"), limit=10)
    assert entry.actor == "a test"
    assert entry.detail == {
        "dream_id": dream.id,
        "store": "default",
        "force": True,
        "dry_run": False,
        "upkeep": "digest",
    }


@pytest.mark.parametrize("trigger", BOTH)
def test_one_that_was_forced_is_not_canceled_for_its_switch_when_a_worker_takes_it(
    trigger: Trigger, fresh_ports: Ports
) -> None:
    fill(fresh_ports, "acme")
    a_store(fresh_ports, "acme", overrides={f"{trigger}.enabled": False})
    queued = start_upkeep(fresh_ports.db, "acme", "default", trigger, force=True, actor="a test").dream
    assert queued is not None
    assert claim(fresh_ports, queued).dream is not None
    assert get_dream(fresh_ports, "acme", queued.id).state is DreamState.RUNNING


def test_the_api_starts_a_digest_for_an_agent_and_past_its_switch_for_an_admin_only(
    ports: Ports, tenant: str, dispatch: RecordingDispatch
) -> None:
    a_store(ports, tenant, overrides={"gates.idle_seconds": 0})
    write(ports, tenant, NOTES)
    client = a_client(an_app(ports))
    agent, admin = (bearer(a_token(ports, tenant, role)) for role in (Role.AGENT, Role.ADMIN))
    refused = client.post("/api/dreams", headers=agent, json={"only": "digest"})
    assert (refused.status_code, refused.json()["detail"]) == (409, "Switched off (digest.enabled=false)")
    assert client.post("/api/dreams", headers=agent, json={"only": "digest", "force": True}).status_code == 403
    assert client.post("/api/dreams", headers=admin, json={"only": "sleep"}).status_code == 422
    started = client.post("/api/dreams", headers=admin, json={"only": "digest", "force": True}).json()
    assert started["trigger"] == "digest"
    assert dispatch.dreams == [(tenant, "default", started["id"])]
