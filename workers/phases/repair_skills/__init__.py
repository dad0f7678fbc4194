"""The phase `repair_skills`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "repair_skills"

ENTRY = PhaseEntry(
    name=NAME,
    label="repair skills",
    about="Improves skills that went wrong in sessions or that say almost nothing.",
    directives={"skill-optimize.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"byterover", "claude-code", "swarmclaw"}),
    may_emit=frozenset({OperationKind.REPAIR_SKILL}),
)
