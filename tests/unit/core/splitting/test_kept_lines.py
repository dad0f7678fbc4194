"""The last look before a split is written: whatever planned it, nothing is lost, made up or hidden."""

from dataclasses import replace

import pytest

from shared.core.dream.allowed_changes import find_excess
from shared.core.dream.effects import Effect
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Memory, MemoryState
from tests.unit.builders import memory

BEFORE = memory(
    "g.md", "---\ntags: [a]\n---\n# Guide\n\n## Backups\n\nA copy goes to Lisbon.\n\n[1]: https://example.com\n"
)
HUB = "---\ntags: [a]\n---\n# Guide\n\n## Parts\n\n- [Backups](g-backups.md)\n"
PART = "---\npart_of: g.md\n---\n# Backups\n\nA copy goes to Lisbon.\n\n[1]: https://example.com\n"
LINKING = memory("l.md", "See [this](g.md#backups).\n")


def judge(
    hub: str = HUB, part: str = PART, *, link: str = "See [this](g-backups.md#backups).\n", kind: str = "SPLIT"
) -> str | None:
    effects = (
        Effect(before=BEFORE, after=replace(BEFORE, content=hub)),
        Effect(before=None, after=memory("g-backups.md", part)),
        Effect(before=LINKING, after=replace(LINKING, content=link)),
    )
    return find_excess(OperationKind(kind), effects)


def test_a_split_that_moves_lines_and_leads_links_may_be_done() -> None:
    assert judge() is None


@pytest.mark.parametrize(
    ("hub", "part", "link", "why"),
    [
        (HUB, PART.replace("A copy goes to Lisbon.", ""), None, 'it would no longer say "A copy goes to Lisbon."'),
        (HUB, PART.replace("Lisbon", "Porto"), None, 'it would no longer say "A copy goes to Lisbon."'),
        (HUB, f"{PART}No copy is needed.\n", None, 'it would add "No copy is needed."'),
        (f"{HUB}A copy goes to Lisbon.\n", PART, None, 'it would add "A copy goes to Lisbon."'),
        (f"{HUB}- [Other](other.md)\n", PART, None, 'it would add "- [Other](other.md)"'),
        (HUB, f"{PART}[2]: https://example.org\n", None, 'it would add "[2]: https://example.org"'),
        (HUB.replace("[a]", "[b]"), PART, None, "it would change the frontmatter of the hub"),
        (HUB, PART, "See [that](g-backups.md#backups).\n", 'it would write "See [that](g-backups.md#backups)."'),
        (HUB, PART, "See [this](g-backups.md#backups).\nMore.\n", "it would add or drop lines of a memory that links to it"),
    ],
)  # fmt: skip
def test_a_split_that_does_more_is_proposed_with_what_is_wrong(hub: str, part: str, link: str | None, why: str) -> None:
    found = judge(hub, part) if link is None else judge(hub, part, link=link)
    assert found == why


def test_a_split_hides_no_memory_and_has_one_to_split() -> None:
    hidden: Memory = replace(BEFORE, state=MemoryState.ARCHIVED)
    assert find_excess(OperationKind.SPLIT, [Effect(before=BEFORE, after=hidden)]) == "it would hide g.md"
    assert find_excess(OperationKind.SPLIT, [Effect(before=None, after=BEFORE)]) == "it would split no memory"
