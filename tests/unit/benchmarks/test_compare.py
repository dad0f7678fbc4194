"""The cost of a dream is compared with what was recorded: what costs more or finds less is named, and is an error."""

import json
from pathlib import Path

import pytest

from benchmarks.compare import figures
from benchmarks.compare.figures import CASES, Figures, find_worse, measure, name_of, read_recorded, tell

RECORDED = Figures(loops=10.0, tokens=10_000, found=5)
NAME = "20 of 1,000 changed, 10 domains"


def test_processor_time_counts_in_loops_of_the_machine_and_the_median_of_the_runs_counts() -> None:
    runs = [
        {"row": {"cpu s": seconds, "prompt tokens": 100, "found": found}, "loop s": loop}
        for seconds, loop, found in ((0.2, 0.02, 5), (0.9, 0.03, 4), (0.4, 0.04, 5))
    ]
    assert measure(runs) == Figures(loops=10.0, tokens=100, found=4)


def test_a_machine_that_is_busy_or_a_prompt_that_is_a_little_longer_is_no_fault() -> None:
    assert find_worse(RECORDED, Figures(loops=12.0, tokens=10_200, found=6)) == []


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (Figures(loops=15.0, tokens=9_000, found=5), "processor time is 1.50 of what was recorded"),
        (Figures(loops=9.0, tokens=11_000, found=5), "11,000 prompt tokens, 10,000 were recorded"),
        (Figures(loops=9.0, tokens=9_000, found=4), "4 near-duplicates are shown, 5 were"),
    ],
)
def test_a_case_that_got_worse_is_named_and_is_an_error(
    now: Figures, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert find_worse(RECORDED, now) == [said]
    assert tell({NAME: RECORDED}, {NAME: now}) == 1
    assert f"{NAME}: {said}" in capsys.readouterr().out


def test_equal_costs_are_no_error_and_a_case_without_a_recorded_cost_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert tell({NAME: RECORDED}, {NAME: RECORDED}) == 0
    assert tell({}, {NAME: RECORDED}) == 1
    assert "run with --record" in capsys.readouterr().out


def test_every_case_is_recorded() -> None:
    assert set(read_recorded()) == {name_of(case) for case in CASES}


def test_a_recording_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "RECORDED", tmp_path / "recorded.json")
    assert read_recorded() == {}
    figures.record({NAME: RECORDED}, commit="abc1234")
    assert read_recorded() == {NAME: RECORDED}
    assert json.loads((tmp_path / "recorded.json").read_text(encoding="utf-8"))["commit"] == "abc1234"


@pytest.fixture(autouse=True)
def results_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tables of these tests out of the folder of real results."""
    monkeypatch.setattr("benchmarks.support.report.RESULTS", tmp_path / "x" / "benchmarks" / "results")
