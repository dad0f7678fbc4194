"""Ask a phase's questions in Message Batches. The dream is snoozed until they are answered."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import BaseModel

from shared.core.questions.question import Question
from shared.ports.batches import BatchCall, BatchState, MessageBatches
from shared.ports.llm import LlmRequest
from shared.services.batches.carry_out import LONGEST
from shared.tracing import traced
from workers.ask.asker import BATCHED, Asker, Missing, count_call
from workers.ask.spans import reply_attributes, request_attributes
from workers.ask.stored import Also, store_answer
from workers.process.running import RUNNING


def ask_in_batch(batches: MessageBatches, asker: Asker, questions: Sequence[Question]) -> list[BaseModel | Missing]:
    """Return the answers that have arrived; queue the other questions for a batch.

    Raises:
        LostLeaseError: another worker has the dream, so nothing is sent.
    """
    if not questions:
        return []
    key = asker.key
    with asker.ports.db.transaction(key.tenant_id) as uow:
        asked, now = uow.batch_calls.find(key.dream_id, key.phase), uow.now()
    found: list[BaseModel | Missing] = []
    new: dict[str, LlmRequest] = {}
    for question in questions:
        call = asked.get(question.key)
        if call is not None:
            found.append(_take(asker, batches, question, call, now))
        elif (missing := _find_obstacle(asker, question)) is not None:
            found.append(missing)
        else:
            new[question.key] = asker.build_request(question)
            found.append(Missing(code=BATCHED))
    refused = _add(batches, asker, new) if new else {}
    return [refused.get(question.key, one) for question, one in zip(questions, found, strict=True)]


def _add(batches: MessageBatches, asker: Asker, new: Mapping[str, LlmRequest]) -> dict[str, Missing]:
    """Queue questions for a batch as far as the dollar budgets allow; return why the others were refused."""
    key = asker.key
    tokens = {one: (asker.llm.count_tokens(request), request.max_output_tokens) for one, request in new.items()}
    with asker.ports.db.transaction(key.tenant_id) as uow:
        taken, refused = asker.dollars.take_for_batch(uow, tokens)
        uow.dreams.fence(key.dream_id, key.epoch, asker.ports.settings.lease_seconds)
        sent = {one: batches.build(request) for one, request in new.items() if one not in refused}
        uow.batch_calls.add(key.dream_id, key.phase, asker.llm.model, sent, taken)
    return {one: Missing(code=why.code, said=why.said) for one, why in refused.items()}


def _find_obstacle(asker: Asker, question: Question) -> Missing | None:
    if RUNNING.draining.is_set():
        return Missing(code="draining")
    if asker.is_stopped():
        return Missing(code="stopped")
    request = asker.build_request(question)
    refusal = asker.tokens.reserve(asker.llm.count_tokens(request) + request.max_output_tokens)
    return None if refusal is None else Missing(code="token_budget")


def _take(
    asker: Asker, batches: MessageBatches, question: Question, call: BatchCall, now: datetime
) -> BaseModel | Missing:
    """Store the reply like any other, and return its answer. A question that no sweep handled counts as expired."""
    is_too_old = now - call.created_at > LONGEST
    if call.state is not BatchState.ENDED and not is_too_old:
        return Missing(code=BATCHED)
    request = asker.build_request(question)
    asked = {**request_attributes(call.model, request), "slowwave.model.batched": True}
    with traced(f"chat {call.model}", asked, begun=call.created_at) as span:
        reply = batches.read(call.model, call.result or {"type": "expired"}, question.answer_type)
        span.set_attributes(reply_attributes(reply))
    also = Also(batch_call=call.id, keep_as=asker.keep_as(request))
    store_answer(asker.ports, asker.key, request, reply, latency_ms=0, also=also)
    count_call(reply)
    return reply.answer if reply.answer is not None else Missing(code=f"model_{reply.outcome}")
