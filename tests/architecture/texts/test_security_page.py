"""docs/security.md: each claim names a test that exists, and the page has every part of a threat model."""

import re

from tests.architecture.sources import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_it_names_exists() -> None:
    named = set(re.findall(r"`(tests/[^`]+\.py)`", PAGE))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []


def test_every_entry_point_names_the_test_that_shows_what_holds_it() -> None:
    table = PAGE.partition("## Entry points")[2].partition("\n#")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith("| entry point |")]
    assert len(rows) > 15
    assert [row for row in rows if "`tests/" not in row] == []


def test_each_risk_names_what_holds_it_and_a_test() -> None:
    risks = PAGE.partition("## Risks, point by point")[2].partition("\n### ")[0]
    rows = [
        line for line in risks.splitlines() if line.startswith("| ") and not line.startswith(("| risk |", "| attack |"))
    ]
    assert len([row for row in rows if row.startswith("| ASI")]) == 10
    assert [row for row in rows if "`tests/" not in row] == []


def test_the_security_page_has_the_parts_of_a_threat_model() -> None:
    parts = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert parts == [
        "Assets", "Actors", "Entry points and their controls", "Risks, point by point", "What was tried",
        "Report a vulnerability",
    ]  # fmt: skip
