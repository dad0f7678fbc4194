"""The phase `measure_recall`, as the rest of the program knows it."""

from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "measure_recall"

ENTRY = PhaseEntry(
    name=NAME,
    label="measure recall",
    about="Asks for up to 200 facts of the store before and after the dream (100 where searches are logged: the others are what agents "
    "searched for, asked again when the dream has ended), and counts the answers that are found.",
    is_optional=True,
    may_emit=frozenset(),
)
