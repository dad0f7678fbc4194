"""The day that a memory's relative dates refer to: what its text or its author says, never a file's time."""

from datetime import date, datetime

import pytest

from shared.core.dates.anchor import find_dated_sections, find_said_at, find_written_day
from shared.core.dates.rewrite import rewrite_sections
from shared.core.memory.model import Author
from tests.unit.builders import memory


@pytest.mark.parametrize(
    ("path", "text", "day"),
    [
        ("ops/2026-02-03-outage.md", "It broke yesterday.", date(2026, 2, 3)),
        ("ops/outage.md", "---\nupdated: 2026-02-03\ncreated: 2025-01-01\n---\nIt broke.", date(2026, 2, 3)),
        ("ops/outage.md", "---\ndate: '2026-02-03T10:00:00Z'\n---\nIt broke.", date(2026, 2, 3)),
        ("ops/outage.md", "# Outage of 2026-02-03\n\nIt broke yesterday.", date(2026, 2, 3)),
        ("ops/outage.md", "## 2026-02-03\n\na\n\n## 2026-02-04\n\nb", None),
        ("ops/disks.md", "# Disks\n\nOne broke yesterday.\n\n## Swaps, 2026-02-03\n\nDone.", None),
        (
            "ops/outage.md",
            "---\ncreated: 2026-02-03\n---\nIt broke yesterday, after the update of 28 January.",
            date(2026, 2, 3),
        ),
        ("ops/fair.md", "---\nstatus: paused\ncreated: 2026-02-03\n---\nPaused since January.", None),
        ("ops/disks.md", f"---\ncreated: 2026-02-03\n---\n{'Rack by rack. ' * 40}One broke yesterday.", None),
        ("ops/outage.md", "---\ncreated: 2026-02-03\n---\nIt broke yesterday.\n\nSolved on 2026-03-01.", None),
        ("ops/outage.md", "---\ncreated: 2025-12-29\n---\nIt broke yesterday.\n\n- [x] disk (Ida, 4 January)", None),
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


SECTIONS = """# Operations

It broke yesterday.

## 2026-02-03

The port changed yesterday.

### Details

It was noticed yesterday, too.

## 2026-02-10

The disk was replaced yesterday.

## Later

It is not known when it moved yesterday.
"""


def test_each_dated_heading_is_the_anchor_of_its_own_section() -> None:
    dated = rewrite_sections(SECTIONS)
    assert "The port changed yesterday (2026-02-02)." in dated
    assert "It was noticed yesterday (2026-02-02), too." in dated
    assert "The disk was replaced yesterday (2026-02-09)." in dated
    assert "It broke yesterday.\n" in dated
    assert "when it moved yesterday.\n" in dated
    assert rewrite_sections(dated) == dated


def test_a_dated_heading_further_down_is_the_anchor_of_its_section_alone() -> None:
    text = "# Notes\n\nIt broke yesterday.\n\n## Changes, 2026-02-03\n\nThe port moved yesterday.\n\n## More\n\nIt broke yesterday.\n"
    assert rewrite_sections(text) == text.replace("moved yesterday", "moved yesterday (2026-02-02)")


def test_one_day_for_the_whole_text_a_dreams_text_and_a_dated_name_have_no_sections() -> None:
    assert len(find_dated_sections(memory("ops/log.md", SECTIONS, author=Author.IMPORT))) == 2
    assert find_dated_sections(memory("ops/log.md", SECTIONS, author=Author.DREAM)) == ()
    assert find_dated_sections(memory("ops/2026-02-11.md", SECTIONS, author=Author.IMPORT)) == ()
    assert find_dated_sections(memory("ops/log.md", "## 2026-02-03\n\nIt broke yesterday.", author=Author.IMPORT)) == ()


CODE = """```sh
# restores the dump of 2026-02-07, not that of yesterday
restore --day yesterday
```
"""


def test_sections_around_blocks_of_code_are_dated_and_the_code_is_not() -> None:
    text = SECTIONS.replace("### Details\n", f"{CODE}\n### Details\n")
    dated = rewrite_sections(text)
    assert dated == rewrite_sections(SECTIONS).replace("### Details\n", f"{CODE}\n### Details\n")
    unclosed = text.replace("restore --day yesterday\n```\n", "restore --day yesterday\n")
    assert rewrite_sections(unclosed) == unclosed, "what is code and what is not cannot be told"
