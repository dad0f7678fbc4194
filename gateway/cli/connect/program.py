"""The command that a tool starts slowwave with, and the variables that it needs to find the same servers."""

import os
import shutil
import sys
from pathlib import Path

from shared.program import IS_INSTALLED
from shared.settings import Settings


def find_program() -> str:
    """Return `slowwave` if a shell finds it, or else its whole path."""
    if not IS_INSTALLED:
        return str(Path(__file__).parents[3] / "slowwave")
    return "slowwave" if shutil.which("slowwave") else str(Path(sys.argv[0]).resolve())


def find_environment(settings: Settings) -> dict[str, str]:
    """Return the variables for a program of the tool; never a password, which may stand in the file that one of them names."""
    given = {name: os.environ[name] for name in ("SLOWWAVE_ENV_FILE",) if name in os.environ}
    return {"SLOWWAVE_DATA_DIR": str(settings.data_dir.resolve()), **given}
