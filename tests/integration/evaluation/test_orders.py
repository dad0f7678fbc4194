"""Orders of evaluations: which are refused, and what is said then."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from shared.all_ports import Ports
from shared.core.errors import ArchivedError, BadInputError, ConflictError, NotFoundError
from shared.core.evaluation.model import EvaluationOrder, EvaluationState
from shared.services.evaluation.evaluations import (
    cancel_evaluation,
    find_evaluations,
    get_evaluation,
    start_evaluation,
)
from shared.services.tenants.delete_store import delete_store
from shared.services.tenants.stores import archive_store
from tests.support.builders import a_store
from workers.phases import CATALOG


def an_order(**values: Any) -> EvaluationOrder:
    return EvaluationOrder(**{"store": "bot", "actor": "a test", **values})


@pytest.fixture
def tenant(ports: Ports) -> str:
    tenant = f"t{uuid4().hex}"
    a_store(ports, tenant, "bot")
    return tenant


def test_an_order_is_read_back_as_it_was_given(ports: Ports, tenant: str) -> None:
    order = an_order(
        profile="rockbot",
        without=("prune",),
        dreams=3,
        repeats=2,
        max_usd=0.5,
        own=({"question": "Which port?", "evidence": ["It listens on 8080."]},),
    )

    started = start_evaluation(ports, tenant, order, CATALOG)

    assert started.state is EvaluationState.QUEUED
    assert get_evaluation(ports.db, tenant, started.id).order == order
    assert [one.id for one in find_evaluations(ports.db, tenant, store_name="bot", limit=10)] == [started.id]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"profile": "nightly"}, "no profile 'nightly'"),
        ({"without": ("index",)}, "'index' is no phase that can be left out"),
        ({"dreams": 0}, "dreams is a number from 1"),
        ({"repeats": 100}, "repeats is a number from 1"),
        ({"max_usd": -1.0}, "max_usd is an amount"),
        ({"ablate": True, "dreams": 2}, "two evaluations"),
        ({"own": ({"question": "Which port?"},)}, "Probe 1 needs a question and its evidence"),
        ({"model": "a-model-without-a-price"}, "price of 'a-model-without-a-price' is not known"),
        ({"model": "claude-sonnet-4-5", "max_usd": 0.0}, "is not free"),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_refused_with_what_is_wrong(
    ports: Ports, tenant: str, wrong: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadInputError, match=said):
        start_evaluation(ports, tenant, an_order(**wrong), CATALOG)

    assert find_evaluations(ports.db, tenant, limit=10) == []


def test_a_store_is_evaluated_once_at_a_time(ports: Ports, tenant: str) -> None:
    first = start_evaluation(ports, tenant, an_order(), CATALOG)

    with pytest.raises(
        ConflictError, match=f"bot is being evaluated already \\({first.id}\\): wait for its end, or cancel"
    ):
        start_evaluation(ports, tenant, an_order(), CATALOG)

    cancel_evaluation(ports, tenant, first.id, actor="a test")
    assert start_evaluation(ports, tenant, an_order(), CATALOG).id != first.id


def test_what_may_not_dream_is_not_evaluated(ports: Ports, tenant: str) -> None:
    with pytest.raises(NotFoundError):
        start_evaluation(ports, tenant, an_order(store="another"), CATALOG)

    store = a_store(ports, tenant, "bot", paused_at=datetime.now(UTC))
    with pytest.raises(ConflictError, match=f"{tenant}/bot is paused.*slowwave resume {tenant}/bot"):
        start_evaluation(ports, tenant, an_order(), CATALOG)

    with ports.db.transaction(tenant) as uow:
        uow.stores.save(replace(store, paused_at=None))
    archive_store(ports.db, tenant, store.id, actor="a test")
    with pytest.raises(ArchivedError):
        start_evaluation(ports, tenant, an_order(), CATALOG)


def test_a_canceled_evaluation_stays_canceled(ports: Ports, tenant: str) -> None:
    started = start_evaluation(ports, tenant, an_order(), CATALOG)

    for _ in range(2):
        ended = cancel_evaluation(ports, tenant, started.id, actor="a test")

    assert (ended.state, ended.is_active) == (EvaluationState.CANCELED, False)
    assert ended.finished_at is not None


def test_evaluations_go_with_their_store(ports: Ports, tenant: str) -> None:
    started = start_evaluation(ports, tenant, an_order(), CATALOG)

    delete_store(ports.db, tenant, started.store_id, actor="a test")

    assert find_evaluations(ports.db, tenant, limit=10) == []
