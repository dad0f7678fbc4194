"""Setting up the virtual environment: every locked package is installed, with its hashes, by one pip of several."""

import sys
from pathlib import Path
from typing import Any

import pytest

from deploy.setup_venv import install_in_parts, show_progress

ROOT = Path(__file__).parents[3]
#: In place of pip: keeps the part that it was given.
_PIP = "import pathlib, shutil, sys; shutil.copy(sys.argv[-1], pathlib.Path(sys.argv[1], sys.argv[-1].rsplit('/')[-1]))"


def test_the_parts_hold_every_line_of_the_lock_file_once(tmp_path: Path) -> None:
    lock = ROOT / "requirements-dev.lock"
    install_in_parts([sys.executable, "-c", _PIP, str(tmp_path)], lock)
    parts = [part.read_text().splitlines() for part in tmp_path.iterdir()]
    assert sorted(line for part in parts for line in part) == sorted(lock.read_text().splitlines())


def test_a_package_and_its_hashes_stay_together(tmp_path: Path) -> None:
    lock = tmp_path / "some.lock"
    lock.write_text(
        "\n".join(f"one{n}==1 \\\n    --hash=sha256:{n}a \\\n    --hash=sha256:{n}b" for n in range(9)) + "\n"
    )
    (tmp_path / "parts").mkdir()
    install_in_parts([sys.executable, "-c", _PIP, str(tmp_path / "parts")], lock)
    for part in (tmp_path / "parts").iterdir():
        lines = part.read_text().splitlines()
        for name, first, second in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
            number = name.removeprefix("one").split("=")[0]
            assert (first, second) == (f"    --hash=sha256:{number}a \\", f"    --hash=sha256:{number}b")


class Pip:
    """A process that has fetched two packages at the first look, and is done at the second."""

    def __init__(self, log: Path) -> None:
        self.log, self.looks = log, 0

    def poll(self) -> int | None:
        self.log.write_text("Collecting six==1.17.0 (from -r 0.txt)\n  Using cached six\nCollecting idna==3\n")
        self.looks += 1
        return None if self.looks == 1 else 0


def test_a_long_installation_says_how_far_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running: Any = [Pip(tmp_path / "0.log")]
    show_progress(running, tmp_path, 4)
    assert capsys.readouterr().out == "  2 of 4 packages\n"
