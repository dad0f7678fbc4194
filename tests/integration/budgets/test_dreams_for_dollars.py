"""Dreams under a budget in dollars: they stop before it is overspent, say why, and go on in the next period."""

import psycopg
import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from tests.integration.budgets.budget_support import (
    DOMAINS,
    PricedLlm,
    set_budget,
    set_store,
    uses,
    with_questions,
)
from tests.integration.gates.gate_support import start
from tests.support.builders import get_store, run_dream

_LIMIT = 0.05


def reason_of(ports: Ports, dream: Dream, phase: str = "consolidate") -> str:
    with ports.db.transaction(dream.tenant_id) as uow:
        (run,) = uow.phases.find_all(dream.id, phase=phase)
    return run.reason


def begin_next_day(connection: psycopg.Connection, tenant: str) -> None:
    """Move all that the tenant has spent and was told to yesterday."""
    for statement in (
        "UPDATE llm_calls SET created_at = created_at - interval '1 day' WHERE tenant_id = %s",
        "UPDATE budget_alerts SET period = period - 1 WHERE tenant_id = %s",
    ):
        connection.execute(statement, [tenant])


def test_a_dream_stops_for_dollars_says_so_and_goes_on_the_next_day(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    with_questions(ports, tenant)
    set_budget(ports, tenant, usd_per_day=_LIMIT)
    first = PricedLlm()
    dream = run_dream(ports, tenant, first)
    assert dream.state is DreamState.PARTIAL
    assert len(first.asked) == 1
    assert reason_of(ports, dream) == dream.reason
    assert "Dollar budget met: a question may cost $0.04" in dream.reason
    assert "$0.0300 of $0.0500 a day are left, by usd_per_day of the tenant; dreams go on after" in dream.reason
    assert "(3 questions are open)" in dream.reason
    assert uses(ports, tenant)["tenant_usd_per_day"].spent_usd == 0.02

    assert get_store(ports, tenant).waiting_changes > 0, "what is left wakes the store"
    refused = start(ports, tenant, force=True).verdict
    assert (refused.gate, refused.reason) == (
        "budget", "Daily dollar budget met ($0.0200 of $0.0500 spent, by usd_per_day of the tenant)",
    )  # fmt: skip

    begin_next_day(owner_connection, tenant)
    second = PricedLlm(usd=0.0001)
    assert run_dream(ports, tenant, second).state is DreamState.COMPLETED
    domains = [path.partition("/")[0] for path in (*first.asked, *second.asked)]
    assert sorted(domains) == sorted(DOMAINS), "no domain was asked about twice, and none was forgotten"


def test_a_store_stops_for_its_own_budget_and_its_neighbour_dreams_on(ports: Ports, tenant: str) -> None:
    for store in ("bot", "desk"):
        with_questions(ports, tenant, store)
    set_store(ports, tenant, {"budget.usd_per_month": _LIMIT}, "bot")
    dream = run_dream(ports, tenant, PricedLlm(), store="bot")
    assert dream.state is DreamState.PARTIAL
    assert "by budget.usd_per_month of the store" in dream.reason
    assert run_dream(ports, tenant, PricedLlm(), store="desk").state is DreamState.COMPLETED


def test_a_dream_sees_what_a_question_of_another_one_may_cost_while_it_is_under_way(ports: Ports, tenant: str) -> None:
    for store in ("bot", "desk"):
        with_questions(ports, tenant, store)
    set_budget(ports, tenant, usd_per_day=_LIMIT, max_concurrent_dreams=2)
    others: list[Dream] = []
    other = PricedLlm()

    def dream_beside() -> None:
        if not others:
            others.append(run_dream(ports, tenant, other, store="desk"))

    dream = run_dream(ports, tenant, PricedLlm(meanwhile=dream_beside), store="bot")
    assert other.requests == ()
    assert [one.state for one in (*others, dream)] == [DreamState.PARTIAL] * 2
    assert uses(ports, tenant)["tenant_usd_per_day"].spent_usd == 0.02


def test_a_question_that_broke_off_gives_its_money_back(ports: Ports, tenant: str) -> None:
    with_questions(ports, tenant)
    set_budget(ports, tenant, usd_per_day=1)

    def break_off() -> None:
        assert uses(ports, tenant)["tenant_usd_per_day"].reserved_usd > 0
        raise RuntimeError("the process broke")

    run_dream(ports, tenant, PricedLlm(meanwhile=break_off))
    found = uses(ports, tenant)["tenant_usd_per_day"]
    assert (found.spent_usd, found.reserved_usd, found.left_usd) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("is_bounded", [True, False])
def test_a_model_without_a_price_is_asked_only_where_no_budget_in_dollars_holds(
    ports: Ports, tenant: str, *, is_bounded: bool
) -> None:
    with_questions(ports, tenant)
    if is_bounded:
        set_budget(ports, tenant, usd_per_month=100)
    model = ScriptedLlm()
    dream = run_dream(ports, tenant, model)
    assert bool(model.requests) is not is_bounded
    assert (dream.state is DreamState.COMPLETED) is not is_bounded
    if is_bounded:
        assert (
            "the price of scripted is not known: give it one in the file that SLOWWAVE_PRICES_FILE names"
            in dream.reason
        )
