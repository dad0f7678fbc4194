"""An open question is shown with the memories that it is about, and ends by itself when a later change settles it."""

import html
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel
from typer.testing import Result

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Author, Memory, MemoryState
from shared.core.questions.question import Question
from shared.core.tenants.roles import Role
from shared.core.tenants.store import Store, Tenant
from shared.model_endpoint import name_examined
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryWrite
from shared.services.exams.results import set_exam
from shared.services.memories.edit import Expected, MemoryEdit, archive_memory, edit_memory
from shared.services.memories.read import get_memory
from shared.services.operations.review import approve_operation, find_reviews
from shared.services.operations.waiting import settle_questions
from tests.integration.api.api_support import a_token, bearer
from tests.integration.console.console_support import a_visitor
from tests.integration.exams.exam_support import with_exams
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import a_store, get_operations, run_dream, texts, write
from workers.phases.revise.answer import UpdateAnswer

#: Longer than what a list shows of a statement.
LIMIT = "The API allows 600 calls a minute to each key of a customer that has paid for the month, and 20 to all others."
QUOTA = "The API allows 300 calls a minute to each key of a customer that has paid for the month, and 20 to all others."
ASKED = "Did the change of March raise the limit of paying customers to 600 calls a minute, or is it 300 as in the contract?"
NOTES = {
    "api/limits-2026-03-02.md": f"# Limits\n\n{LIMIT} Ana leads the team.\n",
    "ops/quota.md": f"# Quota\n\n{QUOTA}\n\nContracts are kept for ten years.\n",
}
DATED, UNDATED = NOTES
LISTED = ".slowwave/open-questions.md"
CommandLine = Callable[..., Result]


def _ask(question: Question) -> BaseModel | None:
    if question.answer_type is not UpdateAnswer:
        return None
    names = [
        line[1 : line.index("]")]
        for one in question.documents
        for line in one.text.splitlines()
        if line.startswith("[") and "calls a minute" in line
    ]
    return UpdateAnswer.model_validate({"conflicts": [{"statements": names, "question": ASKED}]})


@pytest.fixture
def flag(ports: Ports, tenant: str) -> str:
    """The id of a question that a dream has asked about two memories."""
    a_store(ports, tenant)
    write(ports, tenant, texts(NOTES))
    dream = run_dream(ports, tenant, ScriptedLlm(_ask))
    (found,) = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.FLAG]
    return found.id


def test_an_export_lists_open_questions_beside_the_memories_and_leaves_their_bytes_alone(
    command_line: CommandLine, tenant: str, flag: str, tmp_path: Path
) -> None:
    done = command_line("export", str(tmp_path / "out"), "--tenant", tenant)
    assert done.exit_code == 0, done.output
    listed = (tmp_path / "out" / LISTED).read_text()
    assert flag in listed
    assert all(path in listed for path in NOTES)
    assert f"“{LIMIT}” (api/limits-2026-03-02.md, said 2026-03-02)" in listed
    assert (tmp_path / "out" / DATED).read_text().endswith(NOTES[DATED])
    assert LISTED in " ".join(done.output.split())


def test_an_import_of_the_folder_takes_no_memory_from_the_list(
    command_line: CommandLine, tenant: str, flag: str, tmp_path: Path
) -> None:
    command_line("export", str(tmp_path / "out"), "--tenant", tenant)
    done = command_line("import", str(tmp_path / "out"), "--tenant", tenant, "--store", "again")
    assert done.exit_code == 0, done.output
    listed = json.loads(command_line("memory", "list", tenant, "--store", "again", "--json").output)
    assert not [one["path"] for one in listed if "slowwave" in one["path"]]
    assert flag


def test_a_question_that_a_person_has_answered_is_listed_no_more(
    ports: Ports, command_line: CommandLine, tenant: str, flag: str, tmp_path: Path
) -> None:
    command_line("export", str(tmp_path / "out"), "--tenant", tenant)
    approve_operation(ports.db, ports.ids, tenant, flag, actor="bo")
    command_line("export", str(tmp_path / "out"), "--tenant", tenant, "--force")
    assert "None is open." in (tmp_path / "out" / LISTED).read_text()
    command_line("export", str(tmp_path / "new"), "--tenant", tenant)
    assert not (tmp_path / "new" / LISTED).exists()


def test_memory_why_names_the_open_questions_of_each_memory_that_they_are_about(
    command_line: CommandLine, tenant: str, flag: str
) -> None:
    for path in NOTES:
        assert f"open question {flag}" in command_line("memory", "why", tenant, path).output
        (told,) = json.loads(command_line("memory", "why", tenant, path, "--json").output)["open_questions"]
        assert (told["id"], set(told["paths"])) == (flag, set(NOTES))


def test_a_question_shows_both_statements_whole_with_their_places_and_days(
    ports: Ports, command_line: CommandLine, tenant: str, flag: str
) -> None:
    whole = f"“{LIMIT}” ({DATED}, said 2026-03-02) or “{QUOTA}” ({UNDATED}): {ASKED}"
    assert whole in " ".join(command_line("review", "show", tenant, flag).output.split())
    told = json.loads(command_line("review", "show", tenant, flag, "--json").output)
    assert whole in told["reason"]
    assert set(told["paths"]) == set(NOTES)
    browser = a_visitor(ports, tenant)
    for page in (f"/console/t/{tenant}/reviews", f"/console/t/{tenant}/operations/{flag}"):
        shown = html.unescape(browser.get(page).text)
        assert all(one in shown for one in (LIMIT, QUOTA, ASKED, *NOTES))


def test_who_reads_a_memory_is_told_of_the_open_question_about_it_and_its_bytes_stay(
    ports: Ports, command_line: CommandLine, tenant: str, flag: str
) -> None:
    app, key = a_server(ports), bearer(a_token(ports, tenant, Role.AGENT))
    for path, text in NOTES.items():
        read = command_line("memory", "show", tenant, path)
        assert read.stdout.endswith(text)
        assert f"Open question {flag}" in read.stderr
        assert (
            json.loads(command_line("memory", "show", tenant, path, "--json").stdout)["open_questions"][0]["id"] == flag
        )
        (asked,) = call(app, key, "read_memory", memory=path)["open_questions"]
        assert ASKED in asked


def _find(ports: Ports, tenant: str, operation_id: str) -> RecordedOperation:
    with ports.db.transaction(tenant) as uow:
        return uow.operations.get(operation_id)


def _memory_at(ports: Ports, tenant: str, path: str) -> Memory:
    return get_memory(ports.db, tenant, "default", path)


def _today(ports: Ports, tenant: str) -> str:
    with ports.db.transaction(tenant) as uow:
        return uow.now().date().isoformat()


def _edit(ports: Ports, tenant: str, path: str, old: str, new: str) -> None:
    known = _memory_at(ports, tenant, path)
    edit = MemoryEdit(content=known.content.replace(old, new), actor="bo")
    edit_memory(ports.db, tenant, "default", known.id, edit, expected=Expected(), author=Author.USER)


def test_a_question_ends_when_a_person_changes_one_of_its_statements_and_not_when_they_change_another(
    ports: Ports, tenant: str, flag: str
) -> None:
    _edit(ports, tenant, DATED, "Ana leads", "Bo leads")
    assert _find(ports, tenant, flag).review is ReviewState.PENDING
    _edit(ports, tenant, DATED, "600", "300")
    ended = _find(ports, tenant, flag)
    assert (ended.state, ended.review) == (OperationState.SKIPPED, ReviewState.NONE)
    assert ended.note == f"moot: settled: statement 1, of {DATED}, was changed on {_today(ports, tenant)}"
    assert not find_reviews(ports.db, tenant, limit=None, only=OperationFilter(kind=OperationKind.FLAG))


def test_a_question_ends_when_an_agent_writes_another_text_at_its_place(ports: Ports, tenant: str, flag: str) -> None:
    write(ports, tenant, texts({UNDATED: NOTES[UNDATED].replace("300", "600")}), author=Author.AGENT)
    assert f"statement 2, of {UNDATED}, was changed" in _find(ports, tenant, flag).note


def test_a_question_ends_when_one_of_its_memories_is_archived(ports: Ports, tenant: str, flag: str) -> None:
    archive_memory(ports.db, tenant, "default", _memory_at(ports, tenant, UNDATED).id, expected=Expected(), actor="bo")
    assert f"settled: {UNDATED} was archived on" in _find(ports, tenant, flag).note


@pytest.mark.parametrize("by", ["a dream", "an approval"])
def test_a_question_ends_when_a_dream_or_an_approval_supersedes_one_of_its_statements(
    ports: Ports, tenant: str, flag: str, by: str
) -> None:
    write(
        ports,
        tenant,
        texts({"ops/news-2026-03-05.md": "# News of 5 March\n\nThe API allows 300 calls a minute to payers.\n"}),
    )
    model = name_examined(ports.settings, *_owners(ports, tenant), "scripted")
    set_exam(ports, tenant, model, passed=by == "a dream", why="a test", actor="bo")
    dream = run_dream(with_exams(ports), tenant, ScriptedLlm(_mend))
    (mended,) = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.UPDATE]
    if by == "an approval":
        assert _find(ports, tenant, flag).review is ReviewState.PENDING, "a proposal has settled nothing yet"
        approve_operation(ports.db, ports.ids, tenant, mended.id, actor="bo")
    assert (
        _find(ports, tenant, flag).note
        == f"moot: settled: statement 1, of {DATED}, was superseded on {_today(ports, tenant)} ({mended.id})"
    )


def _owners(ports: Ports, tenant: str) -> tuple[Tenant, Store]:
    with ports.db.transaction(tenant) as uow:
        return uow.stores.get_tenant(), uow.stores.get("default")


def _mend(question: Question) -> BaseModel | None:
    if question.answer_type is not UpdateAnswer:
        return None
    named = {
        line.partition("] ")[2]: line[1 : line.index("]")]
        for one in question.documents
        for line in one.text.splitlines()
        if line.startswith("[")
    }
    (new,) = [name for text, name in named.items() if "to payers" in text]
    update = {"old": named[LIMIT], "by": [new], "write": LIMIT.replace("600", "300"), "confidence": 0.95}
    return UpdateAnswer.model_validate({"updates": [update]})


def test_a_question_about_a_memory_that_was_merged_lives_on_as_long_as_the_merged_text_has_the_statement(
    ports: Ports, tenant: str, flag: str
) -> None:
    source, target = (_memory_at(ports, tenant, path) for path in (UNDATED, DATED))
    with ports.db.transaction(tenant) as uow:
        merged = f"{target.content}\n{QUOTA}\n"
        joined = replace(target, content=merged, version=target.version + 1)
        gone = replace(source, state=MemoryState.SUPERSEDED, superseded_by=target.id, version=source.version + 1)
        uow.memories(_owners(ports, tenant)[1].id).write([MemoryWrite(memory=joined, change="update"), MemoryWrite(memory=gone, change="supersede")])  # fmt: skip
        settle_questions(uow, _owners(ports, tenant)[1].id, [source.id, target.id], by="a test")
    _edit(ports, tenant, DATED, "Ana", "Bo")
    assert _find(ports, tenant, flag).review is ReviewState.PENDING
    _edit(ports, tenant, DATED, QUOTA, "")
    assert f"statement 2, of {DATED}, was changed" in _find(ports, tenant, flag).note
