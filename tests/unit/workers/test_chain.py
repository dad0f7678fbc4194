"""The rest of a task's chain: which phases it names, and which steps are left when some of them have run already."""

from typing import Any

import pytest
from celery import Celery, signature
from celery.app.task import Context

from shared.adapters.celery import names
from shared.core.errors import ReportedFailureError
from workers.dream.chain import raise_failures, remaining_phases, truncate_chain


def request_before(*tasks: str) -> Context:
    """A task's request as Celery makes it: the next step stands last."""
    chain: Any = [{"task": task} for task in reversed(tasks)]
    return Context(chain=chain)


def tasks_of(request: Context) -> list[str]:
    steps: Any = request.chain
    return [step["task"] for step in reversed(steps)]


PRUNE, INDEX = names.phase_task("prune"), names.phase_task("index")


def test_the_phases_behind_a_task_are_named_in_the_order_in_which_they_run() -> None:
    assert [phase.name for phase in remaining_phases(request_before(PRUNE, INDEX, names.FINISH))] == ["prune", "index"]


def test_a_phase_of_another_version_ends_what_this_worker_may_run_itself() -> None:
    request = request_before(PRUNE, names.phase_task("of_tomorrow"), INDEX, names.FINISH)
    assert [phase.name for phase in remaining_phases(request)] == ["prune"]


def test_the_last_task_of_a_chain_has_no_phase_behind_it() -> None:
    assert remaining_phases(Context()) == ()


@pytest.mark.parametrize(
    ("through", "left"),
    [(1, [PRUNE, INDEX, names.FINISH]), (2, [INDEX, names.FINISH]), (3, [names.FINISH])],
)
def test_phases_that_ran_in_the_task_are_taken_out_and_the_others_stay(through: int, left: list[str]) -> None:
    request = request_before(PRUNE, INDEX, names.FINISH)
    truncate_chain(request, through)
    assert tasks_of(request) == left


def test_a_message_whose_dream_another_worker_has_ends_its_chain() -> None:
    request = request_before(PRUNE, names.FINISH)
    truncate_chain(request, 0)
    assert request.chain is None


def test_behind_a_failed_phase_the_chain_goes_on_and_the_task_fails() -> None:
    app = Celery("failing", broker="memory://", set_as_current=False)
    steps: Any = [signature(name, kwargs={"epoch": 1}, app=app) for name in (names.FINISH, INDEX)]
    with pytest.raises(ReportedFailureError, match="prune failed"):
        raise_failures(app, Context(id="one", chain=steps), ["prune"])
    with app.connection_for_read() as connection, connection.SimpleQueue(app.conf.task_default_queue) as queue:
        sent = queue.get(timeout=5)
    assert (sent.headers["task"], sent.headers["parent_id"]) == (INDEX, "one")
    assert [step["task"] for step in sent.payload[2]["chain"]] == [names.FINISH]


def test_without_a_failure_celery_sends_the_rest_itself() -> None:
    raise_failures(Celery("idle", broker="memory://", set_as_current=False), request_before(PRUNE), [])
