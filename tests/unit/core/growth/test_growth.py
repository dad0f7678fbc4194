"""No text makes the core's work grow faster than it does itself, up to a megabyte, whatever is written in it."""

import dataclasses
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import shared.core
from shared.core.dates.rewrite import rewrite_dates
from shared.core.dream.dated_text import find_undated_change
from shared.core.memory.frontmatter import set_fields
from shared.core.memory.headline import title_of
from shared.core.memory.provenance import read_sources
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.specifics import find_missing_specifics
from shared.core.sessions.sentiment import decide_sentiment
from tests.support.growth import LARGEST_SIZE, PIECES, QUICK_SIZE, find_growth
from tests.unit.core.growth import (
    of_dates,
    of_evaluation,
    of_forgetting,
    of_insight,
    of_memories,
    of_personal_data,
    of_reading,
    of_splits,
    of_texts,
)
from tests.unit.core.growth.exempt import EXEMPT

ENTRIES = {
    **of_dates.ENTRIES,
    **of_texts.ENTRIES,
    **of_memories.ENTRIES,
    **of_insight.ENTRIES,
    **of_splits.ENTRIES,
    **of_reading.ENTRIES,
    **of_evaluation.ENTRIES,
    **of_forgetting.ENTRIES,
    **of_personal_data.ENTRIES,
}
#: The quick tier tries one of this many pieces on each call, other ones on the next call.
_QUICK_SHARE = 96
_CALLS = [
    pytest.param(n, run, id=f"{entry.__module__.removeprefix('shared.core.')}.{entry.__name__}-{number}")
    for n, (entry, number, run) in enumerate(
        (entry, number, run) for entry, runs in ENTRIES.items() for number, run in enumerate(runs)
    )
]


@pytest.mark.parametrize(("number", "run"), _CALLS)
def test_work_grows_as_the_text_does(number: int, run: Callable[[str], object]) -> None:
    pieces = PIECES[number % _QUICK_SHARE :: _QUICK_SHARE]
    assert [grown for piece in pieces if (grown := find_growth(run, piece, QUICK_SIZE))] == []


@pytest.mark.parametrize(
    ("entry", "pieces"),
    [
        (read_sources, ("#",)),
        (reason_opposed, ("\n", " \n", "`", "§ ", "- Use §. Not w§.\n")),
        (decide_sentiment, ("A",)),
        (find_missing_specifics, ("`a§ b§` ", "§ ")),
        (rewrite_dates, ('"w§" yesterday. ',)),
        (set_fields, ("w§ ",)),
        (title_of, (" ",)),
        (find_undated_change, ("in 2 days ", "## 2026-02-01 §\n\nWe met w§ yesterday.\n\n## 2026-02-02\n")),
    ],
)
def test_texts_that_once_were_slow_are_quick(entry: Callable[..., object], pieces: tuple[str, ...]) -> None:
    found = (find_growth(run, piece, QUICK_SIZE) for run in ENTRIES[entry] for piece in pieces)
    assert [grown for grown in found if grown] == []


#: Nearly all of the time goes into the long texts, and what is slow at a megabyte is nearly always slow at 16 kB.
_TURNS = 32
_SIZE_OF_TURN = {
    0: LARGEST_SIZE,
    **dict.fromkeys((10, 21), QUICK_SIZE * 8),
    **dict.fromkeys(range(2, _TURNS, 5), QUICK_SIZE),
    **dict.fromkeys(range(4, _TURNS, 5), QUICK_SIZE),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "run"), _CALLS)
def test_work_grows_as_the_text_does_up_to_a_megabyte(number: int, run: Callable[[str], object]) -> None:
    # Which pieces make which texts differs from call to call: all of them at all lengths for each call would take an hour.
    sizes = ((piece, _SIZE_OF_TURN.get((n + number) % _TURNS)) for n, piece in enumerate(PIECES))
    found = (find_growth(run, piece, size) for piece, size in sizes if size is not None)
    assert [grown for grown in found if grown] == []


def test_whatever_takes_a_text_is_tried_or_says_why_not() -> None:
    known = {name_of(entry) for entry in ENTRIES} | {name for names in EXEMPT.values() for name in names}
    found = {name_of(one) for one in _public() if _takes_text(one)}
    assert sorted(found - known) == [], "add a call to tests/unit/core/growth, or the reason why none is needed"
    assert sorted({name for names in EXEMPT.values() for name in names} - found) == [], "it takes no text any more"


def name_of(entry: Any) -> str:
    return f"{entry.__module__.removeprefix('shared.core.')}.{entry.__qualname__}"


def _public() -> Iterator[object]:
    for found in pkgutil.walk_packages(shared.core.__path__, "shared.core."):
        module = importlib.import_module(found.name)
        for name, one in vars(module).items():
            is_own = getattr(one, "__module__", "") == module.__name__ and not name.startswith("_")
            is_class = inspect.isclass(one) and not dataclasses.is_dataclass(one) and "__init__" in vars(one)
            if is_own and (inspect.isfunction(one) or (is_class and not issubclass(one, Exception))):
                yield one


def _takes_text(one: object) -> bool:
    called = vars(one)["__init__"] if inspect.isclass(one) else one
    hints = typing.get_type_hints(called)
    return any(_is_text(hint) for name, hint in hints.items() if name != "return")


def _is_text(hint: object) -> bool:
    """Tell whether a type holds text: as such, in a collection, or as the content of a memory, an event or an answer."""
    if hint in (str, object):
        return True
    if dataclasses.is_dataclass(hint):
        fields = typing.get_type_hints(hint)
        return any(name in {"text", "content", "body", "quote", "lines"} for name in fields)
    # A function that is given belongs to the caller.
    is_call = typing.get_origin(hint) is not None and "Callable" in str(typing.get_origin(hint))
    return not is_call and any(map(_is_text, typing.get_args(hint)))
