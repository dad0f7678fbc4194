"""No text makes the rules of phases work longer than it is long, with a model or without, whatever is written in it."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

import workers.offline
import workers.phases
from tests.support.growth import PIECES, QUICK_SIZE, find_growth
from tests.unit.phases.growth import of_offline_rules, of_pure_rules
from workers.phases.gather.offline import decide_gathering, decide_noted

ENTRIES = {**of_offline_rules.ENTRIES, **of_pure_rules.ENTRIES}
#: One of this many pieces, other ones for each call: some rules compare many pairs of texts, and take their time.
_QUICK_SHARE, _THOROUGH_SHARE = len(PIECES), 8
_CALLS = [
    pytest.param(place, run, id=f"{entry.__module__.removeprefix('workers.')}.{entry.__name__}-{number}")
    for place, (entry, number, run) in enumerate(
        (entry, number, run) for entry, runs in ENTRIES.items() for number, run in enumerate(runs)
    )
]


def _find_grown(place: int, run: Callable[[str], object], share: int) -> list[str]:
    return [grown for piece in PIECES[place % share :: share] if (grown := find_growth(run, piece, QUICK_SIZE))]


@pytest.mark.parametrize(("place", "run"), _CALLS)
def test_a_rule_works_as_long_as_its_text_is(place: int, run: Callable[[str], object]) -> None:
    assert _find_grown(place, run, _QUICK_SHARE) == []


@pytest.mark.thorough
@pytest.mark.parametrize(("place", "run"), _CALLS)
def test_a_rule_works_as_long_as_its_text_is_for_more_of_them(place: int, run: Callable[[str], object]) -> None:
    assert _find_grown(place, run, _THOROUGH_SHARE) == []


def test_a_memory_of_one_endless_sentence_is_quick_to_gather_beside() -> None:
    run, *_ = of_offline_rules.ENTRIES[decide_gathering]
    assert find_growth(run, "don't ", QUICK_SIZE) == ""


def _offline_modules() -> Iterator[ModuleType]:
    yield from (importlib.import_module(one.name) for one in _walk(workers.offline))
    yield from (importlib.import_module(one.name) for one in _walk(workers.phases) if ".offline" in one.name)


def _walk(package: ModuleType) -> Iterator[pkgutil.ModuleInfo]:
    return pkgutil.walk_packages(package.__path__, f"{package.__name__}.")


def test_every_rule_without_a_model_is_tried() -> None:
    found = {
        one
        for module in _offline_modules()
        for name, one in vars(module).items()
        if inspect.isfunction(one) and one.__module__ == module.__name__ and not name.startswith("_")
    }
    # It is called by another of them; `compare` and the like take what the first of their module has read.
    tried_with_others = {decide_noted}
    of_pairs = {one for one in found if one.__module__.endswith(("offline_pairs", "offered"))}
    assert sorted(one.__qualname__ for one in found - set(ENTRIES) - tried_with_others - of_pairs) == []
