"""docs/phases.md: one row for each phase, made from what the phase declares."""

import pytest

from deploy.pages.phases import render_page
from tests.architecture.sources import ROOT
from workers.phase.shape import Phase
from workers.phases import ALL_PHASES


def test_the_page_is_the_one_that_the_phases_make() -> None:
    expected = render_page()
    assert (ROOT / "docs" / "phases.md").read_text(encoding="utf-8") == expected, "run: python -m deploy.pages.phases"


@pytest.mark.parametrize("phase", ALL_PHASES, ids=[phase.name for phase in ALL_PHASES])
def test_each_phase_has_one_row_and_its_prompts_exist(phase: Phase) -> None:
    rows = [line for line in render_page().splitlines() if line.startswith(f"| `{phase.name}` |")]
    assert len(rows) == 1
    links = [part.partition(")")[0] for part in rows[0].split("](../")[1:]]
    assert all((ROOT / link).is_file() for link in links)
