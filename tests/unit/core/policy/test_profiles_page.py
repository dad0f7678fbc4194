"""docs/profiles.md: each published default, ours, and why where they differ; one test a number."""

import pytest

from deploy.pages.profiles import ours, render_page, shown
from deploy.published import SYSTEMS
from deploy.published.row import Row
from shared.core.policy.profiles import PROFILES
from tests.architecture.sources import ROOT

ROWS = [(profile, row) for profile, (_, rows) in SYSTEMS.items() for row in rows]


def test_the_page_is_the_one_that_the_code_makes() -> None:
    assert (ROOT / "docs" / "profiles.md").read_text(encoding="utf-8") == render_page()


def test_every_profile_has_its_table() -> None:
    assert set(SYSTEMS) == set(PROFILES)


@pytest.mark.parametrize(("profile", "row"), ROWS, ids=[f"{profile}: {row.what}" for profile, row in ROWS])
def test_a_profile_has_the_published_number_or_a_reason_for_another(profile: str, row: Row) -> None:
    assert (shown(ours(profile, row)) == shown(row.published)) is not bool(row.why)
