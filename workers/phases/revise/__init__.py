"""The phase `revise`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "revise"

ENTRY = PhaseEntry(
    name=NAME,
    label="revise",
    about="Shows a model the store by statements: replaces what a later one changed, says once what stands twice, makes one "
    "note of two on one subject, and asks a person which of two holds. Opens once what an answer wants to see. Needs a model.",
    directives={"revise.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"byterover", "claude-code", "rockbot", "swarmclaw"}),
    may_emit=frozenset(
        {
            OperationKind.UPDATE,
            OperationKind.MERGE,
            OperationKind.TEMPORAL_UPDATE,
            OperationKind.CROSS_REFERENCE,
            OperationKind.FLAG,
        }
    ),
)
