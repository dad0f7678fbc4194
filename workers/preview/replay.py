"""Ask other models the questions of a store's last dreams again, and score what they would have done. No memory changes.

The questions come from the stored inputs of each phase, so every model is asked the same, with today's prompts. Answers are
planned under all rules, and nothing is applied or stored. The calls must fit into the tenant's remaining token budget of today.
They belong to no dream, so `slowwave cost` does not include them.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ValidationError

from shared.all_ports import Ports
from shared.core.budgets.dollars import find_dollar_budgets, say_refused
from shared.core.dream.model import WHOLE_TRIGGERS, Dream
from shared.core.dream.survey import describe_store
from shared.core.errors import BadInputError
from shared.core.evaluation.replay import EvaluationTerms, Family, ModelScore, PastOperation
from shared.core.questions.prices import FREE_MODEL, ModelPrice, cost_usd, find_price
from shared.core.questions.question import Question
from shared.core.questions.shared_beginnings import share_beginnings
from shared.core.tenants.model_settings import use_store_model
from shared.core.tenants.store import Tenant
from shared.model_endpoint import OFFLINE, find_tenant_prices
from shared.ports.database import Database, UnitOfWork
from shared.ports.llm import Llm, LlmReply, LlmRequest
from shared.services.budgets.use import open_budgets
from shared.services.dreams.gate_facts import get_tokens_per_day
from shared.settings import Settings
from workers.ask.asker import TokenBudget
from workers.ask.prompts import AskSettings, Prompts, find_prompts
from workers.phase.shape import Phase, Surroundings, ask_nothing, load_inputs
from workers.phase.work import PhaseWork
from workers.phases import get_chain
from workers.preview.families import find_questions, id_of
from workers.preview.imagined import AskedBefore, imagine_work


def replay_dreams(ports: Ports, tenant_id: str, store_name: str, terms: EvaluationTerms) -> list[ModelScore]:
    """Return each model's score on the questions of a store's last dreams; the cost is recorded in the audit log.

    Raises:
        BadInputError: no dream has questions, a model has no known price, or its key is missing.
        NotFoundError: there is no such store.
    """
    with ports.db.transaction(tenant_id, read_only=True) as uow:
        asked = (
            find_questions(ports, uow, store_name, terms.families)
            if terms.families
            else _find_asked(ports, uow, store_name, terms.dreams)
        )
        prompts, store = find_prompts(uow, store_name), uow.stores.get(store_name)
        tenant = use_store_model(uow.stores.get_tenant(), store, ports.settings.llm)
        left_today = get_tokens_per_day(tenant, store) - uow.calls.count_tokens_today()
    if not asked:  # of families there is one question each
        raise BadInputError(f"The last {terms.dreams} dreams over {store_name} have no questions that are still stored")
    prices = find_tenant_prices(ports.settings, tenant)
    _check_prices(terms.models, prices)
    budget = TokenBudget(per_call=store.policy.budget.tokens_per_call, left=left_today)
    is_bounded = bool(find_dollar_budgets(tenant, store))
    chosen = [(name, ports.choose_llm(_with_model(ports.settings, tenant, name))) for name in terms.models]
    scores = [ModelScore(model=name) for name, _ in chosen]
    dollars = _Dollars(ports.db, tenant_id, store_name, ports.ids.new("res"), is_bounded=is_bounded)
    try:
        for (_, llm), score in zip(chosen, scores, strict=True):
            earlier_usd = sum(one.cost_usd for one in scores)
            _Replay(ports, llm, prompts, terms, budget, prices, score, dollars, earlier_usd).run(asked)
    finally:  # the costs are reported, however this ends
        spent = {one.model: {"questions": one.questions, "cost_usd": round(one.cost_usd, 6)} for one in scores}
        with ports.db.transaction(tenant_id) as uow:
            uow.budgets.release([dollars.id])
            uow.record_audit(terms.actor, "models.evaluate", store=store_name, models=spent)
    return scores


def _check_prices(models: Sequence[str], prices: Mapping[str, ModelPrice]) -> None:
    for name in models:
        if name != FREE_MODEL and find_price(name, prices) is None:
            raise BadInputError(
                f"The price of {name!r} is not known, so --max-usd cannot be enforced: see docs/costs.md"
            )


def _with_model(settings: Settings, tenant: Tenant, model: str) -> Tenant:
    """Return the tenant with this model on its adapter; a tenant without an adapter uses Anthropic's API."""
    if model == FREE_MODEL:
        return replace(tenant, llm={"adapter": OFFLINE})
    is_offline = tenant.llm.get("adapter", settings.llm) == OFFLINE
    provider = {"adapter": "anthropic"} if is_offline else {}
    return replace(tenant, llm={**tenant.llm, **provider, "model": model})


def _find_asked(ports: Ports, uow: UnitOfWork, store_name: str, dreams: int) -> list[AskedBefore]:
    """Return the phases of the last dreams that asked something, the newest dream first."""
    store = uow.stores.get(store_name)
    found = uow.dreams.find_recent(store_id=store.id, triggers=WHOLE_TRIGGERS, limit=dreams)
    return [one for dream in found for one in _find_asked_by(ports, uow, dream)]


def _find_asked_by(ports: Ports, uow: UnitOfWork, dream: Dream) -> list[AskedBefore]:
    recorded = uow.operations.find_all(dream.id)
    asking = {phase.name: phase for phase in get_chain(dream.trigger) if phase.ask is not ask_nothing}
    found = []
    for run in uow.phases.find_all(dream.id):
        inputs = _load(asking.get(run.phase), run)
        if inputs is not None:
            past = (one for one in recorded if one.operation.phase == run.phase)
            verdicts = (PastOperation(operation=one.operation, state=one.state, review=one.review) for one in past)
            work = imagine_work(ports, uow, dream, asking[run.phase])
            found.append(AskedBefore(work=work, inputs=inputs, past=tuple(verdicts)))
    return found


def _load(phase: Phase | None, run: Any) -> Any:  # noqa: ANN401 - every phase has its own inputs
    """Return stored inputs that ask something; None for those that another version wrote or that were redacted."""
    if phase is None:
        return None
    try:
        inputs = load_inputs(phase, run)
    except ValidationError:
        return None
    return inputs if inputs is not None and phase.has_questions(inputs) else None


#: The size of a store whose loss cap does not limit the answers about one family.
_ROOMY = 1_000


class _StoppedError(Exception):
    """No more questions for this model."""


#: One question takes minutes at most. An evaluation that was killed gives back what it holds after this long.
_HELD_SECONDS = 3_600.0


@dataclass(frozen=True, slots=True)
class _Dollars:
    """The dollar budgets of the tenant and the store, in which an evaluation reserves everything that it spends while it runs.

    The calls are not stored, so the reservation grows with each question instead.
    """

    db: Database
    tenant_id: str
    store: str
    id: str
    is_bounded: bool = field(kw_only=True)

    def reserve(self, model: str, usd: float, spent_usd: float) -> None:
        """Reserve the maximum price of a question on top of the amount spent, so that concurrent dreams see both.

        Raises:
            _StoppedError: names the budget that has no room; the tenant gets an alert, as when a dream uses it up.
        """
        if not self.is_bounded or model == FREE_MODEL:
            return
        with self.db.transaction(self.tenant_id) as uow:
            uow.stores.get_tenant(lock=True)
            uow.budgets.release([self.id])  # what is held counts as what is asked for, not beside it
            refused = open_budgets(uow, self.store).take(spent_usd + usd)
            held = spent_usd if refused is not None else spent_usd + usd
            uow.budgets.hold(self.id, store_id=uow.stores.get(self.store).id, usd=held, seconds=_HELD_SECONDS)
        if refused is not None:
            raise _StoppedError(say_refused(refused.use, refused.usd))


@dataclass(frozen=True, slots=True)
class _Replay:
    """Asks one model everything, in turn, so that its latency is its own."""

    ports: Ports
    llm: Llm
    prompts: Prompts
    terms: EvaluationTerms
    budget: TokenBudget
    prices: Mapping[str, ModelPrice]
    score: ModelScore
    dollars: _Dollars
    earlier_usd: float  # what the models before this one have cost

    def run(self, asked: Sequence[AskedBefore]) -> None:
        try:
            for one in asked:
                self._ask_phase(one)
        except _StoppedError as error:
            self.score.stopped = str(error)

    def _ask_phase(self, one: AskedBefore) -> None:
        work, phase = one.work, one.work.phase
        answers = self._ask(work, share_beginnings(phase.ask(one.inputs), describe_store(work.facts.survey)))
        answers |= self._ask(work, phase.repair(one.inputs, answers))
        plan = phase.plan(one.inputs, answers, _surroundings(work, one.family))
        self.score.left_out.update(skip.code for skip in plan.skips)
        allowed = [operation for operation in plan.operations if operation.kind in phase.may_emit]
        if one.family is None:
            self.score.compare(allowed, one.past)
        else:
            self.score.count_pairs(allowed, one.family, {path: id_of(path) for path in one.family.documents})

    def _ask(self, work: PhaseWork, questions: Sequence[Question]) -> dict[str, BaseModel]:
        ask_settings = AskSettings(
            budget=work.policy.budget, effort=self.ports.settings.llm_effort, wish=work.facts.wish
        )
        answers: dict[str, BaseModel] = {}
        for question in questions:
            reply = self._call(self.prompts.request(question, ask_settings, work.policy.budget.call_timeout_seconds))
            if reply.answer is None:
                self.score.unanswered[str(reply.outcome)] += 1
            else:
                answers[question.key] = reply.answer
        return answers

    def _call(self, request: LlmRequest) -> LlmReply:
        """Make a call within the budgets. Raises _StoppedError."""
        score, prompt = self.score, self.llm.count_tokens(request)
        most = cost_usd(score.model, input_tokens=prompt, output_tokens=request.max_output_tokens, prices=self.prices)
        if score.questions >= self.terms.questions:
            raise _StoppedError(f"--questions {self.terms.questions}")
        if score.cost_usd + most > self.terms.max_usd:
            raise _StoppedError(f"the next question may cost more than is left of --max-usd {self.terms.max_usd:g}")
        reserved = 0 if score.model == FREE_MODEL else prompt + request.max_output_tokens
        if (refusal := self.budget.reserve(reserved)) is not None:
            raise _StoppedError(f"the tenant's token budget: {refusal}")
        self.dollars.reserve(score.model, most, self.earlier_usd + score.cost_usd)
        begun = time.monotonic()
        reply = self.llm.decide(request)
        score.seconds += time.monotonic() - begun
        usage = reply.usage
        read = usage.input_tokens + usage.cached_tokens + usage.cache_write_tokens
        self.budget.settle(reserved, read + usage.output_tokens)
        score.questions += 1
        score.answered += reply.answer is not None
        score.prompt_tokens += read
        score.output_tokens += usage.output_tokens
        score.cost_usd += usage.cost_usd
        return reply


def _surroundings(work: PhaseWork, family: Family | None) -> Surroundings:
    """Return the surroundings in which the dream's phase was planned, before anything was retired."""
    return Surroundings(
        policy=work.policy,
        now=work.dream.started_at or work.dream.created_at,
        dream_id=work.dream.id,
        live_memories=work.facts.survey.live_memories if family is None else _ROOMY,
        already_retired=0,
    )
