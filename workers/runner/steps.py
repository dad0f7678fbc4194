"""The steps of a phase: read, ask, plan, apply. Each step stores its result before the next one begins.

A step without work needs no transaction of its own: a phase without inputs, or without questions and operations, ends in the
transaction that read for it.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from shared.core.dream.model import PhaseState
from shared.core.dream.operations import Plan
from shared.core.dream.survey import describe_store
from shared.core.evaluation.model import MAX_DREAMS
from shared.core.policy.policy import Verified
from shared.core.questions.prices import FREE_MODEL
from shared.core.questions.question import Question
from shared.core.tenants.model_settings import use_store_model
from shared.core.tenants.shadow import is_shadow
from shared.core.tenants.store import Tenant
from shared.model_endpoint import use_better_model, use_phase_model, uses_batches
from shared.ports.database import UnitOfWork
from shared.ports.llm import Llm
from shared.services.batches.carry_out import LONGEST
from workers.ask.asker import Asked, Asker, AskOtherwise, TokenBudget
from workers.ask.batched import ask_in_batch
from workers.ask.change_gate import find_complete, find_unchanged_questions
from workers.ask.dollars import open_dollars
from workers.ask.escalate import Askers, find_useless
from workers.ask.exam import Standing, examine_models
from workers.ask.prompts import Prompts, find_prompts
from workers.ask.rate_limit import call_scope
from workers.ask.reuse import Reuse
from workers.phase.heartbeat import Heartbeat
from workers.phase.planned import Planned
from workers.phase.shape import (
    NothingToDo,
    Offered,
    PhaseContext,
    Surroundings,
    find_nothing_alike,
    inputs_adapter,
    load_inputs,
    look_no_further,
    offer_nothing,
)
from workers.phase.work import PhaseWork
from workers.phases import get_chain
from workers.runner.apply import apply_plan, end_phase
from workers.runner.cues import prepare_cues
from workers.runner.snooze import BATCHED, RATE_LIMITED, Snooze, SnoozeWantedError, want_snooze
from workers.runner.vectors import MeaningSearch, prepare_vectors

#: Planning a large store takes a while between its reading and the first write; no row is locked meanwhile.
_THINKING_SECONDS = 600.0
_NOT_ASKED = Asked(answers={}, missing=Counter())


def do_steps(work: PhaseWork, heartbeat: Heartbeat) -> None:
    """Run a phase from its last stored step to its end."""
    if work.record.plan is not None:
        apply_plan(work, Planned.load(work.record.plan))
        return
    if work.record.inputs is not None:
        inputs = inputs_adapter(work.phase).validate_python(work.record.inputs)
        questions = work.phase.ask(inputs)
        apply_plan(work, _plan(work, *_ask(work, inputs, questions, heartbeat)))
        return
    alike = prepare_vectors(work)
    prepare_cues(work, heartbeat)
    with work.ports.db.transaction(work.key.tenant_id, idle_seconds=_THINKING_SECONDS) as uow:
        inputs = _read(work, uow, alike)
        ended = inputs if isinstance(inputs, PhaseState) else None
        if ended is None:
            questions = work.phase.ask(inputs)
            planned = None if questions else plan_without_model(work, inputs)
            ended = keep_read(work, uow, inputs, planned)
    if ended is not None:
        work.count_end(ended)
        return
    apply_plan(work, planned or _plan(work, *_ask(work, inputs, questions, heartbeat)))


def _read(work: PhaseWork, uow: UnitOfWork, alike: MeaningSearch) -> Any:  # noqa: ANN401 - every phase has its own inputs
    """Return a phase's inputs, or its final state if there are none."""
    inputs = read_inputs(work, uow, alike)
    if not isinstance(inputs, NothingToDo):
        return inputs
    work.fence(uow)
    uow.phases.finish(work.key.dream_id, work.key.phase, PhaseState.SKIPPED, reason=inputs.reason, counts={})
    return PhaseState.SKIPPED


def read_inputs(work: PhaseWork, uow: UnitOfWork, alike: MeaningSearch | None = None) -> Any:  # noqa: ANN401 - the same
    """Return the inputs of a phase, or NothingToDo; `alike` is given to a phase that compares meanings."""
    return work.phase.read(_context(work, uow, alike))


def _context(work: PhaseWork, uow: UnitOfWork, alike: MeaningSearch | None = None) -> PhaseContext:
    return PhaseContext(
        uow=uow,
        store=work.store,
        dream=work.dream,
        policy=work.policy,
        now=uow.now(),
        changed_at_start=work.facts.survey.changed_topics + work.progress.gathered,
        find_offered=lambda: _find_offered(work, uow),
        has_model=lambda: work.ports.choose_llm(_tenant_of(work)).model != FREE_MODEL,
        find_alike=find_nothing_alike if alike is None else partial(alike.find, uow),
        embedder_failure="" if alike is None else alike.failure,
    )


def _find_offered(work: PhaseWork, uow: UnitOfWork) -> Offered:
    """Return what the phases of this dream offer to each other, from their stored inputs."""
    offering = [phase for phase in get_chain(work.dream.trigger) if phase.offer is not offer_nothing]
    stored = [
        (phase, run.state, load_inputs(phase, run))
        for phase in offering
        for run in uow.phases.find_all(work.dream.id, phase=phase.name)
    ]
    offers = [(state, phase.offer(inputs)) for phase, state, inputs in stored if inputs is not None]
    return Offered(
        excerpts=tuple(excerpt for _, offer in offers for excerpt in offer.excerpts),
        shown=frozenset(path for state, offer in offers if state is PhaseState.DONE for path in offer.shown),
    )


def plan_without_model(work: PhaseWork, inputs: Any) -> Planned:  # noqa: ANN401 - the same
    """Return the plan of a phase that asks no questions."""
    return _plan(work, inputs, _NOT_ASKED)


def keep_read(work: PhaseWork, uow: UnitOfWork, inputs: Any, planned: Planned | None) -> PhaseState | None:  # noqa: ANN401 - the same
    """Store the inputs before a model is asked; end a phase without operations, and return its state."""
    is_over = planned is not None and not planned.plan.operations
    if planned is None or is_over or work.phase.keeps_inputs:
        work.fence(uow)
    if planned is None or work.phase.keeps_inputs:
        dumped = inputs_adapter(work.phase).dump_python(inputs, mode="json")
        uow.phases.save_inputs(work.key.dream_id, work.key.phase, dumped, survey=work.phase.survey(inputs))
    return end_phase(uow, work, planned) if planned is not None and is_over else None


def _plan(work: PhaseWork, inputs: Any, asked: Asked) -> Planned:  # noqa: ANN401 - the same
    around = Surroundings(
        policy=work.policy,
        now=work.clock.now(),
        dream_id=work.dream.id,
        live_memories=work.facts.survey.live_memories + work.unreviewed,
        already_retired=work.progress.retired + work.unreviewed,
        has_passed=asked.has_passed,
        is_by_rules=not asked.is_by_model,
    )
    plan = work.phase.plan(inputs, asked.answers, around)
    if asked.exam_note is not None:
        plan = replace(plan, skips=(*plan.skips, asked.exam_note))
    return Planned(
        plan=plan if asked.is_by_model else _without_confidence(plan),
        missing=asked.missing,
        has_answers=bool(asked.answers.keys() - asked.spared.keys()),
        prompts=asked.prompts,
        doubts=asked.doubts,
        asked=asked.fingerprints,
        spared=asked.spared,
        said=asked.said,
    )


def _without_confidence(plan: Plan) -> Plan:
    """Return a plan of rules: theirs has already decided what waits for a person, and is not a model's to show."""
    return replace(plan, operations=tuple(replace(one, confidence=None) for one in plan.operations))


def _look(work: PhaseWork, inputs: Any, asked: Asked) -> Any:  # noqa: ANN401 - the same
    """Return the inputs with what the answers want to see, stored like those that were read."""
    if work.phase.look is look_no_further:
        return inputs
    with work.ports.db.transaction(work.key.tenant_id, idle_seconds=_THINKING_SECONDS) as uow:
        seen = work.phase.look(_context(work, uow), inputs, asked.answers)
        if seen is not inputs:
            work.fence(uow)
            dumped = inputs_adapter(work.phase).dump_python(seen, mode="json")
            uow.phases.save_inputs(work.key.dream_id, work.key.phase, dumped, survey=work.phase.survey(seen))
    return seen


def _ask(work: PhaseWork, inputs: Any, questions: Sequence[Question], heartbeat: Heartbeat) -> tuple[Any, Asked]:  # noqa: ANN401 - the same
    """Ask the phase's questions, then its repairs, then a second reader; return the inputs with what was shown in between.

    A question that the change gate skips gets an empty answer.
    """
    if not questions:
        return inputs, _NOT_ASKED
    llm = work.ports.choose_llm(_tenant_of(work))
    with work.ports.db.transaction(work.key.tenant_id) as uow:
        prompts = find_prompts(uow, work.store.name)
        found = find_unchanged_questions(uow, work, questions, prompts, llm.model)
        askers = _askers(work, uow, _asker(work, llm, prompts, heartbeat))
        if askers.first.dollars.is_bounded:
            uow.budgets.release_dream(work.dream.id)
    wanted = [question for question in questions if question.key not in found.spared]
    standing = examine_models(work, askers) if wanted and work.policy.merge.verified is Verified.APPLY else Standing()
    covered = work.phase.covers(inputs) if standing.has_passed else frozenset()
    wanted = [question for question in wanted if question.key not in covered]
    asked = askers.ask_all(wanted)
    inputs = _look(work, inputs, asked)
    repairs = work.phase.repair(inputs, asked.answers)
    again = askers.ask_all(repairs)
    unrepaired = [one.key for one in repairs if one.key not in again.answers]
    answers = asked.answers | again.answers
    doubted = work.phase.confirm(inputs, answers) if standing.has_passed else ()
    confirmed = askers.confirm(doubted)
    left_out = {**dict.fromkeys(covered, work.dream.id), **found.spared}
    spared = {question.key: question.answer_type() for question in questions if question.key in left_out}
    return inputs, Asked(
        answers=answers | confirmed.answers | spared,
        missing=asked.missing + again.missing + confirmed.missing,
        prompts=tuple(prompts.describe([*wanted, *repairs, *doubted])),
        doubts=askers.doubts,
        fingerprints=find_complete(found.fingerprints, list(asked.answers), unrepaired),
        spared=left_out,
        said=asked.said or again.said or confirmed.said,
        has_passed=standing.has_passed,
        exam_note=standing.note,
        is_by_model=llm.model != FREE_MODEL,
    )


def _token_budget(work: PhaseWork, llm: Llm) -> TokenBudget:
    """Return the tokens that a phase may spend; rules without a model spend none, and have no budget."""
    if llm.model == FREE_MODEL:
        return TokenBudget(per_call=sys.maxsize, left=sys.maxsize)
    return TokenBudget(
        per_call=work.policy.budget.tokens_per_call,
        left=work.tokens_left,
        find_left_today=work.count_left_today if work.tenant.max_concurrent_dreams > 1 else None,
    )


def _tenant_of(work: PhaseWork) -> Tenant:
    """Return the tenant with the model that this phase asks over this store."""
    return use_phase_model(
        work.ports.settings, use_store_model(work.tenant, work.store, work.ports.settings.llm), work.phase.name
    )


def _askers(work: PhaseWork, uow: UnitOfWork, first: Asker) -> Askers:
    """Return the askers of a phase's questions, including the better model if there is one."""
    tenant = use_better_model(work.ports.settings, use_store_model(work.tenant, work.store, work.ports.settings.llm))
    sleep = partial(_sleep_if_limited, work)
    llm = work.ports.choose_llm(tenant) if tenant is not None else None
    if tenant is None or llm is None or llm.model == first.llm.model:
        return Askers(first=first, better=None, sleep_if_limited=sleep)
    better = replace(
        first,
        llm=llm,
        scope=call_scope(work.ports.settings, work.tenant, llm.model, work.store),
        dollars=open_dollars(work.ports, work.key, work.tenant, work.store, llm.model),
        ask_otherwise=_ask_otherwise(work, tenant),
    )
    return Askers(first=first, better=better, sleep_if_limited=sleep, useless=find_useless(uow, work.key))


def _asker(work: PhaseWork, llm: Llm, prompts: Prompts, heartbeat: Heartbeat) -> Asker:
    tenant = _tenant_of(work)
    adapter, survey = tenant.llm.get("adapter", work.ports.settings.llm), describe_store(work.facts.survey)
    return Asker(
        ports=work.ports,
        key=work.key,
        llm=llm,
        scope=call_scope(work.ports.settings, work.tenant, llm.model, work.store),
        budget=work.policy.budget,
        tokens=_token_budget(work, llm),
        dollars=open_dollars(work.ports, work.key, work.tenant, work.store, llm.model),
        left=work.left,
        heartbeat=heartbeat,
        prompts=prompts,
        adapter=adapter,
        wish=work.facts.wish,
        survey=survey,
        is_resumed=work.facts.has_answers,
        ask_otherwise=_ask_otherwise(work, tenant),
        reuse=_reuse(work, llm, adapter, survey),
    )


def _reuse(work: PhaseWork, llm: Llm, adapter: str, survey: str) -> Reuse | None:
    """Return the answers that an evaluation has bought; rules without a model cost nothing, and take none."""
    if llm.model == FREE_MODEL:
        return None
    db, tenant_id = work.ports.db, work.key.tenant_id
    earlier = 0
    if is_shadow(work.store.name):
        with db.transaction(tenant_id, read_only=True) as uow:
            earlier = len(uow.dreams.find_recent(store_id=work.store.id, limit=MAX_DREAMS)) - 1
    return Reuse(db=db, tenant_id=tenant_id, store=work.store.name, adapter=adapter, survey=survey, earlier=earlier)


def _ask_otherwise(work: PhaseWork, tenant: Tenant) -> AskOtherwise | None:
    """Return how questions are asked if not at once. A dry run never waits for a batch, since a person waits for it."""
    is_wanted = work.dream.is_batched or uses_batches(work.ports.settings, tenant)
    if work.dream.is_dry_run or not is_wanted:
        return None
    batches = work.ports.choose_batches(tenant)
    return partial(ask_in_batch, batches) if batches is not None else None


def _sleep_if_limited(work: PhaseWork, asked: Asked) -> None:
    """Snooze the dream if a batch or rate limits delay answers. Answers that arrived are stored and not paid for again."""
    if asked.is_batched:
        raise SnoozeWantedError(Snooze(why=BATCHED, seconds=LONGEST.total_seconds()))
    if asked.retry_seconds > 0:
        want_snooze(work, Snooze(why=RATE_LIMITED, seconds=asked.retry_seconds, has_progressed=asked.has_new))
