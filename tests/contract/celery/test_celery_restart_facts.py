"""The effects of a Redis restart on a worker of kombu 5.7.0, on both pools, and command-line options that do not help."""

from pathlib import Path

import pytest

from tests.contract.celery.facts_app import make_app
from tests.contract.celery.facts_support import a_facts_worker, an_own_server

_POOLS = ["prefork", "threads"]


@pytest.mark.thorough
@pytest.mark.parametrize("pool", _POOLS)
def test_a_redis_restart_under_a_running_task_ends_the_worker_with_1_so_every_worker_is_supervised(
    pool: str, tmp_path: Path
) -> None:
    with an_own_server(tmp_path) as server, a_facts_worker(server.broker, tmp_path / "worker.log", pool=pool) as worker:
        worker.says("celery@.* ready")
        make_app(server.broker.settings).send_task("facts.hold", args=("held", 2.0))
        server.broker.waits_for("held")
        server.kill()
        server.start()
        assert worker.process.wait(timeout=60) == 1
        text = worker.log.read_text()
        assert "Unrecoverable error: AttributeError" in text
        assert "restore_unacked" in text
        # The message is not lost: it waits for its visibility timeout, which the reconciler does not wait for.
        assert server.broker.client.zcard("unacked_index") == 1


@pytest.mark.thorough
@pytest.mark.parametrize("pool", _POOLS)
def test_a_redis_restart_under_an_idle_worker_does_no_harm(pool: str, tmp_path: Path) -> None:
    with an_own_server(tmp_path) as server, a_facts_worker(server.broker, tmp_path / "worker.log", pool=pool) as worker:
        worker.says("celery@.* ready")
        server.kill()
        server.start()
        make_app(server.broker.settings).send_task("facts.leave", args=("after",))
        server.broker.waits_for("after")
        assert worker.process.poll() is None


def test_the_configured_pool_wins_over_prefork_on_the_command_line_so_a_variable_chooses_it(tmp_path: Path) -> None:
    variables = {"SLOWWAVE_WORKER_POOL": "threads"}
    with (
        an_own_server(tmp_path) as server,
        a_facts_worker(server.broker, tmp_path / "worker.log", environment=variables, pool="prefork") as worker,
    ):
        worker.says("concurrency: 2 .thread")


def test_a_time_limit_does_nothing_on_threads_so_the_watchdog_stands_in_for_it(tmp_path: Path) -> None:
    with (
        an_own_server(tmp_path) as server,
        a_facts_worker(server.broker, tmp_path / "worker.log", pool="threads") as worker,
    ):
        worker.says("celery@.* ready")
        app = make_app(server.broker.settings)
        app.signature("facts.hold", args=("held", 2.0), soft_time_limit=0.2, time_limit=0.4).apply_async()
        server.broker.waits_for("held")
        worker.says(r"Task facts.hold\S+ succeeded")
        assert "TimeLimitExceeded" not in worker.log.read_text()
