"""The phase that learns from workflow runs: what it looks at, what it asks, and what a missing answer leaves alone."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from shared.core.learning.feedback import RunOutcome, WorkflowRun
from shared.core.memory.model import Memory
from tests.unit.builders import NOW, codes, memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo, PhaseContext
from workers.phases.learn_from_workflows.phase import PHASE, Inputs
from workers.phases.prune.answer import PruneAnswer

SKILL = memory("skills/deploy/SKILL.md", "---\nname: deploy\n---\n\n# Deploy\n")
OTHER = memory("skills/bake/SKILL.md", "---\nname: bake\n---\n\n# Bake\n")


def runs(count: int, outcome: RunOutcome = RunOutcome.FAILURE) -> list[WorkflowRun]:
    return [
        WorkflowRun(
            id=f"wfr_{number}", external_id=f"x{number}", description="Deploy the portal", steps=("build",),
            outcome=outcome, classification="timeout" if outcome is RunOutcome.FAILURE else "", error="",
            skills=("deploy",), session="", occurred_at=NOW,
        )
        for number in range(count)
    ]  # fmt: skip


def a_context(*memories: Memory, found: Sequence[WorkflowRun] = ()) -> PhaseContext:
    made = context(*memories)
    uow: Any = made.uow
    uow.workflows = lambda _id: SimpleNamespace(find=lambda **_: list(found))
    return made


def test_without_runs_there_is_nothing_to_do() -> None:
    assert PHASE.read(a_context(SKILL)) == NothingToDo("no new workflow runs")


def test_too_few_runs_of_a_kind_are_nothing_to_learn_from() -> None:
    found = PHASE.read(a_context(SKILL, found=runs(2)))
    assert found == NothingToDo("no kind among 2 workflow runs failed or succeeded often enough")


def test_failures_are_shown_with_the_skills_that_they_used_and_no_other() -> None:
    inputs = PHASE.read(a_context(SKILL, OTHER, found=runs(3)))
    (question,) = PHASE.ask(inputs)
    assert [(one.role, one.path) for one in question.documents] == [
        ("failures", "failures/1"),
        ("skill", SKILL.path),
    ]
    assert question.documents[0].facts[:2] == ("3 runs, 100% of this kind", "classification timeout")


def test_no_answer_and_the_answer_of_another_phase_change_nothing() -> None:
    inputs = PHASE.read(a_context(SKILL, found=runs(3)))
    assert isinstance(inputs, Inputs)
    for answers in ({}, {"workflows": PruneAnswer()}):
        found = PHASE.plan(inputs, answers, around())
        assert (found.operations, codes(found), found.used) == ((), ["no_answer"], ())
