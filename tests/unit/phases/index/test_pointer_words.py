"""Words of a memory in a pointer: the brackets of its links are left out."""

import pytest

from shared.core.policy.policy import IndexPolicy
from tests.unit.builders import head_of, memory
from workers.phases.index.pointers import Budget, index_block, pointer_line


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


def test_pages_with_one_title_are_called_by_their_files() -> None:
    texts = {
        "minutes/0412 crane round.md": "# Crane round\n\nCopied from paper.\n",
        "minutes/0419 crane round.md": "# Crane round\n\nCopied from paper.\n",
        "minutes/quay.md": "# Crane Round\n\nThe quay gets a new crane.\n",
        "rules/crane.md": "# Crane round\n\nIt is held weekly.\n",
        "yard/a/README.md": "# Yard\n\nThe north yard.\n",
        "yard/b/README.md": "# Yard\n\nThe south yard.\n",
    }
    heads = [head_of(memory(path, text)) for path, text in texts.items()]
    shown = index_block(heads, "", Budget(lines=50, bytes=5_000), IndexPolicy()).lines
    assert shown == [
        "## minutes",
        "- [0412 crane round](minutes/0412%20crane%20round.md)",
        "- [0419 crane round](minutes/0419%20crane%20round.md)",
        "- [quay (Crane Round)](minutes/quay.md) — The quay gets a new crane.",
        "## rules",
        "- [Crane round](rules/crane.md) — It is held weekly.",
        "## yard",
        "- [a/README (Yard)](yard/a/README.md) — The north yard.",
        "- [b/README (Yard)](yard/b/README.md) — The south yard.",
    ]


def test_a_file_at_the_top_and_a_name_that_is_the_title_are_called_by_the_file_alone() -> None:
    texts = {
        "AGENTS.md": "# Rules of the house\n",
        "CLAUDE.md": "# Rules of the house\n",
        "a/quay_crane.md": "# Quay crane\n",
        "a/quay-crane.md": "# Quay crane\n",
    }
    heads = [head_of(memory(path, text)) for path, text in texts.items()]
    assert index_block(heads, "", Budget(lines=50, bytes=5_000), IndexPolicy()).lines == [
        "- [AGENTS (Rules of the house)](AGENTS.md)",
        "- [CLAUDE (Rules of the house)](CLAUDE.md)",
        "## a",
        "- [quay_crane](a/quay_crane.md)",
        "- [quay-crane](a/quay-crane.md)",
    ]
