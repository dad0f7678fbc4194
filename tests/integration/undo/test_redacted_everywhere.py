"""A redacted text is in no column of any table, also where it was read, answered, pointed to or reported."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from pydantic import BaseModel
from starlette.testclient import TestClient

from gateway.api.v1.shapes.ids import version_id
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import MemoryKind, MemoryState, Signals, kind_of
from shared.core.policy.policy import Autonomy
from shared.core.questions.question import Question
from shared.services.operations.redo import redo_dream
from shared.services.operations.review import get_operation, reject_operation
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.undo.undo_support import ask_anew, of_kind, undo
from tests.support.builders import a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.database.columns import find_columns_holding
from tests.support.model.over import OVER, archive
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer, PruneDecision

SECRET = "zq4711xx"
COOKIES = f"# Cookies\n\nThe login page signs its cookies with {SECRET} and sends them over secure connections only.\n"
TWIN = f"# Cookies\n\n{COOKIES.splitlines()[-1]} Old ones are deleted at midnight.\n"
ATTIC = f"# Attic\n\nThe old office had a plotter in the attic behind door {SECRET} that was never repaired. {OVER}\n"
#: Two notes that may not both hold, and old ones that say nothing of being over: what is done to them is quoted as doubtful.
DOUBTED = {
    "web/cookies.md": f"# Cookies\n\nThe login page keeps cookies of {SECRET} warm for thirty days.\n",
    "web/twin.md": f"# Cookies\n\nThe login page keeps cookies of {SECRET} cold for ninety days.\n",
}
ATTIC_SAYS = f"The plotter behind {SECRET} was never repaired."
QUOTED = {
    "old/attic.md": f"# Attic\n\n{ATTIC_SAYS}\n",
    "old/door.md": f"# Door\n\nThe door of the old office opens with {SECRET} from inside.\n",
    "old/gate.md": f"# Gate\n\nThe gate of the old office opens with {SECRET} as well.\n",
}


@pytest.fixture
def find_places(tenant: str, owner_connection: psycopg.Connection) -> Callable[[], list[str]]:
    """Every table and column of the tenant that holds the word."""
    return lambda: find_columns_holding(owner_connection, tenant, SECRET)


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    made = a_client(an_app(ports))
    made.headers.update(bearer(a_token(ports, tenant)))
    return made


def _want(question: Question) -> BaseModel | None:
    offered = {document.path for document in question.documents}
    if question.phase == "consolidate" and {"web/cookies.md", "web/twin.md"} <= offered:
        merged = "# Cookies and their rules\n\n" + COOKIES.split("\n\n")[1]
        action = ConsolidateAction(
            type="MERGE", files=("web/cookies.md", "web/twin.md"), output_file="web/cookies.md", merged_content=merged
        )
        return ConsolidateAnswer(actions=(action,))
    if question.phase == "prune" and "old/attic.md" in offered:
        cue = f"A plotter in the attic behind {SECRET}"
        return PruneAnswer(decisions=(archive("old/attic.md", stub=cue),))
    return None


def _dream(ports: Ports, tenant: str, autonomy: Autonomy) -> Dream:
    a_store(ports, tenant, autonomy=autonomy, overrides={"safety.loss_cap_floor": 3})
    long_ago = datetime(2024, 1, 1, tzinfo=UTC)
    write(ports, tenant, texts({"old/attic.md": ATTIC}, signals=Signals(importance=10), at=long_ago))
    yesterday = datetime.now(UTC) - timedelta(days=1)
    write(ports, tenant, texts({"web/cookies.md": COOKIES, "web/twin.md": TWIN}, at=yesterday))
    return run_dream(ports, tenant, ScriptedLlm(_want))


def _redact_all(ports: Ports, tenant: str, client: TestClient) -> None:
    """Write something else wherever the secret is live, then redact every version that says it."""
    live = [one for one in take_picture(ports, tenant).memories.values() if one.state is MemoryState.LIVE]
    holders = [one.path for one in live if SECRET in one.content and kind_of(one.path) is MemoryKind.TOPIC]
    write(ports, tenant, dict.fromkeys(holders, "# Nothing\n\nThere is nothing here any more.\n"))
    store = a_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        ids = uow.store_listing.find_memory_ids(store.id)
        history = [one for memory_id in ids for one in uow.memories(store.id).find_history(memory_id)]
    for one in history:
        if SECRET in one.content and kind_of(one.path) is MemoryKind.TOPIC:
            address = f"/v1/memory_stores/{store.id}/memory_versions/{version_id(one.memory_id, one.version)}/redact"
            assert client.post(address).status_code == 200


@pytest.mark.parametrize("autonomy", [Autonomy.FLAG, Autonomy.PROPOSE])
def test_a_text_that_a_dream_has_read_merged_archived_and_pointed_to_is_gone_with_its_versions(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]], autonomy: Autonomy
) -> None:
    dream = _dream(ports, tenant, autonomy)
    assert {op.operation.kind for op in get_operations(ports, tenant, dream.id)} >= {"MERGE", "ARCHIVE", "INDEX"}
    everywhere = {
        "llm_calls.answer",
        "llm_calls.prompt",
        "operations.changes",
        "phase_runs.inputs",
        "phase_runs.plan",
        "memories.content",
    }
    assert everywhere <= set(find_places())
    _redact_all(ports, tenant, client)
    assert find_places() == []


def _want_with_quotes(question: Question) -> BaseModel | None:
    """Answers that say the word in every reason; most are doubtful, so that doubts quote the memories."""
    offered = {document.path for document in question.documents}
    why = f"because of {SECRET}"
    if question.phase == "consolidate" and set(DOUBTED) <= offered:
        merged = "# Cookies\n\n" + DOUBTED["web/cookies.md"].split("\n\n")[1]
        action = ConsolidateAction(
            type="MERGE", files=tuple(DOUBTED), output_file="web/cookies.md", merged_content=merged, reason=why
        )
        return ConsolidateAnswer(actions=(action,))
    if question.phase == "prune":
        quoted = PruneDecision(file="old/attic.md", decision="ARCHIVE", reason=why, ground="past", quote=ATTIC_SAYS)
        hinted = PruneDecision(file="old/door.md", decision="MERGE_INTO", reason=why, merge_target="old/gate.md")
        unfound = PruneDecision(
            file="old/gate.md", decision="ARCHIVE", reason=why, ground="over", quote=f"This {SECRET} note is obsolete."
        )
        return PruneAnswer(decisions=tuple(one for one in (quoted, hinted, unfound) if one.file in offered))
    return None


def _dream_with_quotes(ports: Ports, tenant: str, autonomy: Autonomy) -> Dream:
    a_store(ports, tenant, autonomy=autonomy, overrides={"safety.loss_cap_floor": 3})
    write(ports, tenant, texts(QUOTED, signals=Signals(importance=10), at=datetime(2024, 1, 1, tzinfo=UTC)))
    write(ports, tenant, texts(DOUBTED, at=datetime.now(UTC) - timedelta(days=1)))
    return run_dream(ports, tenant, ScriptedLlm(_want_with_quotes))


@pytest.mark.parametrize("autonomy", [Autonomy.FLAG, Autonomy.PROPOSE])
def test_quotes_and_reasons_of_proposals_skips_and_hints_are_gone_with_the_text(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]], autonomy: Autonomy
) -> None:
    dream = _dream_with_quotes(ports, tenant, autonomy)
    found = {one.operation.kind: one for one in get_operations(ports, tenant, dream.id)}
    assert {"operations.note", "operations.reason", "operations.changes", "pending_merges.reason"} <= set(find_places())
    undo(ports, tenant, dream)
    assert "dreams.before" in find_places(), "the undo keeps the notes for a redo"
    _redact_all(ports, tenant, client)
    assert find_places() == []
    merge = get_operation(ports.db, tenant, found[OperationKind.MERGE].id)
    assert (merge.note, merge.operation.reason) == ("proposed only: redacted", "redacted")
    index = get_operation(ports.db, tenant, found[OperationKind.INDEX].id)
    assert index.operation.reason == found[OperationKind.INDEX].operation.reason, "it says nothing of any text"


def test_the_hints_that_a_dream_has_used_are_gone_with_the_text(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]]
) -> None:
    _dream_with_quotes(ports, tenant, Autonomy.FLAG)
    run_dream(ports, tenant, ScriptedLlm(_want_with_quotes))
    assert "dreams.before" in find_places()
    _redact_all(ports, tenant, client)
    assert find_places() == []


def test_an_index_without_its_redacted_pointers_is_current_and_the_next_dream_rewrites_it(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    _dream(ports, tenant, Autonomy.FLAG)
    _redact_all(ports, tenant, client)
    store = a_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        index = uow.memories(store.id).find_by_path("MEMORY.md")
        assert index is not None
        assert index.content == uow.memories(store.id).find_history(index.id)[0].content
        assert "(web/cookies.md)" in index.content
    run_dream(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        index = uow.memories(store.id).find_by_path("MEMORY.md")
    assert index is not None
    assert "There is nothing here any more." in index.content


def test_a_reason_that_a_person_gave_for_a_rejection_is_gone_with_the_text_also_where_it_is_told_again(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]]
) -> None:
    dream = _dream(ports, tenant, Autonomy.FLAG)
    merge = of_kind(ports, tenant, dream, OperationKind.MERGE)
    reject_operation(ports.db, tenant, merge.id, actor="ada", why=f"{SECRET} is not for cookies")
    ask_anew(ports, tenant)
    again = of_kind(ports, tenant, run_dream(ports, tenant, ScriptedLlm(_want)), OperationKind.MERGE)
    assert f"{SECRET} is not for cookies (" in again.note
    _redact_all(ports, tenant, client)
    assert find_places() == []
    told = get_operation(ports.db, tenant, again.id).note
    assert told.startswith("rejected by ada on ")
    assert merge.id in told


def test_an_undo_after_a_redaction_takes_back_the_index_and_says_what_it_cannot(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]]
) -> None:
    dream = _dream(ports, tenant, Autonomy.FLAG)
    _redact_all(ports, tenant, client)
    report = undo(ports, tenant, dream, force=True)
    assert {conflict.partition(":")[0] for conflict in report.conflicts} == {"Merged", "Archived"}
    assert find_places() == []


def test_an_edit_that_a_forced_undo_has_put_aside_is_not_kept_as_a_proposal(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]]
) -> None:
    dream = _dream(ports, tenant, Autonomy.FLAG)
    write(ports, tenant, {"web/cookies.md": f"# Cookies\n\nThey are signed with {SECRET} alone.\n"})
    assert undo(ports, tenant, dream, force=True).proposals
    _redact_all(ports, tenant, client)
    assert find_places() == []


def test_a_text_that_was_redacted_after_an_undo_is_not_kept_for_a_redo(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]]
) -> None:
    dream = _dream(ports, tenant, Autonomy.FLAG)
    undo(ports, tenant, dream)
    assert "operations.undone" in find_places()
    _redact_all(ports, tenant, client)
    assert find_places() == []
    for force in (False, True):
        report = redo_dream(ports.db, tenant, dream.id, actor="a test", force=force)
        assert any(conflict.startswith("Undone: merged: ") for conflict in report.conflicts)
        assert find_places() == []


def test_an_answer_that_is_stored_for_the_next_same_question_is_deleted(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]]
) -> None:
    store = a_store(ports, tenant)
    body = {"path": "/web/cookies.md", "content": COOKIES}
    address = f"/v1/memory_stores/{store.id}/memories"
    assert client.post(f"{address}?view=full", json=body, headers={"Idempotency-Key": "once"}).status_code == 200
    _redact_all(ports, tenant, client)
    assert find_places() == []
