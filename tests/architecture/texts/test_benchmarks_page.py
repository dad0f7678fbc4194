"""Every table of docs/benchmarks says by which command it was made and of which commit it is, so that it can be reproduced."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

_PAGES = sorted((Path(__file__).parents[3] / "docs/benchmarks").glob("[a-z]*.md"))  # README.md sums them up
_COMMAND = re.compile(r"`(?:python -m |make |slowwave )[a-z]")
#: Seven digits of a commit, a letter and a digit among them: neither a word nor a number is taken for one.
_COMMIT = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7}\b")


def tables_of(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield the first row of each table, the heading of its section, and the text since the table or heading before it."""
    heading, text, is_inside = "", "", False
    for line in page.splitlines():
        if line.startswith("|") and not is_inside:
            yield line, heading, text
            text = ""
        elif line.startswith("## "):
            heading, text = line, ""
        elif not line.startswith("|"):
            text += f"{line}\n"
        is_inside = line.startswith("|")


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        pytest.param(heading, text, id=f"{page.stem} {row[:60]}")
        for page in _PAGES
        for row, heading, text in tables_of(page.read_text(encoding="utf-8"))
    ],
)
def test_a_table_names_its_command_and_its_commit(heading: str, text: str) -> None:
    assert _COMMAND.search(f"{heading}\n{text}"), "name the command in the heading of the section or above the table"
    assert _COMMIT.search(text), "name the commit between the table before and this one"


def test_a_table_without_its_commit_is_found() -> None:
    (found,) = tables_of(
        "## Search: `python -m benchmarks.search`\n\nMilliseconds, 1,234,567 in 2026:\n\n| a |\n|---|\n"
    )
    assert _COMMIT.search(found[2]) is None
    assert _COMMAND.search(found[1])
