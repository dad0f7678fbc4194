"""A worker that leaves: its dream goes on in another one at once, nothing is bought twice, and it ends with 0.

The logs of both say which dream each line is about; none holds memory text.
"""

import json
import os
import signal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from shared.adapters.redis.worker_pulse import find_workers
from shared.bootstrap import redis_url
from shared.core.dream.model import Dream, DreamState
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

_ABOUT_DREAMS = {"tenant_id", "store", "dream_id", "epoch"}
_ABOUT_PHASES = _ABOUT_DREAMS | {"phase"}


class Handover(NamedTuple):
    """A dream that one worker began and another one ended, and what both wrote into their logs."""

    dream: Dream
    calls: dict[str, int]
    answers: int
    log: str


@pytest.fixture
def handover(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str, request: pytest.FixtureRequest
) -> Handover:
    """Stop a worker with SIGTERM while it waits for its model. `param` may add variables."""
    environment = PATIENT | slow_model(llmock, 1.0) | {"SLOWWAVE_LOG_LEVEL": "DEBUG"} | getattr(request, "param", {})
    with open_ports(fresh_settings) as ports:
        write(ports, tenant, texts(NOTES, at=LONG_AGO))
        delay_dream(fresh_settings, tenant)
        with a_worker(fresh_settings, tmp_path / "first.log", environment) as first:
            eventually(lambda: is_asking(ports, tenant, "consolidate"), "consolidate asks its model")
            os.kill(first.process.pid, signal.SIGTERM)
            assert first.process.wait(timeout=30) == 0, first.log.read_text()[-3000:]
        assert find_ended(ports, tenant) is None, "the first worker went on to the end"
        with a_worker(fresh_settings, tmp_path / "second.log", environment) as second:
            ended = eventually(lambda: find_ended(ports, tenant), "the dream ends, with no reconciler at all")
            eventually(lambda: "dream_finished" in second.log.read_text(), "the second worker logs the end")
        log = first.log.read_text() + second.log.read_text()
        return Handover(ended, count_calls(ports, tenant, ended.id), count_answers(ports, tenant, ended.id), log)


def test_a_drained_worker_stores_the_answer_it_waits_for_another_one_goes_on_and_the_logs_tell_of_both(
    handover: Handover,
) -> None:
    check_handover(handover)
    check_log(handover.log, handover.dream.id)


@pytest.mark.thorough
@pytest.mark.parametrize("handover", [{"REMAP_SIGTERM": "SIGQUIT"}], indirect=True)
def test_a_worker_whose_signal_is_remapped_is_drained_as_well(handover: Handover) -> None:
    check_handover(handover)


def check_handover(done: Handover) -> None:
    """Check that the dream ended without an accident, and that no answer was bought twice."""
    assert done.dream.state is DreamState.COMPLETED, done.dream.reason
    assert done.dream.rescue_count == 0, "a drained worker is not a lost one"
    assert done.calls == {"ok": done.answers}


def check_log(text: str, dream_id: str) -> None:
    """Check that each of slowwave's own lines names its dream and phase, and that none holds memory text."""
    for piece in _pieces():
        assert piece not in text, f"the log holds memory text: {piece!r}"
    assert "sk-test" not in text
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    # slowwave's own events are single words; the others are sentences of Celery's.
    ours = [line for line in lines if dream_id in json.dumps(line) and " " not in line["event"]]
    phases = [line for line in ours if line["event"].startswith("phase_")]
    assert {line["phase"] for line in phases} >= {"orient", "consolidate", "index"}
    assert [line for line in phases if not line.keys() >= _ABOUT_PHASES] == []
    assert [line for line in ours if not line.keys() >= _ABOUT_DREAMS] == []


def _pieces() -> list[str]:
    """Return runs of five words of every memory: none of them is anything that a program would say by itself."""
    found = []
    for content in NOTES.values():
        words = content.split()
        found += [" ".join(words[start : start + 5]) for start in range(0, len(words) - 4, 3)]
    return found


@pytest.mark.thorough
def test_a_drained_phase_whose_model_is_late_is_released_as_it_is(
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
