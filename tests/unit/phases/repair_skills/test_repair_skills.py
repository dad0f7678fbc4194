"""The repair_skills phase: who is at risk, what is shown, and what becomes of a better version."""

from typing import Any

import pytest

from shared.core.dream.operations import OperationKind, Plan
from shared.core.learning.feedback import Feedback, FeedbackKind, Rating
from shared.core.learning.skills import SkillUse
from shared.core.memory.model import Memory
from tests.unit.builders import NOW, codes, days_ago, memory, rewrites
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo
from workers.phases.prune.answer import PruneAnswer
from workers.phases.repair_skills.answer import RepairSkillsAnswer
from workers.phases.repair_skills.phase import PHASE, Inputs

TEXT = (
    "---\nname: deploy\ndescription: Deploy it\n---\n\nDeploy to port 8443, then wait. "
    + "Look at the log. " * 15
    + "\n"
)
BETTER = TEXT.partition("---\n\n")[2].rstrip() + " Ask before the freeze.\n"


def skill(name: str = "deploy", text: str = TEXT, *, days: float = 10, **values: Any) -> Memory:
    return memory(f"skills/{name}/SKILL.md", text, untouched_days=days, **values)


def said(
    kind: FeedbackKind, text: str = "ask before the freeze", *, rating: Rating = Rating.NONE, session: str = "s1",
    about: str = "", days: float = 1,
) -> Feedback:  # fmt: skip
    return Feedback(
        id="f", external_id="f", kind=kind, text=text, rating=rating, subject="", skill=about, session=session,
        occurred_at=days_ago(days),
    )  # fmt: skip


USED = (SkillUse(skill="deploy", session="s1", used_at=days_ago(2)),)


def read(*memories: Memory, feedback: tuple[Feedback, ...] = (), **values: Any) -> Inputs | NothingToDo:
    found = PHASE.read(context(*memories, feedback=feedback, uses=USED, **values))
    assert isinstance(found, Inputs | NothingToDo)
    return found


def patients(found: Inputs | NothingToDo) -> list[str]:
    return [one.name for one in found.patients] if isinstance(found, Inputs) else []


def plan(inputs: Inputs | NothingToDo, *drafts: dict[str, Any], delete: tuple[str, ...] = ()) -> Plan:
    answer = RepairSkillsAnswer.model_validate({"toDelete": delete, "toSave": drafts})
    return PHASE.plan(inputs, {"skills": answer}, around())


CORRECTED = (said(FeedbackKind.CORRECTION),)


def test_without_skills_or_anything_at_risk_or_sparse_there_is_no_call() -> None:
    assert read(memory("api/a.md")) == NothingToDo("no skills")
    assert read(skill()) == NothingToDo("no skill is at risk or sparse")


@pytest.mark.parametrize(
    ("feedback", "is_at_risk"),
    [
        (said(FeedbackKind.CORRECTION), True),
        (said(FeedbackKind.THUMBS_DOWN, ""), True),
        (said(FeedbackKind.SESSION_SUMMARY, rating=Rating.POOR), True),
        (said(FeedbackKind.SESSION_SUMMARY, rating=Rating.FAIR), True),
        (said(FeedbackKind.SESSION_SUMMARY, rating=Rating.GOOD), False),
        (said(FeedbackKind.THUMBS_UP), False),
        (said(FeedbackKind.TOOL_FAILURE), False),
        (said(FeedbackKind.CORRECTION, session="another"), False),
        (said(FeedbackKind.CORRECTION, session="another", about="deploy"), True),
        (said(FeedbackKind.CORRECTION, about="another"), False),
        (said(FeedbackKind.CORRECTION, days=20), False),
    ],
)
def test_corrections_thumbs_down_and_poor_or_fair_sessions_put_the_skills_they_used_at_risk(
    feedback: Feedback, is_at_risk: bool
) -> None:
    assert patients(read(skill(days=30), feedback=(feedback,))) == (["deploy"] if is_at_risk else [])


def test_a_skill_that_was_rewritten_since_is_not_at_risk_any_more() -> None:
    assert patients(read(skill(days=0.5), feedback=CORRECTED)) == []


def test_a_sparse_skill_is_shown_with_the_review_note_and_a_skill_at_risk_with_what_went_wrong() -> None:
    found = read(skill(), skill("short", "Short."), feedback=CORRECTED)
    assert isinstance(found, Inputs)
    risky, sparse = PHASE.ask(found)[0].documents
    assert risky.facts == (f"{days_ago(1).date()} correction: ask before the freeze",)
    assert sparse.text.endswith(
        "### Review note: This skill has minimal content.\nExpand it with concrete steps, examples, and edge cases."
    )


def test_a_sparse_skill_is_looked_at_once_it_is_sparse_and_then_once_in_seven_days() -> None:
    short = skill("short", "Short.", days=10)  # sparse for three days
    assert patients(read(short, last_dream_at=days_ago(4))) == ["short"]
    assert patients(read(short, last_dream_at=days_ago(2))) == []
    older = skill("short", "Short.", days=15)  # sparse for eight days: a week ended yesterday
    assert patients(read(older, last_dream_at=days_ago(2))) == ["short"]
    assert patients(read(older, last_dream_at=days_ago(0.5))) == []
    assert patients(read(skill("short", "Short.", days=6), last_dream_at=NOW)) == []


def test_a_better_version_replaces_the_text_and_keeps_the_frontmatter_and_a_person_is_asked() -> None:
    (operation,) = plan(read(skill(), feedback=CORRECTED), {"name": "deploy", "content": BETTER}).operations
    (change,) = rewrites(operation).values()
    assert operation.kind is OperationKind.REPAIR_SKILL
    assert operation.needs_review
    assert operation.propose_only is None
    assert change.content == TEXT.rstrip() + " Ask before the freeze.\n"


def test_a_repair_without_a_reason_of_its_own_does_not_read_as_done_while_a_person_is_asked() -> None:
    (operation,) = plan(read(skill(), feedback=CORRECTED), {"name": "deploy", "content": BETTER}).operations
    assert operation.reason.startswith(f"Repair {skill().path} (")


def test_a_repair_that_loses_a_specific_is_dropped_or_where_a_user_corrected_it_proposed() -> None:
    lossy = {"name": "deploy", "content": "Deploy, then wait."}
    (operation,) = plan(read(skill(), feedback=CORRECTED), lossy).operations
    assert operation.propose_only is not None
    assert "8443" in operation.propose_only
    sparse = read(skill("short", "Use port 8443."))
    assert codes(plan(sparse, {"name": "short", "content": "Use a port."})) == ["coverage"]


def test_nothing_is_deleted_here() -> None:
    planned = plan(read(skill(), feedback=CORRECTED), delete=("deploy",))
    assert (planned.operations, codes(planned)) == ((), ["deletion_without_replacement"])


def test_foreign_names_garbage_and_emptiness_change_nothing() -> None:
    inputs = read(skill(), feedback=CORRECTED)
    for name in ("foreign", "../x", ""):
        assert codes(plan(inputs, {"name": name, "content": BETTER})) == ["not_offered"]
    assert codes(plan(inputs, {"name": "deploy", "content": " "})) == ["incomplete_action"]
    assert codes(plan(inputs, {"name": "deploy", "content": TEXT})) == ["nothing_changed"]
    assert codes(plan(inputs, *[{"name": "deploy", "content": BETTER}] * 2)) == ["already_merged"]
    assert codes(PHASE.plan(inputs, {}, around())) == ["no_answer"]
    assert codes(PHASE.plan(inputs, {"skills": PruneAnswer()}, around())) == ["no_answer"]
    assert plan(inputs) == Plan()
