"""Reflection on a real database: what is written, what a person is asked, and what a useless answer does."""

from uuid import uuid4

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, OperationState, PhaseState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.questions.question import Question
from shared.ports.dreams import RecordedOperation
from shared.ports.llm import LlmOutcome
from shared.services.operations.review import approve_operation, reject_operation
from shared.services.operations.undo import undo_dream
from tests.support.builders import LONG_AGO, get_operations, run_dream, take_picture, texts, write
from workers.phases.synthesize.answer import FlaggedMemory, ReflectAnswer, Reflection, SynthesizeAnswer

NOTES = {
    "shop/fonts.md": "# Fonts\n\nThe shop loads its fonts from the content network.\n",
    "shop/images.md": "# Images\n\nPictures are resized by a worker at night.\n",
    "office/plant.md": "# Plant\n\nThe plant in the hall needs water on Mondays.\n",
}
INSIGHT = Reflection(
    title="Assets are served from elsewhere",
    content="Neither fonts nor pictures are handled while a customer waits.",
    sources=("shop/fonts.md", "shop/images.md"),
    confidence=0.9,
)


def reflecting(answer: BaseModel | LlmOutcome) -> ScriptedLlm:
    def say(question: Question) -> BaseModel | LlmOutcome | None:
        return answer if question.answer_type is ReflectAnswer else None

    return ScriptedLlm(say)


def test_an_insight_is_a_durable_memory_that_undo_takes_away_again(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    before = take_picture(ports, tenant)
    dream = run_dream(ports, tenant, reflecting(ReflectAnswer(insights=(INSIGHT,))))
    (created,) = [m for m in take_picture(ports, tenant).memories.values() if "consolidated_insight" in m.content]
    assert created.signals.tier == "durable"
    assert "origin: dream" in created.content
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert take_picture(ports, tenant) == before


def test_a_flag_waits_for_a_person_and_changes_no_memory(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    flag = FlaggedMemory(file="office/plant.md", reason="the plant died")
    dream = run_dream(ports, tenant, reflecting(ReflectAnswer(flags=(flag,))))
    (flagged,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.FLAG]
    assert (flagged.state, flagged.review, flagged.effects) == (OperationState.APPLIED, ReviewState.PENDING, ())
    assert dream.summary is not None
    assert dream.summary.flagged >= 1
    approved = approve_operation(ports.db, ports.ids, tenant, flagged.id, actor="a test")
    assert approved.review is ReviewState.APPROVED


def test_an_answer_without_json_skips_the_reflection_only_and_says_so(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    dream = run_dream(ports, tenant, reflecting(LlmOutcome.UNPARSABLE))
    with ports.db.transaction(tenant) as uow:
        runs = {run.phase: run for run in uow.phases.find_all(dream.id)}
    assert runs["synthesize"].state is PhaseState.PARTIAL
    assert "model_unparsable 1" in runs["synthesize"].reason
    assert runs["index"].state is PhaseState.DONE
    assert dream.state is DreamState.PARTIAL


def test_the_memories_of_another_agent_are_never_flagged(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    write(ports, tenant, texts({"theirs.md": "# Theirs\n\nOf another agent.\n"}, at=LONG_AGO), store="other")
    dream = run_dream(ports, tenant, reflecting(ReflectAnswer(flags=(FlaggedMemory(file="theirs.md"),))))
    assert not [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.FLAG]
    assert dream.summary is not None
    assert dream.summary.reasons["not_offered"] == 1


def test_an_answer_of_the_wrong_shape_is_no_reflection(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    dream = run_dream(ports, tenant, reflecting(SynthesizeAnswer()))
    assert dream.state is DreamState.COMPLETED


def test_a_memory_that_waits_for_a_person_is_not_flagged_again(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    model = reflecting(ReflectAnswer(flags=(FlaggedMemory(file="office/plant.md", reason="the plant died"),)))
    run_dream(ports, tenant, model)
    write(ports, tenant, texts({"office/door.md": "# Door\n\nThe door sticks.\n"}, at=LONG_AGO))
    again = run_dream(ports, tenant, model)
    assert not [op for op in get_operations(ports, tenant, again.id) if op.operation.kind is OperationKind.FLAG]
    assert again.summary is not None
    assert again.summary.reasons["flagged_before"] == 1


THE_PLANT = FlaggedMemory(file="office/plant.md", about=("shop/fonts.md",), reason="the plant died")


def flags_of(ports: Ports, tenant: str, flag: FlaggedMemory, **note: str) -> list[RecordedOperation]:
    """Write a note, dream, and return the flags."""
    write(ports, tenant, texts(note or {f"office/{uuid4().hex}.md": "# Door\n\nThe door sticks.\n"}, at=LONG_AGO))
    dream = run_dream(ports, tenant, reflecting(ReflectAnswer(flags=(flag,))))
    return [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.FLAG]


@pytest.mark.parametrize("verdict", ["approve", "reject"])
def test_a_flag_that_a_person_has_decided_does_not_come_back(ports: Ports, tenant: str, verdict: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    (flagged,) = flags_of(ports, tenant, THE_PLANT)
    if verdict == "approve":
        approve_operation(ports.db, ports.ids, tenant, flagged.id, actor="a test")
    else:
        reject_operation(ports.db, tenant, flagged.id, actor="a test")
    assert flags_of(ports, tenant, THE_PLANT) == []


@pytest.mark.parametrize("edited", ["office/plant.md", "shop/fonts.md"])
def test_a_decided_flag_may_come_back_once_one_of_its_texts_has_changed(ports: Ports, tenant: str, edited: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    (flagged,) = flags_of(ports, tenant, THE_PLANT)
    reject_operation(ports.db, tenant, flagged.id, actor="a test")
    assert len(flags_of(ports, tenant, THE_PLANT, **{edited: f"{NOTES[edited]}Since May.\n"})) == 1


def test_a_decided_flag_hides_no_contradiction_with_another_memory(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    (flagged,) = flags_of(ports, tenant, THE_PLANT)
    reject_operation(ports.db, tenant, flagged.id, actor="a test")
    other = FlaggedMemory(file="office/plant.md", about=("shop/images.md",), reason="pictures of it are newer")
    assert len(flags_of(ports, tenant, other)) == 1


def test_the_flag_of_an_undone_dream_may_come_back(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    (flagged,) = flags_of(ports, tenant, THE_PLANT)
    undo_dream(ports.db, tenant, flagged.dream_id, actor="a test")
    assert len(flags_of(ports, tenant, THE_PLANT)) == 1
