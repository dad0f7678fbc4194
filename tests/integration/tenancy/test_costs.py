"""Costs by tenant, store, model and day, as a tenant's admins and as operators see them."""

from dataclasses import replace
from datetime import date

import pytest

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.ports.tenants import Cost, CostBy
from shared.services.tenants.forecast import find_cost_lines
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.gates.gate_support import start_and_claim
from tests.support.builders import a_store

_USAGE = LlmUsage(input_tokens=100, output_tokens=20, cached_tokens=30, cache_write_tokens=0, cost_usd=0.5)
_REPLY = LlmReply(outcome=LlmOutcome.REFUSED, model="small", usage=_USAGE)


def spend(ports: Ports, tenant: str, store: str, *replies: LlmReply) -> None:
    a_store(ports, tenant, store)
    dream = start_and_claim(ports, tenant, store)
    with ports.db.transaction(tenant) as uow:
        for number, reply in enumerate(replies):
            uow.calls.record(dream.id, "consolidate", f"k{number}", reply, latency_ms=1)


@pytest.fixture
def spent(fresh_ports: Ports) -> Ports:
    """Two tenants: acme with two stores and two models, beta with one call."""
    large = replace(_REPLY, model="large", usage=replace(_USAGE, cost_usd=4.0))
    spend(fresh_ports, "acme", "bot", _REPLY, large)
    with fresh_ports.db.transaction("acme") as uow:
        uow.stores.save_tenant(replace(uow.stores.get_tenant(), max_concurrent_dreams=3))
    spend(fresh_ports, "acme", "desk", _REPLY)
    spend(fresh_ports, "beta", "bot", _REPLY)
    return fresh_ports


def costs(ports: Ports, by: CostBy) -> dict[str, tuple[int, int, float]]:
    return {one.name: (one.model_calls, one.tokens, one.cost_usd) for one in ports.db.installation.find_costs(30, by)}


def test_operators_see_what_each_tenant_store_model_and_day_cost(spent: Ports) -> None:
    assert costs(spent, CostBy.TENANT) == {"acme": (3, 450, 5.0), "beta": (1, 150, 0.5)}
    assert costs(spent, CostBy.STORE) == {
        "acme/bot": (2, 300, 4.5), "acme/desk": (1, 150, 0.5), "beta/bot": (1, 150, 0.5),
    }  # fmt: skip
    assert costs(spent, CostBy.MODEL) == {"large": (1, 150, 4.0), "small": (3, 450, 1.5)}
    assert list(costs(spent, CostBy.DAY).values()) == [(4, 600, 5.5)]


@pytest.mark.parametrize("by", CostBy)
def test_a_tenant_sees_its_own_costs_as_an_operator_sees_them(spent: Ports, by: CostBy) -> None:
    with spent.db.transaction("beta") as uow:
        own = uow.statistics.find_costs(30, by)
    assert [(one.model_calls, one.tokens, one.cost_usd) for one in own] == [(1, 150, 0.5)]
    with spent.db.transaction("acme") as uow:
        assert sum(one.cost_usd for one in uow.statistics.find_costs(30, by)) == 5.0


def test_the_most_expensive_come_first_over_the_api_and_another_tenant_is_not_shown(spent: Ports) -> None:
    client = a_client(an_app(spent))
    admin, operator = (bearer(a_token(spent, "acme", role)) for role in (Role.ADMIN, Role.OPERATOR))
    mine = client.get("/api/costs", headers=admin).json()["data"]
    assert [(one["name"], one["cost_usd"]) for one in mine] == [("acme/bot", 4.5), ("acme/desk", 0.5)]
    assert all(one["month_usd"] == one["cost_usd"] == one["month_end_usd"] for one in mine)
    by_day = client.get("/api/costs?by=day", headers=admin).json()["data"]
    assert [(one["month_usd"], one["month_end_usd"]) for one in by_day] == [(None, None)]
    everyone = client.get("/api/costs/all", headers=operator).json()["data"]
    assert [(one["name"], one["tokens"]) for one in everyone] == [("acme", 450), ("beta", 150)]
    assert client.get("/api/costs/all", headers=admin).status_code == 403
    assert client.get("/api/costs?by=person", headers=admin).status_code == 422


def test_the_forecast_leaves_today_out_of_its_mean_and_last_month_out_of_its_sum() -> None:
    days = [5.0, 1.0, 1.0, *([2.0] * 5), 100.0]  # today is the third of the month; the ninth day back does not count

    def find(number: int, _by: CostBy) -> list[Cost]:
        return [Cost(name="acme/bot", model_calls=number, tokens=100, cost_usd=sum(days[:number]))]

    (line,) = find_cost_lines(find, 30, CostBy.STORE, date(2026, 11, 3))
    assert line.forecast is not None
    assert line.forecast.month_usd == 5 + 1 + 1
    assert line.forecast.month_end_usd == pytest.approx(7 + 12 / 7 * 27)


def test_costs_at_an_unknown_price_have_no_forecast() -> None:
    def find(_number: int, _by: CostBy) -> list[Cost]:
        return [Cost(name="acme/bot", model_calls=1, tokens=100, cost_usd=0.0)]

    (line,) = find_cost_lines(find, 30, CostBy.STORE, date(2026, 11, 3))
    assert line.forecast is not None
    assert (line.forecast.month_usd, line.forecast.month_end_usd) == (None, None)
