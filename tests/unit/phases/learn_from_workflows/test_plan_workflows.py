"""Workflow runs: how many make a lesson, where it goes, and what only a person decides."""

from datetime import timedelta
from typing import Any

import pytest

from shared.core.dream.operations import Plan
from shared.core.learning.feedback import RunOutcome, WorkflowRun
from shared.core.memory.model import Memory
from shared.core.policy.policy import WorkflowPolicy
from tests.unit.builders import NOW, codes, created, memory, rewrites
from workers.phases.learn_from_workflows.answer import WorkflowAnswer
from workers.phases.learn_from_workflows.plan import (
    HEADING,
    WorkflowView,
    find_failures,
    find_successes,
    plan_workflows,
)

POLICY = WorkflowPolicy()
SKILL = memory("skills/deploy/SKILL.md", "---\nname: deploy\ndescription: Deploys\n---\n\n# Deploy\n\n1. push\n")


def run(number: int, outcome: RunOutcome = RunOutcome.FAILURE, **values: Any) -> WorkflowRun:
    known: dict[str, Any] = {
        "description": f"Deploy release {number} to staging",
        "steps": ("build", "push"),
        "classification": "timeout" if outcome is RunOutcome.FAILURE else "",
        "error": "gave up after 30 s" if outcome is RunOutcome.FAILURE else "",
        "skills": (),
        **values,
    }
    at = NOW - timedelta(hours=number)
    return WorkflowRun(
        id=f"wfr_{outcome}_{number}", external_id=f"x{number}", outcome=outcome, session="", occurred_at=at, **known
    )


def runs(count: int, outcome: RunOutcome = RunOutcome.FAILURE, **values: Any) -> list[WorkflowRun]:
    return [run(number, outcome, **values) for number in range(count)]


def plan(answer: dict[str, Any], *found: WorkflowRun, skills: tuple[Memory, ...] = ()) -> Plan:
    view = WorkflowView(
        failures=tuple(find_failures(found, POLICY)),
        successes=tuple(find_successes(found, POLICY, ())),
        skills=skills,
        live_paths=frozenset(one.path for one in skills),
        policy=POLICY,
    )
    return plan_workflows(view, WorkflowAnswer.model_validate(answer))


def note(**values: Any) -> dict[str, Any]:
    made = {"annotation": "The push needs 60 s; raise the limit first.", "sourceIds": ["failures/1"], "confidence": 0.9}
    return {"annotations": [made | values]}


def draft(**values: Any) -> dict[str, Any]:
    made = {
        "name": "Deploy staging",
        "summary": "Deploys",
        "content": "1. build\n2. push",
        "sourceIds": ["successes/1"],
    }
    return {"toSave": [made | values]}


def test_three_failures_of_a_kind_make_a_group_and_two_do_not() -> None:
    assert find_failures(runs(2), POLICY) == []
    (group,) = find_failures(runs(3), POLICY)
    assert (len(group.runs), group.classification) == (3, "timeout")


@pytest.mark.parametrize("values", [{"classification": ""}, {"steps": ()}])
def test_failures_without_a_classification_or_without_steps_teach_nothing(values: dict[str, Any]) -> None:
    assert find_failures(runs(5, **values), POLICY) == []


def test_failures_of_different_classifications_are_different_kinds() -> None:
    assert find_failures([*runs(2), *runs(2, classification="permission")], POLICY) == []


@pytest.mark.parametrize(("good", "bad", "is_candidate"), [(4, 0, False), (5, 0, True), (8, 2, False), (9, 2, True)])
def test_five_successes_and_more_than_80_percent_are_candidates(good: int, bad: int, is_candidate: bool) -> None:
    found = [*runs(good, RunOutcome.SUCCESS), *runs(bad)]
    assert bool(find_successes(found, POLICY, ())) is is_candidate


def test_successes_that_a_skill_stands_behind_need_no_skill() -> None:
    assert find_successes(runs(9, RunOutcome.SUCCESS, skills=("deploy",)), POLICY, {"deploy"}) == []


@pytest.mark.parametrize("name", ["deploy", "skills/deploy/SKILL.md"])
def test_a_note_is_added_at_the_end_of_the_skill_that_failed_and_nothing_else_changes(name: str) -> None:
    found = plan(note(name=name), *runs(3, skills=("deploy",)), skills=(SKILL,))
    (operation,) = found.operations
    change = rewrites(operation)[SKILL.path]
    assert change.content.startswith(SKILL.content)
    assert change.content.count(HEADING) == 1
    assert "raise the limit first. (3 failed runs, timeout" in change.content
    assert operation.needs_review
    assert len(found.used) == 3


def test_a_second_note_goes_under_the_same_heading() -> None:
    (operation,) = plan(note(name="deploy"), *runs(3), skills=(SKILL,)).operations
    noted = memory(SKILL.path, rewrites(operation)[SKILL.path].content)
    (again,) = plan(note(name="deploy", annotation="Build offline first."), *runs(3), skills=(noted,)).operations
    content = rewrites(again)[SKILL.path].content
    assert (content.count(HEADING), content.count("\n- ")) == (1, 2)


def test_a_note_that_the_skill_has_already_is_not_added_twice() -> None:
    (operation,) = plan(note(name="deploy"), *runs(3), skills=(SKILL,)).operations
    noted = memory(SKILL.path, rewrites(operation)[SKILL.path].content)
    found = plan(note(name="deploy"), *runs(3), skills=(noted,))
    assert (found.operations, codes(found), len(found.used)) == ((), ["known_already"], 3)


def test_without_a_skill_the_note_becomes_an_anti_pattern() -> None:
    (operation,) = plan(note(topic="Push timeouts"), *runs(3)).operations
    assert created(operation).path == "anti-patterns/workflows/push-timeouts.md"


def test_a_promotion_is_a_proposal_for_a_person() -> None:
    found = plan(draft(), *runs(5, RunOutcome.SUCCESS))
    (operation,) = found.operations
    assert operation.propose_only is not None
    assert created(operation).path == "skills/deploy-staging/SKILL.md"
    assert created(operation).content.startswith("---\nname: deploy-staging\ndescription: Deploys\n---\n")
    assert len(found.used) == 5


def test_a_name_that_is_taken_is_not_promoted() -> None:
    taken = memory("skills/deploy-staging/SKILL.md", "# Deploy\n")
    assert codes(plan(draft(), *runs(5, RunOutcome.SUCCESS), skills=(taken,))) == ["name_taken"]


@pytest.mark.parametrize(
    "answer",
    [
        note(sourceIds=["failures/9"]),
        note(sourceIds=["successes/1"]),
        note(name="another"),
        draft(sourceIds=["failures/1"]),
        draft(sourceIds=[]),
    ],
)
def test_foreign_ids_are_dropped(answer: dict[str, Any]) -> None:
    found = plan(answer, *runs(3), *runs(20, RunOutcome.SUCCESS), skills=(SKILL,))
    assert (found.operations, codes(found)) == ((), ["not_offered"])


@pytest.mark.parametrize(
    "answer", [note(annotation=" "), note(annotation="x" * 5_000), draft(content=""), draft(name="")]
)
def test_garbage_is_dropped(answer: dict[str, Any]) -> None:
    found = plan(answer, *runs(3), *runs(20, RunOutcome.SUCCESS), skills=(SKILL,))
    assert (found.operations, codes(found)) == ((), ["incomplete_action"])


def test_an_empty_answer_changes_nothing() -> None:
    assert plan({}, *runs(3)) == Plan()
