"""The models of single phases, as an installation lists them and as stores and tenants name them."""

from collections.abc import Collection, Iterable

from shared.core.errors import BadInputError

#: What the settings of single phases begin with: `model.consolidate`.
OF_PHASE = "model."


def parse_phase_models(listed: str) -> dict[str, str]:
    """Return the settings that `consolidate=MODEL,synthesize=MODEL` stands for. Raises BadInputError."""
    found: dict[str, str] = {}
    for one in filter(None, (part.strip() for part in listed.split(","))):
        phase, _, model = (part.strip() for part in one.partition("="))
        if not phase or not model:
            raise BadInputError(f"write PHASE=MODEL, with commas between, not {one[:80]!r}")
        found[OF_PHASE + phase] = model
    return found


def check_phases(settings: Iterable[str], phases: Collection[str]) -> None:
    """Check that settings of single phases name phases that ask a model. Raises BadInputError."""
    for name in settings:
        phase = name.removeprefix(OF_PHASE)
        if name.startswith(OF_PHASE) and phase not in phases:
            asking = ", ".join(phases) or "none here"
            raise BadInputError(f"There is no phase {phase[:40]!r} that asks a model; choose one of {asking}")
