"""Real memory trees, from the command line only: the index is complete and within bounds, and what stands in it by hand stays."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from shared.core.memory.index_text import by_hand
from shared.core.memory.model import MemoryKind, domain_of, kind_of
from tests.e2e.cli.cli_support import Cli, a_cli, an_up
from tests.e2e.workers.worker_support import ROOT

_DATA = Path(os.environ.get("SLOWWAVE_DATA", ROOT.parent / "shared" / "data")) / "memory-trees"
_TREES = sorted(path.name for path in _DATA.iterdir()) if _DATA.is_dir() else []

#: The quick tier holds the laws of the index on invented stores: tests/unit/phases/index/test_index_laws.py.
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not _TREES, reason="the real memory trees are not here"),
    pytest.mark.timeout(600),  # a dozen commands, each a process of its own: slow on a machine that has much else to do
]


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    log = tmp_path_factory.mktemp("up") / "up.log"
    with a_cli() as found, an_up(found, log, "--no-flower", SLOWWAVE_SWEEP_SECONDS="3600"):
        yield found


def read(cli: Cli, tenant: str, path: str) -> str:
    return str(cli.json("memory", "show", tenant, path)["content"])


def links(text: str) -> set[str]:
    return {unquote(target) for target in re.findall(r"\]\(([^)\s]+\.md)\)", text)}


@pytest.mark.parametrize("tree", _TREES)
def test_a_real_tree_gets_an_index_that_keeps_every_promise(cli: Cli, tree: str) -> None:
    tenant = f"tree-{_TREES.index(tree)}"
    cli.run("import", _DATA / tree, "--tenant", tenant)
    before = {head["path"] for head in cli.json("memory", "list", tenant)}
    hand = read(cli, tenant, "MEMORY.md") if "MEMORY.md" in before else "# Memory\n\n"
    assert cli.json("dream", tenant, "--force")["state"] == "completed"
    live = {head["path"] for head in cli.json("memory", "list", tenant)}
    root = read(cli, tenant, "MEMORY.md")
    assert root.count("\n") <= 200
    assert len(root.encode()) <= 25_000
    assert by_hand(root) in {hand, f"{hand}\n"}
    pages = root + (read(cli, tenant, "_index.md") if "_index.md" in live else "")
    orphans = [p for p in live if kind_of(p) is MemoryKind.TOPIC and p not in links(pages) and not _named(p, pages)]
    assert orphans == []
    assert links(root) - live <= links(hand), "a pointer dangles that no person wrote so"
    again = cli.json("dream", tenant, "--force")
    assert read(cli, tenant, "MEMORY.md") == root
    assert [op for op in again["operations"] if op["kind"] == "INDEX"] == []


def _named(path: str, root: str) -> bool:
    domain = domain_of(path)
    return (f"{domain}/" if domain else "(top level)") in root
