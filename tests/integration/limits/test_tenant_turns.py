"""A tenant whose requests are slow has a share of the API's threads and connections; another tenant is answered meanwhile."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import httpx2
import psycopg
import pytest
from fastapi.testclient import TestClient

from gateway.api import server
from gateway.api.app import THREADS
from gateway.api.http.failures import Failure, failure_of
from gateway.api.http.tenant_turns import TenantTurns
from shared.all_ports import Ports
from shared.core.errors import TenantBusyError, TenantPacedError
from shared.core.tenants.pace import Account, Pace
from shared.core.tenants.roles import Role
from shared.settings import Settings
from tests.integration.api.api_support import a_token, bearer
from tests.support.servers import plain_url

_AT_ONCE, _WAITING = 2, 3
_REQUESTS = 100
_PACE = Pace(share=0.25, burst_seconds=1)


@contextmanager
def store_in_use(settings: Settings, tenant: str) -> Iterator[psycopg.Connection]:
    """Another transaction that holds the tenant's stores, so that each write of the tenant waits."""
    with psycopg.connect(plain_url(settings.owner_database_url)) as owner:
        owner.execute("SELECT FROM stores WHERE tenant_id = %s FOR UPDATE", [tenant])
        yield owner
        owner.rollback()


def test_slow_requests_of_one_tenant_leave_threads_for_another(ports: Ports, settings: Settings, tenant: str) -> None:
    few = {"api_tenant_requests_at_once": _AT_ONCE, "api_tenant_requests_waiting": _WAITING}
    here = replace(ports, settings=ports.settings.model_copy(update=few))
    slow, other = bearer(a_token(ports, tenant)), bearer(a_token(ports, f"{tenant}-other"))

    def write(number: int) -> httpx2.Response:
        note = {"path": f"{number}.md", "content": "# Note\n"}
        return client.post("/api/stores/mine/memories", json=note, headers=slow)

    with TestClient(server.create_server(here)) as client, ThreadPoolExecutor(2 * THREADS) as pool:
        with store_in_use(settings, tenant):
            sent = [pool.submit(write, number) for number in range(2 * THREADS - 1)]
            refused = [one.result(timeout=20) for one in _done(sent, len(sent) - _AT_ONCE - _WAITING)]
            answered: Future[httpx2.Response] = pool.submit(client.get, "/api/stores", headers=other)
            assert answered.result(timeout=20).status_code == 200
        written = [one.result(timeout=20) for one in sent if one.result().status_code != 429]
    assert [one.status_code for one in written] == [201] * (_AT_ONCE + _WAITING)
    assert {(one.status_code, one.headers["Retry-After"]) for one in refused} == {(429, "1")}
    assert refused[0].json()["detail"] == str(TenantBusyError(_AT_ONCE))


def _done(sent: list[Future[httpx2.Response]], number: int) -> list[Future[httpx2.Response]]:
    """Wait until the given number of requests have an answer; the others wait for the store."""
    found: list[Future[httpx2.Response]] = []
    while len(found) < number:
        found = [one for one in sent if one.done()]
    return found


def test_turns_go_on_in_their_order_without_those_that_have_left() -> None:
    async def run() -> list[str]:
        turns, seen = TenantTurns(1, 3, _PACE, patience_seconds=30), list[str]()

        async def ask(name: str) -> None:
            end = await turns.take("acme")
            seen.append(name)
            end()

        end = await turns.take("acme")
        asked = [asyncio.create_task(ask(name)) for name in "abc"]
        await asyncio.sleep(0)
        with pytest.raises(TenantBusyError):
            await ask("d")
        (await turns.take("other"))()
        asked[1].cancel()
        await asyncio.wait([asked[1]])
        end()
        await asyncio.gather(*asked, return_exceptions=True)
        (await turns.take("acme"))()
        assert not turns._running
        return seen

    assert asyncio.run(run()) == ["a", "c"]


def test_a_tenant_in_company_has_its_share_divided_until_it_is_alone_again() -> None:
    async def run() -> None:
        now = [0.0]
        turns = TenantTurns(2, 8, _PACE, patience_seconds=30, clock=lambda: now[0])
        alone = [await turns.take("acme"), await turns.take("acme")]
        (await turns.take("other"))()
        waits = asyncio.create_task(turns.take("acme"))
        await asyncio.sleep(0)
        alone.pop()()
        assert turns._running == {"acme": 1}
        alone.pop()()
        (await waits)()
        now[0] = 60
        for end in [await turns.take("acme"), await turns.take("acme")]:
            end()
        assert not turns._running
        assert not turns._lines

    asyncio.run(run())


def test_a_request_that_has_waited_long_enough_is_refused() -> None:
    async def run() -> None:
        turns = TenantTurns(1, 1, _PACE, patience_seconds=0.01)
        end = await turns.take("acme")
        with pytest.raises(TenantBusyError):
            await turns.take("acme")
        end()
        (await turns.take("acme"))()

    asyncio.run(run())


def test_a_tenant_that_has_used_up_its_share_waits_until_it_has_paid_or_is_alone() -> None:
    async def run() -> list[int]:
        now, paced = [0.0], [0]

        def note() -> None:
            paced[0] += 1

        turns = TenantTurns(1, 8, _PACE, clock=lambda: now[0], note_paced=note)
        end = await turns.take("acme")
        now[0] += 9
        (await turns.take("other"))()
        end()
        waits = [asyncio.create_task(turns.take("acme")) for _ in range(2)]
        await asyncio.sleep(0)
        (await turns.take("other"))()
        assert not any(one.done() for one in waits)
        now[0] += 4.1
        (await turns.take("other"))()
        (await waits[0])()
        now[0] += 60
        (await waits[1])()
        assert not turns._running
        assert not turns._lines
        return paced

    assert asyncio.run(run()) == [2]


def test_a_flood_of_quick_requests_is_paced_and_quick_requests_one_after_the_other_are_not() -> None:
    async def run(lines: int) -> int:
        now, paced = [0.0], [0]

        def note() -> None:
            paced[0] += 1

        async def ask() -> None:
            for _ in range(_REQUESTS):
                end = await turns.take("acme")
                await asyncio.sleep(0)  # the others of the flood come to stand in line
                now[0] += 0.02
                end()

        async def keep_company() -> None:
            while True:
                (await turns.take("other"))()
                now[0] += 0.01
                await asyncio.sleep(0)

        turns = TenantTurns(1, 8, _PACE, clock=lambda: now[0], note_paced=note)
        company = asyncio.create_task(keep_company())
        await asyncio.gather(*(ask() for _ in range(lines)))
        company.cancel()
        return paced[0]

    assert asyncio.run(run(1)) == 0
    assert asyncio.run(run(4)) > 0


def test_a_tenant_alone_never_waits_however_long_its_requests_are() -> None:
    async def run() -> None:
        now = [0.0]
        turns = TenantTurns(1, 0, _PACE, clock=lambda: now[0])
        for _ in range(9):
            end = await turns.take("acme")
            now[0] += 60
            end()
        assert not turns._accounts

    asyncio.run(run())


def test_a_flood_of_refusals_waits_beside_another_tenant_and_a_few_or_those_of_one_alone_do_not() -> None:
    async def run(*, company: bool, seconds_between: float, payer: str) -> list[float]:
        now, waits = [0.0], list[float]()
        turns = TenantTurns(1, 8, _PACE, clock=lambda: now[0])
        for _ in range(1_000):
            if company:
                (await turns.take("other"))()
            waits.append(turns.charge_refusal(payer))
            now[0] += seconds_between
        return waits

    for payer in ("acme", "from 192.0.2.1"):
        flood = asyncio.run(run(company=True, seconds_between=0.001, payer=payer))
        assert flood[0] == 0
        assert 0 < max(flood) <= _PACE.burst_seconds / _PACE.share
        assert set(asyncio.run(run(company=False, seconds_between=0.001, payer=payer))) == {0}
        assert set(asyncio.run(run(company=True, seconds_between=0.1, payer=payer))) == {0}


def test_the_refusals_of_one_tenant_delay_no_request_of_another(ports: Ports, tenant: str) -> None:
    app, now = server.create_server(ports), [0.0]
    app.state.turns = TenantTurns(1, 8, _PACE, clock=lambda: now[0])
    hostile, other = (bearer(a_token(ports, one, Role.AGENT)) for one in (tenant, f"{tenant}-other"))

    with TestClient(app) as client, ThreadPoolExecutor(1) as pool:
        assert client.get("/api/stores", headers=other).status_code == 200
        app.state.turns._accounts[tenant] = Account(in_hand=-0.5, at=0)  # two seconds' wait
        refused = pool.submit(client.get, "/api/tenants", headers=hostile)
        assert [client.get(path, headers=other).status_code for path in ("/api/stores", "/api/tenants")] == [200, 403]
        assert not refused.done()
        assert refused.result(timeout=20).status_code == 403


def test_a_refusal_says_when_the_tenant_has_paid() -> None:
    async def run() -> Failure:
        now = [0.0]
        turns = TenantTurns(1, 8, _PACE, patience_seconds=0.01, clock=lambda: now[0])
        end = await turns.take("acme")
        now[0] += 9
        (await turns.take("other"))()
        end()
        with pytest.raises(TenantPacedError) as refused:
            await turns.take("acme")
        return failure_of(refused.value)

    failure = asyncio.run(run())
    assert (failure.status, failure.headers) == (429, {"Retry-After": "4"})
    assert failure.detail.endswith("while other tenants need the API; try again in 4 s")


def test_long_requests_of_one_tenant_wait_while_another_is_answered_and_nothing_is_lost(
    ports: Ports, settings: Settings, tenant: str
) -> None:
    app, now = server.create_server(ports), [0.0]
    app.state.turns = TenantTurns(1, 8, _PACE, clock=lambda: now[0], note_paced=app.state.counts.note_paced)
    long, other = bearer(a_token(ports, tenant)), bearer(a_token(ports, f"{tenant}-other"))

    def write(number: int) -> httpx2.Response:
        return client.post("/api/stores/mine/memories", json={"path": f"{number}.md", "content": "# N\n"}, headers=long)

    def ask() -> int:
        return client.get("/api/stores", headers=other).status_code

    with TestClient(app) as client, ThreadPoolExecutor(2) as pool:
        with store_in_use(settings, tenant):
            sent = pool.submit(write, 0)
            while tenant not in app.state.turns._running:
                assert not sent.done()
            now[0] += 9
            assert ask() == 200
        assert sent.result(timeout=20).status_code == 201
        paced = pool.submit(write, 1)
        while tenant not in app.state.turns._lines:
            assert not paced.done()
        assert [ask() for _ in range(20)] == [200] * 20
        assert not paced.done()
        now[0] += 4.1
        assert ask() == 200
        assert paced.result(timeout=20).status_code == 201
        found = client.get("/api/stores/mine/memories", headers=long).json()["data"]
    assert [one["path"] for one in found] == ["0.md", "1.md"]


def test_every_request_gives_its_turn_back(ports: Ports, tenant: str) -> None:
    here = replace(ports, settings=ports.settings.model_copy(update={"api_tenant_requests_at_once": 1}))
    app, key = server.create_server(here), bearer(a_token(ports, tenant))
    with TestClient(app) as client:
        paths = ("/api/stores", "/api/stores/absent/memories", "/api/dreams?limit=x", "/v1/dreams", "/v1/dreams/absent")
        found = [client.get(path, headers=key).status_code for path in paths]
    assert found == [200, 404, 422, 200, 404]
    assert not app.state.turns._running
