"""The phase `gather`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "gather"

ENTRY = PhaseEntry(
    name=NAME,
    label="gather",
    about="Turns what agents said and did since the last dream into memories.",
    directives={"gather.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"byterover", "swarmclaw"}),
    also_by="gather.corrections",
    may_emit=frozenset({OperationKind.GATHER, OperationKind.CORRECT, OperationKind.FLAG, OperationKind.FORGET}),
)
