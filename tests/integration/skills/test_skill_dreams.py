"""Dreams over skills on real servers: found in sessions, merged, repaired after a correction, and undone byte for byte."""

from datetime import timedelta

from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, PhaseState
from shared.core.dream.operations import OperationKind
from shared.core.learning.feedback import FeedbackKind, NewFeedback
from shared.core.learning.skill_answers import SkillDraft
from shared.core.questions.question import Question
from shared.services.memories.skills import find_skills, record_skill_use
from shared.services.operations.review import approve_operation
from shared.services.operations.undo import undo_dream
from tests.support.builders import LONG_AGO, a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.session_builders import SAID_AT, tell
from workers.phases.find_skill_gaps.answer import SkillGapAnswer

FIRST = "Summarize the lost parcel claims of this week for the carrier"
AGAIN = "Please summarize the lost parcel claims for the carrier, with totals"
STEPS = "Sort the mail of the warehouse by sender, then answer the oldest one first and file the rest by its month."
SKILLS = {
    "skills/mail/SKILL.md": f"---\nname: mail\ndescription: Sort mail\n---\n\n{STEPS}\n",
    "skills/inbox/SKILL.md": f"{STEPS} Never reply to all.\n",
    "skills/mcp/mail/SKILL.md": "# Mail\n\nCall the mail server.\n",
    "skills/mcp/cal/SKILL.md": "# Calendar\n\nCall the calendar server.\n",
}


def find_a_skill(question: Question) -> BaseModel | None:
    """Answer as a model that sees a recurring request and does not know its steps; the rules answer everything else."""
    if question.phase != "find_skill_gaps":
        return None
    sessions = tuple(document.path for document in question.documents if document.role == "session")
    content = "# Lost parcel claims\n\nSum up the claims of the week for the carrier.\n"
    draft = SkillDraft(name="summarize-lost-parcel-claims", summary="Lost claims", content=content, sessions=sessions)
    return SkillGapAnswer(to_save=(draft,) if len(sessions) > 1 else ())


def kinds(ports: Ports, tenant: str, dream_id: str) -> list[OperationKind]:
    return [op.operation.kind for op in get_operations(ports, tenant, dream_id)]


def names(ports: Ports, tenant: str) -> list[str]:
    return [skill.name for skill in find_skills(ports.db, tenant, "default")]


def index_text(ports: Ports, tenant: str) -> str:
    memories = take_picture(ports, tenant).memories.values()
    return next(m.content for m in memories if m.path == "MEMORY.md" and m.state == "live")


def test_a_request_of_two_sessions_is_proposed_as_a_skill_and_the_index_names_it_once_a_person_wants_it(
    ports: Ports, tenant: str
) -> None:
    tell(ports, tenant, "s1", FIRST)
    first = run_dream(ports, tenant, ScriptedLlm(find_a_skill))
    tell(ports, tenant, "s2", AGAIN, at=SAID_AT + timedelta(days=7))
    second = run_dream(ports, tenant, ScriptedLlm(find_a_skill))
    assert names(ports, tenant) == []
    (proposed,) = [op for op in get_operations(ports, tenant, second.id) if op.operation.phase == "find_skill_gaps"]
    approve_operation(ports.db, ports.ids, tenant, proposed.id, actor="test")
    assert names(ports, tenant) == ["summarize-lost-parcel-claims"]
    tell(ports, tenant, "s3", AGAIN, at=SAID_AT + timedelta(days=8))
    third = run_dream(ports, tenant, ScriptedLlm(find_a_skill))
    assert "- skills/ — 1 skill: summarize-lost-parcel-claims" in index_text(ports, tenant)
    assert OperationKind.CREATE_SKILL not in kinds(ports, tenant, first.id) + kinds(ports, tenant, third.id)


def test_a_proposed_skill_is_not_proposed_again_while_it_waits(ports: Ports, tenant: str) -> None:
    for number, said in enumerate([FIRST, AGAIN, AGAIN]):
        tell(ports, tenant, f"s{number}", said, at=SAID_AT + timedelta(days=number))
    run_dream(ports, tenant, ScriptedLlm(find_a_skill))
    tell(ports, tenant, "s9", AGAIN, at=SAID_AT + timedelta(days=8))
    again = run_dream(ports, tenant, ScriptedLlm(find_a_skill))
    assert OperationKind.CREATE_SKILL not in kinds(ports, tenant, again.id)


def test_overlapping_skills_become_one_and_a_prefix_gets_a_guide_and_undo_restores_every_byte(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, texts(SKILLS, at=LONG_AGO))
    before = take_picture(ports, tenant)
    dream = run_dream(ports, tenant, OfflineLlm())
    assert names(ports, tenant) == ["mail", "mcp/cal", "mcp/guide", "mcp/mail"]
    assert {OperationKind.MERGE_SKILLS, OperationKind.GUIDE_SKILLS, OperationKind.LINK_SKILLS} <= set(
        kinds(ports, tenant, dream.id)
    )
    assert undo_dream(ports.db, tenant, dream.id, actor="test").conflicts == ()
    assert take_picture(ports, tenant) == before


def test_a_second_dream_over_the_same_skills_asks_about_none_of_them(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(SKILLS, at=LONG_AGO))
    run_dream(ports, tenant, OfflineLlm())
    silent = ScriptedLlm()
    second = run_dream(ports, tenant, silent)
    assert not {request.question.phase for request in silent.requests} & {"merge_skills", "repair_skills"}
    assert second.state is DreamState.COMPLETED


def test_a_correction_of_a_session_that_used_a_skill_repairs_it(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"skills/mail/SKILL.md": SKILLS["skills/mail/SKILL.md"]})
    record_skill_use(ports.db, tenant, "default", "mail", "s1")
    with ports.db.transaction(tenant) as uow:
        said = NewFeedback(kind=FeedbackKind.CORRECTION, text="Answer invoices before anything else", session="s1")
        uow.feedback(a_store(ports, tenant).id).add([said])
    dream = run_dream(ports, tenant, OfflineLlm())
    assert OperationKind.REPAIR_SKILL in kinds(ports, tenant, dream.id)
    content = next(m.content for m in take_picture(ports, tenant).memories.values() if m.path == "skills/mail/SKILL.md")
    assert "Answer invoices before anything else" in content
    assert content.startswith(SKILLS["skills/mail/SKILL.md"].rstrip())
    again = run_dream(ports, tenant, OfflineLlm())
    assert OperationKind.REPAIR_SKILL not in kinds(ports, tenant, again.id)


def away(question: Question) -> BaseModel | None:
    if question.phase == "merge_skills":
        msg = "the model is away"
        raise ConnectionError(msg)
    return None


def test_one_phase_that_fails_never_ends_the_others_and_changed_skills_wait_for_the_next_dream(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, texts(SKILLS, at=LONG_AGO))
    dream = run_dream(ports, tenant, ScriptedLlm(away))
    with ports.db.transaction(tenant) as uow:
        states = {run.phase: run.state for run in uow.phases.find_all(dream.id)}
    assert states["merge_skills"] is PhaseState.FAILED
    assert states["repair_skills"] is PhaseState.DONE
    assert states["index"] is PhaseState.DONE
    assert OperationKind.MERGE_SKILLS in kinds(ports, tenant, run_dream(ports, tenant, OfflineLlm()).id)


def test_without_sessions_or_skills_the_phases_are_skipped_with_the_reason(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"api/a.md": "# A\n\nSomething.\n"})
    dream = run_dream(ports, tenant, OfflineLlm())
    with ports.db.transaction(tenant) as uow:
        reasons = {run.phase: (run.state, run.reason) for run in uow.phases.find_all(dream.id)}
    assert reasons["find_skill_gaps"] == (PhaseState.SKIPPED, "no new sessions")
    assert reasons["merge_skills"] == (PhaseState.SKIPPED, "fewer than 2 skills (0)")
    assert reasons["repair_skills"] == (PhaseState.SKIPPED, "no skills")
