"""Dreams over a store whose rules answer in a model's place, and what was asked and answered in them."""

from pydantic import BaseModel

from benchmarks.cost.as_edits import as_edits
from shared.all_ports import Ports
from shared.core.questions.estimate import PastCall
from shared.core.questions.question import Question
from shared.ports.llm import LlmOutcome
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase

STORE = "default"


def answer_with_texts(question: Question) -> BaseModel | LlmOutcome:
    """Answer as the rules without a model do."""
    return LlmOutcome.REFUSED if question.without_model is None else question.without_model(question)


def answer_with_edits(question: Question) -> BaseModel | LlmOutcome:
    """Answer as the rules without a model do, with edits in place of whole texts."""
    answer = answer_with_texts(question)
    return answer if isinstance(answer, LlmOutcome) else as_edits(answer, question)


def change(ports: Ports, tenant: str, start: int, changed: int) -> None:
    """Mark a number of memories as changed, those from place `start` on."""
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(uow.stores.get(STORE).id)
        heads = sorted(memories.find_heads(), key=lambda head: head.path.rpartition("/")[2])  # all domains in turn
        chosen = [heads[(start + number) % len(heads)] for number in range(changed)]
        memories.set_dirty([(head.id, head.version) for head in chosen], is_dirty=True)


def dream(ports: Ports, tenant: str) -> list[PastCall]:
    """Dream over the store, forced, and return the answered calls."""
    dream_id = begin_dream(ports, tenant, STORE, force=True, dream_id=None)
    assert dream_id is not None
    for phase in PHASES:
        run_phase(ports, phase, PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=1, phase=phase.name))
    finish_dream(ports, tenant, dream_id, 1)
    with ports.db.transaction(tenant) as uow:
        return uow.calls.find_past(uow.stores.get(STORE).id, dreams=1)
