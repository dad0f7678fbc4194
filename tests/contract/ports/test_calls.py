"""The contract of `CallRepository`: every call a row, every good answer kept once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Barrier

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.core.errors import NotFoundError
from shared.core.questions.answer import Answer
from shared.core.questions.prompt import Prompt
from shared.ports.llm import CallTotals, LlmOutcome, LlmReply, LlmUsage


class Said(Answer):
    """An answer of one text."""

    text: str


MakeDream = Callable[..., Dream]
USAGE = LlmUsage(input_tokens=100, output_tokens=20, cached_tokens=1000, cache_write_tokens=7, cost_usd=0.125)
ANSWER = LlmReply(outcome=LlmOutcome.OK, model="scripted", usage=USAGE, answer=Said(text="A text"))
REFUSAL = LlmReply(outcome=LlmOutcome.REFUSED, model="scripted", usage=USAGE, detail="no\x00t today" * 100)


def record(ports: Ports, dream: Dream, key: str, reply: LlmReply, *, phase: str = "consolidate") -> None:
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.calls.record(dream.id, phase, key, reply, latency_ms=12)


def find_answers(ports: Ports, dream: Dream, phase: str = "consolidate") -> dict[str, Said]:
    with ports.db.transaction(dream.tenant_id) as uow:
        stored = uow.calls.find_answers(dream.id, phase)
    return {key: Said.model_validate(answer) for key, answer in stored.items()}


def get_totals(ports: Ports, dream: Dream) -> CallTotals:
    with ports.db.transaction(dream.tenant_id) as uow:
        return uow.calls.get_totals(dream.id)


def count_tokens_today(ports: Ports, tenant: str) -> int:
    with ports.db.transaction(tenant) as uow:
        return uow.calls.count_tokens_today()


def test_a_good_answer_is_found_under_its_question(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    record(ports, dream, "api#1", ANSWER)
    record(ports, dream, "web#1", REFUSAL)
    assert find_answers(ports, dream) == {"api#1": ANSWER.answer}
    assert find_answers(ports, dream, "prune") == {}
    assert find_answers(ports, start_running("other")) == {}


def test_an_answer_after_failures_is_found(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    record(ports, dream, "api#1", REFUSAL)
    record(ports, dream, "api#1", REFUSAL)
    record(ports, dream, "api#1", ANSWER)
    assert find_answers(ports, dream) == {"api#1": ANSWER.answer}


def test_the_first_good_answer_stays_and_the_second_is_counted(ports: Ports, start_running: MakeDream) -> None:
    """Two workers may have asked at once; the phase of neither may fail for it, and both were paid for."""
    dream = start_running()
    record(ports, dream, "api#1", ANSWER)
    record(ports, dream, "api#1", replace(ANSWER, answer=Said(text="Another text")))
    assert find_answers(ports, dream) == {"api#1": ANSWER.answer}
    totals = get_totals(ports, dream)
    assert (totals.calls, totals.tokens) == (2, 2 * 1127)


def test_of_many_answers_at_once_one_is_kept_and_all_are_counted(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    together = Barrier(6)

    def race(number: int) -> str:
        together.wait(timeout=30)
        text = f"Text {number}"
        record(ports, dream, "api#1", replace(ANSWER, answer=Said(text=text)))
        return text

    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(race, range(6)))
    assert find_answers(ports, dream)["api#1"].text in said
    assert get_totals(ports, dream).calls == 6


@pytest.mark.parametrize("text", ["a\x00b", "half an emoji \ud83d", '\\u0000 "quoted"', "\u2028\U0001f600"])
def test_whatever_a_model_writes_can_be_stored(text: str, ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    record(ports, dream, "api#1", replace(ANSWER, answer=Said(text=text)))
    kept = find_answers(ports, dream)["api#1"].text
    assert kept == text.replace("\x00", "").replace("\ud83d", "")


def test_a_call_is_found_with_what_was_sent_and_what_came_back_in_its_own_dream_only(
    ports: Ports, tenant: str, start_running: MakeDream
) -> None:
    dream, other = start_running("a"), start_running("b")
    sent = Prompt(system=("Rules", "Merge\x00"), question=("A \ud83d text", "Ünïcode"))
    with ports.db.transaction(tenant) as uow:
        uow.calls.record(dream.id, "prune", "k", ANSWER, latency_ms=1, call_id="call_kept", prompt=sent)
        uow.calls.record(dream.id, "prune", "k", REFUSAL, latency_ms=1, call_id="call_bare")
        kept, bare = (uow.calls.get_trace(dream.id, call_id) for call_id in ("call_kept", "call_bare"))
        with pytest.raises(NotFoundError):
            uow.calls.get_trace(other.id, "call_kept")
        assert kept.call in uow.calls.find_of_dream(dream.id, limit=2)
    assert kept.prompt == Prompt(system=("Rules", "Merge"), question=("A  text", "Ünïcode"))
    assert (kept.key, kept.answer) == ("k", {"text": "A text"})
    assert (bare.prompt, bare.answer, bare.call.outcome) == (None, None, "refused")


def test_totals_add_up_by_what_was_billed(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    assert get_totals(ports, dream) == CallTotals()
    record(ports, dream, "api#1", ANSWER)
    record(ports, dream, "web#1", REFUSAL, phase="prune")
    found = get_totals(ports, dream)
    assert [(one.model, one.phase, one.calls, one.answers, one.tokens) for one in found.models] == [
        ("scripted", "consolidate", 1, 1, 1127),
        ("scripted", "prune", 1, 0, 1127),
    ]
    assert replace(found, models=()) == CallTotals(
        calls=2,
        tokens=2 * 1127,
        input_tokens=2 * 1107,
        cached_tokens=2 * 1000,
        cost_usd=0.25,
        outcomes={"ok": 1, "refused": 1},
    )


def test_the_days_tokens_are_the_tenants_since_midnight(
    ports: Ports, tenant: str, start_running: MakeDream, owner_connection: psycopg.Connection
) -> None:
    first, second = start_running("a"), start_running("b")
    record(ports, first, "api#1", ANSWER)
    record(ports, second, "api#1", ANSWER)
    assert count_tokens_today(ports, tenant) == 2 * 1127
    owner_connection.execute(
        "UPDATE llm_calls SET created_at = date_trunc('day', now(), 'UTC') - %s WHERE dream_id = %s",
        [timedelta(microseconds=1), first.id],
    )
    assert count_tokens_today(ports, tenant) == 1127
    assert count_tokens_today(ports, f"{tenant}x") == 0
