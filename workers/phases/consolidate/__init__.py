"""The phase `consolidate`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "consolidate"

ENTRY = PhaseEntry(
    name=NAME,
    label="consolidate",
    about="Merges, dates and links the memories that changed, and proposes to retire what they contradict.",
    directives={"dream.md": NAME},
    is_optional=True,
    output_share=0.5,
    may_emit=frozenset(
        {OperationKind.MERGE, OperationKind.TEMPORAL_UPDATE, OperationKind.CROSS_REFERENCE, OperationKind.RETIRE}
    ),
)
