"""Create the virtual environment and install a lock file into it: `setup_venv.py VENV LOCK`.

Runs on a bare Python, so it uses the standard library only and says what is missing in a sentence.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

OLDEST_PYTHON = (3, 11)
_LOOK_SECONDS = 0.5


def main() -> int:
    """Return 0 when every locked package is installed; print what went wrong otherwise."""
    target, lock = Path(sys.argv[1]), sys.argv[2]
    if sys.version_info < OLDEST_PYTHON:
        print(f"slowwave needs Python 3.11 or newer, this is {sys.version.split()[0]}: make PYTHON=python3.12 …")
        return 2
    python = target / "bin" / "python"
    if not python.exists():
        print(f"Creating {target} …", flush=True)
        try:
            venv.create(target, with_pip=True)
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"Could not create {target}: {error}. On Debian: apt-get install python3-venv")
            return 2
    print(f"Installing {lock} (about a minute the first time) …", flush=True)
    pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--require-hashes"]
    install_in_parts(pip, Path(lock))
    return subprocess.call([*pip, "-r", lock])


def install_in_parts(pip: list[str], lock: Path) -> None:
    """Install the packages of a lock file with one pip on each processor; what fails is left to a run over the whole.

    pip installs one package after another. A lock file names every dependency, so that each part stands alone.
    """
    packages = re.findall(r"^[^\s#].*(?:\n[^\S\n].*)*", lock.read_text(), re.MULTILINE)
    count = min(4, os.cpu_count() or 1)
    loud = [word for word in pip if word != "-qq"]
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for number in range(count):
            part = Path(folder, f"{number}.txt")
            part.write_text("\n".join(packages[number::count]) + "\n")
            with Path(folder, f"{number}.log").open("wb") as log:
                command = [*loud, "--no-deps", "-r", str(part)]
                running.append(subprocess.Popen(command, stdout=log, stderr=subprocess.DEVNULL))
        show_progress(running, Path(folder), len(packages))


def show_progress(running: list[subprocess.Popen[bytes]], folder: Path, total: int) -> None:
    """Say how many packages have been fetched until every pip is done: over and over on a terminal, rarely elsewhere."""
    is_terminal, said = sys.stdout.isatty(), 0
    while any(process.poll() is None for process in running):
        time.sleep(_LOOK_SECONDS)
        fetched = count_fetched(folder)
        if is_terminal:
            print(f"\r  {fetched} of {total} packages", end="", flush=True)
        elif fetched >= said + total / 4:
            said = fetched
            print(f"  {fetched} of {total} packages", flush=True)
    if is_terminal:
        print()


def count_fetched(folder: Path) -> int:
    """Return how many packages the logs of pip name."""
    return sum(log.read_text(errors="replace").count("Collecting ") for log in folder.glob("*.log"))


if __name__ == "__main__":
    sys.exit(main())
