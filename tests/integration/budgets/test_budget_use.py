"""Budgets in dollars in the database: what counts as spent and reserved, who is refused, and what is told."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import psycopg
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from gateway.cli.dreams.status import status_lines
from gateway.health import find_budgets
from gateway.metrics import render_metrics
from shared.adapters.redis.counters import RedisCounters
from shared.all_ports import Ports
from shared.core.budgets.dollars import find_dollar_budgets
from shared.core.dream.model import Dream, DreamState
from shared.core.errors import BadInputError
from shared.core.health import Health
from shared.core.webhooks.endpoint import WebhookEndpoint
from shared.ports.database import UnitOfWork
from shared.ports.tenants import CostBy
from shared.ports.webhooks import DeliveryFilter
from shared.services.budgets.use import (
    Refused,
    find_budget_lines,
    find_month_budgets,
    find_month_budgets_of_all,
    open_budgets,
)
from shared.services.dreams.explain import explain_store
from shared.services.tenants.configure import TenantChanges, configure_tenant
from shared.services.tenants.forecast import find_cost_lines
from shared.settings import Settings
from tests.integration.budgets.budget_support import costing, set_budget, set_store, spend, spend_on, uses
from tests.integration.gates.gate_support import start, start_and_claim
from tests.support.builders import a_store
from tests.support.laws import examples
from workers.phases import get_catalog


def take(uow: UnitOfWork, dream: Dream, reservation: str, usd: float) -> Refused | None:
    refused = open_budgets(uow, dream.store).take(usd)
    if refused is None:
        uow.budgets.reserve(reservation, store_id=dream.store_id, dream_id=dream.id, epoch=dream.epoch, usd=usd)
    return refused


@pytest.fixture
def dream(ports: Ports, tenant: str) -> Dream:
    a_store(ports, tenant)
    return start_and_claim(ports, tenant)


def test_a_day_and_a_month_count_what_calls_have_cost_since_they_began(
    ports: Ports, dream: Dream, owner_connection: psycopg.Connection
) -> None:
    set_budget(ports, dream.tenant_id, usd_per_day=5, usd_per_month=50)
    for number, usd in enumerate((1.0, 2.0, 4.0)):
        spend_on(ports, dream, usd, f"k{number}")
    moved = "UPDATE llm_calls SET created_at = {} WHERE dream_id = %s AND key = %s"
    month = "date_trunc('month', now(), 'UTC')"
    owner_connection.execute(moved.format(f"{month} - interval '1 second'"), [dream.id, "k1"])
    owner_connection.execute(moved.format(month), [dream.id, "k2"])
    found = uses(ports, dream.tenant_id)
    assert found["tenant_usd_per_month"].spent_usd == 5.0
    is_first_day = found["tenant_usd_per_month"].starts_at == found["tenant_usd_per_day"].starts_at
    assert found["tenant_usd_per_day"].spent_usd == (5.0 if is_first_day else 1.0)


def test_a_store_counts_its_own_calls_and_the_tenant_those_of_all_stores(
    ports: Ports, tenant: str, dream: Dream
) -> None:
    set_budget(ports, tenant, usd_per_day=9, max_concurrent_dreams=2)
    a_store(ports, tenant, "bot")
    set_store(ports, tenant, {"budget.usd_per_day": 4}, "bot")
    other = start_and_claim(ports, tenant, "bot")
    spend_on(ports, dream, 1.0)
    spend_on(ports, other, 2.5)
    found = uses(ports, tenant)
    assert (found["tenant_usd_per_day"].spent_usd, found["store_usd_per_day"].spent_usd) == (3.5, 2.5)
    assert found["store_usd_per_day"].budget.store == "bot"
    assert "store_usd_per_day" not in uses(ports, tenant, "default")


def test_the_price_of_an_open_call_is_reserved_until_its_answer_is_stored(
    ports: Ports, tenant: str, dream: Dream
) -> None:
    set_budget(ports, tenant, usd_per_day=1)
    with ports.db.transaction(tenant) as uow:
        assert take(uow, dream, "res_1", 0.7) is None
    with ports.db.transaction(tenant) as uow:
        assert take(uow, dream, "res_2", 0.3) is None
        uow.budgets.release(["res_1"])
        uow.calls.record(dream.id, "consolidate", "k", costing(0.2), latency_ms=1)
    found = uses(ports, tenant)["tenant_usd_per_day"]
    assert (found.spent_usd, found.reserved_usd, found.left_usd) == (0.2, 0.3, 0.5)


def test_a_worker_that_died_holds_no_money_once_its_dream_is_claimed_anew_or_over(
    ports: Ports, tenant: str, dream: Dream, owner_connection: psycopg.Connection
) -> None:
    set_budget(ports, tenant, usd_per_day=1)
    with ports.db.transaction(tenant) as uow:
        take(uow, dream, f"res_{tenant}", 0.9)
    assert uses(ports, tenant)["tenant_usd_per_day"].left_usd == 0.1
    owner_connection.execute("UPDATE dreams SET epoch = epoch + 1 WHERE id = %s", [dream.id])
    assert uses(ports, tenant)["tenant_usd_per_day"].left_usd == 1.0
    owner_connection.execute("UPDATE dreams SET epoch = epoch - 1 WHERE id = %s", [dream.id])
    with ports.db.transaction(tenant) as uow:
        uow.dreams.finish(dream.id, DreamState.CANCELED, reason="test")
    assert uses(ports, tenant)["tenant_usd_per_day"].left_usd == 1.0


def test_a_met_budget_refuses_the_next_dream_by_name_even_if_it_is_forced(
    ports: Ports, tenant: str, dream: Dream
) -> None:
    set_store(ports, tenant, {"budget.usd_per_month": 2})
    spend_on(ports, dream, 2.0)
    with ports.db.transaction(tenant) as uow:
        uow.dreams.finish(dream.id, DreamState.PARTIAL, reason="test")
    verdict = start(ports, tenant, force=True).verdict
    assert verdict.gate == "budget"
    assert verdict.reason == "Monthly dollar budget met ($2.00 of $2.00 spent, by budget.usd_per_month of the store)"
    assert verdict.retry_at is not None
    assert verdict.retry_at.day == 1


def test_after_a_refusal_no_dream_begins_until_the_period_ends_or_the_budget_is_raised(
    ports: Ports, tenant: str, dream: Dream
) -> None:
    set_budget(ports, tenant, usd_per_day=1)
    spend_on(ports, dream, 0.5)
    with ports.db.transaction(tenant) as uow:
        refused = open_budgets(uow, "default").take(0.6)
        uow.dreams.finish(dream.id, DreamState.PARTIAL, reason="test")
    assert refused is not None
    assert start(ports, tenant, force=True).verdict.gate == "budget"
    set_budget(ports, tenant, usd_per_day=2)
    assert start(ports, tenant, force=True).dream is not None


def hear(ports: Ports, tenant: str) -> None:
    with ports.db.transaction(tenant) as uow:
        uow.webhooks.add(WebhookEndpoint(id=ports.ids.new("hook"), tenant_id=tenant, url="https://example.com/hook"))


def told(ports: Ports, tenant: str) -> list[dict[str, object]]:
    with ports.db.transaction(tenant) as uow:
        found = uow.deliveries.find_page(DeliveryFilter(), start_after=None, limit=100)
    bodies = [json.loads(one.message.body) for one in found]
    return [body["data"] for body in bodies if body["type"] == "budget.alert"]


def test_four_fifths_of_a_budget_are_told_once_a_period(ports: Ports, tenant: str, dream: Dream) -> None:
    hear(ports, tenant)
    set_budget(ports, tenant, usd_per_day=10, usd_per_month=100)
    for number, usd in enumerate((7.9, 0.2, 1.0)):
        spend_on(ports, dream, usd, f"k{number}")
        with ports.db.transaction(tenant) as uow:
            open_budgets(uow, "default").take(0.1)
    (only,) = told(ports, tenant)
    assert (only["scope"], only["period"], only["limit_usd"], only["spent_usd"]) == ("tenant", "day", 10.0, 8.1)
    assert (only["share"], only["setting"]) == (0.81, "usd_per_day of the tenant")


def test_each_budget_of_each_scope_is_told_by_itself(ports: Ports, tenant: str, dream: Dream) -> None:
    hear(ports, tenant)
    set_budget(ports, tenant, usd_per_day=1)
    set_store(ports, tenant, {"budget.usd_per_day": 1, "budget.usd_per_month": 1})
    spend_on(ports, dream, 0.9)
    for _ in range(2):
        with ports.db.transaction(tenant) as uow:
            open_budgets(uow, "default")
    assert sorted((one["scope"], one["period"]) for one in told(ports, tenant)) == [
        ("store", "day"), ("store", "month"), ("tenant", "day"),
    ]  # fmt: skip


def test_a_month_has_its_forecast_beside_it(ports: Ports, tenant: str, dream: Dream) -> None:
    set_budget(ports, tenant, usd_per_day=10, usd_per_month=100)
    spend_on(ports, dream, 3.0)
    ends = {line.use.budget.name: line.month_end_usd for line in find_budget_lines(ports.db, tenant)}
    assert ends == {"tenant_usd_per_day": None, "tenant_usd_per_month": pytest.approx(3.0)}


def test_a_budget_is_taken_back(ports: Ports, tenant: str) -> None:
    set_budget(ports, tenant, usd_per_day=1)
    changed = configure_tenant(ports.db, tenant, changes=TenantChanges(taken_back=("usd_per_day",)), actor="bo")
    assert find_dollar_budgets(changed) == ()
    assert find_budget_lines(ports.db, tenant) == []


@pytest.mark.parametrize(
    "changes",
    [TenantChanges(usd_per_day=-1), TenantChanges(usd_per_month=float("nan")), TenantChanges(taken_back=("locale",))],
)
def test_a_wild_budget_is_refused(ports: Ports, tenant: str, changes: TenantChanges) -> None:
    with pytest.raises(BadInputError):
        configure_tenant(ports.db, tenant, changes=changes, actor="bo")


def test_questions_of_many_processes_at_once_never_take_more_than_there_is(
    ports: Ports, tenant: str, dream: Dream
) -> None:
    set_budget(ports, tenant, usd_per_day=1)

    def try_to_take(number: int) -> bool:
        with ports.db.transaction(tenant) as uow:
            return take(uow, dream, f"{tenant}_{number}", 0.3) is None

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(try_to_take, range(6))).count(True) == 3
    assert uses(ports, tenant)["tenant_usd_per_day"].left_usd == 0.1


@pytest.fixture
def counters(fresh_settings: Settings) -> Iterator[RedisCounters]:
    assert fresh_settings.redis_url is not None
    found = RedisCounters(fresh_settings.redis_url.get_secret_value())
    yield found
    found.close()


def test_operators_are_told_which_budgets_are_nearly_spent(fresh_ports: Ports, counters: RedisCounters) -> None:
    for name, limit in (("acme", 1), ("beta", 90), ("off", 0)):
        a_store(fresh_ports, name)
        set_budget(fresh_ports, name, usd_per_day=limit)
    set_store(fresh_ports, "acme", {"budget.usd_per_month": 3})
    assert "slowwave_budget_share_used 0.0" in render_metrics(fresh_ports.db, counters)
    assert (find_budgets(fresh_ports.db).health, find_budgets(fresh_ports.db).found) == (
        Health.OK, "3 in dollars, none nearly spent",
    )  # fmt: skip
    spend(fresh_ports, "acme", 0.9)
    found = find_budgets(fresh_ports.db)
    assert (found.health, found.found) == (Health.WARN, "acme: 90% of $1.00 a day")
    text = render_metrics(fresh_ports.db, counters, by_tenant=True)
    assert "slowwave_budget_share_used 0.9" in text
    assert 'slowwave_tenant_budget_share_used{period="month",store="default",tenant="acme"} 0.3' in text
    assert "acme" not in render_metrics(fresh_ports.db, counters)


def test_the_status_of_a_store_shows_how_far_its_budgets_are_used(ports: Ports, tenant: str, dream: Dream) -> None:
    set_store(ports, tenant, {"budget.usd_per_month": 4})
    spend_on(ports, dream, 1.0)
    lines = [line.plain.strip() for line in status_lines(explain_store(ports.db, tenant, "default", get_catalog))]
    assert "$1.00 of $4.00 a month spent (25%), by budget.usd_per_month of the store" in lines


@pytest.mark.parametrize("is_operator", [True, False])
def test_the_budget_of_a_month_stands_beside_its_forecast(fresh_ports: Ports, *, is_operator: bool) -> None:
    a_store(fresh_ports, "acme")
    set_budget(fresh_ports, "acme", usd_per_month=20)
    set_store(fresh_ports, "acme", {"budget.usd_per_month": 5})
    spend(fresh_ports, "acme", 1.0)
    with fresh_ports.db.transaction("acme") as uow:
        budgets = find_month_budgets_of_all(fresh_ports.db) if is_operator else find_month_budgets(uow)
        beside = {
            by: [
                one.month_budget_usd
                for one in find_cost_lines(uow.statistics.find_costs, 9, by, datetime.now(UTC).date(), budgets)
            ]
            for by in (CostBy.TENANT, CostBy.STORE, CostBy.MODEL)
        }
    assert beside == {CostBy.TENANT: [20], CostBy.STORE: [5], CostBy.MODEL: [None]}


_PRICES = st.floats(0.01, 0.6)


@examples(16, suppress=[HealthCheck.function_scoped_fixture])
@given(questions=st.lists(st.tuples(_PRICES, st.floats(0, 1.3), st.booleans()), min_size=1, max_size=6))
def test_a_budget_is_overspent_by_no_more_than_a_price_was_underestimated(
    ports: Ports, questions: list[tuple[float, float, bool]]
) -> None:
    """Each question has an estimate, the part of it that it really costs, and whether its answer comes before the next."""
    tenant = f"law{ports.ids.new('t')}"
    a_store(ports, tenant)
    one = start_and_claim(ports, tenant)
    set_budget(ports, tenant, usd_per_day=1.0)
    under_way: list[tuple[str, float, float]] = []
    underestimated = 0.0

    def settle(uow: UnitOfWork) -> None:
        for name, _, real in under_way:
            uow.budgets.release([name])
            uow.calls.record(one.id, "consolidate", name, costing(real), latency_ms=1)
        under_way.clear()

    for number, (estimate, part, is_settled) in enumerate(questions):
        name = f"{tenant}_{number}"
        with ports.db.transaction(tenant) as uow:
            if take(uow, one, name, estimate) is None:
                under_way.append((name, estimate, estimate * part))
                underestimated += max(0.0, estimate * part - estimate)
            if is_settled:
                settle(uow)
    with ports.db.transaction(tenant) as uow:
        settle(uow)
    found = uses(ports, tenant)["tenant_usd_per_day"]
    assert found.spent_usd <= 1.0 + underestimated + 1e-9
    assert found.reserved_usd == 0
