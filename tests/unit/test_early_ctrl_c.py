"""Ctrl-C while the commands are still being loaded."""

import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: The loading is stood in for, so that the signal meets it for certain.
_LOADING = """
import importlib.abc, os, runpy, signal, sys
class Loading(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "gateway.cli.run":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Loading())
runpy.run_module("gateway.cli", run_name="__main__", alter_sys=True)
"""


def test_ctrl_c_before_anything_has_begun_shows_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADING], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == -signal.SIGINT, "a shell says 130"
    assert (done.stdout, done.stderr) == ("", "")
