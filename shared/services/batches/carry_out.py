"""Send questions in Message Batches, fetch the results, and wake the dreams that wait for them.

No question is paid for twice, wherever a process stops:

- Questions are marked as being sent before their batch is created, and have globally unique ids. If the process dies in
  between, or the server's answer is lost, a later pass searches the account's newer batches for these ids before it sends
  the questions again.
- Results are stored under these ids, and a stored result is never overwritten. The dream itself turns them into answers.
- A dream that has ended gets no answer, but the cost of its questions is recorded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict

from shared.all_ports import Ports
from shared.core.dream.model import ACTIVE_STATES
from shared.core.errors import BadInputError, RateLimitedError
from shared.core.tenants.model_settings import refuse_batches
from shared.counting import count
from shared.logger import get_logger
from shared.ports.batches import (
    BatchCall,
    BatchedDream,
    BatchEntry,
    BatchFailedError,
    BatchRefusedError,
    BatchState,
    MessageBatches,
)
from shared.ports.database import UnitOfWork
from shared.ports.llm import LlmOutcome
from shared.services.batches.find_work import STUCK, BatchStep, BatchWork, open_batches

_log = get_logger()
#: Questions in a batch; the API takes 100,000 and 256 MB.
_ENTRIES = 1_000
#: The API ends a batch after 24 hours; results that cannot be read an hour later are given up.
LONGEST = timedelta(hours=25)
#: The clocks of the database and of the API differ by less.
_CLOCK_SKEW = timedelta(minutes=5)


class _AnyAnswer(BaseModel):
    model_config = ConfigDict(extra="allow")


def carry_out(ports: Ports, work: BatchWork) -> bool:
    """Take one step; return whether anything changed.

    Raises:
        BadInputError: the account has no key.
        BatchRefusedError: the results of a batch cannot be read, and never will be.
        ServiceUnavailableError: the server cannot be reached; the next pass tries again.
    """
    if work.need is BatchStep.SETTLE:
        return _settle(ports, work.dreams[0], None)
    batches = open_batches(ports, work.dreams[0])
    if batches is None:
        return _give_up(ports, work.dreams, "The model is off now")
    if work.need is BatchStep.SEND:
        allowed = [one for one in work.dreams if not _end_if_refused(ports, one)]
        return _send(ports, batches, allowed) or len(allowed) < len(work.dreams)
    if work.need is BatchStep.COLLECT:
        return _collect(ports, batches, work)
    return _recover(ports, batches, work.dreams)


def _send(ports: Ports, batches: MessageBatches, dreams: Sequence[BatchedDream]) -> bool:
    entries: list[BatchEntry] = []
    ids: list[tuple[BatchedDream, list[str]]] = []
    for one in dreams:
        found = _claim(ports, one, _ENTRIES - len(entries))
        entries += found
        ids.append((one, [entry.id for entry in found]))
    if not entries:
        return False
    try:
        batch_id = batches.create(entries)
    except RateLimitedError:
        for one, mine in ids:
            with ports.db.transaction(one.tenant_id) as uow:
                uow.batch_calls.release(mine)
        count("slowwave_batches_total", outcome="rate_limited")
        return False
    except BatchRefusedError as error:
        count("slowwave_batches_total", outcome="refused")
        _log.warning("batch_refused", questions=len(entries), reason=str(error))
        for one, mine in ids:
            with ports.db.transaction(one.tenant_id) as uow:
                uow.batch_calls.end({each: _failed(str(error)) for each in mine})
            _settle(ports, one, batches)
        return True
    for one, mine in ids:
        with ports.db.transaction(one.tenant_id) as uow:
            uow.batch_calls.record_sent(mine, batch_id)
    count("slowwave_batches_total", outcome="created")
    _log.info("batch_created", batch_id=batch_id, questions=len(entries), dreams=len(dreams))
    return True


def _claim(ports: Ports, one: BatchedDream, limit: int) -> list[BatchEntry]:
    """Take the waiting questions of a dream; delete those of a dream that has ended."""
    with ports.db.transaction(one.tenant_id) as uow:
        if uow.dreams.get(one.dream_id).state not in ACTIVE_STATES:
            uow.batch_calls.delete([call.id for call in uow.batch_calls.find_in(one.dream_id, BatchState.WAITING)])
            return []
        return uow.batch_calls.claim(one.dream_id, limit) if limit > 0 else []


def _end_if_refused(ports: Ports, one: BatchedDream) -> bool:
    """End the questions of a dream whose tenant or store has said `never` since they were asked; return whether it has."""
    with ports.db.transaction(one.tenant_id) as uow:
        store = uow.stores.get(uow.dreams.get(one.dream_id).store)
        try:
            refuse_batches(uow.stores.get_tenant(), store)
        except BadInputError as error:
            why = str(error)
        else:
            return False
    return _give_up(ports, [one], why)


def _collect(ports: Ports, batches: MessageBatches, work: BatchWork) -> bool:
    try:
        results = _find_results(ports, batches, work)
    except BatchFailedError as error:
        count("slowwave_batches_total", outcome="refused")
        _log.warning("batch_failed", batch_id=work.batch_id, reason=str(error))
        return _give_up(ports, work.dreams, str(error))
    if results is None:
        return False
    for one in work.dreams:
        with ports.db.transaction(one.tenant_id) as uow:
            sent = uow.batch_calls.find_in(one.dream_id, BatchState.SENT, work.batch_id)
            uow.batch_calls.end({call.id: results.get(call.id, {"type": "expired"}) for call in sent})
        _settle(ports, one, batches)
    count("slowwave_batches_total", outcome="ended")
    _log.info("batch_ended", batch_id=work.batch_id, results=len(results), dreams=len(work.dreams))
    return True


def _find_results(ports: Ports, batches: MessageBatches, work: BatchWork) -> Mapping[str, Mapping[str, Any]] | None:
    """Return a batch's results, empty for a batch that is too old to be fetched, or None to look again later."""
    first = work.dreams[0]
    with ports.db.transaction(first.tenant_id) as uow:
        is_too_old = uow.now() - min(one.since for one in work.dreams) > LONGEST
    try:
        found = batches.find_results(work.batch_id)
    except BatchRefusedError as error:
        if not is_too_old or isinstance(error, BatchFailedError):
            raise
        _log.warning("batch_given_up", batch_id=work.batch_id, reason=str(error))
        found = None
    return {} if found is None and is_too_old else found


def _recover(ports: Ports, batches: MessageBatches, dreams: Sequence[BatchedDream]) -> bool:
    """Find out whether a batch was created for questions whose process died; send them again if not."""
    with ports.db.transaction(dreams[0].tenant_id) as uow:
        now = uow.now()
    stuck = [one for one in dreams if now - one.since > STUCK]
    if not stuck:
        return False
    lost = {one.dream_id: _find_lost(ports, one) for one in stuck}
    is_unsure = False
    for batch_id in batches.find_since(min(one.since for one in stuck) - _CLOCK_SKEW):
        try:
            results = batches.find_results(batch_id)
        except BatchFailedError:
            continue
        is_unsure = is_unsure or results is None
        for one in stuck:
            adopted = lost[one.dream_id] & (results or {}).keys()
            if adopted:
                lost[one.dream_id] -= adopted
                with ports.db.transaction(one.tenant_id) as uow:
                    uow.batch_calls.record_sent(adopted, batch_id)
                count("slowwave_batches_total", outcome="adopted")
                _log.warning("batch_adopted", batch_id=batch_id, dream_id=one.dream_id, questions=len(adopted))
    if is_unsure:  # a batch is in progress, and its entries cannot be seen before it ends
        return False
    for one in stuck:
        with ports.db.transaction(one.tenant_id) as uow:
            uow.batch_calls.release(lost[one.dream_id])
    return True


def _find_lost(ports: Ports, one: BatchedDream) -> set[str]:
    with ports.db.transaction(one.tenant_id) as uow:
        return {call.id for call in uow.batch_calls.find_in(one.dream_id, BatchState.SENDING)}


def _give_up(ports: Ports, dreams: Sequence[BatchedDream], why: str) -> bool:
    for one in dreams:
        with ports.db.transaction(one.tenant_id) as uow:
            found = uow.batch_calls.find_in(one.dream_id, one.state, one.batch_id)
            uow.batch_calls.end({call.id: _failed(why) for call in found})
        _settle(ports, one, None)
    return True


def _settle(ports: Ports, one: BatchedDream, batches: MessageBatches | None) -> bool:
    """Wake a dream whose questions have all ended; for a dream that has itself ended, only record the cost."""
    with ports.db.transaction(one.tenant_id) as uow:
        dream = uow.dreams.get(one.dream_id, lock=True)
        if dream.state in ACTIVE_STATES:
            is_open = uow.batch_calls.count_open(dream.id) > 0
            if not is_open and dream.snoozed_at is not None:
                uow.dreams.wake_at(dream.id, uow.now())
            return not is_open and dream.snoozed_at is not None
        paid = uow.batch_calls.find_in(dream.id, BatchState.ENDED, one.batch_id)
    batches = batches or open_batches(ports, one)
    with ports.db.transaction(one.tenant_id) as uow:
        _record_paid(uow, batches, paid)
    return bool(paid)


def _record_paid(uow: UnitOfWork, batches: MessageBatches | None, paid: Sequence[BatchCall]) -> None:
    for call in paid:
        if batches is not None and call.result is not None:
            reply = batches.read(call.model, call.result, _AnyAnswer)
            if reply.outcome is LlmOutcome.OK:
                reply = replace(
                    reply, outcome=LlmOutcome.FAILED, answer=None, detail="The dream ended before its batch"
                )
            uow.calls.record(call.dream_id, call.phase, call.key, reply, latency_ms=0, call_id=f"call_{call.id}")
    uow.batch_calls.delete([call.id for call in paid])


def _failed(why: str) -> dict[str, str]:
    return {"type": "errored", "detail": why}
