"""The shape of phases: adding one is adding a file, a prompt, a test and a line in the list."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from dataclasses import is_dataclass

import pytest

from shared.core.dream.model import UPKEEP_TRIGGERS, Trigger
from shared.core.dream.operations import KINDS, OperationKind
from tests.architecture.sources import ROOT, name_of, tracked, tree_of
from workers.phase.shape import Phase, ask_nothing
from workers.phases import ALL_PHASES, PHASES, UPKEEP, get_chain

FOLDER = ROOT / "workers" / "phases"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/phase.py"))


def phase_of(name: str) -> Phase:
    phase = importlib.import_module(f"workers.phases.{name}.phase").PHASE
    assert isinstance(phase, Phase)
    return phase


@pytest.mark.parametrize("name", NAMES)
def test_a_phase_file_exports_the_phase_of_its_name(name: str) -> None:
    assert phase_of(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_a_phase_runs_under_the_entry_of_its_folder(name: str) -> None:
    assert phase_of(name).entry is importlib.import_module(f"workers.phases.{name}").ENTRY


def test_the_catalogue_of_phases_is_read_without_importing_their_rules() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", "import workers.phases, sys; print('\\n'.join(sys.modules))"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {tuple(one.split(".")) for one in ran.stdout.split() if one.startswith("workers.")}
    ours = {one for one in loaded if one[1] == "phases" and len(one) > 3}
    assert {one[3] for one in ours} == {"due"}
    assert {one[1] for one in loaded} == {"phases"}


def test_every_phase_file_is_in_the_list_once() -> None:
    assert sorted(phase.name for phase in ALL_PHASES) == NAMES


@pytest.mark.parametrize(
    "published", [("orient", "gather", "consolidate", "prune"), ("consolidate", "synthesize", "prune")]
)
def test_phases_run_in_the_order_in_which_a_published_system_runs_them(published: tuple[str, ...]) -> None:
    assert tuple(phase.name for phase in PHASES if phase.name in published) == published


def test_the_recall_guard_runs_after_every_phase_whose_changes_it_searches_for() -> None:
    names = [phase.name for phase in PHASES]
    probed = {phase.name for phase in PHASES if any(KINDS[kind].is_probed for kind in phase.may_emit)}
    assert probed
    assert probed <= {*names[: names.index("recall_guard")]}


def test_every_kind_of_upkeep_has_a_chain_that_begins_with_the_survey_and_ends_with_the_index() -> None:
    assert set(UPKEEP) == UPKEEP_TRIGGERS
    for trigger in Trigger:
        names = [phase.name for phase in get_chain(trigger)]
        assert names[0] == "orient"
        assert [phase.name for phase in get_chain(trigger) if phase.may_emit][-1] == "index"


def test_no_phase_of_upkeep_is_one_of_a_whole_dream_but_for_survey_and_index() -> None:
    shared = {phase.name for chain in UPKEEP.values() for phase in chain} & {phase.name for phase in PHASES}
    assert shared == {"orient", "index"}


@pytest.mark.parametrize("name", NAMES)
def test_a_phase_has_a_unit_test_of_its_own(name: str) -> None:
    assert (ROOT / "tests" / "unit" / "phases" / name / f"test_{name}.py").is_file()


@pytest.mark.parametrize("name", NAMES)
def test_a_phase_that_asks_has_a_prompt_and_one_that_does_not_has_none(name: str) -> None:
    asks = phase_of(name).ask is not ask_nothing
    assert (FOLDER / name / "prompt.md").is_file() is asks


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_a_frozen_value(name: str) -> None:
    inputs = phase_of(name).inputs_type
    assert is_dataclass(inputs)
    assert vars(inputs)["__dataclass_params__"].frozen


@pytest.mark.parametrize("name", NAMES)
def test_only_read_and_look_see_a_port(name: str) -> None:
    phase = phase_of(name)
    assert list(inspect.signature(phase.read).parameters) == ["context"]
    for pure in (phase.ask, phase.repair, phase.confirm, phase.plan):
        parameters = inspect.signature(pure).parameters.values()
        assert not any("Context" in str(one.annotation) or "UnitOfWork" in str(one.annotation) for one in parameters)


@pytest.mark.parametrize("name", NAMES)
def test_the_docstring_names_the_operations_that_a_phase_may_want(name: str) -> None:
    doc = importlib.import_module(f"workers.phases.{name}.phase").__doc__ or ""
    named = {kind for kind in OperationKind if re.search(rf"\b{kind}\b", doc)}
    assert named == phase_of(name).may_emit


def test_every_kind_that_changes_something_is_wanted_by_one_phase_or_by_an_undo_and_what_revise_shares_with_consolidate_by_two() -> (
    None
):
    wanted = [kind for phase in ALL_PHASES for kind in phase.may_emit if not KINDS[kind].waits_for_review]
    shown = [kind for kind in OperationKind if KINDS[kind].waits_for_review]
    assert sorted([*wanted, *shown, OperationKind.RESTORE_EDIT]) == sorted(
        [*OperationKind, OperationKind.CROSS_REFERENCE, OperationKind.MERGE, OperationKind.TEMPORAL_UPDATE]
    )


def test_a_kind_that_only_shows_something_to_a_person_may_be_wanted_by_several_phases() -> None:
    wanted = {kind for phase in ALL_PHASES for kind in phase.may_emit}
    assert {kind for kind in OperationKind if KINDS[kind].waits_for_review} <= wanted


#: What reads the log of what agents asked, adds to it, or takes notes for it. Dreams are measured by it.
EVIDENCE = {"find_asked", "search_log", "searches", "slowwave_read_searches"}


def _evidence_in(source: ast.Module) -> set[str]:
    nodes = list(ast.walk(source))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return EVIDENCE & (names | {str(node.value) for node in nodes if isinstance(node, ast.Constant)})


def test_no_part_of_a_dream_reaches_the_log_of_searches() -> None:
    """The import contract forbids the port; this forbids to reach it through another one."""
    folders = ("workers/phases/", "workers/phase/", "workers/runner/", "workers/ask/")
    parts = [path for path in tracked(".py") if name_of(path).startswith(folders)]
    assert len(parts) > 50
    assert {name_of(path): found for path in parts if (found := _evidence_in(tree_of(path)))} == {}


@pytest.mark.parametrize("line", ["ports.search_log.find_asked('t', 's', 9)", "uow.search_log('s').write([], [], [])"])
def test_a_line_that_reaches_it_would_be_found(line: str) -> None:
    assert _evidence_in(ast.parse(line))
