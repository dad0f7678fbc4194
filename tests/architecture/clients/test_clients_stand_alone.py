"""The clients stand alone: they import nothing of the product, and the product nothing of theirs."""

import ast
from pathlib import Path

from tests.architecture.sources import ROOT, name_of, tracked, tree_of

_PRODUCT = frozenset({"gateway", "scheduler", "shared", "workers", "deploy", "benchmarks", "tests"})
_CLIENT = "slowwave_client"


def imported(path: Path) -> set[str]:
    """The packages that a module imports."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def test_the_client_imports_nothing_of_the_product_and_the_product_nothing_of_the_client() -> None:
    own = {path for path in tracked(".py") if path.is_relative_to(ROOT / "clients")}
    assert own
    assert {name_of(path): imported(path) & _PRODUCT for path in own if imported(path) & _PRODUCT} == {}
    assert [name_of(path) for path in tracked(".py") if path not in own and _CLIENT in imported(path)] == []


def test_what_is_generated_is_not_under_version_control() -> None:
    assert [name_of(path) for path in tracked() if path.name in {"models.py", "schema.ts", "package-lock.json"}
            and path.is_relative_to(ROOT / "clients")] == []  # fmt: skip
