"""FLUSHALL in the middle of a dream: the broker forgets every message and queue, the database forgets nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
import redis
from llmock.scenarios import Delay, Reply

from gateway.cli.console.session import open_session
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseState, Trigger
from shared.services.dreams.send import reconcile, send_dream
from shared.services.dreams.start import start_dream
from shared.settings import Settings
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, texts, write
from tests.support.servers import open_ports

#: The quick tier holds it by tests/integration/sweeps/test_reconcile.py.
pytestmark = pytest.mark.thorough

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429. Burst is 50.\n",
}
_ANSWER = json.dumps({"actions": [], "syntheses": [], "decisions": []})
_QUICK = {"SLOWWAVE_LEASE_SECONDS": "2", "SLOWWAVE_HEARTBEAT_SECONDS": "0.5", "SLOWWAVE_RECONCILE_SECONDS": "1"}


def _flush(settings: Settings) -> None:
    assert settings.redis_url is not None
    with redis.Redis.from_url(settings.redis_url.get_secret_value()) as client:
        client.flushall()


def _last(ports: Ports, tenant: str) -> Dream | None:
    with ports.db.transaction(tenant) as uow:
        return next(iter(uow.dreams.find_recent(limit=1)), None)


def _asks(ports: Ports, tenant: str) -> bool:
    with ports.db.transaction(tenant) as uow:
        found = uow.dreams.find_recent(limit=1)
        runs = uow.phases.find_all(found[0].id) if found else []
    return any(r.phase == "consolidate" and r.state is PhaseState.RUNNING and r.inputs for r in runs)


def _ended(ports: Ports, tenant: str) -> Dream | None:
    dream = _last(ports, tenant)
    return dream if dream and dream.state not in {DreamState.QUEUED, DreamState.RUNNING} else None


@pytest.fixture
def model(llmock: Any) -> dict[str, str]:
    llmock.add(Reply(_ANSWER, times=None), Delay(0.7, times=None))
    return _QUICK | {
        "SLOWWAVE_LLM": "anthropic",
        "SLOWWAVE_LLM_API_KEY": "sk-test",
        "SLOWWAVE_LLM_BASE_URL": llmock.base_url("anthropic"),
    }


def test_a_broker_emptied_while_a_model_answers_does_not_lose_the_dream(
    fresh_settings: Settings, model: dict[str, str], tmp_path: Path, tenant: str
) -> None:
    with open_ports(fresh_settings) as ports:
        write(ports, tenant, texts(_NOTES, at=LONG_AGO))
        delay_dream(fresh_settings, tenant)
        with (
            a_worker(fresh_settings, tmp_path / "worker.log", model),
            a_worker(fresh_settings, tmp_path / "beat.log", model, beat=True),
        ):
            eventually(lambda: _asks(ports, tenant), "consolidate asks its model")
            _flush(fresh_settings)
            ended = eventually(lambda: _ended(ports, tenant), "the dream ends")
    assert ended.state in {DreamState.COMPLETED, DreamState.PARTIAL}, ended.reason


def test_a_queued_dream_whose_message_was_flushed_runs_after_one_pass_by_hand(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    with open_session(fresh_settings) as session:
        ports = session.ports
        write(ports, tenant, texts(_NOTES, at=LONG_AGO))
        started = start_dream(ports.db, tenant, trigger=Trigger.CLI, force=True)
        assert started.dream is not None
        send_dream(ports.db, ports.dispatch, started.dream)
        _flush(fresh_settings)
        with a_worker(fresh_settings, tmp_path / "worker.log", _QUICK):
            assert reconcile(ports.db, ports.dispatch, unsent_seconds=0, actor="cli:ann").sent == 1
            ended = eventually(lambda: _ended(ports, tenant), "the dream ends")
    assert ended.state is DreamState.COMPLETED, ended.reason
