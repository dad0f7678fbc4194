"""A rolling deployment has messages of both versions in flight: every task takes fewer and more arguments than today."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.clients import read_document
from shared.adapters.celery import names
from shared.adapters.embedded.endpoints import Endpoints
from tests.contract.celery.facts_app import TRACE, make_app
from tests.contract.celery.facts_support import Broker, a_broker, a_facts_worker
from tests.e2e.workers.worker_support import eventually
from tests.support.clients.package import find_example, importable, make_package
from tests.support.installed.other_codebase import send_as_another_codebase
from workers.phases import ALL_PHASES

_PHASE = {"tenant_id": "acme", "dream_id": "drm_1", "epoch": 3}
_NEWER = {"message_version": 7, "trace": {"parent": "00-ab"}, "priority": None}
_CASES: list[tuple[str, dict[str, Any], list[Any]]] = [
    (names.DREAM, {"tenant_id": "oldest"}, ["begin", "oldest", "default", False, None]),
    (names.DREAM, {"tenant_id": "acme", "store": "older"}, ["begin", "acme", "older", False, None]),
    (
        names.DREAM,
        {"tenant_id": "acme", "store": "s", "force": True, "dream_id": "drm_1"},
        ["begin", "acme", "s", True, "drm_1"],
    ),
    *((names.phase_task(p.name), _PHASE, ["phase", p.name, "acme", "drm_1", 3]) for p in ALL_PHASES),
    (names.FINISH, _PHASE, ["finish", "acme", "drm_1", 3]),
    (names.CHECK, {"tenant_id": "acme", "store": "s"}, ["check", "acme", "s"]),
    (names.SWEEP, {"name": "due_stores"}, ["sweep", "due_stores"]),
    (names.EVALUATE, {"tenant_id": "acme", "evaluation_id": "eval_1"}, ["evaluate", "acme", "eval_1"]),
    (names.DELIVER, {"tenant_id": "acme", "delivery_id": "dlv_1", "claim": 2}, ["deliver", "acme", "dlv_1", 2]),
]


@pytest.fixture(scope="module")
def broker(servers: Endpoints, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker with a worker that traces what reaches the product's tasks."""
    log = tmp_path_factory.mktemp("worker") / "worker.log"
    for broker in a_broker(servers, 13):
        with a_facts_worker(broker, log, app="tests.contract.celery.arguments_app"):
            yield broker


def test_new_code_takes_messages_of_older_senders_and_ignores_what_newer_ones_add(broker: Broker) -> None:
    sender = make_app(broker.settings)
    for extra in ({}, _NEWER):  # a sender of today or before, and a newer one
        broker.client.delete(TRACE)
        for name, kwargs, _ in _CASES:
            sender.send_task(name, kwargs=kwargs | extra)
        for _, _, expected in _CASES:
            broker.waits_for(*expected)
        assert len(broker.traces()) == len(_CASES), "one message, one run"


def test_a_running_worker_knows_dreams_with_their_phases_sweeps_and_webhooks_and_no_other_job(
    broker: Broker,
) -> None:
    sender = make_app(broker.settings)
    # A question that is sent before the worker listens is lost, so it is sent again.
    answers = eventually(lambda: sender.control.broadcast("registered", reply=True, limit=1, timeout=3), "an answer")
    known = {name for answer in answers for names_of_worker in answer.values() for name in names_of_worker}
    assert {name for name in known if not name.startswith("facts.")} == {name for name, _, _ in _CASES}


def test_every_task_of_the_product_is_among_the_cases() -> None:
    own = {name for constant, name in vars(names).items() if constant.isupper() and not constant.endswith("_QUEUE")}
    assert {name for name, _, _ in _CASES} == own | {names.phase_task(phase.name) for phase in ALL_PHASES}


def test_another_codebase_asks_for_a_dream_as_the_integration_page_says(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.client.delete(TRACE)
    monkeypatch.setenv("BROKER", broker.url)
    send_as_another_codebase()
    broker.waits_for("begin", "acme", "support-bot", True, None)


@pytest.mark.thorough
def test_a_program_with_the_client_asks_for_a_dream_as_its_readme_says(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broker.client.delete(TRACE)
    monkeypatch.setenv("SLOWWAVE_REDIS_URL", broker.url)
    make_package(read_document(), tmp_path)
    with importable(tmp_path):
        exec(find_example("celery"), {})
    broker.waits_for("begin", "acme", "default", False, None)
    broker.waits_for("begin", "acme", "support-bot", True, None)
