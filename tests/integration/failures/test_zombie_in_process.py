"""A phase that pauses inside `apply` while another worker takes its dream over and finishes it: it writes nothing.

In this process, the pause injected between two of its steps; with the lock kept, stolen, lost, and out of reach.
"""

from dataclasses import replace
from typing import Any

import psycopg
import pytest
import redis

import workers.runner.apply
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.redis.dream_lock import RedisDreamLock
from shared.all_ports import Ports
from shared.bootstrap import redis_url
from shared.core.dream.model import DreamState
from shared.services.dreams.claim import LeaseTerms, claim_dream
from tests.integration.failures.crash_support import let_lapse
from tests.support.builders import LONG_AGO, get_dream, get_operations, run_dream, take_picture, texts, write
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
}
_NOWHERE = "redis://127.0.0.1:9/0"


@pytest.mark.parametrize("lock", ["kept", "stolen", "lost", "out of reach"])
def test_a_phase_that_pauses_inside_apply_until_another_worker_has_finished_writes_nothing(
    ports: Ports, owner_connection: psycopg.Connection, monkeypatch: pytest.MonkeyPatch, tenant: str, lock: str
) -> None:
    write(ports, tenant, texts(_NOTES, at=LONG_AGO))
    here = replace(ports, choose_llm=lambda _: OfflineLlm(), dispatch=RecordingDispatch())
    zombie = replace(here, lock=RedisDreamLock(_NOWHERE, ttl_seconds=60)) if lock == "out of reach" else here
    dream_id = begin_dream(here, tenant, "default", force=True, dream_id=None)
    assert dream_id is not None
    apply_chunk, seen = workers.runner.apply._apply_chunk, []

    def apply_after_pause(*args: Any) -> None:
        monkeypatch.setattr(workers.runner.apply, "_apply_chunk", apply_chunk)
        let_lapse(owner_connection, dream_id)
        assert run_dream(here, tenant, OfflineLlm(), dream_id=dream_id).epoch == 2
        _do_to_lock(lock, here, tenant, dream_id)
        seen.append(_everything(here, tenant, dream_id))
        apply_chunk(*args)

    monkeypatch.setattr(workers.runner.apply, "_apply_chunk", apply_after_pause)
    going_on = [
        run_phase(zombie, phase, PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase=phase.name))
        for phase in PHASES
    ]
    assert not finish_dream(zombie, tenant, dream_id, 1)
    assert len(seen) == 1, "no phase applied anything"
    assert False in going_on, "the zombie's chain ends"
    assert _everything(here, tenant, dream_id) == seen[0]
    assert get_dream(here, tenant, dream_id).state is DreamState.COMPLETED


def test_with_redis_lost_the_database_alone_lets_one_of_many_claims_through(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(_NOTES, at=LONG_AGO))
    here = replace(ports, dispatch=RecordingDispatch())
    dream_id = begin_dream(here, tenant, "default", force=True, dream_id=None)
    assert dream_id is not None
    _client(here).flushdb()  # every lock is gone
    terms = LeaseTerms(lease_seconds=60, model="offline")
    again = [claim_dream(here.db, here.lock, tenant, dream_id, terms) for _ in range(3)]
    assert [result.dream for result in again] == [None, None, None]
    assert get_dream(here, tenant, dream_id).epoch == 1


def _do_to_lock(lock: str, ports: Ports, tenant: str, dream_id: str) -> None:
    if lock == "stolen":
        assert ports.lock.acquire(tenant, "default", f"{dream_id}:1", instead_of=None)
    elif lock == "lost":
        _client(ports).flushdb()


def _client(ports: Ports) -> redis.Redis:
    assert isinstance(ports.lock, RedisDreamLock)
    return redis.Redis.from_url(redis_url(ports.settings))


def _everything(ports: Ports, tenant: str, dream_id: str) -> tuple[object, ...]:
    with ports.db.transaction(tenant) as uow:
        runs = uow.phases.find_all(dream_id)
        totals = uow.calls.get_totals(dream_id)
    picture = take_picture(ports, tenant)
    return picture, runs, totals, get_operations(ports, tenant, dream_id), get_dream(ports, tenant, dream_id)
