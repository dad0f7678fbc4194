"""An operator sees what other models would have made of past dreams, and that costs no more than said and changes nothing."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from gateway.cli.evaluate.families import read_families
from gateway.phases import replay_dreams
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.errors import BadInputError
from shared.core.evaluation.replay import EvaluationTerms, ModelScore
from shared.core.questions.question import Question
from shared.core.tenants.store import Tenant
from shared.model_choice import choose_llm
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.ports.tenants import AuditFilter
from shared.services.budgets.use import find_budget_uses, open_budgets
from shared.services.operations.undo import undo_dream
from shared.services.tenants.audit import find_audit
from shared.services.tenants.configure import TenantChanges, configure_tenant
from tests.integration.phases.change_gate_support import MERGES, ROSES, TWINS
from tests.support.builders import LONG_AGO, a_store, run_dream, take_picture, texts, write
from workers.phases import CATALOG

SAME, SILENT, BROKEN = "claude-haiku-4-5", "claude-sonnet-4-6", "claude-opus-4-8"
PAGE = "# Host {0}\n\nThe host {0} runs the queue. Restart it with `restart-{0}`.\n"
MERGING = {"consolidate": MERGES}


@pytest.fixture
def merged(ports: Ports, tenant: str) -> str:
    """The id of a dream that has merged two memories."""
    write(ports, tenant, texts(TWINS | ROSES, at=LONG_AGO))
    return run_dream(ports, tenant, ScriptedLlm(MERGING)).id


def evaluate(ports: Ports, tenant: str, *models: str, **limits: object) -> dict[str, ModelScore]:
    behind: Mapping[str, ScriptedLlm] = {
        SAME: ScriptedLlm(MERGING),
        SILENT: ScriptedLlm(),
        BROKEN: ScriptedLlm({"consolidate": LlmOutcome.REFUSED}),
    }

    def choose(whose: Tenant) -> ScriptedLlm:
        return behind[whose.llm["model"]]

    terms = EvaluationTerms(models=models, actor="cli:a test", **limits)  # type: ignore[arg-type] # names of its fields
    return {one.model: one for one in replay_dreams(replace(ports, choose_llm=choose), tenant, "default", terms)}


def test_each_model_is_asked_what_the_dream_asked_and_compared_with_what_it_did(
    ports: Ports, tenant: str, merged: str
) -> None:
    before = take_picture(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        totals = uow.calls.get_totals(merged)
    found = evaluate(ports, tenant, SAME, SILENT, BROKEN)
    same, silent, broken = (found[name] for name in (SAME, SILENT, BROKEN))
    assert same.questions == same.answered == totals.calls
    assert (same.prompt_tokens, same.output_tokens) == (totals.input_tokens, totals.tokens - totals.input_tokens)
    assert (same.done.wanted, same.done.of) == (1, 1)
    assert (silent.done.wanted, silent.done.of, silent.operations) == (0, 1, 0)
    assert broken.unanswered == {"refused": 1}
    assert broken.answered == broken.questions - 1
    assert take_picture(ports, tenant) == before
    with ports.db.transaction(tenant) as uow:
        assert uow.calls.get_totals(merged) == totals


def test_operations_that_people_took_back_count_against_a_model_that_repeats_them(
    ports: Ports, tenant: str, merged: str
) -> None:
    undo_dream(ports.db, tenant, merged, actor="a test", force=False)
    found = evaluate(ports, tenant, SAME, SILENT)
    assert (found[SAME].rejected.wanted, found[SAME].rejected.of) == (1, 1)
    assert (found[SILENT].rejected.wanted, found[SILENT].approved.of) == (0, 0)


def test_no_model_is_asked_beyond_dollars_questions_or_the_tenants_day(ports: Ports, tenant: str, merged: str) -> None:
    assert merged
    poor = evaluate(ports, tenant, SAME, max_usd=0.0)[SAME]
    assert (poor.questions, "--max-usd" in poor.stopped) == (0, True)
    one = evaluate(ports, tenant, SAME, questions=1)[SAME]
    assert (one.questions, one.stopped) == (1, "--questions 1")
    configure_tenant(ports.db, tenant, changes=TenantChanges(tokens_per_day=10), phases=CATALOG, actor="a test")
    spent = evaluate(ports, tenant, SAME)[SAME]
    assert (spent.questions, "token budget" in spent.stopped) == (0, True)


def test_no_model_is_asked_beyond_the_budgets_in_dollars_and_the_tenant_is_told(
    ports: Ports, tenant: str, merged: str
) -> None:
    assert merged
    configure_tenant(ports.db, tenant, changes=TenantChanges(usd_per_day=0.000001), phases=CATALOG, actor="a test")
    found = evaluate(ports, tenant, SAME, SILENT)
    assert [one.questions for one in found.values()] == [0, 0]
    assert "by usd_per_day of the tenant" in found[SAME].stopped
    with ports.db.transaction(tenant) as uow:
        (use,) = find_budget_uses(uow, uow.stores.get_tenant(), uow.stores.get("default"))
    assert use.was_refused


def test_dreams_see_what_an_evaluation_holds_while_it_runs_and_no_longer(
    ports: Ports, tenant: str, merged: str
) -> None:
    assert merged
    configure_tenant(ports.db, tenant, changes=TenantChanges(usd_per_day=5), phases=CATALOG, actor="a test")
    held: list[float] = []

    def look() -> float:
        with ports.db.transaction(tenant) as uow:
            return open_budgets(uow, "default").uses[0].reserved_usd

    def say(_: Question) -> LlmReply:
        held.append(look())
        return LlmReply(outcome=LlmOutcome.OK, model=SAME, answer=MERGES, usage=LlmUsage(cost_usd=1.5))

    terms = EvaluationTerms(models=(SAME, SILENT), actor="cli:a test", max_usd=4)
    asking = replace(ports, choose_llm=lambda _: ScriptedLlm(say))
    found = replay_dreams(asking, tenant, "default", terms)
    assert len(held) == sum(one.questions for one in found) == 4
    assert all(1.5 * asked < usd < 1.5 * (asked + 1) for asked, usd in enumerate(held)), (
        "what was spent, and one question"
    )
    assert look() == 0


def test_an_evaluation_that_was_killed_holds_nothing_for_ever(ports: Ports, tenant: str, merged: str) -> None:
    assert merged
    configure_tenant(ports.db, tenant, changes=TenantChanges(usd_per_day=5), phases=CATALOG, actor="a test")
    held, expired = ports.ids.new("res"), ports.ids.new("res")
    with ports.db.transaction(tenant) as uow:
        store_id = uow.stores.get("default").id
        uow.budgets.hold(held, store_id=store_id, usd=4.0, seconds=60)
        assert open_budgets(uow, "default").take(2.0) is not None
        uow.budgets.release([held])
        uow.budgets.hold(expired, store_id=store_id, usd=4.0, seconds=-1)
        assert open_budgets(uow, "default").uses[0].reserved_usd == 0
    with ports.db.transaction(tenant) as uow:
        uow.budgets.hold(expired, store_id=store_id, usd=1.0, seconds=60)  # the expired row is gone
        assert open_budgets(uow, "default").uses[0].reserved_usd == 1.0


def test_a_model_is_graded_by_families_of_documents_under_every_rule(ports: Ports, tenant: str, tmp_path: Path) -> None:
    a_store(ports, tenant)
    same = {"family": "coffee", "documents": TWINS}
    distinct = {"family": "hosts", "documents": {f"hosts/{name}.md": PAGE.format(name) for name in ("alpha", "beta")}}
    (tmp_path / "duplicates.json").write_text(json.dumps([same]), encoding="utf-8")
    (tmp_path / "siblings.json").write_text(json.dumps([distinct]), encoding="utf-8")
    before = take_picture(ports, tenant)
    found = evaluate(ports, tenant, SAME, SILENT, families=read_families(tmp_path))
    merging, silent = found[SAME], found[SILENT]
    assert (merging.questions, merging.answered, merging.operations) == (2, 2, 1)
    assert merging.same.merged + merging.same.proposed == merging.same.of == 1
    assert (merging.distinct.merged, merging.distinct.of) == (0, 1)
    assert (silent.same.merged, silent.same.proposed, silent.same.of) == (0, 0, 1)
    assert take_picture(ports, tenant) == before


@pytest.mark.parametrize("text", ["{}", '[{"family": "one", "documents": {"a.md": "alone"}}]', "no JSON"])
def test_a_folder_without_families_is_refused_with_the_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInputError, match=r"duplicates\*\.json or siblings\*\.json"):
        read_families(tmp_path)
    (tmp_path / "siblings-of-ours.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match=r"siblings-of-ours\.json is not a list of families"):
        read_families(tmp_path)


def test_the_audit_log_says_who_asked_which_models(ports: Ports, tenant: str, merged: str) -> None:
    assert merged
    asked = evaluate(ports, tenant, SILENT)[SILENT].questions
    entry = find_audit(ports.db, tenant, AuditFilter(), limit=1)[0]
    assert (entry.actor, entry.action) == ("cli:a test", "models.evaluate")
    assert entry.detail == {"store": "default", "models": {SILENT: {"questions": asked, "cost_usd": 0.0}}}


def test_a_model_without_a_price_and_a_store_without_dreams_are_refused(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    with pytest.raises(BadInputError, match="no questions"):
        evaluate(ports, tenant, SAME)
    write(ports, tenant, texts(TWINS, at=LONG_AGO))
    run_dream(ports, tenant)
    with pytest.raises(BadInputError, match="'mine' is not known"):
        evaluate(ports, tenant, "mine")


def test_a_model_beside_the_rules_needs_a_key_and_is_never_taken_for_them(
    ports: Ports, tenant: str, merged: str
) -> None:
    assert merged
    real = replace(ports, choose_llm=partial(choose_llm, ports.settings))
    with pytest.raises(BadInputError, match="needs an API key"):
        replay_dreams(real, tenant, "default", EvaluationTerms(models=(SAME,), actor="cli:a test"))
    rules = replay_dreams(real, tenant, "default", EvaluationTerms(models=("offline",), actor="cli:a test"))
    assert (rules[0].prompt_tokens, rules[0].cost_usd, rules[0].unanswered) == (0, 0.0, {})
