"""Create the virtual environment and install a lock file into it: `setup_venv.py VENV LOCK`.

Runs on a bare Python, so it uses the standard library only and says what is missing in a sentence.
"""

import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

OLDEST_PYTHON = (3, 11)
#: Where the version and the hashes of uv stand.
_TOOLS = Path(__file__).parents[1] / "requirements-dev.lock"


def main() -> int:
    """Return 0 when every locked package is installed; print what went wrong otherwise."""
    target, lock = Path(sys.argv[1]), Path(sys.argv[2])
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
    print(f"Installing {lock} (about half a minute the first time) …", flush=True)
    pip = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--require-hashes"]
    uv = [str(python), "-m", "uv", "pip", "install", "-q", "--python", str(python), "--require-hashes"]
    return install(lock, pip=pip, uv=uv)


def install(lock: Path, *, pip: Sequence[str], uv: Sequence[str]) -> int:
    """Install a lock file with uv, which pip fetches first; where uv cannot, with pip alone. Return the exit code.

    pip unpacks one package after another and compiles each: with uv, which compiles none, it takes a fourth of the time.
    """
    with tempfile.TemporaryDirectory() as folder:
        tools = Path(folder, "uv.txt")
        tools.write_text(find_requirement(_TOOLS.read_text(), "uv"))
        if subprocess.call([*pip, "-r", str(tools)]) == 0 and subprocess.call([*uv, "-r", str(lock)]) == 0:
            return 0
    print("uv could not install it: pip does, in about two minutes …", flush=True)
    return subprocess.call([*pip, "-r", str(lock)])


def find_requirement(lock: str, name: str) -> str:
    """Return a package's line of a lock file with its hashes. Raises LookupError when it has none."""
    found = re.search(rf"^{re.escape(name)}==.*(?:\n[^\S\n].*)*\n?", lock, re.MULTILINE)
    if found is None:
        raise LookupError(f"the lock file does not name {name}")
    return found[0]


if __name__ == "__main__":
    sys.exit(main())
