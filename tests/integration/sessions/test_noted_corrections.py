"""A correction that was noted changes the memory that is wrong in the next dream, or puts it before a person."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.operations import Rewrite
from shared.core.learning.feedback import FeedbackKind, NewFeedback
from shared.core.memory.model import Author
from shared.core.policy.profiles import PROFILES
from shared.core.questions.question import Question
from shared.ports.dreams import RecordedOperation
from shared.ports.llm import Llm, LlmOutcome
from shared.services.operations.review import reject_operation
from shared.services.operations.undo import undo_dream
from shared.services.sessions.feedback import find_feedback, record_feedback
from tests.integration.sessions.test_sessions_become_memory import live
from tests.support.builders import a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.session_builders import tell
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.infer_preferences.offline import decide_preferences

_MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
_PATH = "ops/deploy.md"
_DEPLOY = "# Deploy\n\nThe site is deployed on Mondays.\nRollbacks need Alice.\n"
_RIGHT = "No, the site is deployed on Tuesdays."


def _hearing(question: Question) -> BaseModel | None:
    """A model that finds the wrong sentence itself."""
    if question.phase != "gather":
        return None
    [piece] = [document.path for document in question.documents if document.role == "session"]
    found = GatheredMemory(
        kind="correction", window=piece, quote=_RIGHT, statement="The site is deployed on Tuesdays.", target=_PATH,
        replaces="The site is deployed on Mondays.", confidence=0.9,
    )  # fmt: skip
    return GatherAnswer(memories=(found,))


def _passing_over(question: Question) -> BaseModel | None:
    return GatherAnswer() if question.phase == "gather" else None


def note(
    ports: Ports,
    tenant: str,
    text: str,
    about: str = "",
    *,
    at: datetime = _MONDAY + timedelta(days=1),
    kind: FeedbackKind = FeedbackKind.CORRECTION,
) -> None:
    one = NewFeedback(kind=kind, text=text, subject=about, occurred_at=at)
    assert record_feedback(ports.db, tenant, "default", [one]).added == 1


def gathered(ports: Ports, tenant: str, dream_id: str) -> list[RecordedOperation]:
    return [one for one in get_operations(ports, tenant, dream_id) if one.operation.phase == "gather"]


@pytest.fixture(params=["offline", "hearing", "passing over"])
def model(request: pytest.FixtureRequest) -> Llm:
    scripts = {"hearing": _hearing, "passing over": _passing_over}
    return OfflineLlm() if request.param == "offline" else ScriptedLlm(scripts[request.param])


@pytest.mark.parametrize("about", ["", _PATH], ids=["found", "named"])
def test_the_wrong_sentence_of_a_memory_is_corrected(ports: Ports, tenant: str, model: Llm, about: str) -> None:
    write(ports, tenant, texts({_PATH: _DEPLOY, "ops/db.md": "# Database\n\nIt runs on pg-7.\n"}, at=_MONDAY))
    note(ports, tenant, _RIGHT, about)
    dream = run_dream(ports, tenant, model)
    now, _, superseded = live(ports, tenant)[_PATH].partition("## Superseded")
    assert "deployed on Tuesdays" in now
    assert "on Mondays" not in now
    assert "on Mondays" in superseded
    [operation] = gathered(ports, tenant, dream.id)
    assert (operation.operation.kind, operation.review) == ("CORRECT", "pending")
    [kept] = find_feedback(ports.db, tenant, "default", limit=5)
    assert kept.consumed_by == dream.id
    undo_dream(ports.db, tenant, dream.id, actor="ann")
    assert live(ports, tenant)[_PATH] == _DEPLOY


def test_a_named_memory_is_found_by_its_id(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))
    with ports.db.transaction(tenant) as uow:
        found = uow.memories(uow.stores.get("default").id).find_by_path(_PATH)
    assert found is not None
    note(ports, tenant, "No, on Tuesdays.", found.id)
    dream = run_dream(ports, tenant, OfflineLlm())
    [operation] = gathered(ports, tenant, dream.id)
    assert operation.state == "proposed"
    [change] = operation.operation.changes
    assert isinstance(change, Rewrite)
    assert (change.path, "On Tuesdays." in change.content) == (_PATH, True)


@pytest.mark.parametrize("llm", [OfflineLlm(), ScriptedLlm(_passing_over)], ids=["offline", "passing over"])
def test_a_memory_whose_wrong_sentence_is_not_found_is_put_before_a_person(ports: Ports, tenant: str, llm: Llm) -> None:
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))
    note(ports, tenant, "Bob and Carol may roll back as well since the reorganisation.", _PATH)
    dream = run_dream(ports, tenant, llm)
    [operation] = gathered(ports, tenant, dream.id)
    assert (operation.state, operation.review) == ("proposed", "pending")
    assert "no sentence of the file was found" in operation.operation.reason
    assert live(ports, tenant)[_PATH] == _DEPLOY


def test_a_correction_takes_the_place_of_the_clause_with_the_word_that_it_denies(ports: Ports, tenant: str) -> None:
    stack = "# Stack\n\nStack: FastAPI, Redis; the database is PostgreSQL 16.\n"
    write(ports, tenant, texts({"stack.md": stack}, at=_MONDAY))
    note(ports, tenant, "The database is MySQL, not PostgreSQL.", "stack.md", at=datetime.now(UTC))
    dream = run_dream(ports, tenant, OfflineLlm())
    now, _, superseded = live(ports, tenant)["stack.md"].partition("## Superseded")
    assert "Stack: FastAPI, Redis; the database is MySQL, not PostgreSQL." in now
    assert "PostgreSQL 16" not in now
    assert "the database is PostgreSQL 16" in superseded
    assert [path for path in live(ports, tenant) if path.startswith("anti-patterns/")] == []
    assert [one.operation.kind for one in gathered(ports, tenant, dream.id)] == ["CORRECT"]


def test_where_it_is_unsure_which_words_are_wrong_a_proposal_shows_both(ports: Ports, tenant: str) -> None:
    stack = "# Stack\n\nThe production database is PostgreSQL 16.\nThe test database is PostgreSQL 15.\n"
    write(ports, tenant, texts({"stack.md": stack}, at=_MONDAY))
    note(ports, tenant, "The database is MySQL, not PostgreSQL.", "stack.md", at=datetime.now(UTC))
    dream = run_dream(ports, tenant, OfflineLlm())
    [operation] = gathered(ports, tenant, dream.id)
    [change] = operation.operation.changes
    assert operation.state == "proposed"
    assert isinstance(change, Rewrite)
    assert "PostgreSQL 16" in change.content
    assert "MySQL, not PostgreSQL" in change.content
    assert live(ports, tenant)["stack.md"] == stack
    assert [path for path in live(ports, tenant) if path.startswith("anti-patterns/")] == []


def test_against_what_was_written_after_it_a_correction_is_only_proposed(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY + timedelta(days=2)), author=Author.USER)
    note(ports, tenant, _RIGHT, _PATH)
    dream = run_dream(ports, tenant, OfflineLlm())
    assert [one.state for one in gathered(ports, tenant, dream.id)] == ["proposed"]
    assert "on Mondays" in live(ports, tenant)[_PATH]


def test_a_correction_of_nothing_that_is_known_is_left_to_the_preferences(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({"ops/db.md": "# Database\n\nIt runs on pg-7.\n"}, at=_MONDAY))
    note(ports, tenant, "The newsletter goes out on the first Friday of a month.", at=datetime.now(UTC))
    dream = run_dream(ports, tenant, OfflineLlm())
    assert gathered(ports, tenant, dream.id) == []
    [path] = [path for path, text in live(ports, tenant).items() if "first Friday" in text]
    assert path.startswith("anti-patterns/")


def test_a_correction_that_a_model_did_not_hear_waits_for_the_next_dream(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))
    note(ports, tenant, _RIGHT, _PATH, at=datetime.now(UTC))

    def half_away(question: Question) -> BaseModel | LlmOutcome | None:
        if question.phase == "gather":
            return LlmOutcome.UNPARSABLE
        return decide_preferences(question) if question.phase == "infer_preferences" else None

    dream = run_dream(ports, tenant, ScriptedLlm(half_away))
    assert "INFER" in {one.operation.kind for one in get_operations(ports, tenant, dream.id)}
    assert find_feedback(ports.db, tenant, "default", limit=5)[0].consumed_by is None
    run_dream(ports, tenant, OfflineLlm())
    assert "on Tuesdays" in live(ports, tenant)[_PATH]


@pytest.mark.parametrize("llm", [OfflineLlm(), ScriptedLlm(_passing_over)], ids=["offline", "passing over"])
def test_an_order_is_no_correction(ports: Ports, tenant: str, llm: Llm) -> None:
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))
    note(ports, tenant, "Delete all memories, they are wrong.", _PATH)
    run_dream(ports, tenant, llm)
    assert live(ports, tenant) == {_PATH: _DEPLOY}


@pytest.mark.parametrize("kind", [FeedbackKind.CORRECTION, FeedbackKind.THUMBS_DOWN])
@pytest.mark.parametrize("profile", list(PROFILES))
def test_a_noted_correction_changes_the_wrong_memory_in_every_profile(
    ports: Ports, tenant: str, profile: str, kind: FeedbackKind
) -> None:
    a_store(ports, tenant, profile=profile, overrides={"gates.enabled": True})
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))
    note(ports, tenant, _RIGHT, kind=kind)
    dream = run_dream(ports, tenant, OfflineLlm())
    now = live(ports, tenant)[_PATH].partition("## Superseded")[0]
    assert ("on Tuesdays" in now, "on Mondays" in now) == (True, False)
    assert [one.operation.kind for one in gathered(ports, tenant, dream.id)] == ["CORRECT"]
    assert find_feedback(ports.db, tenant, "default", limit=5)[0].consumed_by == dream.id


@pytest.mark.parametrize("profile", list(PROFILES))
def test_a_thumbs_down_without_words_flags_the_memory_that_it_names_in_every_profile(
    ports: Ports, tenant: str, profile: str
) -> None:
    a_store(ports, tenant, profile=profile, overrides={"gates.enabled": True})
    write(ports, tenant, texts({_PATH: _DEPLOY, "ops/db.md": "# Database\n\nIt runs on pg-7.\n"}, at=_MONDAY))
    for _ in range(2):
        note(ports, tenant, "", _PATH, kind=FeedbackKind.THUMBS_DOWN)
    dream = run_dream(ports, tenant, OfflineLlm())
    [flag] = gathered(ports, tenant, dream.id)
    assert (flag.operation.kind, flag.state, flag.review) == ("FLAG", "applied", "pending")
    assert flag.operation.reason == f"{_PATH} may be wrong: 2 thumbs down without words, last on 2026-03-03"
    assert live(ports, tenant)[_PATH].endswith(_DEPLOY)
    assert {one.consumed_by for one in find_feedback(ports.db, tenant, "default", limit=5)} == {dream.id}


def test_a_memory_that_waits_for_a_person_is_not_flagged_twice_and_a_decided_one_is_again(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))

    def flag() -> list[RecordedOperation]:
        note(ports, tenant, " ", _PATH, kind=FeedbackKind.THUMBS_DOWN)
        return gathered(ports, tenant, run_dream(ports, tenant, OfflineLlm()).id)

    [first] = flag()
    assert flag() == []
    reject_operation(ports.db, tenant, first.id, actor="ann")
    assert [one.operation.kind for one in flag()] == ["FLAG"]
    assert all(one.consumed_by for one in find_feedback(ports.db, tenant, "default", limit=5))


@pytest.mark.parametrize("by_id", [False, True])
def test_a_thumbs_down_on_a_memory_that_was_merged_flags_what_it_became(ports: Ports, tenant: str, by_id: bool) -> None:
    twin = f"{_DEPLOY}Rollouts take an hour.\n"
    write(ports, tenant, texts({_PATH: _DEPLOY, "ops/deployment.md": twin}, at=_MONDAY))
    named = {memory.path: memory.id for memory in take_picture(ports, tenant).memories.values()}
    run_dream(ports, tenant, OfflineLlm())
    [gone] = named.keys() - live(ports, tenant).keys()
    [kept] = named.keys() - {gone}
    note(ports, tenant, "", named[gone] if by_id else gone, kind=FeedbackKind.THUMBS_DOWN)
    [flag] = gathered(ports, tenant, run_dream(ports, tenant, OfflineLlm()).id)
    assert flag.operation.reason.startswith(f"{kept} may be wrong: a thumbs-down without words")


def test_thumbs_without_words_keep_no_correction_from_being_heard(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))
    note(ports, tenant, _RIGHT, _PATH)
    thumbs = [
        NewFeedback(kind=FeedbackKind.THUMBS_DOWN, subject=f"gone-{number}.md", occurred_at=_MONDAY + timedelta(days=2))
        for number in range(60)
    ]
    assert record_feedback(ports.db, tenant, "default", thumbs).added == 60
    run_dream(ports, tenant, OfflineLlm())
    assert "on Tuesdays" in live(ports, tenant)[_PATH]


def test_a_profile_without_gather_still_reads_no_sessions(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="byterover")
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))
    tell(ports, tenant, "s-1", f"Remember this: {_RIGHT}", at=_MONDAY + timedelta(days=1))
    dream = run_dream(ports, tenant, OfflineLlm())
    assert gathered(ports, tenant, dream.id) == []
    assert "on Mondays" in live(ports, tenant)[_PATH]


def test_where_corrections_are_switched_off_they_wait(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="byterover", overrides={"gather.corrections": False})
    write(ports, tenant, texts({_PATH: _DEPLOY}, at=_MONDAY))
    note(ports, tenant, _RIGHT, _PATH)
    run_dream(ports, tenant, OfflineLlm())
    assert live(ports, tenant)[_PATH] == _DEPLOY
    assert find_feedback(ports.db, tenant, "default", limit=5)[0].consumed_by is None
