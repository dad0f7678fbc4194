"""The Redis lock is a gate before the claim: who does not get it does not run, and is tried again when it ends."""

from dataclasses import replace
from typing import Any

import psycopg
import pytest
import redis

from shared.adapters.inmemory.dream_lock import InMemoryDreamLock
from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.redis.dream_lock import RedisDreamLock
from shared.all_ports import Ports
from shared.bootstrap import redis_url
from shared.core.dream.model import Dream, DreamState
from shared.services.dreams.claim import claim_token, lock_token
from tests.integration.gates.gate_support import claim, start, start_and_claim
from tests.support.builders import a_store, get_dream, run_dream
from workers.dream import begin
from workers.phase.heartbeat import Heartbeat
from workers.phase.work import PhaseKey

FOREIGN = "someone-else:1"


@pytest.fixture
def queued(ports: Ports, tenant: str) -> Dream:
    a_store(ports, tenant)
    started = start(ports, tenant, force=True)
    assert started.dream is not None
    return started.dream


def wake(owner: psycopg.Connection, dream: Dream) -> None:
    owner.execute("UPDATE dreams SET next_attempt_at = now() WHERE id = %s", [dream.id])


def test_a_dream_whose_lock_another_holds_does_not_run_and_says_who_has_it_until_when(
    ports: Ports, queued: Dream
) -> None:
    ports.lock.take(queued.tenant_id, "default", FOREIGN)
    refused = claim(ports, queued)
    assert refused.dream is None
    assert refused.reason.startswith("The lock is held by someone-else:1 until ")
    found = get_dream(ports, queued.tenant_id, queued.id)
    assert (found.state, found.reason, found.lease_until) == (DreamState.QUEUED, refused.reason, None)
    assert found.next_attempt_at is not None, "it is tried again when the lock ends"
    assert f"{found.next_attempt_at:%H:%M}" in refused.reason
    assert ports.lock.find_holder(queued.tenant_id, "default") == FOREIGN, "nothing overwrites it"


def test_a_dream_that_waited_for_the_lock_runs_when_it_has_ended(
    ports: Ports, queued: Dream, owner_connection: psycopg.Connection
) -> None:
    ports.lock.take(queued.tenant_id, "default", FOREIGN)
    claim(ports, queued)
    ports.lock.release(queued.tenant_id, "default", FOREIGN)
    wake(owner_connection, queued)
    dream = run_dream(ports, queued.tenant_id, OfflineLlm(), dream_id=queued.id)
    assert (dream.state, dream.reason, dream.rescue_count) == (DreamState.COMPLETED, "", 0)
    assert ports.lock.find_holder(queued.tenant_id, "default") is None


def test_a_lock_without_an_end_keeps_its_store_from_dreaming_until_it_is_removed(ports: Ports, queued: Dream) -> None:
    with redis.Redis.from_url(redis_url(ports.settings)) as client:
        client.set(f"slowwave:dream:{queued.tenant_id}:default", FOREIGN)
    assert claim(ports, queued).reason == "The lock is held by someone-else:1 and has no end"
    assert get_dream(ports, queued.tenant_id, queued.id).next_attempt_at is not None


def test_a_dream_in_progress_keeps_its_lock_from_a_second_claim(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    dream = start_and_claim(ports, tenant)
    again = claim(ports, dream)
    assert (again.reason, again.is_duplicate) == (f"{dream.id} is being worked on", True)
    assert ports.lock.find_holder(tenant, "default") == lock_token(dream)


def test_a_second_message_for_a_dream_that_has_begun_is_counted_as_no_fault(
    ports: Ports, queued: Dream, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    monkeypatch.setattr(begin, "count", lambda name, *_, **__: counted.append(name))
    for taken in (queued.id, None):  # two are sent rather than none
        assert begin.begin_dream(ports, queued.tenant_id, queued.store, force=False, dream_id=queued.id) == taken
    assert counted == ["slowwave_spare_wakeups_total"]


@pytest.mark.parametrize("token", ["drm_gone:1", "{ended}:1", "{ended}:claiming", "{queued}:7", "{queued}:claiming"])
def test_a_holder_that_the_database_knows_to_be_dead_is_taken_over_at_once(
    ports: Ports, tenant: str, token: str
) -> None:
    a_store(ports, tenant)
    ended = run_dream(ports, tenant, OfflineLlm())
    started = start(ports, tenant, force=True)
    assert started.dream is not None
    holder = token.format(ended=ended.id, queued=started.dream.id)
    ports.lock.take(tenant, "default", holder)
    taken = claim(ports, started.dream).dream
    assert taken is not None
    assert ports.lock.find_holder(tenant, "default") == lock_token(taken)


def test_a_worker_that_died_between_the_lock_and_the_claim_delays_no_one(ports: Ports, queued: Dream) -> None:
    ports.lock.take(queued.tenant_id, "default", claim_token(queued.id))
    assert claim(ports, queued).dream is not None


def test_a_claim_that_the_database_refuses_gives_the_lock_back(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    ended = run_dream(ports, tenant, OfflineLlm())
    assert claim(ports, ended).reason == f"{ended.id} is completed"
    assert ports.lock.find_holder(tenant, "default") is None


def test_a_lock_that_cannot_be_read_counts_as_held(ports: Ports, queued: Dream) -> None:
    lock = InMemoryDreamLock(ttl_seconds=60)
    lock.is_reachable = False
    assert "counts as held" in claim(replace(ports, lock=lock), queued).reason
    found = get_dream(ports, queued.tenant_id, queued.id)
    assert (found.state, found.next_attempt_at) == (DreamState.QUEUED, None), "the next pass tries again"


def test_a_heartbeat_takes_a_lock_again_that_expired_between_two_tasks(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    dream = start_and_claim(ports, tenant)
    ports.lock.release(tenant, "default", lock_token(dream))
    beat(ports, dream)
    assert ports.lock.find_holder(tenant, "default") == lock_token(dream)


def test_a_heartbeat_leaves_the_lock_of_another_alone(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    dream = start_and_claim(ports, tenant)
    ports.lock.release(tenant, "default", lock_token(dream))
    ports.lock.take(tenant, "default", FOREIGN)
    beat(ports, dream)
    assert ports.lock.find_holder(tenant, "default") == FOREIGN


def test_a_dream_asks_redis_for_its_lock_three_times(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_store(ports, tenant)
    assert isinstance(ports.lock, RedisDreamLock)
    client, asked = ports.lock._client, []
    execute: Any = client.execute_command

    def counting(*args: Any, **named: Any) -> Any:
        asked.append(args[0])
        return execute(*args, **named)

    monkeypatch.setattr(client, "execute_command", counting)
    run_dream(ports, tenant, OfflineLlm())
    assert asked == ["EVAL", "EVAL", "EVAL"], "to take it, to put the epoch in, to release it"


def beat(ports: Ports, dream: Dream) -> None:
    key = PhaseKey(tenant_id=dream.tenant_id, dream_id=dream.id, epoch=dream.epoch, phase="orient")
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.phases.claim(dream.id, "orient", runner="run_a", lease_seconds=60)
    Heartbeat(ports, key, "run_a", dream.store)._beat()
