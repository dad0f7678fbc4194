"""A worker that sleeps inside `apply` past its lease, and wakes up after another one has finished: it writes nothing."""

import os
import signal
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from psycopg.rows import dict_row

from shared.all_ports import Ports
from shared.bootstrap import redis_url
from shared.core.dream.model import DreamState, PhaseState
from shared.settings import Settings
from tests.e2e.gateway.model_support import GO, INSIDE, NOTES, QUICK, count_answers, count_calls, find_ended, slow_model
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, texts, write
from tests.support.servers import open_ports, plain_url

#: The quick tier holds it by tests/integration/failures/test_zombie_in_process.py.
pytestmark = pytest.mark.thorough

#: Everything that a dream can write, ordered so that two pictures of it can be compared.
_TABLES = ("memories", "memory_versions", "operations", "phase_runs", "dreams", "stores", "pending_merges", "audit_log", "llm_calls")  # fmt: skip


@pytest.fixture
def signs(fresh_settings: Settings) -> Any:
    with redis.Redis.from_url(redis_url(fresh_settings)) as client:
        client.delete(INSIDE, GO)
        yield client
        client.delete(INSIDE, GO)


@pytest.mark.parametrize("key", ["kept", "stolen"])
def test_a_worker_that_wakes_up_inside_apply_after_another_finished_writes_nothing(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str, signs: Any, key: str
) -> None:
    environment = QUICK | slow_model(llmock, 0.1)
    zombies = a_worker(fresh_settings, tmp_path / "zombie.log", environment, app="tests.e2e.workers.paused_app")
    with open_ports(fresh_settings) as ports:
        write(ports, tenant, texts(NOTES, at=LONG_AGO))
        with zombies as zombie:
            delay_dream(fresh_settings, tenant)
            eventually(lambda: signs.exists(INSIDE), "the first worker is inside apply")
            os.killpg(zombie.process.pid, signal.SIGSTOP)
            with (
                a_worker(fresh_settings, tmp_path / "second.log", environment),
                a_worker(fresh_settings, tmp_path / "beat.log", environment, beat=True),
            ):
                ended = eventually(lambda: find_ended(ports, tenant), "another worker finishes the dream")
            before = _picture(fresh_settings)
            if key == "stolen":  # it looks as if the store were the zombie's again
                signs.set(f"slowwave:dream:{tenant}:default", f"{ended.id}:1", px=600_000)
            signs.set(GO, 1)
            os.killpg(zombie.process.pid, signal.SIGCONT)
            eventually(lambda: "lost_lease" in zombie.log.read_text(), "the zombie finds out")
            assert _picture(fresh_settings) == before
        assert ended.state is DreamState.COMPLETED, ended.reason
        assert (ended.epoch, ended.rescue_count) == (2, 1)
        _check_once(ports, tenant, ended.id)


def _check_once(ports: Ports, tenant: str, dream_id: str) -> None:
    assert count_calls(ports, tenant, dream_id) == {"ok": count_answers(ports, tenant, dream_id)}
    with ports.db.transaction(tenant) as uow:
        operations = uow.operations.find_all(dream_id)
        runs = uow.phases.find_all(dream_id)
    places = [(str(op.operation.phase), op.position) for op in operations]
    assert len(places) == len(set(places))
    assert all(run.state in {PhaseState.DONE, PhaseState.SKIPPED} for run in runs)


def _picture(settings: Settings) -> dict[str, list[dict[str, Any]]]:
    with psycopg.connect(plain_url(settings.owner_database_url), row_factory=dict_row) as owner:
        return {table: owner.execute(f"SELECT * FROM {table} t ORDER BY t::text").fetchall() for table in _TABLES}
