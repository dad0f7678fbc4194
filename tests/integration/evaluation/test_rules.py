"""Dreams without a model over real data: nothing is found less often than recorded, and nothing is gone."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.evidence.cases import SOURCES, find_absent
from tests.architecture.sources import ROOT


def _run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.evidence", *options]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.thorough
@pytest.mark.timeout(590)
@pytest.mark.skipif(len(find_absent()) == len(SOURCES), reason="none of the data is here")
def test_dreams_without_a_model_lose_nothing_against_what_is_recorded() -> None:
    found = _run()
    assert found.returncode == 0, found.stdout[-2_000:] + found.stderr[-2_000:]
    assert "Nothing is found less often" in found.stdout


def test_without_data_the_gate_says_so_and_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_DATA", str(tmp_path))
    found = _run()
    assert found.returncode == 0
    assert "set SLOWWAVE_DATA. Nothing measured." in found.stdout


def test_the_gate_explains_itself() -> None:
    assert "--record" in _run("--help").stdout
