"""Forced dreams over an unchanged store come to rest: without a model, the first one does all there is to do."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import product

import pytest

from benchmarks.rest.conversations import SHAPES, compare, find_locomo, measure_recall, read_conversations, write_facts
from benchmarks.rest.dreams import Run
from benchmarks.rest.folders import DEMO, find_trees, import_demo, import_folder
from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.core.policy.policy import Policy
from shared.services.memories.write import NewText
from tests.support.builders import write
from tests.support.model.over import OVER

DREAMS = 30
#: Evidence is found as well as before if the difference in recall does not reach below this: the lower end of its interval.
_AS_WELL = -0.005
#: The conversations over which there are so many; four dreams over each of the others take long enough.
_AT_LENGTH = 2
_FILL: dict[str, Callable[[Ports, str], None]] = {
    **{name: partial(import_folder, folder=folder) for name, folder in find_trees().items()},
    DEMO: import_demo,
}


def done_after_the_first(run: Run) -> list[str]:
    """Return the doings of later dreams: operations of any kind, changed texts and states, and questions."""
    return [
        f"dream {number}: {dict(dreamt.kinds)}, changed {dreamt.changed}, asked {dreamt.asked}"
        for number, dreamt in enumerate(run.dreams[1:], start=2)
        if dreamt.operations or dreamt.changed or dreamt.asked
    ]


def _name(*beginnings: str) -> list[str]:
    """Return thirty names of each beginning: notes that differ by more than a number."""
    return [
        "".join(parts)
        for parts in product(beginnings, ("bek", "dor", "fin", "gul", "hol", "jun"), ("ma", "ne", "pi", "so", "vy"))
    ]


def test_the_first_dream_archives_every_old_note_that_is_over_and_the_next_ones_do_nothing(
    ports: Ports, tenant: str
) -> None:
    long_ago = datetime(2023, 5, 8, tzinfo=UTC)
    over = {f"piers/{name}.md": f"# {name}\n\n{name} was painted grey. {OVER}\n" for name in _name("Ba")}
    held = {f"ships/{name}.md": f"# {name}\n\n{name} sails to Malmo.\n" for name in _name("Mi", "Ra", "Tu", "Wa", "Zo")}
    texts = [
        NewText(path=path, content=text, created_at=long_ago, written_at=long_ago)
        for path, text in (over | held).items()
    ]
    write(ports, tenant, texts)
    run = Run(ports, tenant)
    run.dream(4)
    assert run.dreams[0].kinds["ARCHIVE"] == len(over) > Policy().prune.max_candidates
    assert done_after_the_first(run) == []


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", _FILL)
def test_thirty_forced_dreams_over_a_real_tree_or_the_demo_do_nothing_after_the_first(
    ports: Ports, tenant: str, name: str
) -> None:
    _FILL[name](ports, tenant)
    run = Run(ports, tenant)
    run.dream(DREAMS)
    assert done_after_the_first(run) == []


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.skipif(find_locomo() is None, reason="LoCoMo is not here")
@pytest.mark.parametrize("shape", SHAPES)
def test_thirty_forced_dreams_over_locomo_do_nothing_after_the_first_and_its_facts_are_found_as_well_as_before(
    ports: Ports, tenant: str, shape: str
) -> None:
    source = find_locomo()
    assert source is not None
    before: dict[str, list[float]] = {}
    after: dict[str, list[float]] = {}
    for number, one in enumerate(read_conversations(source)):
        run = Run(ports, f"{tenant}-{one.name}")
        write_facts(ports, run.tenant, one, shape, Author.AGENT)
        before[one.name] = measure_recall(ports, run.tenant, one)
        run.dream(DREAMS if number < _AT_LENGTH else 4)
        assert done_after_the_first(run) == [], one.name
        after[one.name] = measure_recall(ports, run.tenant, one)  # as after the first: the later ones changed nothing
    found = compare(before, after)
    assert found.low >= _AS_WELL, found
