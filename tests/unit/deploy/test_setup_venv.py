"""Setting up the virtual environment: every locked package is installed, with its hashes, by one pip of several."""

import sys
from pathlib import Path

from deploy.setup_venv import install_in_parts

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
