"""Webhooks tell of ends, failures, reviews and quarantine, once each, and never hold text of a memory."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.webhooks.endpoint import DeliveryState, WebhookEvent
from shared.ports.dreams import RecordedOperation
from shared.ports.llm import LlmOutcome
from shared.services.dreams.cancel import cancel_dream
from shared.services.operations.bulk_review import decide_all
from shared.services.operations.review import find_reviews, reject_operation, reopen_operation
from shared.services.operations.undo import undo_dream
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.integration.webhooks.webhook_support import (
    TENANT,
    Receiver,
    an_endpoint,
    deliver_due,
    deliveries,
    queue_dream,
    verify,
)
from tests.support.builders import a_store, run_dream, write
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream

_LINE = re.compile(r"(Improved [\d,]+ (memory|memories))?(; )?([\d,]+ changes? waits? for a review)?")


def test_the_end_of_a_dream_and_its_reviews_are_told_once_each_and_signed(hooked: Ports, receiver: Receiver) -> None:
    a_rich_store(hooked, TENANT)
    issued = an_endpoint(hooked, TENANT, receiver.url)
    dream = dream_of_everything(hooked, TENANT)
    deliver_due(hooked, rounds=3)
    told = {one.json["type"]: one for one in receiver.received}
    assert len(receiver.received) == 2
    assert set(told) == {"dream.finished", "review.needed"}
    assert all(verify(issued.secret, one) for one in receiver.received)
    finished = told["dream.finished"].json["data"]
    assert finished["dream_id"] == dream.id
    assert finished["state"] == "completed"
    assert finished["store"] == "default"
    with hooked.db.transaction(TENANT) as uow:
        pending = [one for one in uow.operations.find_pending(limit=100) if one.dream_id == dream.id]
    assert told["review.needed"].json["data"]["pending_reviews"] == len(pending) > 0
    assert {one.state for one in deliveries(hooked)} == {DeliveryState.DELIVERED}


def test_webhooks_tell_only_ids_states_and_numbers(hooked: Ports, receiver: Receiver) -> None:
    """Whatever text a memory, a path, a reason or a log has, none of it leaves in a webhook."""
    a_rich_store(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url)
    dream = dream_of_everything(hooked, TENANT)
    deliver_due(hooked, rounds=3)
    allowed = {dream.id, dream.store_id, dream.store, TENANT, "completed", str(dream.trigger)}
    for one in receiver.received:
        data = dict(one.json["data"])
        assert _LINE.fullmatch(data.pop("text", "")), "words that are always the same, and numbers"
        numbers = list(data.pop("counts", {}).values()) + [v for v in data.values() if not isinstance(v, str)]
        assert {value for value in data.values() if isinstance(value, str)} <= allowed
        assert all(isinstance(number, int | float) for number in numbers)


@pytest.mark.parametrize("is_running", [False, True])
def test_a_canceled_dream_is_reported_once_by_the_process_that_ends_it(
    hooked: Ports, receiver: Receiver, is_running: bool
) -> None:
    """A queued dream is ended by who cancels it, a running one by its worker."""
    a_store(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url)
    dream_id = queue_dream(hooked)
    dispatch = RecordingDispatch()
    if is_running:
        begin_dream(replace(hooked, dispatch=dispatch), TENANT, "default", force=True, dream_id=dream_id)
    cancel_dream(hooked.db, TENANT, dream_id, actor="a test")
    if is_running:
        assert deliveries(hooked) == []
        finish_dream(hooked, TENANT, dream_id, dispatch.chains[-1].epoch)
    deliver_due(hooked)
    data = [one.json["data"] for one in receiver.received]
    assert [(one["dream_id"], one["state"]) for one in data] == [(dream_id, "canceled")]


def test_an_undo_is_not_the_end_of_a_dream(hooked: Ports, receiver: Receiver) -> None:
    a_rich_store(hooked, TENANT)
    dream = dream_of_everything(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url)
    undo_dream(hooked.db, TENANT, dream.id, actor="a test")
    assert deliveries(hooked) == []


def test_a_dream_whose_end_is_rolled_back_is_not_told(hooked: Ports, receiver: Receiver) -> None:
    a_store(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url)
    dream_id = queue_dream(hooked)

    def end_and_crash() -> None:
        with hooked.db.transaction(TENANT) as uow:
            uow.dreams.finish(dream_id, DreamState.CANCELED, reason="no")
            raise RuntimeError("crash")

    with pytest.raises(RuntimeError, match="crash"):
        end_and_crash()
    assert deliveries(hooked) == []


def test_an_endpoint_hears_what_it_asked_for_and_nothing_else(hooked: Ports, receiver: Receiver) -> None:
    a_rich_store(hooked, TENANT)
    an_endpoint(hooked, TENANT, receiver.url, events=[WebhookEvent.REVIEW_NEEDED])
    dream_of_everything(hooked, TENANT)
    deliver_due(hooked, rounds=2)
    assert [one.json["type"] for one in receiver.received] == ["review.needed"]


def test_each_failed_dream_is_told_and_the_quarantine_that_follows_once(hooked: Ports, receiver: Receiver) -> None:
    write(hooked, TENANT, {"web/a.md": "# Note\n\nThe gardener cut the apple tree.\n"})
    a_store(hooked, TENANT, overrides={"gates.quarantine_after": 2})
    an_endpoint(hooked, TENANT, receiver.url, events=[WebhookEvent.DREAM_FAILED, WebhookEvent.STORE_QUARANTINED])
    failed = [run_dream(hooked, TENANT, ScriptedLlm(lambda _: LlmOutcome.FAILED)).id for _ in range(2)]
    deliver_due(hooked, rounds=3)
    told = sorted((one.json["type"], one.json["data"]["dream_id"]) for one in receiver.received)
    assert told == [*sorted(("dream.failed", one) for one in failed), ("store.quarantined", failed[-1])]
    quarantined = next(one.json["data"] for one in receiver.received if one.json["type"] == "store.quarantined")
    assert quarantined["failures"] == 2
    assert quarantined["text"] == "default is quarantined after 2 failed dreams"


def test_a_review_that_is_done_is_told_once_with_its_verdicts_however_many_there_were(
    hooked: Ports, receiver: Receiver
) -> None:
    first, *others = _reviews_that_wait(hooked, receiver)
    _reject(hooked, [first])
    assert deliveries(hooked) == [], "others wait"
    _reject(hooked, others)
    deliver_due(hooked)
    (told,) = receiver.received
    data = told.json["data"]
    assert (data["dream_id"], data["approved"]) == (first.dream_id, 0)
    assert data["rejected"] == len(others) + 1


def test_a_verdict_that_was_taken_back_and_given_again_is_told_again(hooked: Ports, receiver: Receiver) -> None:
    waiting = _reviews_that_wait(hooked, receiver)
    _reject(hooked, waiting)
    reopen_operation(hooked.db, TENANT, waiting[0].id, actor="a person")
    _reject(hooked, waiting[:1])
    assert len(deliveries(hooked)) == 2


def _reviews_that_wait(ports: Ports, receiver: Receiver) -> list[RecordedOperation]:
    a_rich_store(ports, TENANT)
    an_endpoint(ports, TENANT, receiver.url, events=[WebhookEvent.REVIEW_DECIDED])
    dream_of_everything(ports, TENANT)
    waiting = find_reviews(ports.db, TENANT, limit=None)
    assert len(waiting) > 1
    return waiting


def _reject(ports: Ports, waiting: Sequence[RecordedOperation]) -> None:
    """Reject operations as the console and the API do in one call."""
    ids = [one.id for one in waiting]
    list(decide_all(ports.db, TENANT, ids, lambda one: reject_operation(ports.db, TENANT, one, actor="a person")))
