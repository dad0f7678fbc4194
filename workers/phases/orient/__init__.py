"""The phase `orient`, as the rest of the program knows it."""

from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "orient"

ENTRY = PhaseEntry(
    name=NAME,
    label="orient",
    about="Counts the memories and what changed. The loss cap, the questions and the end of the dream use these numbers.",
    may_emit=frozenset(),
)
