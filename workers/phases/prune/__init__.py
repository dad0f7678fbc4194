"""The phase `prune`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry
from workers.phases.prune.due import find_due

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "prune"

ENTRY = PhaseEntry(
    name=NAME,
    label="prune",
    about="Reviews stale and decayed memories: archives what is over or held elsewhere, keeps the rest, or suggests a merge.",
    directives={"prune.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"claude-code", "swarmclaw"}),
    may_emit=frozenset({OperationKind.ARCHIVE, OperationKind.KEEP, OperationKind.SUGGEST_MERGE}),
    find_due=find_due,
)
