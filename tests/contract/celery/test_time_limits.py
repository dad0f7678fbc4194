"""A dream of a long budget: each of its messages has time limits that leave it the time, also on the prefork pool."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from celery import Celery
from celery.signals import before_task_publish

from shared.adapters.celery.config import PHASE_HARD_SECONDS, RABBITMQ_QUEUE_ARGUMENTS, time_limits
from shared.adapters.celery.dispatch import CeleryDispatch
from shared.core.errors import BadInputError
from shared.core.policy.policy import Autonomy
from shared.core.policy.profiles import get_policy
from shared.settings import Settings

LONGEST = 900


@contextmanager
def watching() -> Iterator[list[tuple[Any, Any]]]:
    """The headers and the body of each message that is published meanwhile."""
    seen: list[tuple[Any, Any]] = []

    def note(headers: Any, body: Any, **_: object) -> None:
        seen.append((headers, body))

    before_task_publish.connect(note)
    try:
        yield seen
    finally:
        before_task_publish.disconnect(note)


@pytest.mark.parametrize(("budget", "limits"), [(300.0, [None, None]), (600.0, [660, 630]), (899.5, [960, 930])])
def test_each_message_of_a_dream_has_the_limits_that_its_budget_needs(budget: float, limits: list[int | None]) -> None:
    app = Celery("limits", broker="memory://", set_as_current=False)
    app.conf.task_default_queue = "limits"  # the transport's queues are those of the process
    with watching() as seen:
        CeleryDispatch(app).send_chain("acme", "drm_1", 1, ("a", "b"), store="default", budget_seconds=budget)
    app.close()
    ((headers, (_, _, embedded)),) = seen
    assert list(headers["timelimit"]) == limits
    later = [step["options"] for step in embedded["chain"]]
    assert [[step.get("time_limit"), step.get("soft_time_limit")] for step in later] == [limits, limits]


def test_no_budget_is_longer_than_a_broker_leaves_a_message_with_a_worker() -> None:
    longest = time_limits(LONGEST)["time_limit"]
    assert 3 * longest <= Settings().visibility_timeout_seconds
    assert longest * 1_000 < RABBITMQ_QUEUE_ARGUMENTS["x-consumer-timeout"]
    assert time_limits(300) == {}
    assert longest > PHASE_HARD_SECONDS
    assert get_policy("default", {"budget.dream_seconds": LONGEST}, Autonomy.FLAG).budget.dream_seconds == LONGEST
    with pytest.raises(BadInputError, match="from 0 to 900"):
        get_policy("default", {"budget.dream_seconds": LONGEST + 1}, Autonomy.FLAG)
