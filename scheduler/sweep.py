"""Define a sweep: a periodic pass that finds work and dispatches it. The task that gets the work checks again, under a lock."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.all_ports import Ports


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """One sweep.

    Attributes:
        name: the name of the module.
        every: returns the interval from the settings.
        find: returns the rows to act on, a bounded number.
        act: handles one row and returns whether there was something to do. A failing row does not stop the sweep.
    """

    name: str
    every: Callable[[Any], timedelta]
    find: Callable[[Ports], list[Any]]
    act: Callable[[Ports, Any], bool]
