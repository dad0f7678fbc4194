"""The catalogue of the phases: all that the gateway may know of the workers."""

from functools import cache

from shared.core.dream.phase_catalog import PhaseCatalog


@cache
def get_phases() -> PhaseCatalog:
    """Return the catalogue. The phases are imported now: half a second that most commands need not spend."""
    from workers.phases import CATALOG  # noqa: PLC0415 - the reason is above

    return CATALOG
