"""Define the version, and find the commit that it was built from."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

#: A test compares it with pyproject.toml, which is not in the image.
VERSION = "0.1.0"

#: Written into packages and images when they are built (deploy/build_stamp.py).
STAMP = Path(__file__).with_name("build.json")
_ROOT = STAMP.parents[1]


@dataclass(frozen=True, slots=True)
class Build:
    """The commit of this code, abbreviated, and its day as YYYY-MM-DD."""

    commit: str
    day: str


def find_build() -> Build | None:
    """Return the commit that this code was built from or is checked out at; None where neither is known."""
    try:
        if STAMP.is_file():
            return Build(**json.loads(STAMP.read_text(encoding="utf-8")))
        return read_commit(_ROOT) if (_ROOT / ".git").exists() else None
    except (OSError, ValueError, TypeError):
        return None


def read_commit(root: Path) -> Build | None:
    """Return the commit that a checkout is at; None without git."""
    command = ("git", "-C", str(root), "log", "-1", "--format=%h %cs", "--abbrev=8")
    asked = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)  # noqa: S603 - constants and our own root
    commit, _, day = asked.stdout.strip().partition(" ")
    return Build(commit, day) if asked.returncode == 0 and day else None
