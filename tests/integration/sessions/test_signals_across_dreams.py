"""Signals add up over several dreams: shares of runs, complaints about a skill, requests among many others."""

from datetime import timedelta

from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.dream.orders import DreamOrder, OutputBehavior
from shared.core.learning.feedback import FeedbackKind, NewFeedback, NewRun, RunOutcome
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.memory.provenance import read_sources
from shared.core.questions.question import Question
from shared.services.memories.skills import record_skill_use
from shared.services.orders import order_dream
from shared.services.sessions.feedback import record_feedback, record_workflow_runs
from tests.support.builders import a_store, get_operations, run_dream, take_picture, write
from tests.support.session_builders import SAID_AT, tell
from workers.phases.merge_skills.answer import MergeSkillsAnswer

DEPLOY = "---\nname: deploy\ndescription: Deploys\n---\n\n# Deploy\n\n1. push the image\n"
BAKE = "---\nname: bake\ndescription: Bakes\n---\n\n# Bake\n\n1. mix the flour\n"


def kinds(ports: Ports, tenant: str, dream_id: str) -> list[OperationKind]:
    return [op.operation.kind for op in get_operations(ports, tenant, dream_id)]


def a_run(outcome: RunOutcome) -> NewRun:
    is_failure = outcome is RunOutcome.FAILURE
    return NewRun(
        description="Deploy the portal", steps=("build the image", "push the image"), outcome=outcome,
        classification="timeout" if is_failure else "", error="no answer after 30 s" if is_failure else "",
    )  # fmt: skip


def test_failures_that_a_dream_has_learnt_from_still_count_for_the_share_of_successes(
    ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant)
    record_workflow_runs(ports.db, tenant, "default", [a_run(RunOutcome.FAILURE)] * 3)
    assert OperationKind.ANNOTATE in kinds(ports, tenant, run_dream(ports, tenant, OfflineLlm()).id)
    record_workflow_runs(ports.db, tenant, "default", [a_run(RunOutcome.SUCCESS)] * 5)
    five_of_eight = run_dream(ports, tenant, OfflineLlm())
    assert OperationKind.PROMOTE not in kinds(ports, tenant, five_of_eight.id)
    record_workflow_runs(ports.db, tenant, "default", [a_run(RunOutcome.SUCCESS)] * 8)
    thirteen_of_sixteen = run_dream(ports, tenant, OfflineLlm())
    assert OperationKind.PROMOTE in kinds(ports, tenant, thirteen_of_sixteen.id)


def test_a_complaint_about_a_skill_is_heard_although_the_same_dream_has_linked_the_skill(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, {"skills/deploy/SKILL.md": DEPLOY, "skills/bake/SKILL.md": BAKE})
    record_skill_use(ports.db, tenant, "default", "deploy", "s1")
    said = NewFeedback(kind=FeedbackKind.CORRECTION, text="Drain the workers before you push", session="s1")
    record_feedback(ports.db, tenant, "default", [said])

    def answer(question: Question) -> BaseModel | None:
        if question.phase != "merge_skills":
            return None
        return MergeSkillsAnswer.model_validate(
            {"toSave": [{"name": "deploy", "summary": "", "content": "", "seeAlso": ["bake"]}]}
        )

    linking = ScriptedLlm(answer)
    dream = run_dream(ports, tenant, linking)
    assert OperationKind.LINK_SKILLS in kinds(ports, tenant, dream.id)
    assert "repair_skills" in {request.question.phase for request in linking.requests}


def test_a_request_of_two_sessions_is_noticed_among_many_that_share_more_frequent_words(
    ports: Ports, tenant: str
) -> None:
    words = (
        "alpha bravo charlie delta foxtrot hotel india juliett kilo lima november oscar papa quebec romeo sierra tango"
    )
    for number in range(3):
        tell(ports, tenant, f"b{number}", f"Words: {words}", at=SAID_AT + timedelta(hours=number))
    run_dream(ports, tenant, OfflineLlm())
    for number in range(2):
        tell(ports, tenant, f"s{number}", "Reconcile the ledger exports", at=SAID_AT + timedelta(days=1 + number))
    asked = ScriptedLlm()
    run_dream(ports, tenant, asked)
    assert "find_skill_gaps" in {request.question.phase for request in asked.requests}


def test_a_wish_of_another_day_strengthens_the_one_memory_of_it(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "m1", "Please use tabs for indentation in Makefiles instead of spaces.")
    run_dream(ports, tenant, OfflineLlm())
    [first] = live_wishes(ports, tenant)
    tell(
        ports, tenant, "m2", "Again: please use tabs for indentation in Makefiles instead of spaces!!",
        at=SAID_AT + timedelta(days=1),
    )  # fmt: skip
    second = run_dream(ports, tenant, OfflineLlm())
    assert OperationKind.INFER not in kinds(ports, tenant, second.id)
    [again] = live_wishes(ports, tenant)
    assert again.path == first.path
    assert again.signals.reinforcement_count > first.signals.reinforcement_count
    assert [source.session_id for source in read_sources(again.content)] != [
        source.session_id for source in read_sources(first.content)
    ]
    assert body_of(again.content) == body_of(first.content)


def live_wishes(ports: Ports, tenant: str) -> list[Memory]:
    live = [one for one in take_picture(ports, tenant).memories.values() if one.state == "live"]
    return [one for one in live if "abs for indentation" in one.content and kind_of(one.path) is MemoryKind.TOPIC]


def shown_to_infer(ports: Ports, tenant: str, *, dream_id: str | None = None) -> list[str]:
    """Run a dream; return the pieces of sessions that the phase was asked about, without their heads."""
    asked = ScriptedLlm()
    run_dream(ports, tenant, asked, dream_id=dream_id)
    questions = [request.question for request in asked.requests if request.question.phase == "infer_preferences"]
    pieces = [one for question in questions for one in question.documents if one.role == "session"]
    return [one.text.partition(": ")[2] for one in pieces]


WISH = "Please use tabs for indentation in Makefiles instead of spaces."


def test_a_wish_is_shown_beside_what_was_said_like_it_in_the_30_days_before_and_nothing_else(
    ports: Ports, tenant: str
) -> None:
    like, unlike = "I prefer tabs in Makefiles.", "I prefer answers in French."
    tell(ports, tenant, "long-ago", "Always use tabs for indentation in a Makefile.", at=SAID_AT - timedelta(days=31))
    tell(ports, tenant, "before", like, unlike, at=SAID_AT - timedelta(days=3))
    tell(
        ports, tenant, "no-wish", "The Makefiles have tabs and spaces for indentation.", at=SAID_AT - timedelta(days=2)
    )
    run_dream(ports, tenant, ScriptedLlm())
    tell(ports, tenant, "today", WISH)
    assert shown_to_infer(ports, tenant) == [WISH, like]


def test_an_earlier_wish_is_not_asked_about_on_its_own(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "before", WISH)
    run_dream(ports, tenant, ScriptedLlm())
    tell(ports, tenant, "today", "The Makefiles have tabs and spaces for indentation.", at=SAID_AT + timedelta(days=1))
    assert shown_to_infer(ports, tenant) == []


def test_a_dream_over_chosen_sessions_reads_no_wish_of_another_one(ports: Ports, tenant: str) -> None:
    before = tell(ports, tenant, "before", "I prefer tabs in Makefiles.", at=SAID_AT - timedelta(days=3))
    today = tell(ports, tenant, "today", WISH)
    assert before.id != today.id
    wanted = DreamOrder(
        dream_id="", input_store_id=a_store(ports, tenant).id, behavior=OutputBehavior.UPDATE_EXISTING,
        session_ids=(today.id,), model="any",
    )  # fmt: skip
    queued, _ = order_dream(ports.db, ports.ids, tenant, wanted)
    assert shown_to_infer(ports, tenant, dream_id=queued.id) == [WISH]
