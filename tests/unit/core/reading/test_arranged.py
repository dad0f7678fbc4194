"""Statements that a plan forgets stay where their notes have them."""

from shared.core.reading.arranged import Source, arrange
from shared.core.reading.placed import read_placed

_ONE = "# Shed\n\n## Who\n\n- Ada has the key.\n- Bo has the lamp.\n\n## When\n\n- It opens at nine.\n"
_OTHER = "# Shed\n\n## Who\n\n- Cem has the rope.\n\n## Where\n\n- It stands behind the quay.\n"


def test_a_forgotten_statement_goes_under_the_equal_heading_that_is_there_and_else_brings_its_own() -> None:
    sources = (Source("a", _ONE, read_placed(_ONE)), Source("b", _OTHER, read_placed(_OTHER)))
    body = arrange(sources, "# Shed\n## Who\n{a1-a2}\n## When\n{a3}\n").compose()
    assert body == (
        "# Shed\n\n## Who\n\n- Ada has the key.\n- Bo has the lamp.\n- Cem has the rope.\n\n## When\n\n- It opens at nine.\n\n"
        "## Where\n\n- It stands behind the quay."
    )
