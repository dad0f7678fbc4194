"""Approvals of single statements compose: each is made on the text as it is by then, and only what a person was shown."""

from collections.abc import Callable

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.errors import ChangedProposalError, MootError
from shared.core.memory.frontmatter import body_of, read_fields, set_fields
from shared.core.policy.policy import Autonomy
from shared.core.questions.question import Question
from shared.ports.dreams import RecordedOperation
from shared.services.exams.results import set_exam
from shared.services.operations.review import approve_operation, get_operation, reopen_operation
from tests.integration.exams.exam_support import with_exams
from tests.integration.exams.test_what_follows import examined_as, revise, text_of
from tests.support.builders import a_store, get_operations, run_dream, texts, write
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.revise.answer import UpdateAnswer

MERGE, UPDATE = OperationKind.MERGE, OperationKind.UPDATE
NOTE = "ops/gateway.md"
LIMIT, BURSTS, SERVERS, CODE = (
    "The gateway allows 60 requests a minute.",
    "Bursts are allowed.",
    "The gateway runs on 2 servers.",
    "The gateway is written in Go.",
)
GATEWAY = f"# Gateway\n\n{LIMIT} {BURSTS}\n\n- {SERVERS}\n- {CODE}\n"
LOG = "# Work\n\nThe gateway allows 600 requests a minute now.\n\nBursts are refused now.\n\nThe gateway runs on 3 servers.\n"
STORE = {NOTE: GATEWAY, "notes/2026-03-02-gateway.md": LOG}
LINKED = {"related": ["notes/2026-03-02-gateway.md"]}
#: In the order of their paths: a is the log, b the note. What a model is unsure of is only proposed.
CERTAIN = {"old": "b1", "by": ["a1"], "write": "The gateway allows 600 requests a minute.", "confidence": 0.95}
REFUSED = {"old": "b2", "by": ["a2"], "write": "Bursts are refused.", "confidence": 0.4}
THREE = {"old": "b3", "by": ["a3"], "write": "The gateway runs on 3 servers.", "confidence": 0.4}
#: By what they change: an update, and what stands in the note in the end.
DOUBTED = {
    "a sentence of the same line": (REFUSED, "Bursts are refused."),
    "a sentence of the same line that goes": (REFUSED | {"write": ""}, ""),
    "another line": (THREE, "- The gateway runs on 3 servers."),
    "another line that goes": (THREE | {"write": ""}, ""),
}
Night = Callable[..., tuple[Dream, RecordedOperation]]


@pytest.fixture
def night(ports: Ports, tenant: str) -> Night:
    """A dream that wants updates of the note, the last of which it only proposes."""

    def make(*updates: dict[str, object], links: bool = False, note: str = GATEWAY) -> tuple[Dream, RecordedOperation]:
        a_store(ports, tenant)
        write(ports, tenant, texts(STORE | {NOTE: note}))
        set_exam(ports, tenant, examined_as(ports, tenant), passed=True, why="a test", actor="bo")
        linked = [{"files": list(STORE), "confidence": 0.95}] if links else []
        answer = UpdateAnswer.model_validate({"updates": updates, "links": linked})
        dream = run_dream(with_exams(ports), tenant, revise(answer))
        found = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.UPDATE]
        (waiting,) = [one for one in found if one.state is OperationState.PROPOSED]
        assert len(found) == len({str(one.get("confidence")) for one in updates})
        return dream, waiting

    return make


def approve(ports: Ports, tenant: str, one: RecordedOperation, *, accepts_change: bool = False) -> RecordedOperation:
    return approve_operation(ports.db, ports.ids, tenant, one.id, actor="bo", accepts_change=accepts_change)


def parts_of(ports: Ports, tenant: str) -> tuple[str, str]:
    """Return the current text of the note and its superseded part."""
    current, _, superseded = body_of(text_of(ports, tenant, NOTE)).partition("## Superseded")
    return current, superseded


@pytest.mark.parametrize("links", [False, True])
@pytest.mark.parametrize("what", DOUBTED)
def test_a_doubted_change_can_be_approved_after_a_certain_one_of_the_same_night_was_applied(
    night: Night, ports: Ports, tenant: str, what: str, *, links: bool
) -> None:
    update, written = DOUBTED[what]
    _, waiting = night(CERTAIN, update, links=links)
    before = text_of(ports, tenant, NOTE)
    done = approve(ports, tenant, waiting)
    assert done.state is OperationState.APPLIED
    current, superseded = parts_of(ports, tenant)
    old = BURSTS if update["old"] == "b2" else SERVERS
    assert old not in current
    assert written in current
    assert superseded.count("— no longer so on 2026-03-02, see notes/2026-03-02-gateway.md") == 2
    for said in {"The gateway allows 600 requests a minute.", BURSTS, SERVERS, CODE} - {old}:
        assert said in current
    assert "  " not in current
    assert read_fields(text_of(ports, tenant, NOTE)) == (LINKED if links else {})
    reopen_operation(ports.db, tenant, waiting.id, actor="bo")
    assert text_of(ports, tenant, NOTE) == before


@pytest.mark.parametrize(
    "edited",
    {
        "another line": GATEWAY.replace(CODE, "The gateway is written in Rust."),
        "another sentence of its line": GATEWAY.replace(LIMIT, "Ana decides about limits."),
        "a line that was added": f"{GATEWAY}\nAna owns the gateway.\n",
        "a link in the frontmatter": set_fields(GATEWAY, LINKED),
    }.values(),
)
def test_a_doubted_change_can_be_approved_after_a_person_edited_something_else_in_the_file(
    night: Night, ports: Ports, tenant: str, edited: str
) -> None:
    _, waiting = night(REFUSED)
    write(ports, tenant, {NOTE: edited})
    approve(ports, tenant, waiting)
    current, superseded = parts_of(ports, tenant)
    assert current.strip() == body_of(edited).replace(BURSTS, "Bursts are refused.").strip()
    assert BURSTS in superseded
    assert read_fields(text_of(ports, tenant, NOTE)) == read_fields(edited)


@pytest.mark.parametrize("update", [REFUSED, REFUSED | {"write": ""}, THREE, THREE | {"write": ""}])
@pytest.mark.parametrize(
    "edit",
    {
        "it is gone": lambda old: GATEWAY.replace(f"- {old}\n", "").replace(f" {old}", ""),
        "it says something else": lambda old: GATEWAY.replace(old, "The gateway is new."),
        "it stands there twice": lambda old: f"{GATEWAY}\n{old}\n",
    }.values(),
)
def test_a_change_whose_statement_is_not_there_as_it_was_says_so_and_goes(
    night: Night, ports: Ports, tenant: str, update: dict[str, object], edit: Callable[[str], str]
) -> None:
    old = BURSTS if update["old"] == "b2" else SERVERS
    edited = edit(old)
    _, waiting = night(update)
    write(ports, tenant, {NOTE: edited})
    with pytest.raises(MootError, match=f"“{old}” does not stand in {NOTE} any more"):
        approve(ports, tenant, waiting)
    closed = get_operation(ports.db, tenant, waiting.id)
    assert (closed.state, closed.review) == (OperationState.SKIPPED, ReviewState.NONE)
    assert old in closed.note
    assert text_of(ports, tenant, NOTE) == edited


def test_a_change_whose_statement_stands_elsewhere_by_now_is_shown_there_before_it_is_applied(
    night: Night, ports: Ports, tenant: str
) -> None:
    _, waiting = night(REFUSED)
    moved = GATEWAY.replace(f" {BURSTS}", "") + f"\n## Peaks\n\n{BURSTS}\n"
    write(ports, tenant, {NOTE: moved})
    with pytest.raises(ChangedProposalError):
        approve(ports, tenant, waiting)
    assert text_of(ports, tenant, NOTE) == moved
    shown = get_operation(ports.db, tenant, waiting.id)
    approve(ports, tenant, waiting)
    assert text_of(ports, tenant, NOTE) == shown.effects[0].after.content
    current, superseded = parts_of(ports, tenant)
    assert current.rstrip().endswith("## Peaks\n\nBursts are refused.")
    assert BURSTS in superseded


@pytest.mark.parametrize("phase", ["revise", "consolidate"])
@pytest.mark.parametrize("keeper", ["ops/gateway.md", "ops/limits.md"])
@pytest.mark.parametrize("order", [(UPDATE, MERGE), (MERGE, UPDATE)])
def test_a_merge_and_an_update_of_one_of_its_notes_are_approved_in_either_order(
    ports: Ports, tenant: str, order: tuple[OperationKind, OperationKind], keeper: str, phase: str
) -> None:
    a_store(ports, tenant, autonomy=Autonomy.PROPOSE)
    other = f"# Gateway\n\n{LIMIT} {BURSTS}\n\n- {CODE}\n- Ana owns the gateway.\n"
    write(ports, tenant, texts(STORE | {"ops/limits.md": other}))
    merged = f"{GATEWAY}- Ana owns the gateway.\n"
    lines = ["# Gateway", "{b1-b4}", "- c1: b1", "- c2: b2", "- c3: b4", "{c4}"]
    revised = {"files": [NOTE, "ops/limits.md"], "into": keeper, "lines": lines, "confidence": 0.95}
    said = {"updates": [THREE], "merges": [revised] if phase == "revise" else []}
    action = {"type": "MERGE", "files": [NOTE, "ops/limits.md"], "outputFile": keeper, "mergedContent": merged}

    def say(question: Question) -> BaseModel | None:
        if question.answer_type is ConsolidateAnswer and phase == "consolidate":
            return ConsolidateAnswer.model_validate({"actions": [action | {"confidence": 0.95}]})
        return UpdateAnswer.model_validate(said) if question.answer_type is UpdateAnswer else None

    dream = run_dream(ports, tenant, ScriptedLlm(say))
    found = {one.operation.kind: one for one in get_operations(ports, tenant, dream.id)}
    assert {found[kind].state for kind in order} == {OperationState.PROPOSED}
    assert found[MERGE].operation.phase == phase
    approve(ports, tenant, found[order[0]])
    approve(ports, tenant, found[order[1]], accepts_change=True)
    current, _, superseded = body_of(text_of(ports, tenant, keeper)).partition("## Superseded")
    assert SERVERS not in current
    assert SERVERS in superseded
    for kept in (LIMIT, BURSTS, CODE, "The gateway runs on 3 servers.", "Ana owns the gateway."):
        assert current.count(kept) == 1


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_change_of_a_description_is_made_beside_a_certain_one_or_says_that_it_was_edited(
    night: Night, ports: Ports, tenant: str, *, is_edited: bool
) -> None:
    described = f"---\ndescription: {SERVERS}\n---\n{GATEWAY}"
    _, waiting = night(CERTAIN, THREE | {"old": "b5"}, note=described)
    if is_edited:
        write(ports, tenant, {NOTE: described.replace("2 servers.\n---", "many servers.\n---")})
        with pytest.raises(MootError, match=f"“{SERVERS}” does not stand in {NOTE} any more"):
            approve(ports, tenant, waiting)
        return
    approve(ports, tenant, waiting)
    assert read_fields(text_of(ports, tenant, NOTE)) == {"description": "The gateway runs on 3 servers."}
    current, superseded = parts_of(ports, tenant)
    assert "600 requests" in current
    assert SERVERS in current
    assert superseded.count("— no longer so on") == 2
