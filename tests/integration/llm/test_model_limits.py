"""Limits on model calls on a real server: rates, places, closure, and a server that is away."""

import time
from dataclasses import replace

import pytest
import redis

from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.redis.model_limits import RedisModelLimits
from shared.all_ports import Ports
from shared.bootstrap import redis_url
from shared.core.questions.call_limits import CallCaps, CallScope, name_endpoint
from shared.core.tenants.store import Tenant
from shared.settings import Settings
from tests.integration.gates.gate_support import save_tenant
from tests.integration.runner.snooze_support import NOTES, go
from tests.support.builders import get_dream, texts, write
from workers.ask.rate_limit import NoSlot, call_scope, model_slot


@pytest.fixture
def limits(settings: Settings) -> RedisModelLimits:
    """Limits without the calls that other tests left open: those would count for the installation."""
    with redis.Redis.from_url(redis_url(settings)) as client:
        client.flushdb()
    return RedisModelLimits(redis_url(settings))


def scope(tenant: str, endpoint: str = "", **caps: int) -> CallScope:
    return CallScope(tenant_id=tenant, endpoint=endpoint or tenant, tenant=CallCaps(**caps))


def test_a_tenant_gets_its_rate_and_is_told_when_to_ask_again(limits: RedisModelLimits, tenant: str) -> None:
    mine = scope(tenant, per_minute=30)
    taken = [limits.acquire(mine, f"c{n}", hold_seconds=60) for n in range(8)]
    assert taken[:5] == [0.0] * 5, "ten seconds' worth at once"
    assert all(0 < wait <= 2.0 for wait in taken[6:]), "one every two seconds after that"
    assert limits.acquire(scope(f"{tenant}-other", per_minute=30), "c", hold_seconds=60) == 0.0


def test_no_more_calls_at_once_than_allowed_and_a_place_is_free_when_a_call_is_over(
    limits: RedisModelLimits, tenant: str
) -> None:
    mine = scope(tenant, at_once=2)
    assert [limits.acquire(mine, name, hold_seconds=60) > 0 for name in "abc"] == [False, False, True]
    limits.release(mine, "a")
    assert limits.acquire(mine, "c", hold_seconds=60) == 0.0


def test_the_place_of_a_call_whose_process_died_becomes_free(limits: RedisModelLimits, tenant: str) -> None:
    mine = scope(tenant, at_once=1)
    assert limits.acquire(mine, "dead", hold_seconds=0.0) == 0.0
    while (wait := limits.acquire(mine, "next", hold_seconds=60)) > 0:
        time.sleep(0.01)
        assert wait <= 1.0


def test_the_installations_cap_holds_over_all_tenants(limits: RedisModelLimits, tenant: str) -> None:
    shared = CallCaps(at_once=1)
    first = replace(scope(f"{tenant}1"), installation=shared)
    second = replace(scope(f"{tenant}2"), installation=shared)
    assert limits.acquire(first, tenant, hold_seconds=60) == 0.0
    assert limits.acquire(second, "second", hold_seconds=60) > 0
    limits.release(first, tenant)
    assert limits.acquire(second, f"{tenant}second", hold_seconds=60) == 0.0
    limits.release(second, f"{tenant}second")


def test_a_closed_endpoint_is_closed_to_all_who_share_it_and_to_no_other(
    limits: RedisModelLimits, tenant: str, settings: Settings
) -> None:
    mine, sharing = scope(f"{tenant}1", endpoint=tenant), scope(f"{tenant}2", endpoint=tenant)
    limits.close(mine, 60)
    limits.close(mine, 5)
    another_process = RedisModelLimits(redis_url(settings))
    assert 50 < another_process.acquire(sharing, "c", hold_seconds=60) <= 60.1, "a shorter closure opens nothing"
    assert another_process.acquire(scope(f"{tenant}3"), "c", hold_seconds=60) == 0.0
    another_process.disconnect()


def test_without_the_server_calls_go_on_and_what_this_process_was_told_still_holds(tenant: str) -> None:
    away = RedisModelLimits("redis://127.0.0.1:1/0")
    mine = scope(tenant, per_minute=1, at_once=1)
    assert [away.acquire(mine, str(n), hold_seconds=60) for n in range(3)] == [0.0] * 3
    away.close(mine, 60)
    assert away.acquire(mine, "c", hold_seconds=60) > 50
    away.release(mine, "c")
    away.disconnect()


def test_a_worker_out_of_patience_is_told_to_sleep_instead_of_waiting(ports: Ports, tenant: str) -> None:
    mine = scope(tenant)
    ports.limits.close(mine, 60)
    with model_slot(ports, mine, hold_seconds=60, patience=lambda: 1.0) as turn:
        assert isinstance(turn, NoSlot)
        assert turn.retry_seconds > 50


def test_tenants_without_a_key_of_their_own_share_an_endpoint() -> None:
    plain = [name_endpoint(Tenant(id=name), "claude") for name in ("a", "b")]
    own = name_endpoint(Tenant(id="c", llm={"api_key_variable": "SLOWWAVE_LLM_API_KEY_C"}), "claude")
    assert plain[0] == plain[1] != own


def test_a_tenants_own_number_comes_before_the_installations() -> None:
    settings = Settings(tenant_model_calls_per_minute=60, model_calls_at_once=8)
    found = call_scope(settings, Tenant(id="a", model_calls_per_minute=5), "m")
    assert (found.tenant.per_minute, found.installation.at_once) == (5, 8)
    assert call_scope(settings, Tenant(id="b"), "m").tenant.per_minute == 60


def test_a_dream_over_its_tenants_rate_sleeps_and_the_log_counts_it(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES))
    save_tenant(ports, tenant, model_calls_per_minute=1)
    ports.limits.acquire(
        call_scope(ports.settings, Tenant(id=tenant, model_calls_per_minute=1), "scripted"), "c", hold_seconds=1
    )
    model = ScriptedLlm()
    dream = go(ports, tenant, model)
    assert dream is not None
    assert (dream.reason, model.requests) == ("Sleeps until the model takes calls again", ())
    never = replace(ports, settings=ports.settings.model_copy(update={"max_snoozes": 0}))
    write(ports, f"{tenant}2", texts(NOTES))
    save_tenant(ports, f"{tenant}2", model_calls_per_minute=1)
    second = Tenant(id=f"{tenant}2", model_calls_per_minute=1)
    ports.limits.acquire(call_scope(ports.settings, second, "scripted"), "c", hold_seconds=1)
    ended = go(never, f"{tenant}2", model)
    assert ended is not None
    assert ended.summary is not None
    assert ended.summary.reasons["rate_limited"] >= 1
    assert get_dream(ports, f"{tenant}2", ended.id).next_attempt_at is None
