"""The phase `measure_recall`, as the rest of the program knows it."""

from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "measure_recall"
#: Of the store's own questions: some are left to the other kinds.
MOST_OWN = 100

ENTRY = PhaseEntry(
    name=NAME,
    label="measure recall",
    about=f"Asks up to 200 questions of the store before and after the dream, and counts the answers that are found: the first {MOST_OWN} "
    "of the store's own questions, what users asked in the newest sessions, and facts of the memories (half as many where searches are "
    "logged: the others are what agents searched for, asked again when the dream has ended).",
    is_optional=True,
    may_emit=frozenset(),
)
