"""The phase `digest`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "digest"

ENTRY = PhaseEntry(
    name=NAME,
    label="digest",
    about="Sums up the memories of the last 24 hours in three to seven bullets.",
    directives={"daily-digest.md": NAME},
    may_emit=frozenset({OperationKind.DIGEST}),
)
