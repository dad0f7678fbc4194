"""Words of a memory in a pointer, and where a new one stands."""

import pytest

from shared.core.memory.index_text import with_block, with_new_pointer
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, MORE_LINE
from shared.core.memory.pointer import pointer_line, pointer_to
from shared.core.policy.policy import IndexPolicy
from tests.unit.builders import head_of, memory
from workers.phases.index.pointers import Budget, index_block
from workers.phases.index.root import frame_of

LARGE = Budget(lines=50, bytes=5_000)


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


_NEW = ("api/a.md", "api/m/n.md", "api/z.md", "api/zoo/a b.md", "b.md", "web/(1).md", "zoo.md")


@pytest.mark.parametrize(
    ("new", "prefix"), [(new, prefix) for prefix in ("", "api/") for new in _NEW if new.startswith(prefix)]
)
def test_a_new_pointer_stands_where_the_next_dream_would_write_it(new: str, prefix: str) -> None:
    paths = [
        one for one in ("a.md", "c.md", "api/b.md", "api/m/o.md", "api/y.md", "web/x.md") if one.startswith(prefix)
    ]
    path = f"{prefix}_index.md"
    frame = frame_of("An index")

    def index_of(found: list[str]) -> str:
        heads = [head_of(memory(one, f"# Note of {one}\n\nIt says {one}.\n")) for one in sorted(found)]
        return frame + "".join(f"{line}\n" for line in index_block(heads, prefix, LARGE, IndexPolicy()).lines)

    line = pointer_to(new, f"Note of {new}", f"It says {new}.", prefix, IndexPolicy())
    assert with_new_pointer(path, index_of(paths), new, line) == index_of([*paths, new])


def test_a_new_pointer_in_an_index_that_names_folders_stands_before_the_line_to_all_memories() -> None:
    heads = [head_of(memory(f"api/{number}.md", f"# Note {number}\n")) for number in range(20)]
    block = index_block(heads, "", Budget(lines=9, bytes=5_000), IndexPolicy(), MORE_LINE)
    *lines, more = block.lines
    new = "- [New](web/new.md)"
    text, longer = (with_block("", [INDEX_BEGIN, *found, more, INDEX_END]) for found in (lines, [*lines, new]))
    assert with_new_pointer("MEMORY.md", text, "web/new.md", new) == longer
