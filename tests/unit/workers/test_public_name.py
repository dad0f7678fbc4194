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


def test_without_servers_a_caller_reads_a_sentence_and_its_own_line(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLOWWAVE_")}
    done = subprocess.run(
        [sys.executable, "-c", "from workers import dream\ndream.delay('acme')"],
        cwd=ROOT,
        env=environment | {"SLOWWAVE_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = done.stderr.splitlines()
    assert done.returncode == 1
    assert lines[-1].endswith("run `slowwave up`, or point SLOWWAVE_REDIS_URL at one")
    assert len(lines) < 15, "not the stack of Celery"
