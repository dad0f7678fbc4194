"""The phase `index`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "index"

ENTRY = PhaseEntry(
    name=NAME,
    label="index",
    about="Rebuilds `MEMORY.md` and the index of each domain.",
    may_emit=frozenset({OperationKind.INDEX}),
)
