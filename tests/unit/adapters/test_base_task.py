"""Every task binds the ids of its message to the log, and a failure is logged and counted without the error's words."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from celery import Celery

from shared.adapters.celery.base_task import BaseTask
from shared.counting import Series, send_counts_to, stop_counting
from shared.telemetry import without_error_text

app: Celery = Celery("base-task", set_as_current=False, task_cls=BaseTask)
SECRET = "The alarm code is 4711."


@app.task(name="shows")
def shows(tenant_id: str, store: str = "default", dream_id: str | None = None, **_: object) -> dict[str, Any]:  # noqa: ARG001 - the base task reads them
    return structlog.contextvars.get_contextvars()


@app.task(name="fails")
def fails(tenant_id: str) -> None:  # noqa: ARG001 - the same
    raise ValueError(SECRET)


class Counts:
    """A sink that adds up."""

    def __init__(self) -> None:
        self.found: dict[Series, float] = {}

    def add(self, series: dict[Series, float]) -> None:
        self.found |= series


@pytest.fixture
def counts() -> Iterator[Counts]:
    sink = Counts()
    send_counts_to(sink)
    yield sink
    stop_counting(sink)


def test_the_ids_of_a_message_are_in_every_log_line_of_its_task_and_gone_behind_it() -> None:
    bound = shows.apply(args=("acme",), kwargs={"dream_id": "drm_1", "priority": 7}).get()
    assert bound == {"tenant_id": "acme", "store": "default", "dream_id": "drm_1"}
    assert structlog.contextvars.get_contextvars() == {}


def test_an_id_that_is_not_known_yet_is_no_part_of_a_line() -> None:
    assert shows.apply(kwargs={"tenant_id": "acme", "store": "notes"}).get() == {"tenant_id": "acme", "store": "notes"}


def test_a_failure_is_counted_by_task_and_logged_by_where_it_happened_never_in_its_own_words(counts: Counts) -> None:
    with structlog.testing.capture_logs() as lines:
        result = fails.apply(kwargs={"tenant_id": "acme"})
    assert isinstance(result.result, ValueError)
    (line,) = lines
    assert (line["event"], line["task"], line["error"]) == ("task_failed", "fails", "ValueError")
    assert line["where"][-1].endswith(" fails")
    assert SECRET not in json.dumps(lines)
    assert counts.found == {("slowwave_tasks_failed_total", (("task", "fails"),)): 1}


def test_celerys_own_line_about_a_failure_keeps_the_type_and_loses_the_words(caplog: pytest.LogCaptureFixture) -> None:
    trace = logging.getLogger("celery.app.trace")
    trace.addFilter(without_error_text)
    try:
        fails.apply(kwargs={"tenant_id": "acme"})
    finally:
        trace.removeFilter(without_error_text)
    assert "fails" in caplog.text
    assert "ValueError" in caplog.text
    assert SECRET not in caplog.text
