"""The phase `compact`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "compact"

ENTRY = PhaseEntry(
    name=NAME,
    label="compact",
    about="Archives durable memories that were not read in 60 days.",
    may_emit=frozenset({OperationKind.COMPACT}),
)
