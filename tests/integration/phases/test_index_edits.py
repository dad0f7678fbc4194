"""Text that an agent or a person writes into an index stays theirs, and undo gives back the file to the byte."""

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.dream.summary import render_summary
from shared.core.memory.index_text import by_hand
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, Author
from shared.core.questions.question import Question
from shared.ports.dreams import RecordedOperation
from shared.services.memories.read import search_memories
from shared.services.memories.search import search_together
from shared.services.operations.review import approve_operation, find_reviews, reject_operation
from shared.services.operations.undo import undo_dream
from tests.support.builders import run_dream, take_picture, write

STATEMENTS = "The deploy user is svc_deploy.\n§\nStaging runs on pg-7.\n§\nMeetings are at nine.\n"
NOTES = {"api/auth.md": "# Auth\n\nTokens expire.\n", "ops/backup.md": "# Backup\n\nEvery night.\n"}


def live(ports: Ports, tenant: str) -> dict[str, str]:
    return {m.path: m.content for m in take_picture(ports, tenant).memories.values() if m.state == "live"}


def test_lines_of_an_agent_in_generated_indexes_survive_the_next_dreams(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES)
    run_dream(ports, tenant, OfflineLlm())
    before = live(ports, tenant)
    last = before["MEMORY.md"].splitlines()[-1]
    changed = {
        "api/_index.md": f"{before['api/_index.md']}- [Auth](auth.md) — ask Bob first\n",
        "MEMORY.md": before["MEMORY.md"].replace(last, f"Ann has the pager on Mondays.\n{last}"),
    }
    write(ports, tenant, changed, author=Author.AGENT)
    edited = live(ports, tenant)
    dream = run_dream(ports, tenant, OfflineLlm())
    after = live(ports, tenant)
    assert "ask Bob first" in by_hand(after["api/_index.md"])
    assert "Ann has the pager on Mondays." in by_hand(after["MEMORY.md"])
    assert after.keys() == edited.keys()
    assert dream.summary is not None
    assert dream.summary.reasons["index_by_hand_kept"] == 2
    again = run_dream(ports, tenant, OfflineLlm())
    assert again.summary is not None
    assert live(ports, tenant) == after
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert live(ports, tenant) == edited


LONG = "# Memory\r\n\r\n" + "".join(f"- Point {n}: module m_{n} listens on port {3_000 + n}.\r\n" for n in range(240))


def find_proposals(ports: Ports, tenant: str) -> list[RecordedOperation]:
    found = find_reviews(ports.db, tenant, limit=100)
    return [one for one in found if one.operation.kind is OperationKind.INDEX]


def test_a_file_over_its_budget_gets_one_proposal_until_its_text_changes(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES | {"MEMORY.md": LONG})
    dream = run_dream(ports, tenant, OfflineLlm())
    assert live(ports, tenant)["MEMORY.md"] == LONG
    assert dream.summary is not None
    assert (dream.summary.over_budget_lines, dream.summary.proposed) == (42, 1)
    assert "MEMORY.md is over its budget by 42 lines written by hand" in render_summary(dream)
    (waiting,) = find_proposals(ports, tenant)
    for _ in range(2):
        dream = run_dream(ports, tenant, OfflineLlm())
        assert dream.summary is not None
        assert (dream.summary.over_budget_lines, dream.summary.reasons["index_over_budget"]) == (42, 1)
        assert [one.id for one in find_proposals(ports, tenant)] == [waiting.id]
    reject_operation(ports.db, tenant, waiting.id, actor="ann")
    write(ports, tenant, {"api/more.md": "# More\n\nIt came later.\n"})
    run_dream(ports, tenant, OfflineLlm())
    assert find_proposals(ports, tenant) == []
    write(ports, tenant, {"MEMORY.md": f"{LONG}- One more.\r\n"})
    run_dream(ports, tenant, OfflineLlm())
    assert len(find_proposals(ports, tenant)) == 1


def test_an_approved_move_keeps_every_byte_and_its_undo_gives_the_file_back(ports: Ports, tenant: str) -> None:
    write(ports, tenant, NOTES | {"MEMORY.md": LONG})
    dream = run_dream(ports, tenant, OfflineLlm())
    (waiting,) = find_proposals(ports, tenant)
    approve_operation(ports.db, ports.ids, tenant, waiting.id, actor="ann")
    after = live(ports, tenant)
    (note,) = (path for path in after if path.startswith("note-"))
    kept = after["MEMORY.md"].removesuffix("\r\n").rpartition("\r\n")[0]
    assert kept + "\r\n" + after[note].partition("\r\n\r\n")[2] == LONG
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    assert live(ports, tenant) == NOTES | {"MEMORY.md": LONG}


def test_a_block_that_has_to_go_does_not_stop_the_proposal(ports: Ports, tenant: str) -> None:
    hand = LONG.replace("\r", "") + "- [Auth](api/auth.md)\n" * 20
    write(ports, tenant, NOTES | {"MEMORY.md": f"{hand}{INDEX_BEGIN}\n- [Backup](ops/backup.md)\n{INDEX_END}\n"})
    run_dream(ports, tenant, OfflineLlm())
    assert live(ports, tenant)["MEMORY.md"] == hand
    (waiting,) = find_proposals(ports, tenant)
    approve_operation(ports.db, ports.ids, tenant, waiting.id, actor="ann")
    assert live(ports, tenant)["MEMORY.md"].count("\n") == 199


def test_a_root_file_of_statements_is_found_corrected_and_never_hidden(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"MEMORY.md": STATEMENTS})
    for _ in range(2):
        run_dream(ports, tenant, OfflineLlm())
        assert live(ports, tenant) == {"MEMORY.md": STATEMENTS}
    hits = search_memories(ports.db, ports.search, tenant, "default", "deploy user", 5)
    assert [(hit.path, hit.is_generated) for hit in hits] == [("MEMORY.md", False)]
    found = search_together(ports.db, ports.search, tenant, "default", "deploy user", 5)
    assert [hit.path for one in found for hit in one.memories] == ["MEMORY.md"]


@pytest.mark.parametrize(
    ("root", "is_memory"), [(STATEMENTS, True), (f"{STATEMENTS}- [Deploy](ops/deploy.md)\n", False)]
)
def test_a_root_file_of_statements_is_shown_to_the_model_beside_the_note_that_says_the_same(
    ports: Ports, tenant: str, root: str, is_memory: bool
) -> None:
    note = {"ops/deploy.md": "# Deploy\n\nThe deploy user is svc_deploy.\n"}
    shown: dict[str, set[str]] = {}

    def listen(question: Question) -> None:
        shown.setdefault(question.phase, set()).update(one.path for one in question.documents)

    write(ports, tenant, note | {"MEMORY.md": root})
    run_dream(ports, tenant, ScriptedLlm(listen))
    assert shown["revise"] == {"MEMORY.md", "ops/deploy.md"}
    assert shown.get("consolidate", set()) == ({"MEMORY.md", "ops/deploy.md"} if is_memory else set())
    assert by_hand(live(ports, tenant)["MEMORY.md"]) == root
