"""Time wakes a quiet store whose profile has a timer, and only if a dream would find something to do."""

from datetime import timedelta

import psycopg
import pytest

from gateway.cli.dreams.status import status_lines, when
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamSummary
from shared.core.memory.model import MemoryState
from shared.core.policy.policy import Autonomy
from shared.services.dreams.explain import explain_store
from shared.services.operations.review import approve_operation
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
    assert when(explained).startswith("It is checked again after the next write, and dreams when there is new input")
    assert any("Nothing would change" in line.plain for line in status_lines(explained))


def test_a_store_without_a_timer_is_not_checked_before_its_next_activity(ports: Ports, tenant: str) -> None:
    a_quiet_store(ports, tenant, "default")
    assert get_store(ports, tenant).next_check_at is None


def a_store_with_old_notes(ports: Ports, tenant: str, owner: psycopg.Connection, autonomy: Autonomy) -> None:
    """Twelve notes are old enough to be archived, and no interval holds the dreams of their store back."""
    write(ports, tenant, {f"web/{n}.md": f"# Visit {n}\n\nThe gardener came on visit {n}.\n" for n in range(12)})
    overrides: dict[str, object] = {"gates.enabled": True, "gates.min_hours": 0, "phases.consolidate": False}
    changes = StoreChanges(profile="swarmclaw", overrides=overrides, autonomy=autonomy)
    configure_store(ports.db, tenant, "default", changes=changes, phases=CATALOG, actor="a test")
    run_dream(ports, tenant, OfflineLlm())
    pass_days(owner, tenant, 95)


def dream_while_gates_are_open(ports: Ports, tenant: str, at_most: int = 20) -> list[DreamSummary]:
    found: list[DreamSummary] = []
    while len(found) < at_most and (queued := start(ports, tenant).dream) is not None:
        ended = run_dream(ports, tenant, OfflineLlm(), dream_id=queued.id)
        assert ended.summary is not None
        found.append(ended.summary)
    return found


def test_changes_beyond_the_loss_cap_wake_dreams_until_all_are_made_where_no_person_reviews_them(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store_with_old_notes(ports, tenant, owner_connection, Autonomy.SILENT)
    dreams = dream_while_gates_are_open(ports, tenant)
    assert len(dreams) > 1
    assert sum(summary.archived for summary in dreams) == 12
    assert all(summary.archived for summary in dreams), "a dream was empty"
    assert dreams[0].waiting_changes > 0
    assert dreams[0].next_dream == "follows at once"


@pytest.mark.parametrize("autonomy", [Autonomy.FLAG, Autonomy.PROPOSE])
def test_changes_that_wait_for_a_person_make_no_empty_dream_and_wake_none_before_the_timer(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection, autonomy: Autonomy
) -> None:
    a_store_with_old_notes(ports, tenant, owner_connection, autonomy)
    dreams = dream_while_gates_are_open(ports, tenant)
    assert all(summary.archived + summary.proposed for summary in dreams), "a dream was empty"
    assert [summary.waiting_changes for summary in dreams] == [0] * len(dreams)
    assert dreams[0].reasons["loss_cap"] == 9
    store = get_store(ports, tenant)
    assert store.next_check_at is not None
    assert store.last_verdict is not None
    assert store.next_check_at - store.last_verdict.at > timedelta(hours=23)


def test_a_full_loss_cap_wakes_no_dream_by_the_timer_until_a_person_has_reviewed(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store_with_old_notes(ports, tenant, owner_connection, Autonomy.FLAG)
    dream_while_gates_are_open(ports, tenant)
    pass_days(owner_connection, tenant, 2)
    assert start(ports, tenant).verdict.gate == "unchanged"
    with ports.db.transaction(tenant) as uow:
        waiting = uow.operations.find_pending(limit=10)
    for pending in waiting:
        approve_operation(ports.db, ports.ids, tenant, pending.id, actor="a test")
    assert start(ports, tenant).dream is not None
