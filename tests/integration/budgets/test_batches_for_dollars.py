"""Questions of Message Batches under a budget in dollars: half the price is reserved, as long as a question is out."""

from collections.abc import Iterator

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.services.dreams.cancel import cancel_dream
from tests.integration.batches.batch_support import go, go_on, sweep, with_batches
from tests.integration.budgets.budget_support import PRICED, set_budget, uses, with_questions
from tests.support.model.batch_server import BatchServer, a_batch_server

_LIMIT = 0.05


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with a_batch_server() as found:
        yield found


@pytest.fixture
def batching(fresh_ports: Ports, server: BatchServer) -> Ports:
    """A tenant `acme` with four questions, of which a day's money pays two at half the price."""
    found = with_batches(fresh_ports, server, llm_model=PRICED)
    with_questions(found, "acme")
    set_budget(found, "acme", usd_per_day=_LIMIT)
    return found


def reserved(ports: Ports) -> float:
    return uses(ports, "acme")["tenant_usd_per_day"].reserved_usd


def test_a_batch_reserves_half_the_price_until_its_answers_are_stored(batching: Ports, server: BatchServer) -> None:
    dream = go(batching, "acme")
    assert dream is not None
    assert dream.state is DreamState.RUNNING
    half = reserved(batching)
    assert _LIMIT / 2 < half <= _LIMIT
    assert sweep(batching) == ["send"]
    assert len(server.asked()) == 2
    assert reserved(batching) == half
    server.end_all()
    sweep(batching)
    ended = go_on(batching, "acme", dream)
    assert ended.state is not DreamState.COMPLETED
    assert uses(batching, "acme")["tenant_usd_per_day"].spent_usd > 0


def test_a_canceled_dream_gives_back_what_was_not_sent(batching: Ports) -> None:
    dream = go(batching, "acme")
    assert dream is not None
    assert reserved(batching) > 0
    cancel_dream(batching.db, "acme", dream.id, actor="bo")
    go(batching, "acme", dream.id)
    sweep(batching)
    assert reserved(batching) == 0
