"""The phases of each kind of dream, in order. A phase is a folder here and its name in one of these lists.

The catalogue is what the rest of the program may know about the phases; it is fast to import. Their functions, with prompts,
rules and answer types, are imported when a chain is first needed.

The import contracts cannot see a module that is loaded by its name: pyproject.toml names this loader, and
`tests/architecture/test_phase_shape.py` checks that it loads every folder and nothing else.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from shared.core.dream.model import Trigger
from shared.core.dream.phase_catalog import PhaseCatalog, PhaseEntry

if TYPE_CHECKING:
    from workers.phase.shape import Phase

    # `__getattr__` below makes these.
    PHASES: tuple[Phase, ...]
    UPKEEP: Mapping[Trigger, tuple[Phase, ...]]
    ALL_PHASES: tuple[Phase, ...]

_PHASES = (
    "orient",
    "gather",
    "maintain",
    "revise",
    "consolidate",
    "synthesize",
    "prune",
    "split_large",
    "find_skill_gaps",
    "merge_skills",
    "repair_skills",
    "infer_preferences",
    "learn_from_workflows",
    "recall_guard",
    "index",
    "measure_recall",
)
#: The shorter chains of upkeep. The survey comes first, because the loss cap depends on how many memories there are.
_UPKEEP = {
    Trigger.DIGEST: ("orient", "digest", "index"),
    Trigger.COMPACTION: ("orient", "compact", "index"),
}


def _each_once(chains: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for chain in chains for name in chain))


def _load_entry(name: str) -> PhaseEntry:
    entry = import_module(f"{__name__}.{name}").ENTRY
    assert isinstance(entry, PhaseEntry)
    return entry


@cache
def _load(name: str) -> "Phase":
    phase: Phase = import_module(f"{__name__}.{name}.phase").PHASE
    return phase


_ALL = _each_once((_PHASES, *_UPKEEP.values()))
CATALOG = PhaseCatalog(tuple(map(_load_entry, _ALL)))


def get_catalog() -> PhaseCatalog:
    """Return the catalogue of all phases."""
    return CATALOG


@cache
def read_built_in(directive: str) -> str:
    """Return the built-in prompt that a directive replaces."""
    return (Path(__file__).parents[2] / CATALOG.find_prompt_file(directive)).read_text(encoding="utf-8")


@cache
def get_chain(trigger: Trigger) -> "tuple[Phase, ...]":
    """Return the phases of a dream by its trigger."""
    return tuple(map(_load, _UPKEEP.get(trigger, _PHASES)))


def __getattr__(name: str) -> object:
    """Build and cache a list of phases by name: PHASES of a dream, UPKEEP by its trigger, or ALL_PHASES."""
    match name:
        case "PHASES":
            found: object = tuple(map(_load, _PHASES))
        case "UPKEEP":
            found = {trigger: get_chain(trigger) for trigger in _UPKEEP}
        case "ALL_PHASES":
            found = tuple(map(_load, _ALL))
        case _:
            raise AttributeError(name)
    return globals().setdefault(name, found)
