"""The phase `infer_preferences`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry
from workers.phases.infer_preferences.due import find_due

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "infer_preferences"

ENTRY = PhaseEntry(
    name=NAME,
    label="infer preferences",
    about="Infers the user's preferences from repeated wishes and corrections.",
    directives={"pref-dream.md": NAME},
    is_optional=True,
    left_out_of=frozenset({"byterover", "claude-code", "swarmclaw"}),
    may_emit=frozenset({OperationKind.INFER, OperationKind.UNRATIFY}),
    find_due=find_due,
)
