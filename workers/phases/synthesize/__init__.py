"""The phase `synthesize`, as the rest of the program knows it."""

from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry

#: The name of the phase: of its folder, task, switch and metrics label.
NAME = "synthesize"

ENTRY = PhaseEntry(
    name=NAME,
    label="synthesize",
    about="Finds patterns across domains, and reflects on the most important memories.",
    directives={"synthesize.md": NAME, "reflect.md": "reflect"},
    is_optional=True,
    output_share=0.3,
    left_out_of=frozenset({"claude-code", "rockbot"}),
    also_by="reflect.enabled",
    may_emit=frozenset({OperationKind.CREATE, OperationKind.FLAG}),
)
