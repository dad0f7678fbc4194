"""RabbitMQ as the broker, by URL alone: what holds on Redis holds here; locks and heartbeats stay in Redis."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from kombu import Connection
from pydantic import SecretStr, ValidationError

from shared.adapters.celery.config import PHASE_HARD_SECONDS, RABBITMQ_QUEUE_ARGUMENTS, celery_config
from shared.adapters.celery.dispatch import CeleryDispatch
from shared.adapters.celery.health import examine_rabbitmq
from shared.adapters.celery.queue_lengths import find_queue_lengths
from shared.bootstrap import environment_of, make_control_app, make_counters
from shared.core.health import Finding, Health
from shared.settings import Settings
from tests.e2e.drills.test_doctor_live import wait_until_well
from tests.e2e.workers import test_dream_delay, test_killed_worker
from tests.e2e.workers.worker_support import ROOT, a_worker, eventually
from tests.support.installed.other_codebase import send_as_another_codebase
from tests.support.installed.rabbitmq import a_rabbitmq, skip_without_rabbitmq

QUEUES = ("dream.phase", "dream.control")
NOWHERE = "amqp://guest:guest@127.0.0.1:9//"


@pytest.fixture(scope="module")
def node() -> Iterator[str]:
    """The URL of a RabbitMQ of this module's own."""
    skip_without_rabbitmq()
    with a_rabbitmq() as url:
        yield url


@pytest.fixture
def rabbitmq(node: str) -> str:
    """The same without what an earlier test left in it."""
    with Connection(node) as connection:
        for name in QUEUES:
            channel_of(connection).queue_delete(name)
    return node


@pytest.fixture
def on_rabbitmq(fresh_settings: Settings, rabbitmq: str) -> Settings:
    """An empty database, and RabbitMQ for Celery."""
    return fresh_settings.model_copy(update={"broker_url": SecretStr(rabbitmq)})


def channel_of(connection: Connection) -> Any:
    return connection.channel()


def declare(url: str, arguments: dict[str, Any]) -> None:
    with Connection(url) as connection:
        for name in QUEUES:
            channel_of(connection).queue_declare(name, durable=True, auto_delete=False, arguments=arguments)


def waiting(url: str, name: str) -> int:
    with Connection(url) as connection:
        return int(channel_of(connection).queue_declare(name, passive=True).message_count)


def queues(url: str) -> Finding:
    return next(finding for finding in examine_rabbitmq(url) if finding.check == "queues")


@pytest.mark.thorough
def test_a_scrape_counts_what_waits_in_rabbitmq(on_rabbitmq: Settings, rabbitmq: str) -> None:
    declare(rabbitmq, RABBITMQ_QUEUE_ARGUMENTS)
    with Connection(rabbitmq) as connection:
        connection.Producer().publish({}, exchange="", routing_key="dream.phase", serializer="json")
    counters = make_counters(on_rabbitmq)
    wanted = ("slowwave_queue_messages", (("queue", "dream.phase"),))
    eventually(lambda: counters.find_broker_gauges().get(wanted) == 1, "the waiting message is counted")
    counters.close()


@pytest.mark.thorough
def test_of_two_dreams_asked_for_at_once_one_runs(on_rabbitmq: Settings, tmp_path: Path, tenant: str) -> None:
    test_dream_delay.test_of_two_dreams_asked_for_at_once_one_runs_and_the_other_says_why_not(
        on_rabbitmq, tmp_path, tenant
    )


@pytest.mark.thorough
def test_beat_and_a_worker_dream_unasked_over_a_store_that_is_due(
    on_rabbitmq: Settings, tmp_path: Path, tenant: str
) -> None:
    test_dream_delay.test_beat_finds_a_store_that_became_due_and_a_worker_dreams_over_it_unasked(
        on_rabbitmq, tmp_path, tenant
    )


@pytest.mark.thorough
def test_a_worker_killed_while_a_model_answers_costs_seconds_not_work(
    on_rabbitmq: Settings, llmock: Any, tmp_path: Path, tenant: str
) -> None:
    # RabbitMQ hands the message out again at once, so that a rescue is not always needed.
    test_killed_worker.dream_through_a_kill(on_rabbitmq, llmock, tmp_path, tenant, "consolidate")


@pytest.mark.thorough
def test_the_doctor_sees_queues_and_worker_and_asks_nothing_of_redis_about_queues(
    on_rabbitmq: Settings, tmp_path: Path
) -> None:
    quick = {"SLOWWAVE_SWEEP_SECONDS": "1"}
    with (
        a_worker(on_rabbitmq, tmp_path / "worker.log", quick),
        a_worker(on_rabbitmq, tmp_path / "beat.log", quick, beat=True),
    ):
        health = wait_until_well(on_rabbitmq, "rabbitmq", "redis", "queues", "workers", "beat")
    assert not {"visibility timeout", "messages"} & set(health)


@pytest.mark.thorough
def test_a_countdown_waits_in_the_broker_and_arrives(on_rabbitmq: Settings, rabbitmq: str, tmp_path: Path) -> None:
    app = Celery("sender", set_as_current=False)
    app.conf.update(celery_config(on_rabbitmq, rabbitmq))
    with a_worker(on_rabbitmq, tmp_path / "worker.log"):
        eventually(lambda: "ready" in (tmp_path / "worker.log").read_text(), "the worker has declared its queues")
    sent = time.monotonic()
    app.send_task("slowwave.sweep", kwargs={"name": "due_stores"}, queue="dream.control", countdown=2)
    eventually(lambda: waiting(rabbitmq, "dream.control") == 1, "the task arrives")
    assert time.monotonic() - sent >= 2, "it waited, however slow this machine is"
    app.close()


@pytest.mark.thorough
def test_of_a_cluster_the_first_node_that_answers_is_used(rabbitmq: str, fresh_settings: Settings) -> None:
    declare(rabbitmq, RABBITMQ_QUEUE_ARGUMENTS)
    cluster = f"{NOWHERE};{NOWHERE};{rabbitmq}"
    assert {finding.check: finding.health for finding in examine_rabbitmq(cluster)}["rabbitmq"] is Health.OK
    assert find_queue_lengths(cluster) == dict.fromkeys(QUEUES, 0)
    app = make_control_app(fresh_settings.model_copy(update={"broker_url": SecretStr(cluster)}), "sender")
    CeleryDispatch(app).send_check("acme", "default")
    app.close()
    eventually(lambda: waiting(rabbitmq, "dream.control") == 1, "the message arrives")


@pytest.mark.thorough
def test_another_codebase_asks_for_a_dream_without_declaring_the_queue_otherwise(
    rabbitmq: str, on_rabbitmq: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_control_app(on_rabbitmq, "worker")
    with app.connection_for_write() as connection:
        app.amqp.queues["dream.control"](connection).declare()  # as a worker does
    app.close()
    monkeypatch.setenv("BROKER", rabbitmq)
    send_as_another_codebase()
    eventually(
        lambda: waiting(rabbitmq, "dream.control") == 1, "the message arrives"
    )  # a quorum queue counts a moment later
    assert queues(rabbitmq).health is not Health.FAIL, "the queue has the arguments of this code"


@pytest.mark.thorough
def test_queues_that_are_undeclared_or_without_a_consumer_are_noticed(rabbitmq: str) -> None:
    assert queues(rabbitmq).found == "dream.phase is not declared yet"
    declare(rabbitmq, RABBITMQ_QUEUE_ARGUMENTS)
    finding = queues(rabbitmq)
    assert (finding.health, finding.found) == (Health.WARN, "dream.phase has no consumer")


@pytest.mark.thorough
def test_a_queue_of_another_kind_would_keep_every_worker_from_starting_and_is_named(rabbitmq: str) -> None:
    declare(rabbitmq, {"x-queue-type": "classic"})
    finding = queues(rabbitmq)
    assert finding.health is Health.FAIL
    assert "delete_queue dream.phase" in finding.advice


def test_a_rabbitmq_that_does_not_answer_is_one_line() -> None:
    found = examine_rabbitmq(NOWHERE)
    assert [(finding.check, finding.health) for finding in found] == [("rabbitmq", Health.FAIL)]


@pytest.mark.thorough
def test_a_dream_asked_for_without_a_broker_fails_with_a_sentence(fresh_settings: Settings) -> None:
    nowhere = fresh_settings.model_copy(update={"broker_url": SecretStr(NOWHERE)})
    done = subprocess.run(
        [sys.executable, "-c", "from workers import dream; dream.delay('acme')"],
        cwd=ROOT,
        env=environment_of(nowhere),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode != 0
    assert "refused" in done.stderr
    assert "nothing was sent" in done.stderr.splitlines()[-1]
    assert len(done.stderr.splitlines()) < 10, "the caller's line and a sentence, not the stack of Celery"


def test_the_longest_phase_fits_into_what_the_broker_waits_for() -> None:
    assert RABBITMQ_QUEUE_ARGUMENTS["x-consumer-timeout"] >= 3 * PHASE_HARD_SECONDS * 1_000


def test_rabbitmq_is_given_no_option_of_redis() -> None:
    config = celery_config(Settings(), NOWHERE)
    assert "visibility_timeout" not in repr(config)
    assert {queue.exchange.type for queue in config["task_queues"]} == {"topic"}


def test_a_broker_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(ValidationError, match="amqp://"):
        Settings(broker_url=SecretStr("http://broker"))
