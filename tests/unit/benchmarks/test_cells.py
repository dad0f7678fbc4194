"""The table of cells on the page about sizing is what the simulation gives for the figures of the page about benchmarks."""

import re
from collections import deque

import pytest

from benchmarks.scale_out import cells
from tests.architecture.sources import ROOT

_ROW = re.compile(
    r"^\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \| ([\d.]+) \| (.+?) \| ([\d.]+) TB \|$", re.MULTILINE
)
SHOWN = _ROW.findall((ROOT / "docs" / "sizing.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: row[0])
def test_a_row_of_the_page_is_what_a_day_of_such_a_cell_comes_to(row: tuple[str, ...]) -> None:
    size, number, dreams, workers, servers, wait, kept = row
    found = cells._simulate(int(size.replace(",", "")), 10_000_000, 8, 512, cells.Costs())
    assert (f"{found['cells']:,}", f"{found['dreams a day']:,}") == (number, dreams)
    assert found["workers' cores busy at the peak"] == pytest.approx(float(workers), abs=0.06)
    assert found["servers' cores busy at the peak"] == pytest.approx(float(servers), abs=0.06)
    minutes = found["due to begun, p99 min"]
    assert ("in the minute" if minutes == 0 else f"{minutes} min") == wait
    assert isinstance(kept_gb := found["GB kept"], float)
    assert kept_gb / 1000 == pytest.approx(float(kept), rel=0.05)


def test_the_page_shows_cells_up_to_a_million_tenants() -> None:
    assert [row[0] for row in SHOWN][::4] == ["10,000", "1,000,000"]


def test_a_queue_gives_up_those_that_wait_longest_first() -> None:
    waiting = deque([(0, 2.0), (1, 3.0)])
    assert cells._take(waiting, 4.0) == [(0, 2.0), (1, 2.0)]
    assert list(waiting) == [(1, 1.0)]
