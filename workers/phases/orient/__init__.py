"""The phase `orient`, as the rest of the program knows it."""

from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "orient"

ENTRY = PhaseEntry(
    name=NAME,
    label="orient",
    about="Counts what there is and what changed: the loss cap and the end of the dream go by it, and questions begin with it.",
    may_emit=frozenset(),
)
