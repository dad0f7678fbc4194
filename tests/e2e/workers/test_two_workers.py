"""Two workers on one host, started by hand without names: both are listed, counted and drained one by one."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from shared.adapters.redis.worker_pulse import find_workers
from shared.bootstrap import make_counters, redis_url
from shared.settings import Settings
from tests.e2e.drills.test_doctor_live import doctor
from tests.e2e.workers.worker_support import a_worker, eventually
from tests.support.cli_processes import run_command
from tests.support.servers import environment_for

#: The quick tier holds the names by tests/unit/workers/test_own_name.py, and one worker by the tests beside this one.
pytestmark = pytest.mark.thorough


def test_two_workers_of_one_host_are_two_for_lists_metrics_and_drains(fresh_settings: Settings, tmp_path: Path) -> None:
    url = redis_url(fresh_settings)
    before = {seen.name for seen in find_workers(url)}
    with (
        a_worker(fresh_settings, tmp_path / "first.log") as first,
        a_worker(fresh_settings, tmp_path / "second.log") as second,
    ):
        pids = {first.process.pid, second.process.pid}
        eventually(lambda: pids <= set(listed(fresh_settings)), "both are listed")
        counters = make_counters(fresh_settings)
        counted = counters.find_broker_gauges()[("slowwave_workers", ())]
        counters.close()
        assert counted == len(before) + 2
        assert doctor(fresh_settings)[1]["workers"] == "ok"

        name = listed(fresh_settings)[first.process.pid]
        assert set(run(fresh_settings, "workers", "drain", name, "--json")) == {name}
        assert first.process.wait(timeout=60) == 0
        assert second.process.poll() is None
        assert second.process.pid in listed(fresh_settings)


def listed(settings: Settings) -> dict[int, str]:
    """The names of the workers that `workers list` shows, by process."""
    return {seen["facts"]["pid"]: seen["name"] for seen in run(settings, "workers", "list", "--json")}


def run(settings: Settings, *arguments: str) -> Any:
    ended = run_command([*arguments], os.environ | environment_for(settings))
    assert ended.code == 0, ended.err.decode()
    return json.loads(ended.out)
