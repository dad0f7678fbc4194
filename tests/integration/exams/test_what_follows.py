"""A dream whose model has passed its exam mends single statements; one whose model has not only proposes that."""

from collections.abc import Callable

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind, paths_of
from shared.core.exam.model import ExaminedModel
from shared.core.questions.question import Question
from shared.model_endpoint import name_examined
from shared.ports.dreams import RecordedOperation
from shared.services.dreams.read import get_dream_view
from shared.services.exams.results import set_exam
from shared.services.operations.review import approve_operation, reopen_operation
from shared.services.operations.undo import undo_dream
from tests.integration.exams.exam_support import with_exams
from tests.support.builders import LONG_AGO, a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.model.over import OVER, archive
from workers.phase.second_question import ConfirmAnswer
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer
from workers.phases.revise.answer import UpdateAnswer

LIMITS = "# Gateway\n\nThe gateway allows 60 requests a minute. Bursts are allowed.\n"
LOG = "# Work of 2 March\n\nThe gateway allows 600 requests a minute now.\n"
STORE = {"ops/gateway.md": LIMITS, "notes/2026-03-02-gateway.md": LOG}
#: In the order of their paths: a is the log, b the note.
WANTED = UpdateAnswer.model_validate(
    {"updates": [{"old": "b1", "by": ["a1"], "write": "The gateway allows 600 requests a minute.", "confidence": 0.95}]}
)
#: The host finds the word "clients" nowhere, so a second reader has to look.
REWORDED = UpdateAnswer.model_validate(
    {"updates": [{"old": "b1", "by": ["a1"], "write": "Clients get 600 requests a minute.", "confidence": 0.95}]}
)


def examined_as(ports: Ports, tenant: str) -> ExaminedModel:
    with ports.db.transaction(tenant) as uow:
        return name_examined(ports.settings, uow.stores.get_tenant(), uow.stores.get("default"), "scripted")


@pytest.fixture
def examining(ports: Ports, tenant: str) -> Callable[..., Ports]:
    """Ports over a filled store, whose model has passed its exam or has not, with the settings of a store that differ."""

    def make(passed: bool, **overrides: object) -> Ports:
        a_store(ports, tenant, overrides={f"phases.{name}": value for name, value in overrides.items()})
        write(ports, tenant, texts(STORE))
        set_exam(ports, tenant, examined_as(ports, tenant), passed=passed, why="a test", actor="bo")
        return with_exams(ports)

    return make


def revise(answer: UpdateAnswer, verdict: str = "nothing_lost") -> ScriptedLlm:
    def say(question: Question) -> BaseModel | None:
        if question.answer_type is ConfirmAnswer:
            said = [{"change": one.path, "verdict": verdict} for one in question.documents]
            return ConfirmAnswer.model_validate({"verdicts": said})
        return answer if question.answer_type is UpdateAnswer else None

    return ScriptedLlm(say)


def only_update(ports: Ports, tenant: str, dream_id: str) -> RecordedOperation:
    (found,) = [one for one in get_operations(ports, tenant, dream_id) if one.operation.kind is OperationKind.UPDATE]
    return found


def text_of(ports: Ports, tenant: str, path: str) -> str:
    (content,) = [one.content for one in take_picture(ports, tenant).memories.values() if one.path == path]
    return content


def test_a_verified_update_is_applied_and_flagged_and_undone_to_the_byte(
    examining: Callable[..., Ports], tenant: str
) -> None:
    ports = examining(True)
    before = take_picture(ports, tenant)
    dream = run_dream(ports, tenant, revise(WANTED))
    update = only_update(ports, tenant, dream.id)
    assert (update.state, update.review) == (OperationState.APPLIED, ReviewState.PENDING)
    current, superseded = text_of(ports, tenant, "ops/gateway.md").split("## Superseded")
    assert "The gateway allows 600 requests a minute. Bursts are allowed." in current
    assert "“The gateway allows 60 requests a minute.”" in superseded
    assert text_of(ports, tenant, "notes/2026-03-02-gateway.md") == LOG
    assert undo_dream(ports.db, tenant, dream.id, actor="bo").conflicts == ()
    assert take_picture(ports, tenant) == before


def test_the_update_of_a_model_that_has_not_passed_waits_and_can_be_approved_and_reopened(
    examining: Callable[..., Ports], tenant: str
) -> None:
    ports = examining(False)
    dream = run_dream(ports, tenant, revise(WANTED))
    update = only_update(ports, tenant, dream.id)
    assert update.state is OperationState.PROPOSED
    assert "has not passed the exam" in update.note
    assert text_of(ports, tenant, "ops/gateway.md") == LIMITS
    approve_operation(ports.db, ports.ids, tenant, update.id, actor="bo")
    assert "600 requests" in text_of(ports, tenant, "ops/gateway.md")
    reopen_operation(ports.db, tenant, update.id, actor="bo")
    assert text_of(ports, tenant, "ops/gateway.md") == LIMITS


@pytest.mark.parametrize(
    ("verdict", "state"), [("nothing_lost", "applied"), ("lost", "proposed"), ("unsure", "proposed")]
)
def test_a_second_reader_decides_whether_a_statement_in_other_words_is_applied(
    examining: Callable[..., Ports], tenant: str, verdict: str, state: str
) -> None:
    ports = examining(True)
    llm = revise(REWORDED, verdict)
    dream = run_dream(ports, tenant, llm)
    assert only_update(ports, tenant, dream.id).state == state
    assert [one.question.key for one in llm.requests if one.question.answer_type is ConfirmAnswer] == ["confirm/1"]


def test_no_second_reader_is_paid_where_a_person_decides_anyway(examining: Callable[..., Ports], tenant: str) -> None:
    llm = revise(REWORDED)
    run_dream(examining(False), tenant, llm)
    assert ConfirmAnswer not in [one.question.answer_type for one in llm.requests]


def test_two_doubtful_updates_of_one_memory_are_two_proposals_and_both_can_be_approved(
    examining: Callable[..., Ports], tenant: str
) -> None:
    ports = examining(False)
    two = UpdateAnswer.model_validate(
        {
            "updates": [
                {"old": "b1", "by": ["a1"], "write": "The gateway allows 600 requests a minute."},
                {"old": "b2", "by": ["a1"], "write": "Bursts of 600 are allowed."},
            ]
        }
    )
    dream = run_dream(ports, tenant, revise(two))
    waiting = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.UPDATE]
    assert [one.state for one in waiting] == [OperationState.PROPOSED] * 2
    for one in waiting:
        approve_operation(ports.db, ports.ids, tenant, one.id, actor="bo", accepts_change=True)
    current = text_of(ports, tenant, "ops/gateway.md").split("## Superseded")[0]
    assert "The gateway allows 600 requests a minute. Bursts of 600 are allowed." in current


def test_a_merge_in_other_words_is_applied_if_the_model_has_passed_and_a_second_reader_agrees(
    examining: Callable[..., Ports], tenant: str
) -> None:
    ports = examining(True, revise=False)
    notes = {
        "ops/backup.md": "# Backups\n\nBackups run at 02:00 every night. They are kept for 30 days in Oslo.\n",
        "ops/backups.md": "# Backups\n\nEvery night at 02:00 a backup is made. It stays in Oslo for 30 days.\n",
    }
    write(ports, tenant, texts(notes))
    merged = "# Backups\n\nBackups run at 02:00 every night and are kept for 30 days in Oslo.\n"

    def say(question: Question) -> BaseModel | None:
        if question.answer_type is ConsolidateAnswer:
            action = {"type": "MERGE", "files": list(notes), "outputFile": "ops/backup.md", "mergedContent": merged}
            return ConsolidateAnswer.model_validate({"actions": [{**action, "confidence": 0.95}]})
        if question.answer_type is ConfirmAnswer:
            said = [{"change": one.path, "verdict": "nothing_lost"} for one in question.documents]
            return ConfirmAnswer.model_validate({"verdicts": said})
        return None

    dream = run_dream(ports, tenant, ScriptedLlm(say))
    (merge,) = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.MERGE]
    assert merge.state is OperationState.APPLIED, merge.note
    assert text_of(ports, tenant, "ops/backup.md").endswith(merged)


@pytest.mark.parametrize(("passed", "state"), [(True, "applied"), (False, "proposed")])
def test_what_a_model_archives_goes_if_it_has_passed_and_waits_otherwise(
    examining: Callable[..., Ports], tenant: str, passed: bool, state: str
) -> None:
    ports = examining(passed)
    write(ports, tenant, texts({"old/radio.md": f"# Radio\n\nThe radio plays jazz. {OVER}\n"}, at=LONG_AGO))

    def say(question: Question) -> BaseModel | None:
        return PruneAnswer(decisions=(archive("old/radio.md"),)) if question.answer_type is PruneAnswer else None

    dream = run_dream(ports, tenant, ScriptedLlm(say))
    (found,) = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.ARCHIVE]
    assert (found.state, found.review) == (state, ReviewState.PENDING)
    assert ("has not passed the exam" in found.note) is not passed


TWO = {
    "ops/backup.md": "# Backups\n\nBackups run at 02:00 every night.\n\n- They are kept for 30 days\n- Ana restores them\n",
    "ops/backups.md": "# Backups\n\nA backup is made at 02:00 every night.\n\n- They are kept for 30 days\n- Oslo holds a copy\n",
}
#: In the order of their paths c and d, behind the log and the note.
BY_REFERENCE = UpdateAnswer.model_validate(
    {
        "merges": [
            {
                "files": list(TWO),
                "into": "ops/backup.md",
                "lines": ["# Backups", "{b1} [c1]", "{b2} [c2]", "{c3}", "{b3}"],
                "confidence": 0.9,
            }
        ]
    }
)


def test_a_merge_by_reference_is_applied_can_be_undone_and_leaves_consolidate_nothing_to_ask(
    examining: Callable[..., Ports], tenant: str
) -> None:
    ports = examining(True)
    write(ports, tenant, texts(TWO))
    before = take_picture(ports, tenant)
    llm = revise(BY_REFERENCE)
    dream = run_dream(ports, tenant, llm)
    (merge,) = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.MERGE]
    assert merge.state is OperationState.APPLIED, merge.note
    assert text_of(ports, tenant, "ops/backup.md").endswith(
        "Backups run at 02:00 every night.\n\n- They are kept for 30 days\n- Oslo holds a copy\n- Ana restores them\n"
    )
    assert ConsolidateAnswer not in [one.question.answer_type for one in llm.requests]
    (run,) = [one for one in get_dream_view(ports.db, tenant, dream.id).phases if one.phase == "consolidate"]
    assert run.reason == "an earlier phase of this dream has asked the model about these memories"
    undo_dream(ports.db, tenant, dream.id, actor="bo")
    assert take_picture(ports, tenant) == before


def test_of_a_model_that_has_not_passed_consolidate_asks_in_its_own_way(
    examining: Callable[..., Ports], tenant: str
) -> None:
    ports = examining(False)
    write(ports, tenant, texts(TWO))
    llm = revise(BY_REFERENCE)
    dream = run_dream(ports, tenant, llm)
    assert ConsolidateAnswer in [one.question.answer_type for one in llm.requests]
    merges = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.MERGE]
    assert [one.state for one in merges] == [OperationState.PROPOSED]


def test_pointers_index_lines_and_descriptions_are_mended_without_a_person(
    examining: Callable[..., Ports], tenant: str
) -> None:
    ports = examining(True)
    described = "---\ndescription: The gateway with its 60 requests\n---\n\n# Shop\n\nAna runs it.\n\n## Related\n\n- ops/gone.md\n"
    index = "# Memory\n\n- [Gateway](ops/gateway.md): 60 requests, 18 hosts\n"
    write(ports, tenant, texts({"MEMORY.md": index, "ops/shop.md": described}))
    # In the order of their paths: a MEMORY.md, b the log, c the gateway, d the shop.
    wanted = [
        {"old": "a1", "by": ["b1"], "write": "[Gateway](ops/gateway.md): 600 requests"},
        {"old": "d3", "by": ["b1"], "write": "description: The gateway with its 600 requests"},
        {"old": "d2", "by": []},
    ]
    dream = run_dream(ports, tenant, revise(UpdateAnswer.model_validate({"updates": wanted})))
    updates = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.UPDATE]
    assert {paths_of(one.operation)[0]: str(one.state) for one in updates} == {
        "MEMORY.md": "applied",
        "ops/shop.md": "applied",
    }
    assert "- [Gateway](ops/gateway.md): 600 requests\n" in text_of(ports, tenant, "MEMORY.md")
    text = text_of(ports, tenant, "ops/shop.md")
    assert "ops/gone.md" not in text
    assert "description: The gateway with its 600 requests\n" in text
    assert "“The gateway with its 60 requests” — no longer so on 2026-03-02" in text


def test_a_relative_date_gets_its_day_and_a_wrong_one_waits_for_a_person(
    examining: Callable[..., Ports], tenant: str
) -> None:
    ports = examining(True)
    days = {f"memory/2026-03-{day}.md": f"# Day {day}\n\nSend five letters tomorrow.\n" for day in (25, 27)}
    write(ports, tenant, texts(days))
    dates = [
        {"statement": "a1", "words": "tomorrow", "day": "2026-03-26"},
        {"statement": "b1", "words": "tomorrow", "day": "2026-03-21"},
    ]
    dream = run_dream(ports, tenant, revise(UpdateAnswer.model_validate({"dates": dates})))
    dated = [one for one in get_operations(ports, tenant, dream.id) if one.operation.phase == "revise"]
    assert {paths_of(one.operation)[0]: str(one.state) for one in dated} == dict(
        zip(days, ("applied", "proposed"), strict=True)
    )
    assert "letters tomorrow (2026-03-26)." in text_of(ports, tenant, "memory/2026-03-25.md")
