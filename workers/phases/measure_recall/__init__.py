"""The phase `measure_recall`, as the rest of the program knows it."""

from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "measure_recall"

ENTRY = PhaseEntry(
    name=NAME,
    label="measure recall",
    about="Asks up to 200 questions about the store before and after the dream, and counts the answers that are found.",
    is_optional=True,
    may_emit=frozenset(),
)
