"""The doctor beside a running worker and beat: it sees both from another process, and its exit code shows it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shared.all_ports import Ports
from shared.settings import Settings
from tests.e2e.workers.worker_support import ROOT, a_worker, eventually
from tests.support.builders import write
from tests.support.servers import environment_for

#: The quick tier holds each check by tests/integration/operations/test_doctor.py.
pytestmark = pytest.mark.thorough

_QUICK = {"SLOWWAVE_SWEEP_SECONDS": "1", "SLOWWAVE_RECONCILE_SECONDS": "1"}


def doctor(settings: Settings) -> tuple[int, dict[str, str]]:
    """Its exit code, and the health of each check."""
    done = subprocess.run(
        [sys.executable, "-m", "gateway.cli", "doctor", "--json"],
        cwd=ROOT,
        env=os.environ | environment_for(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, {finding["check"]: finding["health"] for finding in json.loads(done.stdout)}


def wait_until_well(settings: Settings, *checks: str) -> dict[str, str]:
    """Return the health of each check once one report has all of these well.

    The exit code alone does not show it: a queue that its worker has not declared yet is a warning. Nor is a later report
    the same as the one that was waited for.
    """

    def find_health() -> dict[str, str] | None:
        code, health = doctor(settings)
        return health if code == 0 and {health.get(check) for check in checks} == {"ok"} else None

    return eventually(find_health, f"the doctor finds {', '.join(checks)} well")


def test_worker_and_beat_are_seen_while_they_run(
    fresh_settings: Settings, fresh_ports: Ports, tenant: str, tmp_path: Path
) -> None:
    write(fresh_ports, tenant, {})
    code, health = doctor(fresh_settings)
    assert code == 1
    assert health["beat"] == "fail"
    with (
        a_worker(fresh_settings, tmp_path / "worker.log", _QUICK),
        a_worker(fresh_settings, tmp_path / "beat.log", _QUICK, beat=True),
    ):
        wait_until_well(fresh_settings, "database", "migrations", "role", "beat", "workers", "queues")
