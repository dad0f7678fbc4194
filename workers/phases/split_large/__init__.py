"""The phase `split_large`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "split_large"

ENTRY = PhaseEntry(
    name=NAME,
    label="split",
    about="Turns memories that are too large into a hub with parts, cut at their headings.",
    directives={"split.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"byterover", "claude-code", "rockbot", "swarmclaw"}),
    may_emit=frozenset({OperationKind.SPLIT}),
)
