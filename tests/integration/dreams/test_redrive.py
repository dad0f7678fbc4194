"""Redriving: a failed dream gets one more try, and nothing else does."""

from datetime import UTC, datetime

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.errors import ConflictError
from shared.services.dreams.redrive import find_failed, redrive_dream
from tests.integration.gates.gate_support import save_tenant, start_and_claim
from tests.support.builders import a_store, get_dream, run_dream


def a_dream_that(ports: Ports, tenant: str, state: DreamState, store: str = "default") -> Dream:
    a_store(ports, tenant, store)
    dream = start_and_claim(ports, tenant, store)
    with ports.db.transaction(tenant) as uow:
        uow.dreams.finish(dream.id, state, reason="orient failed")
    return get_dream(ports, tenant, dream.id)


def test_a_failed_dream_and_its_successor_name_each_other(ports: Ports, tenant: str) -> None:
    failed = a_dream_that(ports, tenant, DreamState.ERROR)
    done = redrive_dream(ports.db, tenant, failed.id, actor="test")
    assert done.dream is not None
    assert done.dream.state is DreamState.QUEUED
    assert done.dream.reason == f"redrives {failed.id}: orient failed"
    assert get_dream(ports, tenant, failed.id).reason == f"orient failed · redriven as {done.dream.id}"


def test_the_successor_runs_like_any_dream(ports: Ports, tenant: str) -> None:
    failed = a_dream_that(ports, tenant, DreamState.ERROR)
    done = redrive_dream(ports.db, tenant, failed.id, actor="test")
    assert done.dream is not None
    assert run_dream(ports, tenant, dream_id=done.dream.id).state is DreamState.COMPLETED


def test_while_a_dream_is_active_nothing_is_redriven(ports: Ports, tenant: str) -> None:
    failed = a_dream_that(ports, tenant, DreamState.ERROR)
    first = redrive_dream(ports.db, tenant, failed.id, actor="test")
    second = redrive_dream(ports.db, tenant, failed.id, actor="test")
    assert first.dream is not None
    assert second.dream is None
    assert second.refused == f"Another dream is running ({first.dream.id})"


def test_a_pause_holds_against_a_redrive(ports: Ports, tenant: str) -> None:
    failed = a_dream_that(ports, tenant, DreamState.ERROR)
    save_tenant(ports, tenant, paused_at=datetime.now(UTC))
    assert redrive_dream(ports.db, tenant, failed.id, actor="test").refused == "Dreaming is paused (tenant)"


@pytest.mark.parametrize("state", [DreamState.COMPLETED, DreamState.PARTIAL, DreamState.CANCELED])
def test_only_a_dream_that_failed_can_be_redriven(state: DreamState, ports: Ports, tenant: str) -> None:
    ended = a_dream_that(ports, tenant, state)
    with pytest.raises(ConflictError, match="only a failed dream"):
        redrive_dream(ports.db, tenant, ended.id, actor="test")


def test_all_means_stores_whose_last_dream_failed(ports: Ports, tenant: str) -> None:
    failed = a_dream_that(ports, tenant, DreamState.ERROR, "one")
    a_dream_that(ports, tenant, DreamState.ERROR, "two")
    a_dream_that(ports, tenant, DreamState.COMPLETED, "two")
    a_dream_that(ports, tenant, DreamState.PARTIAL, "three")
    assert find_failed(ports.db, tenant) == [failed.id]
