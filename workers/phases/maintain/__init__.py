"""The phase `maintain`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry
from workers.phases.maintain.due import find_due

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "maintain"

ENTRY = PhaseEntry(
    name=NAME,
    label="maintain",
    about="Folds exact duplicates, promotes what is used often, and archives what has expired or is never used, without a model.",
    is_optional=True,
    left_out_of=frozenset({"byterover", "claude-code"}),
    may_emit=frozenset(
        {OperationKind.FOLD, OperationKind.MAKE_DURABLE, OperationKind.EXPIRE, OperationKind.ARCHIVE_STALE}
    ),
    find_due=find_due,
)
