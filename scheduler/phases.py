"""Import the catalogue of phases, the only part of the workers that the scheduler may use."""

from shared.core.dream.phase_catalog import PhaseCatalog


def get_phases() -> PhaseCatalog:
    """Return the catalogue. Checks of stores run in workers; beat only sends their messages and never imports it."""
    from workers.phases import CATALOG  # noqa: PLC0415 - the reason is above

    return CATALOG
