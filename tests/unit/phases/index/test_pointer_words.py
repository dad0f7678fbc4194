"""Words of a memory in a pointer: the brackets of its links are left out."""

import pytest

from shared.core.policy.policy import IndexPolicy
from workers.phases.index.pointers import pointer_line


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("[core.md](core.md) — status of the core", "core.md — status of the core"),
        ("See [[output_pipeline]] for the format", "See output_pipeline for the format"),
        ("log the prefix [Calendar] first", "log the prefix (Calendar) first"),
        ("an open [bracket", "an open (bracket"),
        ("report of <Name of the host> in May", "report of (Name of the host) in May"),
        ("from -> to, <!-- and back", "from -> to, (!-- and back"),
    ],
)
def test_of_a_link_a_pointer_keeps_the_words(said: str, shown: str) -> None:
    assert pointer_line("Core", "core.md", said, IndexPolicy()) == f"- [Core](core.md) — {shown}"
