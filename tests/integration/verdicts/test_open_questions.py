"""An exported folder and the origin of a memory show which questions wait for a person."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel
from typer.testing import Result

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.questions.question import Question
from shared.services.operations.review import approve_operation
from tests.support.builders import a_store, get_operations, run_dream, texts, write
from workers.phases.revise.answer import UpdateAnswer

NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute.\n",
    "ops/quota.md": "# Quota\n\nThe API allows 300 calls a minute.\n",
}
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
    return UpdateAnswer.model_validate({"conflicts": [{"statements": names, "question": "600 or 300?"}]})


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
    assert "“The API allows 600 calls a minute.” (api/limits.md)" in listed
    assert (tmp_path / "out" / "api/limits.md").read_text().endswith(NOTES["api/limits.md"])
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
