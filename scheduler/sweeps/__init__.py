"""The sweeps. A sweep is a module here and its name in this list.

The import contracts cannot see a module that is loaded by its name: pyproject.toml names this loader, and
`tests/architecture/test_sweep_shape.py` checks that it loads every module and nothing else.
"""

from importlib import import_module

from scheduler.sweep import Sweep


def _load(name: str) -> Sweep:
    sweep = import_module(f"{__name__}.{name}").SWEEP
    assert isinstance(sweep, Sweep)
    return sweep


SWEEPS = tuple(
    _load(name)
    for name in (
        "due_stores",
        "daily_digest",
        "compaction",
        "stalled_dreams",
        "retention",
        "due_deliveries",
        "weekly_digest",
        "message_batches",
        "evaluations",
    )
)
