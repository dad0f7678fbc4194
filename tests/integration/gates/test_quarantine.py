"""Quarantine: a store whose dreams keep failing waits for a person, says why, and is let go by that person."""

import psycopg
import pytest
from sqlalchemy import create_engine

from shared.adapters.postgres.health import find_quarantined
from shared.all_ports import Ports
from shared.bootstrap import database_url
from shared.core.dream.model import Dream, DreamState
from shared.services.dreams.redrive import redrive_dream
from shared.services.tenants.pause import set_paused
from shared.settings import Settings
from tests.integration.failures.crash_support import let_lapse
from tests.integration.gates.gate_support import claim, start, start_and_claim
from tests.support.builders import a_store, get_dream, get_store, run_dream, write
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream

NOTES = {f"web/{n}.md": f"# Note\n\nWhat the gardener said on visit {n}.\n" for n in ("a", "b", "c")}
SAID = "Quarantined after 3 failed dreams (orient failed); resume it or redrive a dream when the cause is fixed"


def fail(ports: Ports, tenant: str, reason: str = "orient failed") -> Dream:
    dream = start_and_claim(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        uow.dreams.finish(dream.id, DreamState.ERROR, reason=reason, has_failed=True)
    return dream


def quarantine(ports: Ports, tenant: str) -> list[Dream]:
    write(ports, tenant, NOTES)
    failed = [fail(ports, tenant) for _ in range(3)]
    assert start(ports, tenant, force=True).verdict.reason == SAID
    return failed


@pytest.mark.parametrize("force", [False, True])
def test_after_three_failed_dreams_a_store_dreams_no_more_not_even_by_force(
    ports: Ports, tenant: str, force: bool
) -> None:
    quarantine(ports, tenant)
    verdict = start(ports, tenant, force=force).verdict
    assert (verdict.gate, verdict.reason) == ("quarantine", SAID)
    kept = get_store(ports, tenant).last_verdict
    assert kept is not None
    assert kept.reason == SAID


def test_two_failures_or_a_success_in_between_are_no_quarantine(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    fail(ports, tenant)
    fail(ports, tenant)
    run_dream(ports, tenant)
    fail(ports, tenant)
    fail(ports, tenant)
    assert start(ports, tenant, force=True).dream is not None


def test_a_dream_given_up_with_its_rescues_spent_counts_as_failed_and_says_so(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, NOTES)
    dream = start_and_claim(ports, tenant)
    for _ in range(ports.settings.max_rescues + 1):
        let_lapse(owner_connection, dream.id)
        begin_dream(ports, tenant, "default", force=False, dream_id=dream.id)
    assert finish_dream(ports, tenant, dream.id, get_dream(ports, tenant, dream.id).epoch)
    ended = get_dream(ports, tenant, dream.id)
    assert (ended.state, ended.has_failed) == (DreamState.ERROR, True)
    assert ended.reason.startswith("Given up after its worker was lost 4 times")


def test_resuming_lets_a_store_dream_again_and_old_failures_no_longer_count(ports: Ports, tenant: str) -> None:
    quarantine(ports, tenant)
    assert set_paused(ports.db, tenant, "default", paused=False, actor="test")
    assert get_store(ports, tenant).next_check_at is not None
    fail(ports, tenant)
    fail(ports, tenant)
    assert start(ports, tenant, force=True).dream is not None


def test_resuming_a_tenant_lets_all_its_stores_dream_again(ports: Ports, tenant: str) -> None:
    quarantine(ports, tenant)
    assert set_paused(ports.db, tenant, None, paused=False, actor="test")
    assert start(ports, tenant, force=True).dream is not None


def test_pausing_and_resuming_a_store_in_quarantine_lifts_both(ports: Ports, tenant: str) -> None:
    quarantine(ports, tenant)
    set_paused(ports.db, tenant, "default", paused=True, actor="test")
    assert start(ports, tenant, force=True).verdict.gate == "paused"
    set_paused(ports.db, tenant, "default", paused=False, actor="test")
    assert start(ports, tenant, force=True).dream is not None


def test_a_redrive_lets_a_store_dream_again(ports: Ports, tenant: str) -> None:
    failed = quarantine(ports, tenant)[-1]
    redriven = redrive_dream(ports.db, tenant, failed.id, actor="test").dream
    assert redriven is not None
    assert claim(ports, redriven).dream is not None


def test_the_number_is_a_setting_of_the_store_and_can_be_switched_off(ports: Ports, tenant: str) -> None:
    quarantine(ports, tenant)
    a_store(ports, tenant, overrides={"gates.quarantine_after": 4})
    assert start(ports, tenant, force=True).dream is not None
    with ports.db.transaction(tenant) as uow:
        uow.dreams.finish(uow.dreams.find_recent(limit=1)[0].id, DreamState.CANCELED, reason="")
    a_store(ports, tenant, overrides={"gates.quarantine_after": None})
    assert start(ports, tenant, force=True).dream is not None


def test_the_doctor_counts_who_is_in_quarantine(fresh_ports: Ports, fresh_settings: Settings) -> None:
    for name in ("acme", "beta"):
        quarantine(fresh_ports, name)
    url = database_url(fresh_settings)
    engine = create_engine(url)
    with engine.connect() as connection:
        assert find_quarantined(connection).found == "2 stores in quarantine"
        set_paused(fresh_ports.db, "acme", None, paused=False, actor="test")
        assert find_quarantined(connection).found == "1 store in quarantine"
        set_paused(fresh_ports.db, "beta", None, paused=True, actor="test")
        assert find_quarantined(connection).found == "no store", "a person has it in hand"
    engine.dispose()
