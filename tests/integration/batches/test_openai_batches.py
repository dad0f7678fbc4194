"""Batches of OpenAI and of servers like it: the same sleep, the same half price, and nothing asked twice."""

import json
from collections.abc import Iterator

import psycopg
import pytest
from pydantic import SecretStr

from shared.adapters.llm.openai.batches import OpenAiBatches
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.ports.batches import BatchEntry
from shared.ports.llm import LlmOutcome
from shared.prices.price_list import find_prices
from tests.integration.batches.batch_support import (
    finish_in_rounds,
    go,
    go_on,
    pass_minutes,
    sent_twice,
    sweep,
    with_batches,
    write_notes,
)
from tests.support.model.batch_server import Answer
from tests.support.model.openai_batch_server import OpenAiBatchServer, an_openai_batch_server, too_late, unanswered

pytest.importorskip("openai")
_MODEL = "claude-haiku-4-5"  # of a gateway that speaks OpenAI's API, at a known price


@pytest.fixture
def server() -> Iterator[OpenAiBatchServer]:
    with an_openai_batch_server() as found:
        yield found


@pytest.fixture
def batching(fresh_ports: Ports, server: OpenAiBatchServer) -> Ports:
    return with_batches(fresh_ports, server, llm="openai", llm_model=_MODEL)


def a_sleeper(ports: Ports) -> Dream:
    write_notes(ports, "acme")
    dream = go(ports, "acme")
    assert dream is not None
    assert dream.reason == "Sleeps until its Message Batch has ended"
    return dream


def test_a_dream_sleeps_until_its_batch_has_ended_and_pays_half_the_price(
    batching: Ports, server: OpenAiBatchServer
) -> None:
    ended = finish_in_rounds(batching, server, "acme", a_sleeper(batching))
    assert ended.state is DreamState.COMPLETED
    assert sent_twice(server) == []
    with batching.db.transaction("acme") as uow:
        totals = uow.calls.get_totals(ended.id)
    asked = server.asked()
    assert totals.outcomes == {"ok": len(asked)}
    price = find_prices()[_MODEL]
    full = len(asked) * (1_000 * price.input_usd + 100 * price.output_usd) / 1_000_000
    assert totals.cost_usd == pytest.approx(full / 2)


@pytest.mark.parametrize(("answer", "outcome"), [(unanswered, LlmOutcome.FAILED), (too_late, LlmOutcome.TIMED_OUT)])
def test_requests_without_an_answer_leave_their_questions_open_and_cost_nothing(
    batching: Ports, server: OpenAiBatchServer, answer: Answer, outcome: LlmOutcome
) -> None:
    dream = a_sleeper(batching)
    server.answer = answer
    finish_in_rounds(batching, server, "acme", dream)
    with batching.db.transaction("acme") as uow:
        totals = uow.calls.get_totals(dream.id)
    assert set(totals.outcomes) == {str(outcome)}
    assert totals.cost_usd == 0


def test_a_creation_whose_answer_was_lost_is_found_again_and_not_repeated(
    batching: Ports, server: OpenAiBatchServer, owner: psycopg.Connection
) -> None:
    dream = a_sleeper(batching)
    server.lose = 1
    assert "502" in sweep(batching)[0]
    pass_minutes(owner, 11)
    server.end_all()
    assert sweep(batching) == ["recover"]
    assert finish_in_rounds(batching, server, "acme", dream).state is DreamState.COMPLETED
    assert sent_twice(server) == []


def test_a_refused_creation_leaves_no_questions_on_the_server(batching: Ports, server: OpenAiBatchServer) -> None:
    a_sleeper(batching)
    server.refuse = [429]
    sweep(batching)
    assert (server.files, server.batches) == ({}, {})


def test_a_file_that_the_server_cannot_use_ends_the_dream_with_its_words(
    batching: Ports, server: OpenAiBatchServer
) -> None:
    dream = a_sleeper(batching)
    server.broken = f"line 1 is too long for {server.key}"
    ended = finish_in_rounds(batching, server, "acme", dream)
    assert ended.state is DreamState.ERROR
    assert "line 1 is too long" in ended.reason
    assert server.key not in ended.reason


def test_a_server_without_batches_ends_the_dream_with_what_it_said(batching: Ports, server: OpenAiBatchServer) -> None:
    dream = a_sleeper(batching)
    server.has_batches = False
    sweep(batching)
    ended = go_on(batching, "acme", dream)
    while ended.finished_at is None:
        sweep(batching)
        ended = go_on(batching, "acme", ended)
    assert "answered 404" in ended.reason


def test_openai_is_asked_to_delete_what_a_batch_leaves_and_other_servers_are_not(
    server: OpenAiBatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.adapters.llm.openai.endpoint.OPENAI_URL", server.url)
    entry = BatchEntry(id="q1", request={"model": "m", "messages": []})
    for base_url in (None, server.url):
        OpenAiBatches(model="m", key=SecretStr(server.key), base_url=base_url).create([entry])
    own, other = server.said
    assert own["purpose"] == other["purpose"] == "batch"
    assert any("expires_after" in name for name in own)
    assert not any("expires_after" in name for name in other)
    assert json.loads(server.files["file-1"])["custom_id"] == "q1"
