"""A worker's log at INFO leaves out routine lines, and never failures."""

import logging
from collections.abc import Iterator

import pytest
from celery.app.trace import LOG_FAILURE, LOG_RECEIVED, LOG_RETRY, LOG_SUCCESS

from shared.telemetry import is_worth_logging

CELERY = logging.getLogger("celery")


@pytest.fixture(autouse=True)
def level() -> Iterator[None]:
    before = CELERY.level
    yield
    CELERY.setLevel(before)


def says(level: int, text: str) -> bool:
    record = logging.LogRecord("celery.app.trace", level, "", 0, text, None, None)
    return is_worth_logging(record)


def test_messages_that_came_and_went_well_are_no_lines_of_an_idle_installation() -> None:
    CELERY.setLevel(logging.INFO)
    assert not says(logging.INFO, LOG_RECEIVED)
    assert not says(logging.INFO, LOG_SUCCESS)


def test_failures_and_retries_are_logged_and_at_debug_every_event_is() -> None:
    CELERY.setLevel(logging.INFO)
    assert says(logging.ERROR, LOG_FAILURE)
    assert says(logging.INFO, LOG_RETRY)
    CELERY.setLevel(logging.DEBUG)
    assert says(logging.INFO, LOG_RECEIVED)
    assert says(logging.INFO, LOG_SUCCESS)
