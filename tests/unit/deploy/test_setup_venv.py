"""Setting up the virtual environment: uv installs every locked package with its hashes, and pip does where uv cannot."""

import sys
from pathlib import Path

import pytest

from deploy.setup_venv import find_requirement, install

ROOT = Path(__file__).parents[3]
_LOCK = "one==1 \\\n    --hash=sha256:1a \\\n    --hash=sha256:1b\nuv==2 \\\n    --hash=sha256:2a\nuvloop==3 \\\n    --hash=sha256:3a\n"
#: In place of a program: notes its name and the file that it was given, and ends with a code.
_PROGRAM = "import pathlib, sys; log = open(sys.argv[1], 'a'); log.write(sys.argv[2] + ' ' + pathlib.Path(sys.argv[-1]).name + '\\n'); sys.exit(int(sys.argv[3]))"


def program(log: Path, name: str, code: int) -> list[str]:
    return [sys.executable, "-c", _PROGRAM, str(log), name, str(code)]


def test_pip_fetches_uv_and_uv_installs_the_lock_file(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert install(Path("some.lock"), pip=program(log, "pip", 0), uv=program(log, "uv", 0)) == 0
    assert log.read_text().splitlines() == ["pip uv.txt", "uv some.lock"]


def test_pip_installs_the_lock_file_where_uv_cannot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    assert install(Path("some.lock"), pip=program(log, "pip", 0), uv=program(log, "uv", 1)) == 0
    assert log.read_text().splitlines() == ["pip uv.txt", "uv some.lock", "pip some.lock"]
    assert "pip does" in capsys.readouterr().out


def test_a_lock_file_that_neither_uv_nor_pip_installs_is_a_failure(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert install(Path("some.lock"), pip=program(log, "pip", 3), uv=program(log, "uv", 1)) == 3
    assert log.read_text().splitlines() == ["pip uv.txt", "pip some.lock"]


def test_a_package_is_installed_with_all_of_its_hashes_and_nothing_else() -> None:
    assert find_requirement(_LOCK, "one") == "one==1 \\\n    --hash=sha256:1a \\\n    --hash=sha256:1b\n"
    assert find_requirement(_LOCK, "uv") == "uv==2 \\\n    --hash=sha256:2a\n"
    with pytest.raises(LookupError, match="does not name two"):
        find_requirement(_LOCK, "two")


def test_the_lock_file_of_the_tools_names_uv() -> None:
    assert "--hash=sha256:" in find_requirement((ROOT / "requirements-dev.lock").read_text(), "uv")
