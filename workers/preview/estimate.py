"""Estimate the cost of a dream over a store: its phases read and build their questions, but no model is asked.

This happens in one read-only transaction. Questions that the change gate would skip are left out. Phases see the store as it
is now, without what earlier phases of the same dream would write. Follow-up questions (repairs, the better model) are
extrapolated from the store's last dreams.
"""

from collections.abc import Iterable, Mapping, Sequence

from shared.adapters.llm.token_estimate import estimate_tokens
from shared.all_ports import Ports
from shared.core.dream.model import Survey, Trigger
from shared.core.dream.survey import describe_store
from shared.core.questions.estimate import (
    CountedQuestions,
    DreamEstimate,
    PastCall,
    PhaseEstimate,
    estimate_dream_cost,
    estimate_phase,
)
from shared.core.questions.question import Question
from shared.core.questions.shared_beginnings import share_beginnings
from shared.core.tenants.model_settings import use_store_model
from shared.model_endpoint import find_tenant_prices, name_model, use_better_model, use_phase_model
from shared.ports.database import UnitOfWork
from workers.ask.change_gate import find_unchanged_questions
from workers.ask.prompts import AskSettings, Prompts, find_prompts
from workers.phase.shape import (
    NothingToDo,
    Offered,
    Phase,
    PhaseContext,
    ask_nothing,
    offer_nothing,
    survey_nothing,
)
from workers.phase.work import PhaseWork
from workers.phases import get_chain
from workers.preview.exams import count_due_exams
from workers.preview.imagined import imagine_dream, imagine_next, imagine_work
from workers.runner.apply import find_reason_to_skip

#: Reading a large store takes a while between two statements; no row is locked meanwhile.
_THINKING_SECONDS = 600.0
#: The number of last dreams from which the length of answers and the share of repairs are estimated.
_LAST_DREAMS = 20


def estimate_dream(ports: Ports, tenant_id: str, store_name: str, *, force: bool = False) -> DreamEstimate:
    """Return the questions that a dream over a store would ask now, and their cost with each model.

    Args:
        ports: of this process.
        tenant_id: whose store it is.
        store_name: the store.
        force: a forced dream asks again what the change gate would spare.

    Raises:
        NotFoundError: there is no such store.
    """
    with ports.db.transaction(tenant_id, idle_seconds=_THINKING_SECONDS, read_only=True) as uow:
        store = uow.stores.get(store_name)
        chain = get_chain(Trigger.CLI)
        work = imagine_work(ports, uow, imagine_dream(tenant_id, store, uow.now(), force=force), chain[0])
        asking = _Asking(uow, find_prompts(uow, store_name), uow.calls.find_past(store.id, dreams=_LAST_DREAMS))
        for phase in chain:
            asking.look_at(imagine_next(work, phase))
        exams = count_due_exams(ports.settings, uow, store) if asking.needs_exam else []
        prices = find_tenant_prices(ports.settings, use_store_model(work.tenant, store, ports.settings.llm))
    return estimate_dream_cost([*exams, *asking.phases], asking.idle, prices)


class _Asking:
    """Runs `read` and `ask` of a dream's phases, and passes on what later phases need from earlier ones."""

    def __init__(self, uow: UnitOfWork, prompts: Prompts, past: Sequence[PastCall]) -> None:
        self._uow, self._prompts, self._past = uow, prompts, past
        self._survey = Survey(live_memories=0, changed_topics=0)
        self._offered: tuple[Offered, ...] = ()
        self.phases: list[PhaseEstimate] = []
        self.idle: dict[str, str] = {}
        self.needs_exam = False  # a phase asks a model that must have passed

    def look_at(self, work: PhaseWork) -> None:
        """Read for a phase and count its questions; a phase that neither asks nor offers anything to later ones is skipped."""
        phase = work.phase
        if not (_asks(phase) or phase.survey is not survey_nothing or phase.offer is not offer_nothing):
            return
        skipped = find_reason_to_skip(work)
        inputs = phase.read(self._context(work)) if skipped is None else NothingToDo(skipped[0])
        if isinstance(inputs, NothingToDo):
            self._note_idle(phase, inputs.reason)
            return
        self._survey = phase.survey(inputs) or self._survey
        self._offered = (*self._offered, phase.offer(inputs))
        if _asks(phase):
            self._count(work, phase.ask(inputs))

    def _note_idle(self, phase: Phase, reason: str) -> None:
        if _asks(phase):
            self.idle[phase.name] = reason

    def _context(self, work: PhaseWork) -> PhaseContext:
        return PhaseContext(
            uow=self._uow,
            store=work.store,
            dream=work.dream,
            policy=work.policy,
            now=self._uow.now(),
            changed_at_start=self._survey.changed_topics,
            find_offered=lambda: Offered(excerpts=tuple(one for offer in self._offered for one in offer.excerpts)),
            is_estimate=True,
            find_alike=lambda ids, limit: self._find_alike(work, ids, limit),
        )

    def _find_alike(self, work: PhaseWork, ids: Sequence[str], limit: int) -> Mapping[str, Sequence[str]]:
        """Return memories with similar meaning, from existing vectors: an estimate computes no new ones."""
        meaning = work.ports.meaning
        if meaning is None or not ids or not work.phase.makes_vectors:
            return {}
        return meaning.vectors.find_alike(self._uow, work.store.id, meaning.embedder.model, ids, limit)

    def _count(self, work: PhaseWork, questions: Sequence[Question]) -> None:
        model, better = _models_of(work)
        spared = find_unchanged_questions(self._uow, work, questions, self._prompts, model).spared
        wanted = [one for one in questions if one.key not in spared]
        if not wanted:
            self._note_idle(work.phase, "every question reads as it did last time" if questions else "no question")
            return
        counted = CountedQuestions(
            phase=work.phase.name,
            model=model,
            better_model=better if better != model else "",
            prompts=tuple(self._count_tokens(work, share_beginnings(wanted, describe_store(self._survey)))),
            output_share=work.phase.entry.output_share,
            spared=len(spared),
        )
        self.phases.append(estimate_phase(counted, self._past))
        self.needs_exam |= work.phase.needs_exam

    def _count_tokens(self, work: PhaseWork, questions: Iterable[Question]) -> list[int]:
        ask_settings = AskSettings(budget=work.policy.budget, effort=work.ports.settings.llm_effort)
        return [estimate_tokens(self._prompts.request(one, ask_settings, work.left.seconds())) for one in questions]


def _asks(phase: Phase) -> bool:
    return phase.ask is not ask_nothing


def _models_of(work: PhaseWork) -> tuple[str, str]:
    """Return the model of a phase and its better model, or None. No key is needed to name them."""
    settings, tenant = work.ports.settings, use_store_model(work.tenant, work.store, work.ports.settings.llm)
    better = use_better_model(settings, tenant)
    first = name_model(settings, use_phase_model(settings, tenant, work.phase.name))
    return first, "" if better is None else name_model(settings, better)
