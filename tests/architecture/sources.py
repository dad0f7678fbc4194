"""The project's own files, as git knows them, and their syntax trees."""

import ast
import gc
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def tracked(suffix: str = "") -> tuple[Path, ...]:
    """Return the files under version control whose names end so; without git, whatever stands in the source folders."""
    asked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if asked.returncode == 0:
        found = [ROOT / name for name in asked.stdout.decode().split("\0") if name]
    else:
        folders = ("shared", "workers", "scheduler", "gateway", "deploy", "benchmarks", "tests", "docs")
        found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    return tuple(path for path in found if path.is_file() and path.name.endswith(suffix))


@cache
def tree_of(path: Path) -> ast.Module:
    gc.disable()  # a tree is a hundred thousand objects without a cycle: looking for one takes longer than parsing
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.enable()


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
