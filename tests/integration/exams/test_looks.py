"""A look in a dream: an old note of which a model sees only the title is opened on demand, once, and mended."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, OperationState, PhaseRun
from shared.core.dream.operations import OperationKind
from shared.core.questions.question import Question
from shared.model_endpoint import name_examined
from shared.ports.llm import LlmOutcome
from shared.services.dreams.read import get_dream_view
from shared.services.exams.results import set_exam
from tests.integration.batches.batch_support import finish_in_rounds, go, sent_twice, with_batches
from tests.integration.exams.exam_support import with_exams
from tests.integration.failures.crash_support import Crash, CrashingDatabase, let_lapse
from tests.support.builders import a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.model.batch_server import a_batch_server, succeeded
from workers.phases.revise.answer import UpdateAnswer

NEWS = "# Work of 2 March\n\nThe gateway allows 600 requests a minute now.\n"
OLD = "# Limits of ours\n\nThe gateway allows 60 requests a minute. Bursts are allowed.\n"
#: Nearer to the news by their words than the old note, so that they are shown in its place.
NEAR = {
    f"gateway/{number:02}.md": f"# Gateway of 2 March, line {number}\n\nMinute {number} of the work of March: the gateway allows "
    f"requests by line {number}. {f'Line {number} of the gateway is minuted in March. ' * 6}"
    for number in range(20)
}
FAR = {
    f"trees/{number:03}.md": f"# Row {number}\n\nIn row {number} stand {number + 3} trees, planted by hand.\n"
    for number in range(180)
}
STORE = {"archive/limits.md": OLD, **NEAR, **FAR}


class Reader:
    """A sensible model: it looks where a title may hold what the news changed, and mends what it then sees."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, question: Question) -> BaseModel | None:
        if question.answer_type is not UpdateAnswer:
            return None
        self.asked.append(question.key)
        by_path = {one.path: one for one in question.documents}
        new = re.search(r"\[(\w+)\] The gateway allows 600", by_path["notes/2026-03-02.md"].text)
        assert new
        old = by_path.get("archive/limits.md")
        return UpdateAnswer.model_validate(say(new[1], old.text if old is not None and not old.excerpt else ""))


def say(new: str, old: str) -> dict[str, Any]:
    if found := re.search(r"\[(\w+)\] The gateway allows 60 ", old):
        wanted = {
            "old": found[1],
            "by": [new],
            "write": "The gateway allows 600 requests a minute.",
            "confidence": 0.95,
        }
        return {"updates": [wanted]}
    return {"look": {"files": ["archive/limits.md", "archive/none.md"], "by": [new]}}


@pytest.fixture
def looking(ports: Ports, tenant: str) -> Callable[..., Ports]:
    """Ports over a store that does not fit, of which one note has changed, with a model that has passed or has not."""

    def make(passed: bool) -> Ports:
        a_store(ports, tenant, overrides={"phases.consolidate": False, "phases.synthesize": False})
        write(ports, tenant, texts(STORE))
        run_dream(ports, tenant, ScriptedLlm())
        write(ports, tenant, texts({"notes/2026-03-02.md": NEWS}))
        with ports.db.transaction(tenant) as uow:
            examined = name_examined(ports.settings, uow.stores.get_tenant(), uow.stores.get("default"), "scripted")
        set_exam(ports, tenant, examined, passed=passed, why="a test", actor="bo")
        return with_exams(ports)

    return make


def text_of(ports: Ports, tenant: str) -> str:
    return next(m.content for m in take_picture(ports, tenant).memories.values() if m.path == "archive/limits.md")


def revise_of(ports: Ports, tenant: str, dream_id: str) -> PhaseRun:
    return next(one for one in get_dream_view(ports.db, tenant, dream_id).phases if one.phase == "revise")


def test_a_stale_value_in_an_old_note_of_200_is_mended_after_a_look(looking: Callable[..., Ports], tenant: str) -> None:
    ports, reader = looking(True), Reader()
    dream = run_dream(ports, tenant, ScriptedLlm(reader))
    assert reader.asked == ["store", "store/look"]
    current, superseded = text_of(ports, tenant).split("## Superseded")
    assert "The gateway allows 600 requests a minute. Bursts are allowed." in current
    assert "“The gateway allows 60 requests a minute.”" in superseded
    counts = revise_of(ports, tenant, dream.id).counts
    assert (counts["opened"], counts["skip_not_offered"]) == (1, 1)


def test_a_model_that_has_not_passed_may_look_and_only_proposes(looking: Callable[..., Ports], tenant: str) -> None:
    ports, reader = looking(False), Reader()
    dream = run_dream(ports, tenant, ScriptedLlm(reader))
    assert reader.asked == ["store", "store/look"]
    assert text_of(ports, tenant) == OLD
    updates = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.UPDATE]
    assert [one.state for one in updates] == [OperationState.PROPOSED]


def test_what_a_look_was_to_mend_is_asked_about_again_by_the_next_dream_if_the_second_question_has_no_answer(
    looking: Callable[..., Ports], tenant: str
) -> None:
    ports, reader = looking(True), Reader()

    def refuse(question: Question) -> BaseModel | LlmOutcome | None:
        return LlmOutcome.REFUSED if question.key == "store/look" else reader(question)

    run_dream(ports, tenant, ScriptedLlm(refuse))
    assert text_of(ports, tenant) == OLD
    run_dream(ports, tenant, ScriptedLlm(reader))
    assert reader.asked == ["store", "store", "store/look"]
    assert "600 requests" in text_of(ports, tenant)


def test_a_worker_that_dies_before_the_second_answer_asks_only_the_second_question_again(
    looking: Callable[..., Ports], tenant: str, owner_connection: psycopg.Connection
) -> None:
    ports, first, second = looking(True), Reader(), Reader()

    def die(question: Question) -> BaseModel | None:
        if question.key == "store/look":
            raise Crash
        return first(question)

    with pytest.raises(Crash):
        run_dream(ports, tenant, ScriptedLlm(die))
    resume(ports, tenant, owner_connection, second)
    assert (first.asked, second.asked) == (["store"], ["store/look"])
    assert "600 requests" in text_of(ports, tenant)


def resume(ports: Ports, tenant: str, owner: psycopg.Connection, reader: Reader) -> None:
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.find_recent(limit=1)[0]
    let_lapse(owner, dream.id)
    ended = run_dream(ports, tenant, ScriptedLlm(reader), dream_id=dream.id)
    assert ended.state is DreamState.COMPLETED, ended.reason


@pytest.mark.parametrize("after_commit", [False, True], ids=["before-it-is-stored", "after-it"])
def test_a_worker_that_dies_while_it_stores_what_a_look_opened_pays_for_no_question_twice(
    looking: Callable[..., Ports], tenant: str, owner_connection: psycopg.Connection, *, after_commit: bool
) -> None:
    ports, first, second = looking(True), Reader(), Reader()
    database = CrashingDatabase(ports.db, crash_at=10_000, after_commit=after_commit)

    def answer(question: Question) -> BaseModel | None:
        if question.key == "store":  # its answer is stored in one transaction, and what it wants to see in the next
            database.crash_at = database.seen + 2
        return first(question) if question.answer_type is UpdateAnswer else None

    with pytest.raises(Crash):
        run_dream(replace(ports, db=database), tenant, ScriptedLlm(answer))
    resume(ports, tenant, owner_connection, second)
    assert (first.asked, second.asked) == (["store"], ["store/look"])
    assert "600 requests" in text_of(ports, tenant)


def test_in_batches_mode_the_second_question_goes_out_in_a_batch_of_its_own(
    looking: Callable[..., Ports], tenant: str
) -> None:
    ports = looking(True)

    def answer(params: dict[str, Any]) -> dict[str, Any]:
        asked = json.dumps(params["messages"])
        new = re.search(r"\[(\w+)\] The gateway allows 600", asked)
        return succeeded(
            params, json.dumps(say(new[1], asked) if new and "what stands twice" in json.dumps(params) else {})
        )

    with a_batch_server() as server:
        server.answer = answer
        here = with_batches(ports, server, llm_exam="off")
        begun = go(here, tenant)
        assert begun is not None
        dream = finish_in_rounds(here, server, tenant, begun)
        assert sent_twice(server) == []
    assert revise_of(here, tenant, dream.id).counts["opened"] == 1
    updates = [one for one in get_operations(here, tenant, dream.id) if one.operation.kind is OperationKind.UPDATE]
    assert len(updates) == 1
