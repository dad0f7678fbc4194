"""The phase `recall_guard`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "recall_guard"

ENTRY = PhaseEntry(
    name=NAME,
    label="recall guard",
    about="Searches for the knowledge that this dream touched, and puts back operations that made it unfindable.",
    is_optional=True,
    may_emit=frozenset({OperationKind.PUT_BACK}),
)
