"""Time wakes a quiet store whose profile has a timer, and only if a dream would find something to do."""

from datetime import timedelta

import psycopg
import pytest

from gateway.cli.dreams.status import status_lines, when
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.model import MemoryState
from shared.services.dreams.explain import explain_store
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.gates.gate_support import start
from tests.support.builders import a_store, get_store, run_dream, take_picture, write
from workers.phases import CATALOG, get_catalog

NOTES = {f"web/{n}.md": f"# Visit {n}\n\nThe gardener came on visit {n}.\n" for n in ("a", "b", "c")}
HOURS = {"rockbot": 4, "swarmclaw": 24}


def a_quiet_store(ports: Ports, tenant: str, profile: str) -> None:
    """A store that has dreamt of everything that it was told."""
    write(ports, tenant, NOTES)
    changes = StoreChanges(profile=profile, overrides={"gates.enabled": True})
    configure_store(ports.db, tenant, "default", changes=changes, phases=CATALOG, actor="a test")
    run_dream(ports, tenant, OfflineLlm())
    run_dream(ports, tenant, OfflineLlm())
    assert get_store(ports, tenant).curations == 0


def pass_days(owner: psycopg.Connection, tenant: str, days: float) -> None:
    """Move everything that the store knows into the past."""
    back = timedelta(days=days)
    owner.execute(
        "UPDATE stores SET last_dream_at = last_dream_at - %(back)s, last_activity_at = last_activity_at - %(back)s,"
        " last_check_at = last_check_at - %(back)s WHERE tenant_id = %(tenant)s",
        {"back": back, "tenant": tenant},
    )
    owner.execute(
        "UPDATE memories SET touched_at = touched_at - %(back)s, updated_at = updated_at - %(back)s,"
        " created_at = created_at - %(back)s, last_seen_at = last_seen_at - %(back)s WHERE tenant_id = %(tenant)s",
        {"back": back, "tenant": tenant},
    )


def test_a_rockbot_store_is_due_after_its_first_write_without_a_delay_and_never_before(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, profile="rockbot")
    assert start(ports, tenant).dream is None
    write(ports, tenant, NOTES)
    assert start(ports, tenant).dream is not None


@pytest.mark.parametrize("profile", HOURS)
def test_a_dream_without_a_rest_is_followed_by_a_check_of_the_timer(ports: Ports, tenant: str, profile: str) -> None:
    a_quiet_store(ports, tenant, profile)
    store = get_store(ports, tenant)
    assert store.next_check_at is not None
    assert store.last_dream_at is not None
    hours = (store.next_check_at - store.last_dream_at) / timedelta(hours=1)
    assert HOURS[profile] * 0.99 <= hours <= HOURS[profile] * 1.11


@pytest.mark.parametrize("profile", HOURS)
def test_a_quiet_store_in_which_nothing_would_change_does_not_dream_and_is_looked_at_again(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection, profile: str
) -> None:
    a_quiet_store(ports, tenant, profile)
    pass_days(owner_connection, tenant, 2)
    started = start(ports, tenant)
    assert (started.dream, started.verdict.gate) == (None, "unchanged")
    store = get_store(ports, tenant)
    assert store.next_check_at is not None
    assert store.last_verdict is not None
    hours = (store.next_check_at - store.last_verdict.at) / timedelta(hours=1)
    assert HOURS[profile] * 0.99 <= hours <= HOURS[profile] * 1.11


@pytest.mark.parametrize(("profile", "before", "after"), [("rockbot", 50, 12), ("swarmclaw", 85, 10)])
def test_a_quiet_store_dreams_when_a_memory_has_reached_the_age_at_which_its_profile_acts(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection, profile: str, before: float, after: float
) -> None:
    a_quiet_store(ports, tenant, profile)
    pass_days(owner_connection, tenant, before)
    assert start(ports, tenant).verdict.gate == "unchanged"
    pass_days(owner_connection, tenant, after)
    assert start(ports, tenant).dream is not None


def test_an_age_at_which_only_a_phase_acts_that_is_left_out_wakes_no_store(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_quiet_store(ports, tenant, "swarmclaw")
    pass_days(owner_connection, tenant, 62)
    assert start(ports, tenant).verdict.gate == "unchanged", "prune looks at 60 days, and SwarmClaw has no prune"
    changes = StoreChanges(overrides={"phases.prune": True})
    configure_store(ports.db, tenant, "default", changes=changes, phases=CATALOG, actor="a test")
    assert start(ports, tenant).dream is not None


def test_a_memory_that_a_dream_has_looked_at_because_of_its_age_does_not_wake_its_store_again(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_quiet_store(ports, tenant, "rockbot")
    pass_days(owner_connection, tenant, 62)
    run_dream(ports, tenant, OfflineLlm())
    pass_days(owner_connection, tenant, 1)
    assert start(ports, tenant).verdict.gate == "unchanged"


def test_old_unused_memories_are_archived_although_nothing_is_written_any_more(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_quiet_store(ports, tenant, "swarmclaw")
    pass_days(owner_connection, tenant, 95)
    started = start(ports, tenant)
    assert started.dream is not None
    run_dream(ports, tenant, OfflineLlm(), dream_id=started.dream.id)
    states = [memory.state for memory in take_picture(ports, tenant).memories.values()]
    assert MemoryState.ARCHIVED in states


def test_status_promises_no_dream_where_nothing_would_change(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_quiet_store(ports, tenant, "rockbot")
    pass_days(owner_connection, tenant, 1)
    explained = explain_store(ports.db, tenant, "default", get_catalog)
    assert not explained.verdict.is_open
    assert when(explained).startswith("It dreams when there is new input")
    assert any("Nothing would change" in line.plain for line in status_lines(explained))


def test_a_store_without_a_timer_is_not_checked_before_its_next_activity(ports: Ports, tenant: str) -> None:
    a_quiet_store(ports, tenant, "default")
    assert get_store(ports, tenant).next_check_at is None


def test_changes_beyond_the_loss_cap_make_the_next_dream_due_without_activity(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    many = {f"web/{n}.md": f"# Visit {n}\n\nThe gardener came on visit {n}.\n" for n in range(12)}
    write(ports, tenant, many)
    overrides: dict[str, object] = {"gates.enabled": True, "phases.consolidate": False}
    changes = StoreChanges(profile="swarmclaw", overrides=overrides)
    configure_store(ports.db, tenant, "default", changes=changes, phases=CATALOG, actor="a test")
    run_dream(ports, tenant, OfflineLlm())
    pass_days(owner_connection, tenant, 95)
    dream = run_dream(ports, tenant, OfflineLlm())
    assert dream.summary is not None
    left = dream.summary.waiting_changes
    assert left > 0
    store = get_store(ports, tenant)
    assert (store.waiting_changes, store.curations) == (left, 0)
    assert store.next_check_at is not None
    pass_days(owner_connection, tenant, 1)
    assert start(ports, tenant).dream is not None
