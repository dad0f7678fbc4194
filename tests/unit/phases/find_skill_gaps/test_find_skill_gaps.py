"""The find_skill_gaps phase: when it asks, what it shows, and which drafts become skills."""

from datetime import timedelta
from typing import Any

import pytest

from shared.core.dream.operations import OperationKind, Plan
from shared.core.learning.feedback import Feedback, FeedbackKind, Rating
from shared.core.learning.skills import Opening
from shared.core.memory.provenance import read_sources
from shared.core.policy.policy import Policy, SkillsPolicy
from tests.unit.builders import NOW, codes, created, days_ago, memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo
from workers.phases.find_skill_gaps.answer import SkillGapAnswer
from workers.phases.find_skill_gaps.phase import PHASE, Inputs
from workers.phases.prune.answer import PruneAnswer


def opening(session: str, text: str, *, is_new: bool = True, days: float = 1.0) -> Opening:
    return Opening(session_id=session, event_id="e1", text=text, at=days_ago(days), is_new=is_new)


TWO = (opening("s1", "Summarize my email inbox", days=3, is_new=False), opening("s2", "Please summarize new email"))
DRAFT: dict[str, Any] = {
    "name": "summarize-email",
    "summary": "Summarize email into what is to be done",
    "content": "# Email\n\n1. Read it all first.\n2. List what is to be done.\n",
    "sessions": ["s1", "s2"],
}


def read(*openings: Opening) -> Inputs:
    found = PHASE.read(context(memory("skills/deploy/SKILL.md", "Deploy it."), openings=openings))
    assert isinstance(found, Inputs)
    return found


def plan(*drafts: dict[str, Any], inputs: Inputs | None = None, policy: Policy | None = None) -> Plan:
    answer = SkillGapAnswer.model_validate({"toSave": drafts})
    return PHASE.plan(inputs or read(*TWO), {"requests": answer}, around(policy=policy))


@pytest.mark.parametrize(
    ("openings", "reason"),
    [
        ((), "no new sessions"),
        ((TWO[0],), "no new sessions"),
        ((TWO[1],), "fewer than 2 sessions (1)"),
        ((TWO[0], opening("s3", "deploy the gateway")), "no new session begins like another one"),
    ],
)
def test_without_a_new_session_that_begins_like_another_no_model_is_asked(
    openings: tuple[Opening, ...], reason: str
) -> None:
    assert PHASE.read(context(openings=openings)) == NothingToDo(reason)


def test_terms_of_four_letters_in_two_sessions_are_the_signal_the_fifteen_most_frequent_first() -> None:
    many = " ".join(f"term{number}" for number in range(20))
    openings = (opening("s1", f"{many} fix cat"), opening("s2", f"fix cat {many}"), opening("s3", "term7 alone"))
    terms = read(*openings).terms
    assert len(terms) == 15
    assert terms[0] == ("term7", 3)
    assert not {"fix", "cat", "alone"} & {term for term, _ in terms}


def test_a_term_that_one_session_repeats_is_no_signal() -> None:
    found = PHASE.read(
        context(openings=(opening("s1", "email email"), opening("s1", "email"), opening("s2", "what else")))
    )
    assert isinstance(found, NothingToDo)


def test_the_question_shows_the_signal_in_the_published_words_the_first_messages_and_the_skills() -> None:
    (question,) = PHASE.ask(read(*TWO))
    shown = {document.path: document for document in question.documents}
    assert shown["recurring-topics"].text == (
        "Recurring topics across sessions (term frequency ≥ 2 sessions):\n"
        '- "email": 2 session(s)\n- "summarize": 2 session(s)'
    )
    assert {path for path, one in shown.items() if one.role == "session"} == {"s1", "s2"}
    assert shown["deploy"].role == "skill"


def test_feedback_of_14_days_is_shown() -> None:
    def said(text: str, days: float) -> Feedback:
        return Feedback(
            id=text, external_id=text, kind=FeedbackKind.CORRECTION, text=text, rating=Rating.NONE, subject="",
            skill="", session="", occurred_at=days_ago(days),
        )  # fmt: skip

    found = PHASE.read(context(openings=TWO, feedback=[said("shorter please", 13), said("long ago", 15)]))
    assert isinstance(found, Inputs)
    assert found.feedback == ("correction: shorter please",)


def test_a_request_of_two_sessions_becomes_a_skill_with_its_sources_and_a_person_is_asked() -> None:
    (operation,) = plan(DRAFT).operations
    change = created(operation)
    assert operation.kind is OperationKind.CREATE_SKILL
    assert operation.needs_review
    assert "2 sessions" in operation.reason
    assert change.path == "skills/summarize-email/SKILL.md"
    assert [source.session_id for source in read_sources(change.content)] == ["s1", "s2"]


@pytest.mark.parametrize("steps", ["1. Read it.", "2) Read it.", "```\nmail --read\n```"])
def test_a_skill_with_steps_is_written_and_reviewed(steps: str) -> None:
    (operation,) = plan(DRAFT | {"content": f"# Email\n\n## Steps\n\n{steps}\n"}).operations
    assert operation.propose_only is None
    assert operation.needs_review


def test_a_skill_without_steps_waits_for_a_person_who_writes_them() -> None:
    texts = ["# Email\n\nRead it all first.\n", "# Email\n\n## When to use\n\n- 2026-03-04: “read my mail”\n"]
    for text in texts:
        (operation,) = plan(DRAFT | {"content": text}).operations
        assert operation.propose_only == "it has no numbered steps and no commands: a note, not a skill"


@pytest.mark.parametrize("sessions", [["s1"], ["s1", "s1"], ["s1", "foreign"], ["foreign", "other"]])
def test_a_skill_that_fewer_than_two_offered_sessions_ask_for_is_refused(sessions: list[str]) -> None:
    assert codes(plan(DRAFT | {"sessions": sessions})) == ["too_few_sessions"]


def test_a_draft_in_the_published_shape_is_grounded_by_the_terms_that_recur() -> None:
    published = {name: value for name, value in DRAFT.items() if name != "sessions"}
    assert len(plan(published).operations) == 1
    assert codes(plan(published | {"name": "deploy-things", "summary": "Ship it"})) == ["too_few_sessions"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": "deploy"}, "name_taken"),
        ({"name": "../../etc"}, "unsafe_path"),
        ({"name": "Mail Me"}, "unsafe_path"),
        ({"content": " "}, "incomplete_action"),
        ({"content": "---\nname: x\n---\n"}, "incomplete_action"),
        ({"summary": ""}, "incomplete_action"),
        ({"content": "x" * 20_001}, "incomplete_action"),
    ],
)
def test_a_draft_that_is_no_skill_is_refused_with_its_reason(change: dict[str, str], code: str) -> None:
    assert codes(plan(DRAFT | change)) == [code]


def test_a_gap_that_an_existing_skill_covers_gets_no_second_skill() -> None:
    known = memory("skills/mail/SKILL.md", f"---\ndescription: {DRAFT['summary']}\n---\nRead.")
    inputs = PHASE.read(context(known, openings=TWO))
    assert codes(plan(DRAFT, inputs=inputs)) == ["known_already"]


def test_no_more_skills_than_the_policy_allows_are_made_in_one_dream() -> None:
    second = DRAFT | {"name": "email-other", "summary": "Sort the letters by their colour"}
    planned = plan(DRAFT, second, policy=Policy(skills=SkillsPolicy(max_new=1)))
    assert (len(planned.operations), codes(planned)) == (1, ["cap"])


def test_a_missing_or_foreign_answer_changes_nothing_and_an_empty_one_is_fine() -> None:
    assert codes(PHASE.plan(read(*TWO), {}, around())) == ["no_answer"]
    assert codes(PHASE.plan(read(*TWO), {"requests": PruneAnswer()}, around())) == ["no_answer"]
    assert PHASE.plan(read(*TWO), {"requests": SkillGapAnswer()}, around()) == Plan()


def test_the_shown_part_of_a_first_message_is_bounded() -> None:
    long = (opening("s1", "summarize " + "x" * 9_000), opening("s2", "summarize " + "y" * 9_000))
    assert all(len(one.text) <= SkillsPolicy().opening_chars for one in read(*long).openings)
    assert NOW - timedelta(days=1) == long[0].at


def test_a_page_that_two_sessions_begin_with_asks_for_nothing() -> None:
    page = "```\nInstall the monitoring daemon on every laptop first.\n```"
    found = PHASE.read(context(openings=(opening("s1", f"What is it?\n\n{page}"), opening("s2", f"Why?\n\n{page}"))))
    assert isinstance(found, NothingToDo)
