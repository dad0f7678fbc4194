"""docs/conformance.md names the tests in which each published behaviour was seen: they exist, and each row has one."""

import re

import pytest

from tests.architecture.sources import ROOT

PAGE = (ROOT / "docs/conformance.md").read_text(encoding="utf-8")
_NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
_ROW = re.compile(r"^\| (?!published|---)(.*) \|$", re.MULTILINE)


def test_every_test_that_the_page_names_exists() -> None:
    named = sorted(set(_NAMED.findall(PAGE)))
    assert len(named) > 100
    missing = [
        f"{path}::{name}"
        for path, name in named
        if f"def {name}(" not in (ROOT / "tests" / path).read_text(encoding="utf-8")
    ]
    assert missing == []


def test_every_row_says_how_it_was_seen_and_what_differs_stands_in_the_profiles_or_says_how() -> None:
    rows = [row.split(" | ") for row in _ROW.findall(PAGE)]
    assert [row for row in rows if len(row) != 4] == []
    unseen = [row[0] for row in rows if not _NAMED.search(row[3])]
    assert unseen == []
    verdicts = {row[0]: row[1] for row in rows}
    unclear = [what for what, verdict in verdicts.items() if not verdict.startswith(("as published", "differs: "))]
    assert unclear == [], "as published, or differs: in which way?"


def test_what_is_as_published_was_seen_in_a_run_and_not_in_a_function_alone() -> None:
    rows = [row.split(" | ") for row in _ROW.findall(PAGE)]
    seen = {row[0]: {path.partition("/")[0] for path, _ in _NAMED.findall(row[3])} for row in rows}
    published = [row[0] for row in rows if row[1].startswith("as published")]
    assert [what for what in published if seen[what] <= {"unit"}] == []


@pytest.mark.parametrize("system", ["ByteRover", "Claude Code", "RockBot", "SwarmClaw", "Anthropic's Dreams API"])
def test_every_system_has_its_section(system: str) -> None:
    assert f"## System: {system}" in PAGE
