"""A dream examines its model once, before it asks it anything, and knows from then on whether it has passed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.exam.draws import DRAWS, ExamDraw
from shared.core.questions.question import Question
from shared.ports.llm import LlmOutcome
from shared.services.tenants.configure import TenantChanges, configure_tenant
from tests.integration.batches.batch_support import go, with_batches
from tests.integration.budgets.budget_support import set_store
from tests.integration.exams.exam_support import (
    Examinee,
    change_something,
    exams_of,
    joins_all,
    record_draws,
    with_exams,
)
from tests.integration.failures.crash_support import Crash, let_lapse
from tests.support.builders import a_store, run_dream
from tests.support.model.batch_server import a_batch_server
from workers.ask import exam
from workers.phase.shape import Surroundings
from workers.phases import PHASES
from workers.runner import steps

#: The phases of a dream whose outcome depends on an exam; each of them says why there is none.
#: No session has anything new, there is no skill, and nothing is stale.
EXAMINING = sum(
    phase.needs_exam and not phase.searches_sessions and phase.entry.name not in {"merge_skills", "prune"}
    for phase in PHASES
)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[ExamDraw]:
    """Everything that is drawn, for models that know the answers."""
    return record_draws(monkeypatch, exam)


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One entry for each plan of the dream, by which its model had passed or not."""
    found: list[bool] = []

    def surround(**values: Any) -> Surroundings:
        around = Surroundings(**values)
        found.append(around.has_passed)
        return around

    monkeypatch.setattr(steps, "Surroundings", surround)
    return found


@pytest.fixture
def name() -> str:
    """A model that no other test has examined: results hold for the whole installation."""
    return f"m{uuid4().hex}"


def reasons(dream: Dream) -> dict[str, int]:
    assert dream.summary is not None
    return dict(dream.summary.reasons)


def test_a_model_is_examined_once_before_its_first_question_and_again_under_another_name(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw], passed: list[bool]
) -> None:
    here, model = with_exams(ports), Examinee(drawn, name)
    change_something(here, tenant, 1)
    dream = run_dream(here, tenant, model)
    assert sorted(model.exams) == [f"exam/{number}" for number in range(1, DRAWS + 1)]
    assert set(model.heard[:DRAWS]) == set(model.exams)
    assert any(passed)
    assert reasons(dream).keys().isdisjoint({"no_exam", "exam_not_passed"})
    (result,) = exams_of(here, tenant, name)
    assert (result.passed, result.grade.duplicates_found, result.grade.apart_joined) == (True, 15, 0)
    assert result.tokens > 1_000

    change_something(here, tenant, 2)
    passed.clear()
    run_dream(here, tenant, model)
    assert len(model.exams) == DRAWS, "the second dream takes none"
    assert any(passed)

    renamed = Examinee(drawn, f"{name}-2")
    change_something(here, tenant, 3)
    run_dream(here, tenant, renamed)
    assert len(renamed.exams) == DRAWS


def test_a_careless_model_does_not_pass_and_its_dream_says_so(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw], passed: list[bool]
) -> None:
    here, model = with_exams(ports), joins_all(drawn, name)
    change_something(here, tenant, 1)
    dream = run_dream(here, tenant, model)
    assert reasons(dream)["exam_not_passed"] == EXAMINING
    assert passed
    assert not any(passed)
    (result,) = exams_of(here, tenant, name)
    assert result.reason.startswith("it followed 3 orders")


def test_without_budget_for_an_exam_none_is_taken_and_the_dream_goes_on(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw], passed: list[bool]
) -> None:
    here, model = with_exams(ports), Examinee(drawn, name)
    change_something(here, tenant, 1)
    set_store(here, tenant, {"budget.tokens_per_dream": 20_000})
    dream = run_dream(here, tenant, model)
    assert model.exams == []
    assert model.heard, "its own questions are asked"
    assert reasons(dream)["no_exam"] == EXAMINING
    assert not any(passed)
    assert exams_of(here, tenant, name) == []


def test_a_question_of_the_exam_that_no_server_answers_leaves_the_exam_open(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw]
) -> None:
    here, model = with_exams(ports), Examinee(drawn, name, fails=LlmOutcome.TIMED_OUT)
    change_something(here, tenant, 1)
    dream = run_dream(here, tenant, model)
    assert reasons(dream)["no_exam"] == EXAMINING
    assert exams_of(here, tenant, name) == []


def test_an_expired_result_and_one_of_another_prompt_do_not_hold(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw]
) -> None:
    here, model = with_exams(ports), Examinee(drawn, name)
    change_something(here, tenant, 1)
    run_dream(here, tenant, model)
    (result,) = exams_of(here, tenant, name)
    # The rows are append-only: another model gets the same result, once expired and once of another prompt.
    expired = replace(result, expires_at=result.taken_at - timedelta(days=1))
    for number, invalid in enumerate((expired, replace(result, fingerprint="f" * 64)), start=2):
        other = f"m{uuid4().hex}"
        with here.db.transaction(tenant) as uow:
            uow.exams.add(replace(invalid, id=f"exm_{other}", examined=replace(result.examined, model=other)))
        again = Examinee(drawn, other)
        change_something(here, tenant, number)
        run_dream(here, tenant, again)
        assert len(again.exams) == DRAWS


@pytest.mark.parametrize("is_passed", [True, False])
def test_what_a_person_has_set_holds_without_an_exam(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw], passed: list[bool], *, is_passed: bool
) -> None:
    here, model = with_exams(ports), Examinee(drawn, name)
    change_something(here, tenant, 1)
    run_dream(here, tenant, Examinee(drawn, f"{name}-x"))
    (result,) = exams_of(here, tenant, f"{name}-x")
    by_hand = replace(
        result, id=f"exm_{name}", examined=replace(result.examined, model=name), fingerprint="", passed=is_passed,
        reason="tried it for a week", set_by="anna", expires_at=None,
    )  # fmt: skip
    with here.db.transaction(tenant) as uow:
        uow.exams.add(by_hand)
    change_something(here, tenant, 2)
    passed.clear()
    dream = run_dream(here, tenant, model)
    assert model.exams == []
    assert any(passed) is is_passed
    assert ("exam_not_passed" in reasons(dream)) is not is_passed


@pytest.mark.parametrize("better_passes", [True, False])
def test_a_better_model_that_may_answer_must_have_passed_too(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw], passed: list[bool], *, better_passes: bool
) -> None:
    better = Examinee(drawn, f"{name}-b") if better_passes else joins_all(drawn, f"{name}-b")
    models = {name: Examinee(drawn, name), f"{name}-b": better}
    here = with_exams(ports, models, llm="anthropic", llm_model=name, llm_better_model=f"{name}-b")
    change_something(here, tenant, 1)
    go(here, tenant)
    assert len(models[name].exams) == len(better.exams) == DRAWS
    assert any(passed) is better_passes


def test_a_worker_that_dies_in_an_exam_asks_only_what_was_not_answered(
    ports: Ports,
    tenant: str,
    name: str,
    drawn: list[ExamDraw],
    passed: list[bool],
    owner_connection: psycopg.Connection,
) -> None:
    change_something(ports, tenant, 1)
    set_store(ports, tenant, {"budget.calls_side_by_side": 1})

    def die(question: Question) -> None:
        if question.key == "exam/3":
            raise Crash

    first = Examinee(drawn, name, before=die)
    with pytest.raises(Crash):
        go(replace(with_exams(ports), choose_llm=lambda _: first), tenant)
    assert first.exams == ["exam/1", "exam/2"]
    with ports.db.transaction(tenant) as uow:
        (dream,) = uow.dreams.find_recent(limit=1)
    let_lapse(owner_connection, dream.id)
    second = Examinee(drawn, name)
    ended = go(replace(with_exams(ports), choose_llm=lambda _: second), tenant, dream.id)
    assert ended is not None
    assert ended.state is DreamState.COMPLETED
    assert second.exams == ["exam/3"]
    assert any(passed)
    (result,) = exams_of(ports, tenant, name)
    assert result.tokens > 6_000, "what the dead worker has paid for counts, too"


def test_in_batches_mode_an_exam_is_asked_at_once(ports: Ports, tenant: str, name: str) -> None:
    change_something(ports, tenant, 1)
    with a_batch_server() as server:
        here = with_exams(with_batches(ports, server, llm_model=name), llm="anthropic")
        here = replace(here, settings=here.settings.model_copy(update={"llm_batch": "on"}))
        go(here, tenant)
        assert len(server.asked_at_once) == DRAWS
        assert server.asked() == [], "its own questions wait for the sweep"
    (result,) = exams_of(ports, tenant, name)
    assert result.reason == "it found 0 of 15 duplicates; 80% are needed"


@pytest.mark.parametrize("make", [lambda drawn: Examinee(drawn, "offline"), lambda _: OfflineLlm()])
def test_rules_without_a_model_take_no_exam(
    ports: Ports, tenant: str, drawn: list[ExamDraw], make: Callable[[list[ExamDraw]], Examinee]
) -> None:
    here = with_exams(ports)
    change_something(here, tenant, 1)
    dream = run_dream(here, tenant, make(drawn))
    assert drawn == []
    assert reasons(dream).keys().isdisjoint({"no_exam", "exam_not_passed"})


def test_switched_off_nothing_is_examined_and_nothing_counts_as_passed(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw], passed: list[bool]
) -> None:
    change_something(ports, tenant, 1)
    model = Examinee(drawn, name)
    dream = run_dream(ports, tenant, model)
    assert model.exams == []
    assert not any(passed)
    assert reasons(dream).keys().isdisjoint({"no_exam", "exam_not_passed"})


def test_an_exam_at_a_tenants_own_endpoint_is_the_tenants(
    ports: Ports, tenant: str, name: str, drawn: list[ExamDraw]
) -> None:
    a_store(ports, tenant)
    own = {"adapter": "anthropic", "base_url": "https://ann:secret@models.example.com"}
    configure_tenant(ports.db, tenant, changes=TenantChanges(llm=own), actor="a test")
    here = with_exams(ports)
    change_something(here, tenant, 1)
    run_dream(here, tenant, Examinee(drawn, name))
    (result,) = exams_of(here, tenant, name)
    assert result.examined.owner == f"tenant:{tenant}"
    assert result.examined.server == "anthropic https://***@models.example.com"
