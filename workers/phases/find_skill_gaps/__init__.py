"""The phase `find_skill_gaps`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "find_skill_gaps"

ENTRY = PhaseEntry(
    name=NAME,
    label="find skill gaps",
    about="Writes a skill for a request that several sessions begin with and that no skill covers.",
    directives={"skill-gap.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"byterover", "claude-code", "swarmclaw"}),
    may_emit=frozenset({OperationKind.CREATE_SKILL}),
)
