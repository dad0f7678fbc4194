"""A rolling deployment has messages of both versions in flight: every task takes fewer and more arguments than today."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.adapters.celery import names
from shared.adapters.embedded.endpoints import Endpoints
from tests.contract.celery.facts_app import TRACE, make_app
from tests.contract.celery.facts_support import Broker, a_broker, a_facts_worker
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
    (names.DELIVER, {"tenant_id": "acme", "delivery_id": "dlv_1", "claim": 2}, ["deliver", "acme", "dlv_1", 2]),
]


@pytest.fixture
def broker(servers: Endpoints) -> Iterator[Broker]:
    yield from a_broker(servers, 13)


def test_new_code_takes_messages_of_older_senders_and_ignores_what_newer_ones_add(
    broker: Broker, tmp_path: Path
) -> None:
    sender = make_app(broker.settings)
    with a_facts_worker(broker, tmp_path / "worker.log", app="tests.contract.celery.arguments_app"):
        for extra in ({}, _NEWER):  # a sender of today or before, and a newer one
            broker.client.delete(TRACE)
            for name, kwargs, _ in _CASES:
                sender.send_task(name, kwargs=kwargs | extra)
            for _, _, expected in _CASES:
                broker.waits_for(*expected)
            assert len(broker.traces()) == len(_CASES), "one message, one run"


def test_every_task_of_the_product_is_among_the_cases() -> None:
    own = {name for constant, name in vars(names).items() if constant.isupper() and not constant.endswith("_QUEUE")}
    assert {name for name, _, _ in _CASES} == own | {names.phase_task(phase.name) for phase in ALL_PHASES}
