"""Drills: dreams wait, stick or fail, and their runbooks set them going."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.ports.llm import LlmOutcome
from shared.settings import Settings
from tests.e2e.drills.drill import Drill, a_drill
from tests.support.builders import LONG_AGO, run_dream, texts, write
from tests.support.servers import plain_url

DRILLED = (
    "arm-sent-back",
    "backlog-age-high",
    "dream-stuck",
    "partial-rate-high",
    "pending-merges-growing",
    "recall-fell",
    "rescue-loop",
    "store-quarantined",
)
_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}
_VISITS = {f"web/{n}.md": f"# Note\n\nThe gardener cut the apple tree on visit {n}.\n" for n in ("a", "b", "c")}


@pytest.fixture
def written(fresh_ports: Ports, tenant: str) -> str:
    """A tenant with memories and no dream yet."""
    write(fresh_ports, tenant, texts(_NOTES, at=LONG_AGO))
    return tenant


@pytest.fixture
def drill(fresh_settings: Settings, tmp_path: Path) -> Iterator[Drill]:
    """An installation in which no worker runs, so that nothing changes but by the commands."""
    with a_drill(fresh_settings, tmp_path) as found:
        yield found


def fail(settings: Settings, dream_id: str, reason: str) -> None:
    """Put a dream into the state in which the reconciler leaves one that it gives up."""
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as owner:
        done = owner.execute("UPDATE dreams SET state = 'error', reason = %s WHERE id = %s", (reason, dream_id))
        assert done.rowcount == 1


@pytest.mark.thorough
def test_stores_wait_for_longer_than_an_hour(drill: Drill, fresh_settings: Settings, written: str) -> None:
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
        owner.execute("UPDATE stores SET next_check_at = now() - interval '2 hours'")
    said = drill.run("slowwave metrics")[1]
    age = next(line for line in said.splitlines() if line.startswith("slowwave_oldest_due_age_seconds"))
    assert float(age.split()[1]) > 3600
    drill.follow("backlog-age-high", TENANT=written)


def test_a_queued_dream_that_no_worker_takes_is_ended(drill: Drill, written: str, fresh_ports: Ports) -> None:
    assert drill.run(f"slowwave dream {written} --force --detach")[0] == 0
    drill.follow("dream-stuck", TENANT=written, DREAM=last_dream(fresh_ports, written))
    assert "canceled" in drill.run(f"slowwave dreams list {written} --json")[1]


@pytest.mark.thorough
def test_dreams_that_ended_in_error_are_given_another_try(
    drill: Drill, written: str, fresh_ports: Ports, fresh_settings: Settings
) -> None:
    fail(fresh_settings, run_dream(fresh_ports, written).id, "The model did not answer")
    drill.follow("partial-rate-high", TENANT=written)
    assert "drm_" in drill.run(f"slowwave dreams list {written} --state queued --json")[1]


@pytest.mark.thorough
def test_a_phase_that_loses_answers_is_found_and_switched_off(drill: Drill, written: str, fresh_ports: Ports) -> None:
    dream = run_dream(fresh_ports, written)
    drill.follow("recall-fell", TENANT=written, STORE="default", DREAM=dream.id)
    assert "phases.prune" in drill.run(f"slowwave stores show {written}/default")[1]


@pytest.mark.thorough
def test_an_arm_that_was_sent_back_is_tried_again_with_changes_that_wait(
    drill: Drill, written: str, fresh_ports: Ports
) -> None:
    dream = run_dream(fresh_ports, written)
    drill.follow("arm-sent-back", TENANT=written, STORE="default", DREAM=dream.id)
    assert '"arm": "again"' in drill.run(f"slowwave stores arms {written} --json")[1]


@pytest.mark.thorough
def test_a_paused_store_dreams_again(drill: Drill, written: str, fresh_ports: Ports) -> None:
    run_dream(fresh_ports, written)
    assert drill.run(f"slowwave pause {written}")[0] == 0
    drill.follow("pending-merges-growing", TENANT=written, STORE="default")
    assert "drm_" in drill.run(f"slowwave dreams list {written} --state queued --json")[1]


@pytest.mark.thorough
def test_a_dream_that_was_given_up_is_tried_again_after_a_look(
    drill: Drill, written: str, fresh_ports: Ports, fresh_settings: Settings
) -> None:
    dream = run_dream(fresh_ports, written)
    fail(fresh_settings, dream.id, "Taken over 3 times")
    drill.follow("rescue-loop", TENANT=written, STORE="default", DREAM=dream.id)
    assert "drm_" in drill.run(f"slowwave dreams list {written} --state queued --json")[1]


@pytest.mark.thorough
def test_a_store_in_quarantine_is_found_let_go_and_no_longer_counted(
    drill: Drill, written: str, fresh_ports: Ports
) -> None:
    dream = quarantine_store(fresh_ports, written)
    assert "slowwave_quarantined_stores 1.0" in drill.run("slowwave metrics")[1]
    assert "1 in quarantine" in drill.run("slowwave tenants list")[1]
    drill.follow("store-quarantined", TENANT=written, STORE="default", DREAM=dream)
    assert "slowwave_quarantined_stores 0.0" in drill.run("slowwave metrics")[1]
    assert "drm_" in drill.run(f"slowwave dreams list {written} --state queued --json")[1]


def quarantine_store(ports: Ports, tenant: str) -> str:
    """Run three dreams whose model never answers; return the last one's id."""
    write(ports, tenant, _VISITS)
    return [run_dream(ports, tenant, ScriptedLlm(lambda _: LlmOutcome.FAILED)).id for _ in range(3)][-1]


def last_dream(ports: Ports, tenant: str) -> str:
    with ports.db.transaction(tenant) as uow:
        return uow.dreams.find_recent(limit=1)[0].id
