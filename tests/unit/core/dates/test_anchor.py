"""The day that a memory's relative dates refer to: what its text or its author says, never a file's time."""

from datetime import date, datetime

import pytest

from shared.core.dates.anchor import find_said_at, find_written_day
from shared.core.memory.model import Author
from tests.unit.builders import memory


@pytest.mark.parametrize(
    ("path", "text", "day"),
    [
        ("ops/2026-02-03-outage.md", "It broke yesterday.", date(2026, 2, 3)),
        ("ops/outage.md", "---\nupdated: 2026-02-03\ncreated: 2025-01-01\n---\nIt broke.", date(2026, 2, 3)),
        ("ops/outage.md", "---\ndate: '2026-02-03T10:00:00Z'\n---\nIt broke.", date(2026, 2, 3)),
        ("ops/outage.md", "# Outage of 2026-02-03\n\nIt broke yesterday.", date(2026, 2, 3)),
        ("ops/disks.md", "# Disks\n\nOne broke yesterday.\n\n## Swaps, 2026-02-03\n\nDone.", None),
        ("ops/disks.md", "---\ncreated: 2026-02-03\n---\nOne broke yesterday.", None),
        (
            "ops/outage.md",
            "---\nupdated: 2026-02-03\n---\nIt broke yesterday. The new disk comes on 1 March.",
            date(2026, 2, 3),
        ),
        ("ops/2026-02-03-to-2026-02-09.md", "---\ndate: 2026-02-03\n---\n", None),
        ("ops/outage.md", "It broke on 2026-02-03.", None),
        ("2026-02-03/outage.md", "It broke yesterday.", None),
        ("ops/2026-02-31.md", "It broke yesterday.", None),
        ("ops/restore.md", "```sh\n# dump of 2026-02-03\n```\n\nIt broke yesterday.", None),
    ],
)
def test_a_text_is_as_old_as_its_name_frontmatter_or_heading_says(path: str, text: str, day: date | None) -> None:
    assert find_written_day(path, text) == day


@pytest.mark.parametrize(
    ("path", "fields"),
    [("ops/night.md", "type: howto\n"), ("runbooks/night.md", ""), ("ops/templates/night.md", "kind: note\n")],
)
def test_what_tells_how_to_do_something_was_said_on_no_day(path: str, fields: str) -> None:
    text = f"---\n{fields}date: 2026-02-03\n---\n- tickets that close tonight"
    assert find_said_at(memory(path, text, author=Author.IMPORT)) is None
    assert find_said_at(memory("ops/night.md", "---\ndate: 2026-02-03\n---\n- tickets that close tonight")) is not None


def test_only_an_imported_memory_needs_a_date_of_its_own() -> None:
    texts = [memory("a.md", "It broke yesterday.", author=author) for author in Author]
    known = {one.author: find_said_at(one) for one in texts}
    assert known[Author.IMPORT] is None
    assert known[Author.DREAM] is None
    assert known[Author.AGENT] == known[Author.USER] == texts[0].updated_at


def test_the_date_of_the_text_goes_before_the_time_of_its_last_write() -> None:
    text = "---\ndate: 2026-02-03\n---\nIt broke yesterday."
    found = [find_said_at(memory("a.md", text, author=author)) for author in (Author.AGENT, Author.IMPORT)]
    assert found == [datetime(2026, 2, 3, 12)] * 2  # noqa: DTZ001  # a local time
