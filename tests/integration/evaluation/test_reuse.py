"""The dream that follows an evaluation pays for no answer that a copy has bought."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from scheduler.sweeps import evaluations as sweep
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.core.evaluation.model import Evaluation
from shared.core.questions.question import render_question
from shared.ports.llm import CallTotals, LlmReply, LlmRequest
from shared.ports.tenants import CostBy, CostFilter
from shared.services.forgetting.forget import forget
from shared.services.forgetting.wanted import Kind, Target
from shared.services.tenants.directives import set_directive
from shared.settings import Settings
from tests.integration.budgets.budget_support import PRICED, PricedLlm, set_budget, uses, with_questions
from tests.integration.evaluation.evaluation_support import all_rows, begin, drive
from tests.support.builders import LONG_AGO, run_dream, texts, write
from tests.support.servers import plain_url
from tests.support.session_builders import tell
from workers.ask.reuse import Reuse
from workers.evaluation.advance import advance_evaluation
from workers.phases import CATALOG
from workers.phases.prune.answer import PruneAnswer, PruneDecision


@pytest.fixture
def tenant(ports: Ports) -> str:
    tenant = f"t{uuid4().hex}"
    fill_alike(ports, tenant)
    return tenant


def fill_alike(ports: Ports, tenant: str) -> None:
    """Write the store `bot`, which dreams with a model that has a price."""
    write(ports, tenant, texts({"ops/port.md": "# Port\n\nAriane listens on port 9001.\n"}, at=LONG_AGO), store="bot")
    with_questions(ports, tenant, "bot")
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("bot")
        uow.stores.save(replace(store, llm={"adapter": "anthropic", "model": PRICED}))


@pytest.fixture
def everything(settings: Settings) -> Iterator[psycopg.Connection]:
    with all_rows(settings) as connection:
        yield connection


def asked_of(llm: PricedLlm) -> list[tuple[str, str]]:
    return [(one.question.phase, render_question(one.question)) for one in llm.requests]


def evaluate(ports: Ports, tenant: str, llm: PricedLlm, **order: Any) -> Evaluation:
    return drive(ports, tenant, begin(ports, tenant, **{"repeats": 1, "max_usd": 5, **order}).id, llm)


def dream(ports: Ports, tenant: str, llm: PricedLlm) -> tuple[Dream, CallTotals]:
    """Dream over the store with its own settings, and the model that the evaluation had."""
    dreamt = run_dream(ports, tenant, llm, store="bot")
    with ports.db.transaction(tenant) as uow:
        return dreamt, uow.calls.get_totals(dreamt.id)


def test_the_dream_after_an_evaluation_asks_no_question_twice_and_says_what_it_saved(ports: Ports, tenant: str) -> None:
    llm = PricedLlm()
    evaluate(ports, tenant, llm)
    bought = asked_of(llm)

    _, calls = dream(ports, tenant, llm)

    assert len(bought) > 1
    assert asked_of(llm) == bought, "the dream asked nothing more"
    assert calls.reused == len(bought)
    assert calls.saved_usd == pytest.approx(0.02 * len(bought))
    assert (calls.cost_usd, calls.tokens) == (0.0, 0)


def test_a_changed_text_is_asked_about_again(ports: Ports, tenant: str) -> None:
    llm = PricedLlm()
    evaluate(ports, tenant, llm)
    bought = asked_of(llm)
    write(
        ports,
        tenant,
        texts({"api/first.md": "# api first\n\nThe api team keeps the api keys for 90 days.\n"}),
        store="bot",
    )

    dream(ports, tenant, llm)

    again = asked_of(llm)[len(bought) :]
    assert any("90 days" in text for _, text in again)
    assert not set(again) & set(bought)


def test_a_changed_directive_is_asked_again(ports: Ports, tenant: str) -> None:
    llm = PricedLlm()
    evaluate(ports, tenant, llm)
    bought = asked_of(llm)
    changed = "Merge nothing that names a person."
    set_directive(ports.db, tenant, "dream.md", changed, phases=CATALOG, actor="bo")

    _, calls = dream(ports, tenant, llm)

    again = {one.instructions for one in llm.requests[len(bought) :]}
    assert len(again) == 1
    assert changed in again.pop()
    assert 0 < calls.reused < len(bought)


def test_what_was_said_in_a_session_is_read_once_for_the_evaluation_and_the_dream(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", "please fix the tests", "Remember that staging runs in eu-north-1.", store="bot")
    llm = PricedLlm()
    evaluate(ports, tenant, llm)
    bought = asked_of(llm)
    assert any("eu-north-1" in text for _, text in bought)

    dream(ports, tenant, llm)

    assert asked_of(llm) == bought


def test_a_further_dream_over_a_copy_takes_none_of_the_earlier_ones_answers(ports: Ports, tenant: str) -> None:
    llm = PricedLlm()
    begun = evaluate(ports, tenant, llm)
    reuse = Reuse(db=ports.db, tenant_id=tenant, store=f"{begun.id}/0.x/bot", adapter="anthropic", survey="", earlier=0)
    (asked, *_) = llm.requests
    kept = [replace(reuse, earlier=earlier).keep_as(PRICED, asked) for earlier in (0, 1, 2)]

    assert len({one.question_hash for one in kept if one}) == len(kept)


def test_copies_that_dream_alike_ask_anew_and_copies_without_a_phase_do_not(ports: Ports, tenant: str) -> None:
    llm = PricedLlm()
    evaluate(ports, tenant, llm)
    once = asked_of(llm)

    evaluate(ports, tenant, llm, repeats=2)

    assert asked_of(llm)[len(once) :] == once, "only the second copy had to ask"
    evaluate(ports, tenant, llm, ablate=True)
    assert set(asked_of(llm)) == set(once)
    assert len(asked_of(llm)) == 2 * len(once)


def test_answers_go_after_a_day_and_with_the_evaluation(
    ports: Ports, tenant: str, everything: psycopg.Connection
) -> None:
    ended = evaluate(ports, tenant, PricedLlm())
    kept = "SELECT count(*) FROM evaluation_answers WHERE tenant_id = %s"
    assert everything.execute(kept, [tenant]).fetchone() != (0,)
    with psycopg.connect(plain_url(ports.settings.owner_database_url), autocommit=True) as owner:
        owner.execute("ALTER TABLE evaluation_answers NO FORCE ROW LEVEL SECURITY")
        owner.execute(
            "UPDATE evaluation_answers SET created_at = created_at - interval '25 hours' WHERE tenant_id = %s", [tenant]
        )
        owner.execute("ALTER TABLE evaluation_answers FORCE ROW LEVEL SECURITY")
    llm = PricedLlm()
    assert dream(ports, tenant, llm)[1].reused == 0
    (found,) = [one for one in sweep.find(ports) if one.tenant_id == tenant]
    assert found.evaluation_id == ended.id

    advance_evaluation(ports, tenant, ended.id)

    assert everything.execute(kept, [tenant]).fetchone() == (0,)


def test_what_is_forgotten_is_in_no_kept_answer(ports: Ports, tenant: str, everything: psycopg.Connection) -> None:
    class Telling(PricedLlm):
        def decide(self, request: LlmRequest) -> LlmReply:
            reply = super().decide(request)
            answer = reply.answer
            if isinstance(answer, PruneAnswer):
                said = PruneDecision(file="ops/port.md", decision="KEEP", reason="Ariane listens on port 9001")
                answer = PruneAnswer(decisions=(said,))
            return replace(reply, answer=answer)

    evaluate(ports, tenant, Telling())
    holding = "SELECT count(*) FROM evaluation_answers WHERE tenant_id = %s AND answer::text LIKE %s"
    assert everything.execute(holding, [tenant, "%port 9001%"]).fetchone() == (1,)

    forget(ports.db, tenant, "bot", Target(Kind.TEXT, "Ariane listens on port 9001"), actor="bo")

    assert everything.execute(holding, [tenant, "%port 9001%"]).fetchone() == (0,)


def test_another_tenant_and_another_store_take_no_answer(ports: Ports, tenant: str) -> None:
    evaluate(ports, tenant, PricedLlm())
    other = f"t{uuid4().hex}"
    fill_alike(ports, other)
    _, calls = dream(ports, other, PricedLlm())
    assert calls.reused == 0


def test_what_copies_have_cost_is_counted_after_they_are_gone(ports: Ports, tenant: str) -> None:
    ended = evaluate(ports, tenant, PricedLlm())

    with ports.db.transaction(tenant) as uow:
        by = {one: uow.statistics.find_costs(1, one) for one in CostBy}
        of_bot = uow.statistics.find_costs(1, CostBy.MODEL, CostFilter(store="bot"))
    spent = pytest.approx(ended.cost_usd)
    assert {one.name: one.cost_usd for one in by[CostBy.PHASE]} == {"evaluations": spent}
    assert {one.name: one.cost_usd for one in by[CostBy.STORE]} == {f"{tenant}/bot": spent}
    assert {one.name: one.cost_usd for one in of_bot} == {PRICED: spent}
    everyone = {one.name: one.cost_usd for one in ports.db.installation.find_costs(1, CostBy.STORE)}
    assert everyone[f"{tenant}/bot"] == pytest.approx(ended.cost_usd)
    set_budget(ports, tenant, usd_per_day=10.0)
    assert uses(ports, tenant)["tenant_usd_per_day"].spent_usd == pytest.approx(ended.cost_usd)
