"""Show which models have passed their exam, and take one now, outside of any dream."""

from dataclasses import dataclass, replace

from shared.adapters.llm.token_estimate import estimate_tokens
from shared.all_ports import Ports
from shared.core.budgets.dollars import find_dollar_budgets, say_refused
from shared.core.errors import BadInputError
from shared.core.exam.draws import DRAWS, draw_exam
from shared.core.exam.grading import grade_exam
from shared.core.exam.model import (
    ExaminedModel,
    ExamPrice,
    ExamResult,
    ExamStanding,
    find_valid,
)
from shared.core.policy.policy import BudgetPolicy
from shared.core.questions.estimate import PhaseEstimate
from shared.core.questions.prices import FREE_MODEL, cost_usd, find_price
from shared.core.questions.question import Question
from shared.core.tenants.model_settings import use_store_model
from shared.core.tenants.store import Store, Tenant
from shared.counting import count
from shared.model_endpoint import find_tenant_prices, name_examined, name_model, use_better_model, use_phase_model
from shared.ports.database import Database, UnitOfWork
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest
from shared.services.budgets.use import open_budgets
from shared.settings import Settings
from workers.ask.exam import fingerprint_of
from workers.ask.prompts import AskSettings, Prompts, find_prompts
from workers.phases import ALL_PHASES
from workers.phases.consolidate.exam import make_exam_questions, read_exam_answer

#: The length of an answer to one question: five merges, and a line for each pair that a model links or calls contradictory.
_ANSWER_TOKENS = 1_000
#: Why a model gave no answer although it was asked: it cannot be examined later either.
_USELESS = {LlmOutcome.REFUSED, LlmOutcome.UNPARSABLE, LlmOutcome.TRUNCATED}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A model that a store's dreams ask, and how."""

    store: Store
    tenant: Tenant  # with the settings of the store and the phase, as a dream has them
    examined: ExaminedModel
    fingerprint: str
    prompts: Prompts


def find_standings(settings: Settings, db: Database, tenant_id: str, store: str | None = None) -> list[ExamStanding]:
    """Return where the models stand that dreams over a tenant's stores, or one of them, ask for merges.

    Rules without a model are left out: they take no exam.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    found: dict[tuple[ExaminedModel, str], ExamStanding] = {}
    with db.transaction(tenant_id) as uow:
        tenant = uow.stores.get_tenant()
        for one in [uow.stores.get(store)] if store is not None else uow.stores.find_all():
            try:
                asked_models = _find_asked(settings, uow, tenant, one)
            except BadInputError:  # no dream can ask it either, and says so
                continue
            for asked in asked_models:
                at = (asked.examined, asked.fingerprint)
                standing = found.get(at) or _find_standing(settings, uow, asked)
                found[at] = replace(standing, stores=(*standing.stores, one.name))
    return list(found.values())


def count_due_exams(settings: Settings, uow: UnitOfWork, store: Store) -> list[PhaseEstimate]:
    """Return the exams that the next dream over a store takes, as a part of its estimate."""
    if settings.llm_exam == "off":
        return []
    asked_models = {one.examined: one for one in _find_asked(settings, uow, uow.stores.get_tenant(), store)}
    return [
        PhaseEstimate(
            phase="exam",
            model=asked.examined.model,
            prompts=tuple(map(estimate_tokens, _requests(settings, asked, ""))),
            output_tokens=_ANSWER_TOKENS * DRAWS,
        )
        for asked in asked_models.values()
        if _find_standing(settings, uow, asked).holding is None
    ]


def _find_standing(settings: Settings, uow: UnitOfWork, asked: _Asked) -> ExamStanding:
    results = uow.exams.find_all(asked.examined)
    return ExamStanding(
        examined=asked.examined,
        is_on=settings.llm_exam == "on",
        holding=find_valid(results, asked.fingerprint, uow.now()),
        last=results[0] if results else None,
    )


def estimate_exam(ports: Ports, tenant_id: str, store: str, model: str | None = None) -> ExamPrice:
    """Return what an exam of a store's model costs at most and probably. Raises BadInputError, NotFoundError."""
    with ports.db.transaction(tenant_id, read_only=True) as uow:
        asked = _choose(ports.settings, uow, store, model)
    prompt = sum(map(estimate_tokens, _requests(ports.settings, asked, "")))
    answers = _ANSWER_TOKENS * DRAWS
    prices = find_tenant_prices(ports.settings, asked.tenant)
    name = asked.examined.model
    usd = cost_usd(name, input_tokens=prompt, output_tokens=answers, prices=prices)
    is_known = find_price(name, prices) is not None
    return ExamPrice(model=name, prompt_tokens=prompt, answer_tokens=answers, usd=usd if is_known else None)


def take_exam(ports: Ports, tenant_id: str, store: str, model: str | None = None, *, actor: str) -> ExamResult:
    """Examine a store's model now, and store the result. The calls belong to no dream; their cost is in the result.

    Raises:
        BadInputError: the store has no model, a budget does not allow it, or the model's server does not answer.
        NotFoundError: there is no such store.
    """
    price = estimate_exam(ports, tenant_id, store, model)
    with ports.db.transaction(tenant_id) as uow:
        asked = _choose(ports.settings, uow, store, model)
        if find_dollar_budgets(uow.stores.get_tenant(), asked.store):
            refused = open_budgets(uow, store).take(price.usd or 0.0)
            if refused is not None:
                raise BadInputError(say_refused(refused.use, refused.usd))
    llm = ports.choose_llm(asked.tenant)
    exam_id = ports.ids.new("exm")
    replies = [llm.decide(request) for request in _requests(ports.settings, asked, exam_id)]
    failed = next((one for one in replies if one.answer is None and one.outcome not in _USELESS), None)
    if failed is not None:
        raise BadInputError(f"{price.model} took no exam: {failed.outcome} {failed.detail}".strip())
    return _keep(ports, tenant_id, asked, exam_id, replies, actor)


def _keep(ports: Ports, tenant_id: str, asked: _Asked, exam_id: str, replies: list[LlmReply], actor: str) -> ExamResult:
    grade = grade_exam(draw_exam(exam_id), [read_exam_answer(one.answer) for one in replies])
    usages = [one.usage for one in replies]
    with ports.db.transaction(tenant_id) as uow:
        result = ExamResult.of_grade(
            exam_id, asked.examined, asked.fingerprint, grade, now=uow.now(),
            tokens=sum(u.input_tokens + u.cached_tokens + u.cache_write_tokens + u.output_tokens for u in usages),
            usd=sum(usage.cost_usd for usage in usages),
        )  # fmt: skip
        uow.exams.add(result)
        uow.record_audit(actor, "models.exam", model=asked.examined.model, passed=grade.passed)
    count("slowwave_exams_total", result="passed" if grade.passed else "failed")
    return result


def _requests(settings: Settings, asked: _Asked, seed: str) -> list[LlmRequest]:
    budget: BudgetPolicy = asked.store.policy.budget
    ask_settings = AskSettings(budget=budget, effort=settings.llm_effort)
    questions: tuple[Question, ...] = make_exam_questions(draw_exam(seed))
    return [asked.prompts.request(one, ask_settings, budget.call_timeout_seconds) for one in questions]


def _choose(settings: Settings, uow: UnitOfWork, store: str, model: str | None) -> _Asked:
    """Return the model of a store that is meant: the one with this name, or the first one."""
    found = _find_asked(settings, uow, uow.stores.get_tenant(), uow.stores.get(store))
    if not found:
        raise BadInputError(f"{store} is asked about by the rules without a model, which take no exam")
    chosen = next((one for one in found if model in {None, one.examined.model}), None)
    if chosen is None:
        names = ", ".join(dict.fromkeys(one.examined.model for one in found))
        raise BadInputError(f"No dream over {store} asks {model}, only {names}")
    return chosen


def _find_asked(settings: Settings, uow: UnitOfWork, tenant: Tenant, store: Store) -> list[_Asked]:
    """Return the models that answer phases with an exam, the better model after the phase's own. Raises BadInputError."""
    prompts = find_prompts(uow, store.name)
    own = use_store_model(tenant, store, settings.llm)
    chosen = [use_phase_model(settings, own, phase.name) for phase in ALL_PHASES if phase.needs_exam]
    better = use_better_model(settings, own)
    named = {name_model(settings, one): one for one in (*chosen, *([better] if better is not None else []))}
    return [
        _Asked(
            store=store,
            tenant=one,
            examined=name_examined(settings, tenant, store, model),
            fingerprint=fingerprint_of(prompts, settings.llm_effort),
            prompts=prompts,
        )
        for model, one in named.items()
        if model != FREE_MODEL
    ]
