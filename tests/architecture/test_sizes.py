"""Sizes: what grows beyond them is cut in two, or named here with its reason."""

import ast
from collections import Counter

from tests.architecture.sources import ROOT, functions_of, lines_of, name_of, tracked, tree_of

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 40
MAX_FOLDER_FILES = 15
MAX_PORT_METHODS = 9
MAX_TASK_LINES = 8
#: Ports that are larger, with the number of methods that they may not grow beyond.
LARGER_PORTS = {
    "DreamRepository": 13,  # every step in the life of one aggregate
    "UnitOfWork": 49,  # one property per repository of a transaction, and what its texts go through
    "Database": 13,  # one property for each queue across tenants, and what its readers are shown
    "DeliveryRepository": 10,  # every step in the life of one delivery
    "MemoryRepository": 15,  # every way of reading one aggregate
}


def test_no_file_is_longer_than_400_lines() -> None:
    long = {
        name_of(path): count
        for path in (*tracked(".py"), *tracked(".sql"))
        if (count := path.read_text(encoding="utf-8").count("\n")) > MAX_FILE_LINES
    }
    assert long == {}


def test_no_folder_has_more_than_15_modules() -> None:
    modules = [path for path in tracked(".py") if path.name != "__init__.py"]
    sizes = Counter(name_of(path).rpartition("/")[0] for path in modules)
    assert {folder: size for folder, size in sizes.items() if size > MAX_FOLDER_FILES} == {}


def test_no_function_is_longer_than_40_lines() -> None:
    long = {
        f"{name_of(path)}:{node.name}": lines_of(node)
        for path in tracked(".py")
        for node in functions_of(path)
        if lines_of(node) > MAX_FUNCTION_LINES
    }
    assert long == {}


def test_no_port_has_more_than_9_methods() -> None:
    sizes = {
        node.name: sum(isinstance(part, ast.FunctionDef) for part in node.body)
        for path in sorted((ROOT / "shared" / "ports").glob("*.py"))
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
    }
    assert sizes
    assert {name: size for name, size in sizes.items() if size > LARGER_PORTS.get(name, MAX_PORT_METHODS)} == {}


def test_a_task_has_a_body_of_at_most_8_lines() -> None:
    bodies: dict[str, int] = {}
    for path in (ROOT / "workers" / "tasks.py", ROOT / "scheduler" / "tasks.py"):
        for node in functions_of(path):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            bodies[f"{name_of(path)}:{node.name}"] = (node.end_lineno or 0) - body[0].lineno + 1
    assert {"workers/tasks.py:dream", "scheduler/tasks.py:sweep"} <= set(bodies)
    assert {name: lines for name, lines in bodies.items() if lines > MAX_TASK_LINES} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    nothing = {"utils", "util", "common", "helpers", "helper", "manager", "base", "misc"}
    assert [name_of(path) for path in tracked(".py") if path.stem in nothing] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        name_of(path)
        for path in tracked(".py")
        if not name_of(path).startswith("tests/")
        if (text := path.read_text(encoding="utf-8").strip()) and not text.startswith('"""')
    ]
    assert silent == []
