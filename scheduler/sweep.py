"""The shape of a sweep: a periodic pass that only finds work. Whoever acts on it checks again, under a lock."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.ports.ports import Ports


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """One pass.

    Attributes:
        name: the file's name.
        every: from the settings to the interval.
        find: rows to act on, bounded.
        act: one row; returns whether there was something to do. One failing row never stops the sweep.
    """

    name: str
    every: Callable[[Any], timedelta]
    find: Callable[[Ports], list[Any]]
    act: Callable[[Ports, Any], bool]
