"""Preferences and lessons from runs on real servers: seen in the store, marked as used, undone whole."""

from datetime import timedelta

import pytest
from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, OperationState, PhaseState
from shared.core.dream.operations import OperationKind
from shared.core.dream.orders import DreamOrder, OutputBehavior
from shared.core.learning.feedback import FeedbackKind, NewFeedback, NewRun, RunOutcome
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.memory.provenance import read_sources
from shared.core.policy.policy import Autonomy
from shared.core.questions.question import Question
from shared.ports.llm import Llm, LlmOutcome
from shared.services.operations.undo import undo_dream
from shared.services.orders import order_dream
from shared.services.sessions.feedback import record_feedback, record_workflow_runs
from shared.settings import Settings
from tests.integration.tenancy.retention_support import open_owner
from tests.support.builders import a_store, get_operations, run_dream, take_picture, write
from tests.support.session_builders import SAID_AT, tell
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.infer_preferences.answer import InferAnswer, InferredMemory
from workers.phases.learn_from_workflows.answer import WorkflowAnswer

RAGE = "For the last time: always use tabs for indentation in Makefiles, never spaces!"
SKILL = "---\nname: deploy\ndescription: Deploys\n---\n\n# Deploy\n\n1. push the image\n"


def live(ports: Ports, tenant: str) -> dict[str, Memory]:
    return {m.path: m for m in take_picture(ports, tenant).memories.values() if m.state == "live"}


def under(ports: Ports, tenant: str, folder: str) -> list[str]:
    return [path for path in live(ports, tenant) if path.startswith(folder)]


def phase_of(ports: Ports, tenant: str, dream_id: str, name: str) -> tuple[PhaseState, str]:
    with ports.db.transaction(tenant) as uow:
        (run,) = [run for run in uow.phases.find_all(dream_id) if run.phase == name]
        return run.state, run.reason


def unused(ports: Ports, tenant: str) -> tuple[int, int]:
    store = a_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        feedback = uow.feedback(store.id).find(limit=100, only_unused=True)
        return len(feedback), len(uow.workflows(store.id).find(limit=100, only_unused=True))


def a_correction(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    said = NewFeedback(
        kind=FeedbackKind.CORRECTION, text="Do not restart the queue before the workers are drained.", subject="ops"
    )
    assert record_feedback(ports.db, tenant, "default", [said]).added == 1


def some_runs(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    failed = NewRun(
        description="Deploy the portal", steps=("build the image", "push the image"), outcome=RunOutcome.FAILURE,
        classification="timeout", error="no answer after 30 s", skills=("deploy",),
    )  # fmt: skip
    passed = NewRun(description="Rotate the staging logs", steps=("log in to stage-2", "run logrotate -f"))
    assert record_workflow_runs(ports.db, tenant, "default", [*[failed] * 3, *[passed] * 6]).added == 9


def test_one_very_irritated_sentence_is_a_preference_and_undo_takes_it_back(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="rockbot")
    tell(ports, tenant, "s1", "please fix the build", RAGE)
    before = take_picture(ports, tenant)
    dream = run_dream(ports, tenant, OfflineLlm())
    assert dream.state is DreamState.COMPLETED
    (path,) = under(ports, tenant, "user-preferences/inferred/")
    assert "always use tabs" in live(ports, tenant)[path].content
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    after = take_picture(ports, tenant)
    assert {i: m for i, m in after.memories.items() if m.state == "live"} == before.memories
    assert after.cursors == before.cursors


def test_a_casual_wish_needs_three_places(ports: Ports, tenant: str) -> None:
    casual = "I prefer short summaries with bullet points."
    a_store(ports, tenant, profile="rockbot")
    for number in (1, 2):
        tell(ports, tenant, f"s{number}", casual)
    run_dream(ports, tenant, OfflineLlm())
    assert under(ports, tenant, "user-preferences/inferred/") == []
    other = f"{tenant}b"
    a_store(ports, other, profile="rockbot")
    for number in (1, 2, 3):
        tell(ports, other, f"s{number}", casual)
    run_dream(ports, other, OfflineLlm())
    assert len(under(ports, other, "user-preferences/inferred/")) == 1


def _answering(question: Question) -> BaseModel | None:
    """A model that files a wish in its own place, and infers it in other words as well."""
    pieces = [one.path for one in question.documents if one.role == "session"]
    shout = "NEVER push to main without asking me!!"
    said = f"The user wants: {shout}"
    if question.phase == "gather":
        found = [
            GatheredMemory(kind=kind, window=piece, quote=shout, statement=said, title="Pushes", confidence=0.9)
            for piece in pieces
            for kind in ("save", "preference")
        ]
        return GatherAnswer(memories=tuple(found))
    if question.phase == "infer_preferences":
        wish = InferredMemory(
            content="Ask for approval first.", title="Approval", source_ids=tuple(pieces), quotes=(shout,),
            sentiment="very_irritated", confidence=0.9,
        )  # fmt: skip
        return InferAnswer(to_save=(wish,))
    return None


@pytest.mark.parametrize("profile", ["default", "claude-code", "rockbot"])
@pytest.mark.parametrize("llm", [OfflineLlm(), ScriptedLlm(_answering)], ids=["rules", "model"])
def test_a_wish_that_is_repeated_over_sessions_is_one_memory_and_a_plain_sentence(
    ports: Ports, tenant: str, llm: Llm, profile: str
) -> None:
    a_store(ports, tenant, profile=profile)
    shout = "NEVER push to main without asking me!!"
    for number in (1, 2, 3):
        tell(ports, tenant, f"s{number}", "please fix the build", shout, at=SAID_AT + timedelta(days=number))
        run_dream(ports, tenant, llm)
    holding = [one for one in live(ports, tenant).values() if "push" in one.content and "_index" not in one.path]
    [wish] = [one for one in holding if one.path != "MEMORY.md"]
    assert body_of(wish.content).strip().endswith("Never push to main without asking me.")
    assert {source.quote for source in read_sources(wish.content)} == {shout}
    if profile == "rockbot" and isinstance(llm, OfflineLlm):
        assert wish.path.startswith("user-preferences/inferred/")


def test_a_wish_that_waits_as_a_proposal_is_proposed_once(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, autonomy=Autonomy.PROPOSE)
    for number in (1, 2):
        tell(ports, tenant, f"s{number}", RAGE, at=SAID_AT + timedelta(days=number))
        dream = run_dream(ports, tenant, OfflineLlm())
        learnt = [
            op
            for op in get_operations(ports, tenant, dream.id)
            if op.operation.phase in {"gather", "infer_preferences"}
        ]
        assert len(learnt) == (1 if number == 1 else 0)


def test_a_wish_about_credentials_is_only_proposed(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="rockbot")
    tell(ports, tenant, "s1", "For the last time: never print passwords in the logs, always mask the password!")
    dream = run_dream(ports, tenant, OfflineLlm())
    assert under(ports, tenant, "user-preferences/inferred/") == []
    (proposed,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.kind is OperationKind.INFER]
    assert proposed.state is OperationState.PROPOSED


def test_a_correction_is_used_once_and_given_back_by_undo(ports: Ports, tenant: str) -> None:
    a_correction(ports, tenant)
    dream = run_dream(ports, tenant, OfflineLlm())
    assert len(under(ports, tenant, "anti-patterns/ops/")) == 1
    assert unused(ports, tenant) == (0, 0)
    again = run_dream(ports, tenant, OfflineLlm())
    state, reason = phase_of(ports, tenant, again.id, "infer_preferences")
    assert (state, reason) == (PhaseState.SKIPPED, "nothing that users said or that feedback says shows a wish")
    undo_dream(ports.db, tenant, again.id, actor="a test")
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert unused(ports, tenant) == (1, 0)


def test_feedback_older_than_a_week_is_not_looked_at(ports: Ports, settings: Settings, tenant: str) -> None:
    a_correction(ports, tenant)
    with open_owner(settings) as owner:
        owner.execute("UPDATE feedback SET occurred_at = now() - interval '8 days' WHERE tenant_id = %s", [tenant])
    run_dream(ports, tenant, OfflineLlm())
    assert under(ports, tenant, "anti-patterns/") == []


def test_an_unratified_preference_is_archived_after_30_days_and_can_be_restored(
    ports: Ports, settings: Settings, tenant: str
) -> None:
    a_store(ports, tenant, profile="rockbot")
    tell(ports, tenant, "s1", RAGE)
    run_dream(ports, tenant, OfflineLlm())
    (path,) = under(ports, tenant, "user-preferences/inferred/")
    with open_owner(settings) as owner:
        owner.execute("UPDATE memories SET created_at = created_at - interval '31 days' WHERE tenant_id = %s", [tenant])
    dream = run_dream(ports, tenant, OfflineLlm())
    assert path not in live(ports, tenant)
    (gone,) = [op for op in get_operations(ports, tenant, dream.id) if op.operation.phase == "infer_preferences"]
    assert gone.operation.reason.startswith("unratified")
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert path in live(ports, tenant)


def test_runs_teach_a_skill_and_propose_another_and_undo_takes_all_back(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"skills/deploy/SKILL.md": SKILL})
    some_runs(ports, tenant)
    before = live(ports, tenant)
    dream = run_dream(ports, tenant, OfflineLlm())
    skill = live(ports, tenant)["skills/deploy/SKILL.md"]
    assert skill.content.startswith(SKILL)
    assert "no answer after 30 s" in skill.content
    found = [op for op in get_operations(ports, tenant, dream.id) if op.operation.phase == "learn_from_workflows"]
    assert {(op.operation.kind, op.state) for op in found} == {
        (OperationKind.ANNOTATE, OperationState.APPLIED),
        (OperationKind.PROMOTE, OperationState.PROPOSED),
    }
    assert unused(ports, tenant) == (0, 0)
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert live(ports, tenant)["skills/deploy/SKILL.md"].content == before["skills/deploy/SKILL.md"].content
    assert unused(ports, tenant) == (0, 9)


def test_without_feedback_words_or_runs_both_phases_say_why_they_are_skipped(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"web/a.md": "# A\n\nThe login page signs its cookies.\n"})
    dream = run_dream(ports, tenant, OfflineLlm())
    assert phase_of(ports, tenant, dream.id, "infer_preferences")[0] is PhaseState.SKIPPED
    assert phase_of(ports, tenant, dream.id, "learn_from_workflows") == (PhaseState.SKIPPED, "no new workflow runs")


@pytest.mark.parametrize("phase", ["infer_preferences", "learn_from_workflows"])
def test_a_model_that_gives_no_answer_leaves_the_signals_for_the_next_dream(
    ports: Ports, tenant: str, phase: str
) -> None:
    a_correction(ports, tenant)
    some_runs(ports, tenant)
    dream = run_dream(ports, tenant, ScriptedLlm({phase: LlmOutcome.UNPARSABLE}))
    state, reason = phase_of(ports, tenant, dream.id, phase)
    assert (state, reason.startswith("no answer from the model")) == (PhaseState.FAILED, True)
    assert unused(ports, tenant) == (1, 9)


def test_a_wish_about_which_a_model_gave_no_answer_is_shown_again_and_no_other_question_is_asked_again(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, profile="rockbot")
    tell(ports, tenant, "s1", "please fix the build", RAGE)
    shown: list[str] = []
    gathered: list[str] = []

    def answer(question: Question) -> BaseModel | LlmOutcome | None:
        if question.phase == "gather":
            gathered.append(question.key)
            return GatherAnswer()
        if question.phase != "infer_preferences":
            return None
        shown.extend(one.text for one in question.documents if one.role == "session")
        return LlmOutcome.FAILED if len(shown) <= 2 else InferAnswer()

    first = run_dream(ports, tenant, ScriptedLlm(answer))
    assert phase_of(ports, tenant, first.id, "infer_preferences")[0] is PhaseState.FAILED
    run_dream(ports, tenant, ScriptedLlm(answer))
    tell(ports, tenant, "s2", "please fix the portal", "I prefer short names.")
    run_dream(ports, tenant, ScriptedLlm(answer))
    assert [RAGE in text for text in shown] == [True, True, False, True]
    assert len(gathered) == 2, "one question about each session"
    run_dream(ports, tenant, ScriptedLlm(answer))
    assert len(shown) == 4


def test_an_unanswered_wish_outlives_a_dream_over_chosen_sessions(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", "please fix the build", RAGE)
    run_dream(ports, tenant, ScriptedLlm({"infer_preferences": LlmOutcome.FAILED}))
    other = tell(ports, tenant, "s2", "please fix the portal", "I prefer short names.")
    wanted = DreamOrder(
        dream_id="", input_store_id=a_store(ports, tenant).id, behavior=OutputBehavior.UPDATE_EXISTING,
        session_ids=(other.id,), model="any",
    )  # fmt: skip
    queued, _ = order_dream(ports.db, ports.ids, tenant, wanted)
    run_dream(ports, tenant, ScriptedLlm(), dream_id=queued.id)
    asked = ScriptedLlm()
    run_dream(ports, tenant, asked)
    shown = [
        document.text
        for request in asked.requests
        if request.question.phase == "infer_preferences"
        for document in request.question.documents
    ]
    assert sum(RAGE in text for text in shown) == 1


def test_a_window_of_feedback_is_at_most_fifty(ports: Ports, tenant: str) -> None:
    asked: list[int] = []
    thumbs = [NewFeedback(kind=FeedbackKind.THUMBS_UP)] * 60
    a_store(ports, tenant)
    record_feedback(ports.db, tenant, "default", thumbs)

    def answer(question: object) -> InferAnswer | WorkflowAnswer | None:
        if getattr(question, "phase", "") == "infer_preferences":
            asked.append(len(getattr(question, "documents", ())))
            return InferAnswer()
        return None

    run_dream(ports, tenant, ScriptedLlm(answer))
    assert asked == [50]
