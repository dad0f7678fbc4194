"""The name of a phase stands in its folder and in one list. In any other file it would have to be kept in step by hand."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, name_of, tracked
from workers.phases import ALL_PHASES

NAMES = frozenset(phase.name for phase in ALL_PHASES)
PRODUCT = ("shared", "workers", "scheduler", "gateway", "deploy")
LIST = "workers/phases/__init__.py"
#: Files that name a phase although it is not theirs, with the reason.
ALLOWED = {
    "gateway/api/openapi/examples.py": ({"consolidate"}, "an example in the description of the API"),
    "gateway/api/resources/dreams.py": ({"digest"}, "a trigger: the kind of upkeep to start"),
    "gateway/api/shapes/stores.py": ({"digest"}, "the same"),
    "gateway/cli/dreams/dream.py": ({"digest"}, "the same"),
    "shared/core/dream/model.py": ({"digest"}, "the same"),
    "shared/adapters/postgres/migrations/schema/functions/check_stores.sql": ({"digest"}, "the same"),
    "shared/adapters/postgres/memories/api_lists.py": ({"digest"}, "a label of a query's column: a hash"),
    "deploy/release.py": ({"digest"}, "a field of an in-toto statement: a checksum"),
    "shared/adapters/embeddings/http_api.py": ({"index"}, "a field of OpenAI's API: the place of a text"),
    "shared/core/memory/model.py": ({"index"}, "a kind of document"),
    "shared/core/memory/pointer.py": ({"index"}, "a name that files of many folders have"),
    "workers/dream/recall.py": ({"measure_recall"}, "it asks what the phase may not read, if the phase has asked"),
    "deploy/published/byterover.py": ({"maintain"}, "which switch stands for what another system publishes"),
    "deploy/published/claude_code.py": ({"prune", "synthesize"}, "the same"),
    "deploy/published/rockbot.py": ({"find_skill_gaps", "infer_preferences", "learn_from_workflows"}, "the same"),
    "deploy/published/swarmclaw.py": ({"consolidate"}, "the same"),
}
_ANY = "|".join(sorted(NAMES, key=len, reverse=True))
#: A switch, a task, a phase's folder, or a value in SQL, JSON or a template.
_NAMED = re.compile(rf"(?:\bphases\.|\bdream\.|\bphases/)({_ANY})\b|(['\"])({_ANY})\2")


def find_named(text: str) -> set[str]:
    """Return the phases that a text names; a word of prose is none."""
    if text in NAMES:
        return {text}
    spelled = {one for one in NAMES if "_" in one and re.search(rf"\b{one}\b", text)}
    return spelled | {first or second for first, _, second in _NAMED.findall(text)}


def find_in_python(source: str) -> set[str]:
    """Return the phases that a module names in a text or an identifier. Docstrings and comments are prose."""
    tree = ast.parse(source)
    prose = {id(doc) for doc in _docstrings(tree)}
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            found |= find_named(node.value)
        # One word is also what functions, settings and values are named by: `index`, `policy.prune`.
        found |= {one for one in _identifiers(node) if "_" in one and one in NAMES}
    return found


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _identifiers(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
            yield from name.split(".")
        case ast.keyword(arg=str(name)) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ImportFrom(module=str(module)):
            yield from module.split(".")


def find_leaks(path: str, text: str) -> set[str]:
    """Return the phases that a product file names and that are not its own."""
    found = find_in_python(text) if path.endswith(".py") else find_named(text)
    own = re.match(r"workers/phases/(\w+)/", path)
    return found - ({own[1]} if own else set())


def product_files() -> Iterator[Path]:
    for path in tracked():
        name = name_of(path)
        is_text = path.suffix in {".py", ".html", ".js", ".json", ".yaml", ".sql", ".sh", ".service"}
        if name.split("/")[0] in PRODUCT and is_text and name != LIST and not name.endswith(".min.js"):
            yield path


def test_a_phase_is_named_in_its_folder_and_in_the_list_only() -> None:
    leaks = {name_of(path): found for path in product_files() if (found := find_leaks(name_of(path), path.read_text()))}
    assert leaks == {path: names for path, (names, _) in ALLOWED.items()}


def test_the_name_of_a_phase_stands_once_in_its_folder() -> None:
    for name in NAMES - {"index"}:  # the name of a document, too
        stated = {
            path.name
            for path in (ROOT / "workers" / "phases" / name).glob("*.py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and node.value == name
        }
        assert stated <= {"__init__.py", "phase.py"}, "phase.py has it as the label and as the prompt's name"
        assert "__init__.py" in stated


@pytest.mark.parametrize(
    "line",
    [
        'if run.phase == "orient": pass',
        "run.phase in {'prune', 'gather'}",
        "recall_guard = 1",
        "from workers.phases.merge_skills import NAME",
        "call(find_skill_gaps=True)",
        "query = \"SELECT inputs ->> 'live' FROM phases WHERE phase = 'orient'\"",
        'key = "phases.prune"',
        'task = "dream.consolidate"',
        'detail = "repair_skills: no answer"',
        "def learn_from_workflows(): ...",
    ],
)
def test_a_name_outside_its_folder_is_found(line: str) -> None:
    assert find_leaks("shared/core/dream/any.py", line)
    assert find_leaks("workers/phases/maintain/plan.py", line)


@pytest.mark.parametrize("text", ["{% if run.phase == 'orient' %}", '{"expr": "x{phase=\\"prune\\"}", "t": "prune"}'])
def test_a_name_in_a_template_or_a_dashboard_is_found(text: str) -> None:
    assert find_leaks("gateway/console/templates/any.html", text)


@pytest.mark.parametrize(
    "line",
    [
        '"""The consolidate phase merges."""',
        "limit = policy.prune.max_candidates",
        'message = "Dreams gather from sessions and prune what is stale"',
        "index = words.index(word)",
        "def gather(): ...",
        'key = "maintain.archive_after_days"',
    ],
)
def test_prose_settings_and_identifiers_of_one_word_are_no_names(line: str) -> None:
    assert find_leaks("shared/core/dream/any.py", line) == set()


def test_a_phase_may_name_itself() -> None:
    assert find_leaks("workers/phases/prune/plan.py", 'NAME = "prune"') == set()
