"""The phase `learn_from_workflows`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "learn_from_workflows"

ENTRY = PhaseEntry(
    name=NAME,
    label="learn from workflows",
    about="Notes repeated failures in skills, and proposes workflows that succeed as skills.",
    directives={"wisp-failure-dream.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"byterover", "claude-code", "swarmclaw"}),
    may_emit=frozenset({OperationKind.ANNOTATE, OperationKind.PROMOTE}),
)
