"""Celery 5.7 on a Redis broker delivers some messages twice, so the fence decides, and never the number of messages."""

from pathlib import Path

import pytest
from celery import chain

from tests.contract.celery.facts_app import make_app
from tests.contract.celery.facts_support import QUICK, Broker, a_facts_worker, an_own_server
from tests.e2e.workers.worker_support import eventually


def _send_slow_chain(broker: Broker) -> None:
    app = make_app(broker.settings)
    broker.client.set("facts:hang", 1)
    slow, rest = app.signature("facts.hang", args=("slow",)), app.signature("facts.leave", args=("rest",))
    slow.set(immutable=True)
    rest.set(immutable=True)
    chain(slow, rest).apply_async()
    broker.waits_for("slow")


@pytest.mark.thorough
def test_a_task_that_outlasts_the_visibility_timeout_runs_twice_and_its_chain_goes_on_twice(tmp_path: Path) -> None:
    with an_own_server(tmp_path) as server, a_facts_worker(server.broker, tmp_path / "worker.log", QUICK):
        broker = server.broker
        _send_slow_chain(broker)
        (tag,) = broker.client.zrange("unacked_index", 0, 0)
        broker.client.zincrby("unacked_index", -broker.settings.visibility_timeout_seconds, str(tag))
        eventually(lambda: broker.traces().count(["slow"]) == 2, "the message is handed out again", 30)
        broker.client.delete("facts:hang")
        eventually(lambda: broker.traces().count(["rest"]) == 2, "the rest of the chain runs twice", 30)


@pytest.mark.thorough
def test_a_connection_that_drops_under_a_running_task_runs_it_twice_at_once_and_forks_its_chain(tmp_path: Path) -> None:
    with an_own_server(tmp_path) as server, a_facts_worker(server.broker, tmp_path / "worker.log", QUICK) as worker:
        broker = server.broker
        worker.says("celery@.* ready")
        _send_slow_chain(broker)
        broker.client.client_kill_filter(_type="normal", skipme=True)
        eventually(
            lambda: broker.traces().count(["slow"]) == 2, "the message is handed out beside the running task", 30
        )
        assert worker.process.poll() is None, "a dropped connection, unlike a restarted server, does not end the worker"
        broker.client.delete("facts:hang")
        eventually(lambda: broker.traces().count(["rest"]) == 2, "the rest of the chain runs twice", 30)
