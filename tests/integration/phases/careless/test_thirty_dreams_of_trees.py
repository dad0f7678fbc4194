"""Thirty forced dreams in a row over each real memory tree: it changes nothing after the second one, and no statement is gone."""

import os
from itertools import pairwise
from pathlib import Path

import pytest

from shared.adapters.files.found import FoundFile
from shared.adapters.files.layout import find_memory_root
from shared.adapters.files.read_folder import read_folder
from shared.all_ports import Ports
from shared.core.memory.model import Author, MemoryKind, kind_of
from shared.core.merging.statements import read_statements
from shared.services.memories.write import NewText
from tests.integration.phases.careless.long_runs import live_texts, look_at_everything_again, said_in
from tests.integration.phases.careless.test_thirty_dreams import DREAMS, MODELS
from tests.integration.phases.change_gate_support import sweep_dream
from tests.support.builders import take_picture, write

_DATA = Path(os.environ.get("SLOWWAVE_DATA", "../shared/data")) / "memory-trees"
TREES = sorted(path.name for path in _DATA.iterdir() if path.is_dir()) if _DATA.is_dir() else []


def _cover() -> list[tuple[str, str]]:
    """Return models with trees: the model that is never careless over every tree, each careless one over one of them.

    What a careless model does depends on its carelessness, and what the rules do on the tree, so that most pairs repeat
    both. SLOWWAVE_EVERY_TREE=1 tries all of them.
    """
    if os.environ.get("SLOWWAVE_EVERY_TREE"):
        return [(name, tree) for name in MODELS for tree in TREES]
    careless = [name for name in MODELS if name != "none"]
    return [("none", tree) for tree in TREES] + [
        (name, TREES[number % len(TREES)]) for number, name in enumerate(careless if TREES else ())
    ]


@pytest.mark.thorough
@pytest.mark.timeout(560)
@pytest.mark.skipif(not TREES, reason="the real memory trees are not here")
@pytest.mark.parametrize(("name", "tree"), _cover())
def test_thirty_dreams_over_a_real_tree_change_nothing_after_the_second_and_lose_no_statement(
    ports: Ports, tenant: str, name: str, tree: str
) -> None:
    files = [one for one in read_folder(find_memory_root(_DATA / tree)) if isinstance(one, FoundFile)]
    texts = [
        NewText(
            path=one.path,
            content=one.content,
            signals=one.signals,
            created_at=one.created_at,
            written_at=one.updated_at,
        )
        for one in files
    ]
    write(ports, tenant, texts, author=Author.IMPORT)
    wanted = {
        statement.wording: one.path
        for one in files
        if kind_of(one.path) is MemoryKind.TOPIC
        for statement in read_statements(one.content).statements
    }
    after: list[dict[str, str]] = []
    lost: list[tuple[int, str, str]] = []
    for number in range(1, DREAMS + 1):
        look_at_everything_again(ports, tenant)
        sweep_dream(ports, tenant, MODELS[name](), force=True)
        after.append(live_texts(ports, tenant))
        archived = {o.path: o.content for o in take_picture(ports, tenant).memories.values() if o.state == "archived"}
        said = said_in(after[-1] | archived)
        lost += [(number, path, wording[:80]) for wording, path in wanted.items() if wording not in said]
        if lost:
            break
    changed = [
        (number, path)
        for number, (before, now) in enumerate(pairwise(after[1:]), start=3)
        for path in sorted(before.keys() | now.keys())
        if before.get(path) != now.get(path)
    ]
    assert lost == []
    assert changed == []
