"""`from workers import dream` gives the task, whatever was imported before; importing the package loads no phase."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.laws import some_quick

ROOT = Path(__file__).parents[3]


def run(code: str) -> str:
    """Return what a new process prints."""
    environment = os.environ | {
        "SLOWWAVE_REDIS_URL": "redis://127.0.0.1:1/0"
    }  # asked for when the task is; never connected
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    "first",
    some_quick(["import workers.dream.chain", "pass", "import workers.tasks", "import workers.app"], one_in=4),
)
def test_the_public_name_is_the_task_whatever_was_imported_before(first: str) -> None:
    assert run(f"{first}\nfrom workers import dream\nprint(dream.name, callable(dream.delay))") == "dream True"


def test_a_module_of_the_package_loads_no_task() -> None:
    assert run("import sys\nimport workers.phase.shape\nprint('workers.tasks' in sys.modules)") == "False"
