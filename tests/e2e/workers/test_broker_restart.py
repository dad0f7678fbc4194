"""Redis restarts under a running dream: the worker ends, as kombu 5.7.0 has it, is started again, and the dream completes."""

import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from gateway import programs
from gateway.supervisor import Supervisor
from shared.core.dream.model import DreamState
from shared.settings import Settings
from tests.contract.celery.facts_support import an_own_server
from tests.e2e.gateway.model_support import NOTES, QUICK, count_answers, count_calls, find_ended, is_asking, slow_model
from tests.e2e.workers.worker_support import delay_dream, eventually
from tests.support.builders import LONG_AGO, texts, write
from tests.support.servers import environment_for, open_ports

#: The quick tier holds it by tests/integration/sweeps/test_reconcile.py.
pytestmark = pytest.mark.thorough


def test_a_dream_completes_although_redis_restarts_in_the_middle_of_it(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str
) -> None:
    with an_own_server(tmp_path) as server:
        settings = fresh_settings.model_copy(update={"redis_url": SecretStr(server.broker.url), "data_dir": tmp_path})
        environment = dict(os.environ) | environment_for(settings) | QUICK | slow_model(llmock, 1.5)
        said: list[str] = []
        wanted = (programs.worker(2), programs.beat(tmp_path))
        with open_ports(settings) as ports, Supervisor(wanted, environment, tmp_path / "logs", said.append):
            write(ports, tenant, texts(NOTES, at=LONG_AGO))
            eventually(lambda: "ready" in _log(tmp_path), "the worker is ready")
            delay_dream(settings, tenant)
            eventually(lambda: is_asking(ports, tenant, "consolidate"), "consolidate asks its model")
            server.kill()
            server.start()
            ended = eventually(lambda: find_ended(ports, tenant), "the dream ends")
            eventually(lambda: _log(tmp_path).count("ready.") == 2, "the worker is there again")
            assert ended.state is DreamState.COMPLETED, ended.reason
            assert count_calls(ports, tenant, ended.id) == {"ok": count_answers(ports, tenant, ended.id)}
    assert any("worker ended (exit code 1)" in line for line in said), said


def _log(directory: Path) -> str:
    file = directory / "logs" / "worker.log"
    return file.read_text(errors="replace") if file.exists() else ""
