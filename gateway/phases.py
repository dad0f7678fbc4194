"""Give the gateway the catalogue of phases, the only part of the workers that it may use."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.core.dream.phase_catalog import PhaseCatalog


@cache
def get_phases() -> PhaseCatalog:
    """Return the catalogue. It is imported when it is needed: most commands need none."""
    from workers.phases import CATALOG  # noqa: PLC0415 - the reason is above

    return CATALOG
