"""Message Batches: dreams sleep while their questions are out, cost half, and go on with the answers."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain, repeat
from typing import Any

import psycopg
import pytest

from gateway.cli.dreams.status import status_lines
from gateway.cli.dreams.watch import explain_sleep
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseState, Trigger
from shared.core.errors import BadInputError
from shared.ports.llm import LlmOutcome
from shared.prices.price_list import find_prices
from shared.services.dreams.cancel import cancel_dream
from shared.services.dreams.explain import explain_store
from shared.services.dreams.start import start_dream
from shared.services.tenants.configure import StoreChanges, TenantChanges, configure_store, configure_tenant
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
from tests.support.builders import get_dream
from tests.support.model.batch_server import Answer, BatchServer, a_batch_server, errored, expired, succeeded
from workers.phases import CATALOG, get_catalog


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with a_batch_server() as found:
        yield found


@pytest.fixture
def batching(fresh_ports: Ports, server: BatchServer) -> Ports:
    return with_batches(fresh_ports, server)


def a_sleeper(ports: Ports, tenant: str = "acme") -> Dream:
    write_notes(ports, tenant)
    dream = go(ports, tenant)
    assert dream is not None
    assert (dream.state, dream.reason) == (DreamState.RUNNING, "Sleeps until its Message Batch has ended")
    return dream


def test_a_dream_sleeps_until_its_batch_has_ended_and_pays_half_the_price(batching: Ports, server: BatchServer) -> None:
    dream = a_sleeper(batching)
    assert not server.batches, "questions of other dreams may join until the sweep comes"
    assert dream.next_attempt_at is not None
    assert dream.snoozed_at is not None
    assert dream.next_attempt_at - dream.snoozed_at > timedelta(hours=24)
    assert dream.snooze_count == 0
    assert sweep(batching) == ["send"]
    assert sweep(batching) == [], "the batch is in progress"
    server.end_all()
    assert sweep(batching) == ["collect"]
    ended = finish_in_rounds(batching, server, "acme", go_on(batching, "acme", dream))

    assert ended.state is DreamState.COMPLETED
    assert sent_twice(server) == []
    with batching.db.transaction("acme") as uow:
        totals = uow.calls.get_totals(dream.id)
        assert all(run.state in {PhaseState.DONE, PhaseState.SKIPPED} for run in uow.phases.find_all(dream.id))
    asked = server.asked()
    assert totals.outcomes == {"ok": len(asked)}
    price = find_prices()["claude-haiku-4-5"]
    full = len(asked) * (1_000 * price.input_usd + 100 * price.output_usd) / 1_000_000
    assert totals.cost_usd == pytest.approx(full / 2)
    assert batching.db.batch_queue.find(10) == []


def test_a_dream_that_waits_for_a_batch_promises_no_hour(batching: Ports) -> None:
    dream = a_sleeper(batching)
    told = [line.plain for line in status_lines(explain_store(batching.db, "acme", "default", get_catalog))]
    assert any("It goes on when its Message Batch has ended, usually within an hour" in line for line in told), told
    with batching.db.transaction("acme") as uow:
        assert "sleeps and wakes when its Message Batch has ended" in explain_sleep(dream, uow.now())


def test_questions_of_many_dreams_of_one_key_go_out_together_and_those_of_another_key_apart(
    fresh_ports: Ports, server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = with_batches(fresh_ports, server)
    for tenant in ("one", "two", "other"):
        write_notes(ports, tenant)
    with a_batch_server() as elsewhere:
        monkeypatch.setenv("SLOWWAVE_LLM_API_KEY_OTHER", elsewhere.key)
        own = {"base_url": elsewhere.url, "api_key_variable": "SLOWWAVE_LLM_API_KEY_OTHER"}
        configure_store(ports.db, "other", "default", changes=StoreChanges(llm=own), phases=CATALOG, actor="test")
        for tenant in ("one", "two", "other"):
            go(ports, tenant)
        assert sweep(ports) == ["send", "send"]
        assert len(server.batches) == 1
        assert len(elsewhere.batches) == 1
        assert len(server.asked()) == 2 * len(elsewhere.asked())


@pytest.mark.thorough
def test_a_store_may_choose_batches_and_others_do_not(fresh_ports: Ports, server: BatchServer) -> None:
    ports = with_batches(fresh_ports, server, llm_batch="off")
    write_notes(ports, "acme")
    configure_store(
        ports.db, "acme", "default", changes=StoreChanges(llm={"batch": "on"}), phases=CATALOG, actor="test"
    )
    dream = go(ports, "acme")
    assert dream is not None
    assert dream.reason == "Sleeps until its Message Batch has ended"


@pytest.mark.thorough
def test_questions_that_are_out_are_not_asked_again_when_batches_are_switched_off(
    batching: Ports, server: BatchServer
) -> None:
    dream = a_sleeper(batching)
    sweep(batching)
    off = with_batches(batching, server, llm_batch="off")
    server.end_all()
    sweep(off)
    ended = finish_in_rounds(off, server, "acme", go_on(off, "acme", dream))
    assert ended.state is DreamState.COMPLETED
    assert server.asked_at_once == [], "the dream goes on as it began"
    assert sent_twice(server) == []


def test_a_tenant_that_never_uses_batches_sends_nothing_more_and_asks_at_once_next_time(
    batching: Ports, server: BatchServer
) -> None:
    dream = a_sleeper(batching)
    configure_tenant(batching.db, "acme", changes=TenantChanges(llm={"batch": "never"}), actor="test")
    assert sweep(batching) == ["send"], "the questions end here, unasked"
    ended = finish_in_rounds(batching, server, "acme", go_on(batching, "acme", dream))
    assert ended.state is DreamState.ERROR
    assert "The tenant never uses Message Batches" in ended.reason
    assert not server.batches
    write_notes(batching, "acme")
    after = go(batching, "acme")
    assert after is not None
    assert after.state is DreamState.COMPLETED, "the next dream asks at once"
    assert server.asked_at_once
    assert not server.batches


def test_neither_a_store_nor_an_order_overrides_a_tenant_that_never_uses_batches(
    fresh_ports: Ports, server: BatchServer
) -> None:
    ports = with_batches(fresh_ports, server, llm_batch="off")
    write_notes(ports, "acme")
    configure_tenant(ports.db, "acme", changes=TenantChanges(llm={"batch": "never"}), actor="test")
    changes = StoreChanges(llm={"batch": "on"})
    with pytest.raises(BadInputError, match="The tenant never uses Message Batches"):
        configure_store(ports.db, "acme", "default", changes=changes, phases=CATALOG, actor="test")
    with pytest.raises(BadInputError, match="The tenant never uses Message Batches"):
        start_dream(ports.db, "acme", trigger=Trigger.CLI, force=True, batch=True)
    with ports.db.transaction("acme") as uow:
        assert not uow.dreams.find_recent(limit=1)


def test_a_store_that_was_switched_on_before_its_tenant_said_never_asks_at_once(
    fresh_ports: Ports, server: BatchServer
) -> None:
    ports = with_batches(fresh_ports, server, llm_batch="off")
    write_notes(ports, "acme")
    configure_store(
        ports.db, "acme", "default", changes=StoreChanges(llm={"batch": "on"}), phases=CATALOG, actor="test"
    )
    configure_tenant(ports.db, "acme", changes=TenantChanges(llm={"batch": "never"}), actor="test")
    dream = go(ports, "acme")
    assert dream is not None
    assert dream.state is DreamState.COMPLETED
    assert server.asked_at_once


def test_one_dream_may_be_ordered_in_batches(fresh_ports: Ports, server: BatchServer) -> None:
    ports = with_batches(fresh_ports, server, llm_batch="off")
    write_notes(ports, "acme")
    ordered = start_dream(ports.db, "acme", trigger=Trigger.CLI, force=True, batch=True, actor="test").dream
    assert ordered is not None
    slept = go(ports, "acme", ordered.id)
    assert slept is not None
    assert slept.reason == "Sleeps until its Message Batch has ended"


@pytest.mark.parametrize(("answer", "outcome"), [(errored, LlmOutcome.FAILED), (expired, LlmOutcome.TIMED_OUT)])
def test_entries_that_fail_leave_their_questions_open_and_the_dream_goes_on(
    batching: Ports, server: BatchServer, answer: Answer, outcome: LlmOutcome
) -> None:
    dream = a_sleeper(batching)
    server.answer = answer
    ended = finish_in_rounds(batching, server, "acme", dream)
    assert ended.state is DreamState.ERROR, "no question was answered"
    with batching.db.transaction("acme") as uow:
        totals = uow.calls.get_totals(dream.id)
    assert set(totals.outcomes) == {str(outcome)}
    assert totals.cost_usd == 0


@pytest.mark.thorough
def test_a_batch_that_half_fails_keeps_its_good_answers(batching: Ports, server: BatchServer) -> None:
    dream = a_sleeper(batching)
    answers: Iterator[Answer] = chain([errored], repeat(succeeded))

    def answer(params: dict[str, Any]) -> dict[str, Any]:
        return next(answers)(params)

    server.answer = answer
    ended = finish_in_rounds(batching, server, "acme", dream)
    with batching.db.transaction("acme") as uow:
        outcomes = uow.calls.get_totals(dream.id).outcomes
    assert outcomes["failed"] == 1
    assert outcomes["ok"] == len(server.asked()) - 1
    assert ended.state in {DreamState.COMPLETED, DreamState.PARTIAL}


def test_a_canceled_dream_sends_nothing_more_and_what_it_has_paid_is_recorded(
    batching: Ports, server: BatchServer, owner: psycopg.Connection
) -> None:
    waiting = a_sleeper(batching, "early")
    cancel_dream(batching.db, "early", waiting.id, actor="test")
    go(batching, "early", waiting.id)
    assert get_dream(batching, "early", waiting.id).state is DreamState.CANCELED
    assert sweep(batching) == []
    assert not server.batches

    dream = a_sleeper(batching, "late")
    sweep(batching)
    cancel_dream(batching.db, "late", dream.id, actor="test")
    go(batching, "late", dream.id)
    assert get_dream(batching, "late", dream.id).state is DreamState.CANCELED
    server.end_all()
    sweep(batching)
    with batching.db.transaction("late") as uow:
        totals = uow.calls.get_totals(dream.id)
        assert uow.calls.find_answers(dream.id, "consolidate") == {}
    assert totals.calls == len(server.asked())
    assert totals.cost_usd > 0
    assert owner.execute("SELECT count(*) FROM batch_calls").fetchone() == (0,)


def test_a_creation_whose_answer_was_lost_is_found_again_and_not_repeated(
    batching: Ports, server: BatchServer, owner: psycopg.Connection
) -> None:
    dream = a_sleeper(batching)
    server.lose = 1
    assert sweep(batching) == ["send failed: The model server answered 502: the answer was lost"]
    assert sweep(batching) == [], "another process may be creating it now"
    pass_minutes(owner, 11)
    assert sweep(batching) == [], "what the batch holds cannot be seen before it ends"
    server.end_all()
    assert sweep(batching) == ["recover"]
    ended = finish_in_rounds(batching, server, "acme", dream)
    assert ended.state is DreamState.COMPLETED
    assert sent_twice(server) == []


@pytest.mark.thorough
def test_a_batch_that_was_never_created_is_sent_again(
    batching: Ports, server: BatchServer, owner: psycopg.Connection
) -> None:
    dream = a_sleeper(batching)
    server.refuse = [500]
    assert sweep(batching) == ["send failed: The model server answered 500: try later"]
    pass_minutes(owner, 11)
    assert sweep(batching) == ["recover"]
    assert finish_in_rounds(batching, server, "acme", dream).state is DreamState.COMPLETED


@pytest.mark.thorough
def test_a_rate_limit_leaves_the_questions_waiting_for_the_next_pass(batching: Ports, server: BatchServer) -> None:
    dream = a_sleeper(batching)
    server.refuse = [429]
    assert sweep(batching) == []
    assert not server.batches
    assert finish_in_rounds(batching, server, "acme", dream).state is DreamState.COMPLETED


def test_a_key_that_is_revoked_before_sending_ends_the_dream_as_a_refused_call_does(
    batching: Ports, server: BatchServer
) -> None:
    dream = a_sleeper(batching)
    server.key = "sk-another"
    sweep(batching)
    ended = go_on(batching, "acme", dream)
    while ended.finished_at is None:
        sweep(batching)
        ended = go_on(batching, "acme", ended)
    assert ended.state is DreamState.ERROR
    assert "401" in ended.reason
    assert "sk-batch" not in ended.reason


@pytest.mark.thorough
def test_a_key_that_is_revoked_after_sending_costs_nothing_once_it_works_again(
    batching: Ports, server: BatchServer
) -> None:
    dream = a_sleeper(batching)
    sweep(batching)
    server.end_all()
    kept, server.key = server.key, "sk-another"
    assert sweep(batching) == ["collect failed: The model server answered 401: invalid key [key]"]
    server.key = kept
    assert sweep(batching) == ["collect"], "the key works again, and the answers are there"
    assert finish_in_rounds(batching, server, "acme", go_on(batching, "acme", dream)).state is DreamState.COMPLETED


@pytest.mark.thorough
def test_results_that_cannot_be_read_for_a_day_are_given_up(
    batching: Ports, server: BatchServer, owner: psycopg.Connection
) -> None:
    dream = a_sleeper(batching)
    sweep(batching)
    server.key = "sk-another"
    pass_minutes(owner, 26 * 60)
    assert sweep(batching) == ["collect"]
    go_on(batching, "acme", dream)
    with batching.db.transaction("acme") as uow:
        assert uow.calls.get_totals(dream.id).outcomes == {"timed_out": 1}


def test_the_deadline_of_a_dream_stands_still_while_it_waits_for_a_batch(
    batching: Ports, server: BatchServer, owner: psycopg.Connection
) -> None:
    dream = a_sleeper(batching)
    owner.execute(
        "UPDATE dreams SET snoozed_at = snoozed_at - interval '20 hours', deadline_at = deadline_at - interval '20 hours'"
    )
    ended = finish_in_rounds(batching, server, "acme", dream)
    assert ended.state is DreamState.COMPLETED


def test_a_dry_run_is_answered_at_once(batching: Ports, server: BatchServer) -> None:
    write_notes(batching, "acme")
    with batching.db.transaction("acme") as uow:
        store = uow.stores.get("default")
        dream = uow.dreams.add(store.id, trigger=Trigger.DELAY, force=True, dry_run=True)
    ended = go(batching, "acme", dream.id)
    assert ended is not None
    assert ended.finished_at is not None
    assert not server.batches


@pytest.mark.thorough
def test_a_useless_answer_of_a_batch_is_asked_of_the_better_model_in_another_one_and_neither_twice(
    fresh_ports: Ports, server: BatchServer
) -> None:
    def answer(params: dict[str, Any]) -> dict[str, Any]:
        found = succeeded(params)
        if params["model"] == "claude-haiku-4-5":
            found["message"]["stop_reason"] = "refusal"
        return found

    server.answer = answer
    batching = with_batches(fresh_ports, server, llm_better_model="claude-opus-4-5")
    ended = finish_in_rounds(batching, server, "acme", a_sleeper(batching))
    assert ended.state is DreamState.COMPLETED
    asked = Counter(entry["params"]["model"] for entries in server.batches.values() for entry in entries)
    assert asked["claude-haiku-4-5"] == asked["claude-opus-4-5"] > 0
    assert sent_twice(server) == []
    with batching.db.transaction("acme") as uow:
        outcomes = uow.calls.get_totals(ended.id).outcomes
    assert outcomes == {"refused": asked["claude-haiku-4-5"], "ok": asked["claude-opus-4-5"]}
