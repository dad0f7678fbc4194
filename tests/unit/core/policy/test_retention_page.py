"""docs/retention.md shows the days that hold."""

import re
from dataclasses import asdict

from shared.core.policy.retention import RULES, RetentionPolicy
from tests.architecture.sources import ROOT


def test_the_page_of_retention_shows_the_defaults_of_every_rule() -> None:
    page = (ROOT / "docs" / "retention.md").read_text()
    shown = {name: int(days) for name, days in re.findall(r"^\| `(\w+)` \| (\d+) \|", page, re.MULTILINE)}
    assert shown == asdict(RetentionPolicy())
    assert set(shown) == {*RULES, "undo"}
