"""Behaviour of Celery 5.7 and kombu 5.7 that the design relies on or works around: an upgrade that changes it fails here."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from celery import Celery, chain
from celery.exceptions import QueueNotFound
from kombu import Connection
from kombu.exceptions import OperationalError
from pydantic import SecretStr

from shared.adapters.celery import names
from shared.adapters.celery.config import DREAM_RETRIES, PHASE_HARD_SECONDS, celery_config
from shared.adapters.celery.dispatch import CeleryDispatch
from shared.adapters.embedded.endpoints import Endpoints
from shared.core.errors import ServiceUnavailableError
from shared.settings import Settings
from tests.contract.celery.facts_app import make_app
from tests.contract.celery.facts_support import QUICK, Broker, FactsWorker, a_broker, a_facts_worker
from tests.e2e.workers.worker_support import eventually


@pytest.fixture(scope="module")
def shared_broker(servers: Endpoints) -> Iterator[Broker]:
    """A database of the embedded server for the tests that share one worker."""
    yield from a_broker(servers, 11)


@pytest.fixture(scope="module")
def worker(shared_broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FactsWorker]:
    """One worker with the product's settings."""
    with a_facts_worker(shared_broker, tmp_path_factory.mktemp("facts") / "worker.log") as started:
        yield started


@pytest.fixture
def own_broker(servers: Endpoints) -> Iterator[Broker]:
    """A database for one test whose worker dies."""
    yield from a_broker(servers, 12)


@pytest.fixture
def broker(shared_broker: Broker, worker: FactsWorker) -> Broker:
    """The shared database with the worker on it and no traces of other tests."""
    worker.says("celery@.* ready")
    shared_broker.client.delete("facts:trace", "facts:hang")
    return shared_broker


def _app(broker: Broker) -> Celery:
    return make_app(broker.settings)


def test_setting_request_chain_to_none_stops_a_chain_without_a_failure(broker: Broker, worker: FactsWorker) -> None:
    app = _app(broker)
    stop, leave = app.signature("facts.stop_chain"), app.signature("facts.leave", args=("never",), immutable=True)
    stop_and_more = chain(stop, leave).on_error(app.signature("facts.errback"))
    stop_and_more.apply_async()
    broker.waits_for("stop")
    app.send_task("facts.leave", args=("after",))
    broker.waits_for("after")
    assert broker.traces() == [["stop"], ["after"]]
    assert "facts.stop_chain" in worker.log.read_text()


@pytest.mark.parametrize(("skipped", "left"), [(0, ["a", "b", "c"]), (1, ["b", "c"]), (2, ["c"]), (3, [])])
def test_a_task_can_take_the_next_steps_out_of_its_chain_and_the_others_run(
    broker: Broker, skipped: int, left: list[str]
) -> None:
    app = _app(broker)
    steps = [app.signature("facts.leave", args=(name,), immutable=True) for name in ("a", "b", "c")]
    chain(app.signature("facts.skip_next", args=(skipped,)), *steps).apply_async()
    broker.waits_for("chain", "c", "b", "a")  # Celery keeps the next step last
    for name in left:
        broker.waits_for(name)
    app.send_task("facts.leave", args=("after",))
    broker.waits_for("after")
    assert broker.traces() == [["chain", "c", "b", "a"], *([name] for name in left), ["after"]]


def test_immutable_signatures_pass_no_result_on(broker: Broker) -> None:
    app = _app(broker)
    step = [app.signature("facts.leave", args=(name,), immutable=True) for name in ("first", "second")]
    chain(*step, app.signature("facts.leave", args=("mutable",))).apply_async()
    broker.waits_for("a result", "mutable")
    assert broker.traces() == [["first"], ["second"], ["a result", "mutable"]]


def test_a_pickle_message_is_refused_and_the_worker_goes_on(broker: Broker, worker: FactsWorker) -> None:
    app = _app(broker)
    with Connection(broker.url, transport_options={"visibility_timeout": 3600}) as connection:
        message = app.amqp.as_task_v2("an-id", "facts.leave", args=("pickled",), kwargs={})
        producer = connection.Producer(serializer="pickle")
        producer.publish(message.body, exchange="dream", routing_key="dream.phase", headers=message.headers)
    worker.says("ContentDisallowed|Refusing to deserialize")
    app.send_task("facts.leave", args=("after",))
    broker.waits_for("after")
    assert broker.traces() == [["after"]]


def test_a_hard_time_limit_fires_an_errback_about_twice_so_none_is_used(broker: Broker) -> None:
    broker.client.set("facts:hang", 1)
    app = _app(broker)
    hang = app.signature("facts.hang", args=("limited",), options={"soft_time_limit": 0.2, "time_limit": 0.4})
    hang.apply_async(link_error=app.signature("facts.errback"))
    broker.waits_for("errback")
    app.send_task("facts.leave", args=("after",))
    broker.waits_for("after")
    # Twice with 5.7.0 (from on_timeout, and again from on_failure): slowwave registers no errback at all.
    assert 1 <= broker.traces().count(["errback"]) <= 2


def test_the_soft_limit_is_below_the_hard_one_because_celery_starts_the_second_clock_after_the_first() -> None:
    config = celery_config(Settings(), "redis://127.0.0.1:1/0")
    assert config["task_soft_time_limit"] + 30 <= config["task_time_limit"]


def test_a_queue_with_a_typing_error_in_its_name_raises_instead_of_swallowing_the_message(own_broker: Broker) -> None:
    with pytest.raises(QueueNotFound, match=r"dream\.phaze"):
        _app(own_broker).send_task("facts.leave", queue="dream.phaze")
    assert own_broker.client.keys("*phaze*") == []


@pytest.mark.thorough
def test_late_acknowledgement_leaves_the_message_of_a_killed_worker_until_the_visibility_timeout(
    own_broker: Broker, tmp_path: Path
) -> None:
    own_broker.client.set("facts:hang", 1)
    with a_facts_worker(own_broker, tmp_path / "first.log", QUICK) as first:
        _app(own_broker).send_task("facts.hang", args=("killed",))
        own_broker.waits_for("killed")
        first.kill()
    assert own_broker.client.zcard("unacked_index") == 1
    own_broker.client.delete("facts:hang")
    with a_facts_worker(own_broker, tmp_path / "second.log", QUICK):
        _app(own_broker).send_task("facts.leave", args=("after",))
        own_broker.waits_for("after")
        assert own_broker.traces() == [["killed"], ["after"]], "not handed out before the visibility timeout"
        (tag,) = own_broker.client.zrange("unacked_index", 0, 0)
        own_broker.client.zincrby("unacked_index", -own_broker.settings.visibility_timeout_seconds, str(tag))
        eventually(lambda: own_broker.traces().count(["killed"]) == 2, "the message is handed out again", 30)


@pytest.mark.thorough
def test_sigterm_as_sigquit_waits_for_the_soft_shutdown_and_hands_the_running_task_back(
    own_broker: Broker, tmp_path: Path
) -> None:
    own_broker.client.set("facts:hang", 1)
    changes = {"worker_soft_shutdown_timeout": 0.5}
    with a_facts_worker(own_broker, tmp_path / "worker.log", changes, {"REMAP_SIGTERM": "SIGQUIT"}) as worker:
        _app(own_broker).send_task("facts.hang", args=("running",))
        own_broker.waits_for("running")
        os.kill(worker.process.pid, signal.SIGTERM)
        worker.process.wait(timeout=30)
        assert "Initiating Soft Shutdown" in worker.log.read_text()
    assert own_broker.client.zcard("unacked_index") == 0
    assert own_broker.client.llen("dream.phase") == 1, "another worker may take it at once"


@pytest.mark.thorough
def test_a_dream_that_was_asked_for_is_tried_again_when_the_child_that_took_it_is_killed_and_a_phase_is_not(
    own_broker: Broker, tmp_path: Path
) -> None:
    config = celery_config(Settings(), own_broker.url)
    assert (config["task_annotations"], config["task_retry_on_worker_lost"]) == ({names.DREAM: DREAM_RETRIES}, False)
    changes = {
        "task_annotations": {"facts.hang": DREAM_RETRIES | {"default_retry_delay": 0}},
        "worker_lost_wait": 0.5,
    }
    own_broker.client.set("facts:hang", 1)
    with a_facts_worker(own_broker, tmp_path / "worker.log", changes) as worker:
        worker.says("celery@.* ready")
        _app(own_broker).send_task("facts.hang", args=("asked for",))
        for times in range(1, 2 + DREAM_RETRIES["max_retries"]):
            eventually(lambda n=times: own_broker.traces().count(["asked for"]) == n, f"run {times}", 30)  # type: ignore[misc]  # mypy infers no lambda with a default
            for child in psutil.Process(worker.process.pid).children():
                child.kill()
        worker.says("WorkerLostError")
        _app(own_broker).send_task("facts.leave", args=("after",))
        own_broker.waits_for("after")
        assert own_broker.traces().count(["asked for"]) == 1 + DREAM_RETRIES["max_retries"], "no poison loop"


def test_the_visibility_timeout_stands_in_all_three_places() -> None:
    settings = Settings(visibility_timeout_seconds=4321)
    config = celery_config(settings, "redis://127.0.0.1:1/0")
    assert config["visibility_timeout"] == 4321
    assert config["broker_transport_options"]["visibility_timeout"] == 4321
    assert config["result_backend_transport_options"]["visibility_timeout"] == 4321


def test_the_visibility_timeout_that_kombu_uses_is_ours() -> None:
    app = make_app(Settings(redis_url=SecretStr("redis://127.0.0.1:1/0"), visibility_timeout_seconds=4321))
    options = app.connection_for_read().transport_options
    assert options is not None
    assert options["visibility_timeout"] == 4321
    assert Settings().visibility_timeout_seconds >= 3 * PHASE_HARD_SECONDS


class _ClosingServer:
    """Accepts connections and closes them: a broker that is away, with a count of the attempts."""

    def __init__(self) -> None:
        self.attempts = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.attempts += 1
            connection.close()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(timeout=10)


def test_sending_without_a_broker_ends_within_bounded_attempts_in_a_sentence() -> None:
    server = _ClosingServer()
    app = make_app(Settings(redis_url=SecretStr(server.url)))
    try:
        with pytest.raises(ServiceUnavailableError, match=r"The broker does not answer .*SLOWWAVE_REDIS_URL") as caught:
            CeleryDispatch(app).send_check("acme", "default")
    finally:
        server.close()
        app.close()
    assert isinstance(caught.value.__cause__, OperationalError)
    assert 1 <= server.attempts <= 20
