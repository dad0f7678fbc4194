"""A worker that leaves: its dream goes on in another one at once, nothing is bought twice, and it ends with 0."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from shared.adapters.redis.worker_pulse import find_workers
from shared.bootstrap import redis_url
from shared.core.dream.model import DreamState
from shared.settings import Settings
from tests.e2e.gateway.model_support import (
    NOTES,
    PATIENT,
    count_answers,
    count_calls,
    find_ended,
    is_asking,
    slow_model,
)
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, texts, write
from tests.support.servers import open_ports


@pytest.mark.parametrize(
    "remapped",
    [
        pytest.param({}, id="plain"),
        pytest.param({"REMAP_SIGTERM": "SIGQUIT"}, id="remapped", marks=pytest.mark.thorough),
    ],
)
def test_a_drained_worker_stores_the_answer_it_waits_for_and_another_one_goes_on(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str, remapped: dict[str, str]
) -> None:
    environment = PATIENT | slow_model(llmock, 1.0) | remapped
    with open_ports(fresh_settings) as ports:
        write(ports, tenant, texts(NOTES, at=LONG_AGO))
        delay_dream(fresh_settings, tenant)
        with a_worker(fresh_settings, tmp_path / "first.log", environment) as first:
            eventually(lambda: is_asking(ports, tenant, "consolidate"), "consolidate asks its model")
            with a_worker(fresh_settings, tmp_path / "second.log", environment) as second:
                eventually(lambda: "ready" in second.log.read_text(), "the second worker is ready")
                os.kill(first.process.pid, signal.SIGTERM)
                assert first.process.wait(timeout=30) == 0, first.log.read_text()[-3000:]
                ended = eventually(lambda: find_ended(ports, tenant), "the dream ends, with no reconciler at all")
        assert ended.state is DreamState.COMPLETED, ended.reason
        assert ended.rescue_count == 0, "leaving is no accident"
        assert count_calls(ports, tenant, ended.id) == {"ok": count_answers(ports, tenant, ended.id)}


@pytest.mark.thorough
def test_what_a_model_does_not_answer_in_time_is_handed_over_as_it_is(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str
) -> None:
    slow = PATIENT | slow_model(llmock, 30.0) | {"SLOWWAVE_DRAIN_SECONDS": "0.5"}
    with open_ports(fresh_settings) as ports:
        write(ports, tenant, texts(NOTES, at=LONG_AGO))
        delay_dream(fresh_settings, tenant)
        with a_worker(fresh_settings, tmp_path / "first.log", slow) as first:
            eventually(lambda: is_asking(ports, tenant, "consolidate"), "consolidate asks its model")
            os.kill(first.process.pid, signal.SIGTERM)
            assert first.process.wait(timeout=30) == 0, first.log.read_text()[-3000:]
        with a_worker(fresh_settings, tmp_path / "second.log", PATIENT):  # offline rules: no model to wait for
            ended = eventually(lambda: find_ended(ports, tenant), "the dream ends")
    assert ended.state is DreamState.COMPLETED, ended.reason
    assert ended.rescue_count == 0


@pytest.mark.thorough
def test_an_idle_worker_is_listed_and_leaves_without_a_trace(fresh_settings: Settings, tmp_path: Path) -> None:
    url = redis_url(fresh_settings)
    with a_worker(fresh_settings, tmp_path / "worker.log") as worker:
        mine = eventually(lambda: [w for w in find_workers(url) if w.facts.pid == worker.process.pid], "its pulse")
        assert (mine[0].facts.pool, mine[0].facts.dreams) == ("threads", ())
        os.kill(worker.process.pid, signal.SIGTERM)
        assert worker.process.wait(timeout=30) == 0
    assert worker.process.pid not in [w.facts.pid for w in find_workers(url)]
