"""Ctrl-C while the commands are still being loaded."""

import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
#: The loading is stood in for, so that the signal meets it for certain.
_LOADING = """
import importlib.abc, os, runpy, signal, sys
class Loading(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "gateway.cli.main":
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


#: A command whose connection was cut off in the middle of a statement, and could not be rolled back.
_CUT_OFF = """
import logging, sys
from gateway.cli import main
from shared.core.errors import ServiceUnavailableError
def command(*_arguments, **_options):
    try:
        try:
            raise KeyboardInterrupt
        finally:
            raise OSError("another command is already in progress")
    except OSError as error:
        try:
            raise RuntimeError("reset")
        except RuntimeError:
            logging.getLogger("sqlalchemy.pool.impl.QueuePool").exception("Exception during reset or similar")
        raise ServiceUnavailableError("The database does not answer: another command is already in progress") from error
main.app = command
sys.exit(main.main())
"""


def test_a_statement_that_ctrl_c_cut_off_is_no_failure_of_the_database() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CUT_OFF], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
