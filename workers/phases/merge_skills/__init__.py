"""The phase `merge_skills`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "merge_skills"

ENTRY = PhaseEntry(
    name=NAME,
    label="merge skills",
    about="Merges overlapping skills, writes guides to groups of skills, and links related ones.",
    directives={"skill-dream.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"byterover", "claude-code", "swarmclaw"}),
    may_emit=frozenset({OperationKind.MERGE_SKILLS, OperationKind.GUIDE_SKILLS, OperationKind.LINK_SKILLS}),
)
