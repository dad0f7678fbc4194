"""A real worker whose model refuses every call: what watches Celery's events, such as Flower, sees failed tasks."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from celery.events.state import State
from llmock.scenarios import Fail

from shared.adapters.celery.config import celery_config
from shared.adapters.celery.names import FINISH, phase_task
from shared.bootstrap import redis_url
from shared.core.dream.model import DreamState
from shared.settings import Settings
from tests.e2e.gateway.model_support import NOTES, QUICK, find_ended
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, a_store, texts, write
from tests.support.servers import open_ports

#: The quick tier holds it by tests/unit/workers/test_chain.py and tests/integration/dreams/test_unheard_model.py.
pytestmark = pytest.mark.thorough


def test_a_refused_model_shows_as_failed_phases_and_a_failed_dream(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str
) -> None:
    llmock.add(Fail(401, times=None))
    model = {
        "SLOWWAVE_LLM": "anthropic",
        "SLOWWAVE_LLM_API_KEY": "sk-test",
        "SLOWWAVE_LLM_BASE_URL": llmock.base_url("anthropic"),
    }
    app = _make_app(fresh_settings)
    with (
        open_ports(fresh_settings) as ports,
        a_worker(fresh_settings, tmp_path / "worker.log", QUICK | model),
        _watching(app) as seen,
    ):
        write(ports, tenant, texts(NOTES, at=LONG_AGO))
        delay_dream(fresh_settings, tenant)
        ended = eventually(lambda: find_ended(ports, tenant), "the dream ends")
        eventually(lambda: any(task.name == FINISH and task.ready for task in seen.tasks.values()), "its task ends")
    app.close()
    states = {task.name: task.state for task in seen.tasks.values()}
    assert ended.state is DreamState.ERROR
    assert ended.reason.startswith(
        "no answer from the model (model_failed 1; the next dream asks again): The model server answered 401"
    )
    assert "sk-test" not in ended.reason
    assert states[FINISH] == "FAILURE"
    assert states[phase_task("consolidate")] == "FAILURE", "its successors ran anyway"
    assert states["dream"] == "SUCCESS"


def test_a_dream_of_an_unknown_tenant_fails_with_the_sentence_and_a_cut_one_says_so(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    app = _make_app(fresh_settings)
    with (
        open_ports(fresh_settings) as ports,
        a_worker(fresh_settings, tmp_path / "worker.log", QUICK),
        _watching(app) as seen,
    ):
        a_store(ports, tenant, overrides={"budget.dream_seconds": 0})
        write(ports, tenant, texts(NOTES, at=LONG_AGO))
        delay_dream(fresh_settings, "typo")
        delay_dream(fresh_settings, tenant)
        failed = eventually(lambda: _find(seen, "dream", "FAILURE"), "the task of the typo fails")
        finished = eventually(lambda: _find(seen, FINISH, "SUCCESS"), "the cut dream ends")
        results = [task.result or "" for task in seen.tasks.values() if task.name.startswith(phase_task(""))]
    app.close()
    assert failed.exception.startswith("ReportedFailureError(")
    assert "typo" in failed.exception
    assert "ended partial" in finished.result
    assert any("consolidate was cut short: Budget exceeded" in result for result in results)


def _find(seen: Any, name: str, state: str) -> Any:
    return next((task for task in seen.tasks.values() if (task.name, task.state) == (name, state)), None)


def _make_app(settings: Settings) -> Celery:
    app: Celery = Celery("watching", set_as_current=False)
    app.config_from_object(celery_config(settings, redis_url(settings)))
    return app


@contextmanager
def _watching(app: Celery) -> Iterator[Any]:
    """Gather the events of workers, as Flower does, from when the first one is heard."""
    seen: Any = State()
    with app.connection_for_read() as connection:
        receiver = app.events.Receiver(connection, handlers={"*": seen.event})
        thread = threading.Thread(target=receiver.capture, kwargs={"limit": None, "timeout": None}, daemon=True)
        thread.start()
        try:
            eventually(lambda: app.control.enable_events(reply=True, timeout=0.5), "a worker sends events")
            eventually(lambda: seen.workers, "its events are heard")
            yield seen
        finally:
            receiver.should_stop = True
            thread.join(timeout=10)
