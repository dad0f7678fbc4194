"""The steps of an evaluation. Each reads and computes without a lock, and returns what it then writes under one.

What a step writes it writes in one transaction with the work of the next step, so that a worker may die at any point.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from shared.all_ports import Ports
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState, Trigger
from shared.core.errors import ConflictError
from shared.core.evaluation.measure import find_gone, find_reworded, find_superseded, measure
from shared.core.evaluation.model import Evaluation, EvaluationState, count_repeats
from shared.core.evaluation.report import build_report
from shared.core.evaluation.verdict import choose_terms
from shared.core.evaluation.work import EvaluationWork, plan_copies, sum_up, without_hits
from shared.core.questions.prices import say_usd
from shared.ports.database import UnitOfWork
from shared.services.evaluation.evaluations import find_model
from shared.services.evaluation.shadows import remove_shadow
from workers.evaluation.copies import Source, find_left_usd, find_optional, make_copy
from workers.evaluation.read import MOST_ASKED, draw_probes, find_touches, read_material, read_snapshot, rewritten_with

_WORK: TypeAdapter[EvaluationWork] = TypeAdapter(EvaluationWork)
_MEASURED = frozenset({DreamState.COMPLETED, DreamState.PARTIAL})

#: Writes what a step found; the evaluation is locked and has not moved on since.
Write = Callable[[UnitOfWork, Evaluation], Evaluation]


class EvaluationFailedError(ConflictError):
    """An evaluation that cannot go on; the message says why."""


@dataclass(frozen=True, slots=True)
class Step:
    """The ports and the evaluation that a step works on."""

    ports: Ports
    tenant_id: str
    evaluation: Evaluation
    work: EvaluationWork


def load_work(evaluation: Evaluation) -> EvaluationWork:
    """Return the stored work of an evaluation."""
    return _WORK.validate_python(evaluation.work) if evaluation.work else EvaluationWork()


def plan_step(step: Step) -> Write | None:
    """Do the next step, and return what it writes; None while it waits for a dream. Raises EvaluationFailedError."""
    work = step.work
    if work.terms is None:
        return _draw(step)
    if not work.base:
        return _copy_base
    if work.before is None:
        return _measure_before(step)
    if work.current is None:
        return _conclude(step)
    if not work.copies[work.current].store:
        return _begin_copy(step.ports, work.current)
    return _follow_dream(step, work.current)


def _draw(step: Step) -> Write:
    """Draw the probes, and fix the terms before anything is measured."""
    order, settings = step.evaluation.order, step.ports.settings
    with step.ports.db.transaction(step.tenant_id) as uow:
        store = uow.stores.get(step.evaluation.store)
        material, tenant = read_material(uow, store), uow.stores.get_tenant()
    model = find_model(settings, tenant, store, order.model)
    # What is left of a log that is off waits for the retention sweep alone.
    is_logged = store.policy.evidence.log_searches
    asked = step.ports.search_log.find_asked(step.tenant_id, store.id, MOST_ASKED) if is_logged else ()
    probes = draw_probes(material, order.own, asked)
    terms = choose_terms(probes)
    left_out = find_optional(store, step.evaluation) if order.ablate else ()
    copies = plan_copies(count_repeats(order, model), left_out)

    def write(_: UnitOfWork, evaluation: Evaluation) -> Evaluation:
        drawn = replace(load_work(evaluation), probes=probes, terms=terms, copies=copies)
        begun = replace(evaluation, state=EvaluationState.RUNNING, terms=terms.fingerprint)
        return _keep(begun, drawn, f"has drawn {len(probes)} questions")

    return write


def _copy_base(uow: UnitOfWork, evaluation: Evaluation) -> Evaluation:
    store = uow.stores.get(evaluation.store)
    base = uow.evaluations.shadows.copy(
        evaluation.id, store, profile=store.profile, overrides=store.overrides, llm=store.llm
    )
    return _keep(evaluation, replace(load_work(evaluation), base=base.name), "measures the store as it is")


def _measure_before(step: Step) -> Write:
    with step.ports.db.transaction(step.tenant_id) as uow:
        snapshot, _ = read_snapshot(uow, uow.stores.get(step.work.base))
    measured = measure(step.work.probes, snapshot)

    def write(_: UnitOfWork, evaluation: Evaluation) -> Evaluation:
        return _keep(evaluation, replace(load_work(evaluation), before=measured), "copies the store")

    return write


def _begin_copy(ports: Ports, place: int) -> Write:
    """Make a copy and queue its first dream; end it where no money is left for it."""

    def write(uow: UnitOfWork, evaluation: Evaluation) -> Evaluation:
        work = load_work(evaluation)
        mine = work.copies[place]
        source = Source(
            tenant=uow.stores.get_tenant(), store=uow.stores.get(evaluation.store), base=uow.stores.get(work.base)
        )
        left = find_left_usd(uow, ports.settings, source, evaluation)
        if not left:
            note = f"{say_usd(evaluation.cost_usd)} of {say_usd(evaluation.order.max_usd)} are spent: {_name(work, place)} did not dream."
            ended = replace(work.with_copy(place, replace(mine, is_over=True)), notes=(*work.notes, note))
            return _keep(evaluation, ended, "goes on without a budget")
        repeat = sum(one.phase == mine.phase for one in work.copies[:place])
        shadow = make_copy(uow, ports.settings, source, evaluation, without=mine.phase, repeat=repeat, left_usd=left)
        dreaming = replace(mine, store=shadow.name, dream=_queue(uow, shadow.id))
        return _keep(evaluation, work.with_copy(place, dreaming), f"dreams over {_name(work, place)}")

    return write


def _queue(uow: UnitOfWork, store_id: str) -> str:
    return uow.dreams.add(store_id, trigger=Trigger.API, force=True, dry_run=False).id


def _follow_dream(step: Step, place: int) -> Write | None:
    """Measure a copy whose dream has ended, and let it dream again or delete it."""
    mine, work = step.work.copies[place], step.work
    with step.ports.db.transaction(step.tenant_id) as uow:
        dream = uow.dreams.get(mine.dream)
        if dream.state in ACTIVE_STATES:
            return None
        _check_ended(dream, work, place)
        snapshot, retired = read_snapshot(uow, uow.stores.get(mine.store))
        before, _ = read_snapshot(uow, uow.stores.get(work.base))
        touched = (*mine.touched, *find_touches(uow, dream.id))
    measured = measure(work.probes, snapshot)
    is_last = len(mine.measured) + 1 >= step.evaluation.order.dreams
    gone = find_gone(before, snapshot, retired) if is_last and not mine.phase else ()
    reworded = find_reworded(gone, snapshot, rewritten_with(touched))
    ended = replace(
        mine,
        superseded=find_superseded(before, snapshot) if is_last and not mine.phase else (),
        measured=(*map(without_hits, mine.measured), measured if place == 0 else without_hits(measured)),
        touched=touched,
        gone=tuple(one for one in gone if one not in {(path, said) for path, said, _ in reworded}),
        reworded=reworded,
    )
    note = f"{_name(work, place)}: {dream.reason}." if dream.state is DreamState.PARTIAL else ""

    def write(uow: UnitOfWork, evaluation: Evaluation) -> Evaluation:
        now = load_work(evaluation)
        now = replace(now, notes=(*now.notes, *filter(None, [note])))
        shadow = uow.stores.get(mine.store)
        if not is_last:
            again = replace(ended, dream=_queue(uow, shadow.id))
            return _keep(evaluation, now.with_copy(place, again), f"dreams again over {_name(now, place)}")
        usd = remove_shadow(uow, shadow)
        uow.evaluations.add_cost(evaluation.id, usd)
        spent = replace(evaluation, cost_usd=evaluation.cost_usd + usd)
        over = replace(ended, store="", dream="", is_over=True)
        return _keep(spent, now.with_copy(place, over), f"has measured {_name(now, place)}")

    return write


def _check_ended(dream: Dream, work: EvaluationWork, place: int) -> None:
    if dream.state not in _MEASURED:
        raise EvaluationFailedError(f"The dream over {_name(work, place)} ended as {dream.state}: {dream.reason}")


def _conclude(step: Step) -> Write:
    """Judge, and delete the last copy."""
    outcome, terms = sum_up(step.work), step.work.terms
    if outcome is None or terms is None:
        raise EvaluationFailedError(" ".join(step.work.notes) or "Nothing was measured")
    report = build_report(step.work.probes, outcome, terms).as_json()
    report |= {"notes": list(step.work.notes), "probes": len(step.work.probes)}

    def write(uow: UnitOfWork, evaluation: Evaluation) -> Evaluation:
        uow.evaluations.add_cost(evaluation.id, remove_shadow(uow, uow.stores.get(step.work.base)))
        return replace(evaluation, state=EvaluationState.DONE, report=report, progress="", work={})

    return write


def _keep(evaluation: Evaluation, work: EvaluationWork, progress: str) -> Evaluation:
    dumped = _WORK.dump_python(replace(work, step=work.step + 1), mode="json")
    return replace(evaluation, work=dumped, progress=progress)


def _name(work: EvaluationWork, place: int) -> str:
    phase = work.copies[place].phase
    return f"copy {place + 1} of {len(work.copies)}" + (f", without {phase}" if phase else "")
