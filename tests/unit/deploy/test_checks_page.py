"""docs/checks.md: one row for each check, made from the tables that decide."""

from deploy.pages.checks import render_page
from tests.architecture.sources import ROOT


def test_the_page_is_the_one_that_the_checks_make() -> None:
    expected = render_page()
    assert (ROOT / "docs" / "checks.md").read_text(encoding="utf-8") == expected, "run: python -m deploy.pages.checks"
