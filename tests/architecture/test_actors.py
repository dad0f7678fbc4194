"""Every request has an actor: otherwise a change would be missing from the audit log."""

import ast
from pathlib import Path

from tests.architecture.sources import ROOT, name_of, tracked, tree_of

SERVICES = ROOT / "shared" / "services"


def test_every_call_of_a_service_that_takes_an_actor_says_who_it_is() -> None:
    taking = _takers()
    assert {"start_dream", "write_memories", "create_memory", "ImportTarget", "MemoryEdit", "set_paused"} <= taking
    silent = [
        f"{name_of(path)}:{node.lineno} {node.func.id}"
        for path in tracked(".py")
        if name_of(path).startswith("gateway/")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in taking
        if not any(keyword.arg == "actor" for keyword in node.keywords)
    ]
    assert silent == []


def _takers() -> set[str]:
    """The functions and values of the services that have a parameter or a field `actor`."""
    return {name for path in sorted(SERVICES.rglob("*.py")) for name in _takers_in(path)}


def _takers_in(path: Path) -> set[str]:
    found = set()
    for node in tree_of(path).body:
        if isinstance(node, ast.FunctionDef) and "actor" in {one.arg for one in node.args.kwonlyargs}:
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            fields = {
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            }
            found |= {node.name} if "actor" in fields else set()
    return found
