"""The phases of each kind of dream, in order. A phase is a folder here and its name in one of these lists.

The import contracts cannot see a module that is loaded by its name: pyproject.toml names this loader, and
`tests/architecture/test_phase_shape.py` holds that it loads every folder and nothing else.
"""

from collections.abc import Iterable
from functools import cache
from importlib import import_module

from shared.core.dream.model import Trigger
from shared.core.dream.phase_catalog import PhaseCatalog
from workers.phase.shape import Phase


@cache
def _load(name: str) -> Phase:
    phase = import_module(f"{__name__}.{name}.phase").PHASE
    assert isinstance(phase, Phase)
    return phase


def _chain(*names: str) -> tuple[Phase, ...]:
    return tuple(_load(name) for name in names)


PHASES = _chain(
    "orient",
    "gather",
    "maintain",
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
)
#: The shorter chains of upkeep. The survey comes first, because the loss cap depends on how many memories there are.
UPKEEP = {
    Trigger.DIGEST: _chain("orient", "digest", "index"),
    Trigger.COMPACTION: _chain("orient", "compact", "index"),
}


def _each_once(chains: Iterable[tuple[Phase, ...]]) -> tuple[Phase, ...]:
    return tuple(dict.fromkeys(phase for chain in chains for phase in chain))


ALL_PHASES = _each_once((PHASES, *UPKEEP.values()))
CATALOG = PhaseCatalog(ALL_PHASES)


def get_catalog() -> PhaseCatalog:
    """Return the catalogue of all phases."""
    return CATALOG


def get_chain(trigger: Trigger) -> tuple[Phase, ...]:
    """Return the phases of a dream by its trigger."""
    return UPKEEP.get(trigger, PHASES)
