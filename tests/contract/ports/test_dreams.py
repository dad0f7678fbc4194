"""The contract of `DreamRepository`: claim, fence, lapse, epoch, end."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, DreamSummary, Trigger
from shared.core.errors import ConflictError, IllegalTransitionError, LostLeaseError, NotFoundError
from shared.core.listings.period import Period
from shared.core.tenants.store import Store
from tests.support.builders import a_store, get_dream

MakeDream = Callable[..., Dream]
LAPSED = -1.0


def claim(ports: Ports, dream: Dream, lease_seconds: float = 60) -> Dream | None:
    with ports.db.transaction(dream.tenant_id) as uow:
        return uow.dreams.claim(dream.id, budget_seconds=300, lease_seconds=lease_seconds, model="scripted")


def fence(ports: Ports, dream: Dream, epoch: int) -> Dream:
    with ports.db.transaction(dream.tenant_id) as uow:
        return uow.dreams.fence(dream.id, epoch, 60)


def end(ports: Ports, dream: Dream, state: DreamState, **values: object) -> Dream:
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.dreams.finish(dream.id, state, reason="", **values)  # type: ignore[arg-type] # passed on as they are
    return get_dream(ports, dream.tenant_id, dream.id)


def test_a_new_dream_waits_and_has_no_worker(ports: Ports, store: Store) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        dream = uow.dreams.add(store.id, trigger=Trigger.CLI, force=True, dry_run=True)
    assert (dream.state, dream.epoch, dream.trigger) == (DreamState.QUEUED, 0, Trigger.CLI)
    assert (dream.is_forced, dream.is_dry_run, dream.store, dream.store_id) == (True, True, store.name, store.id)
    assert get_dream(ports, store.tenant_id, dream.id) == dream


def test_a_store_has_one_active_dream(ports: Ports, queue_dream: MakeDream) -> None:
    dream = queue_dream()
    with pytest.raises(ConflictError):
        queue_dream()
    claim(ports, dream)
    with pytest.raises(ConflictError):
        queue_dream()
    end(ports, dream, DreamState.COMPLETED)
    assert queue_dream().state is DreamState.QUEUED


def test_a_refused_dream_does_not_spoil_the_transaction(ports: Ports, queue_dream: MakeDream, store: Store) -> None:
    queue_dream()
    with ports.db.transaction(store.tenant_id) as uow:
        with pytest.raises(ConflictError):
            uow.dreams.add(store.id, trigger=Trigger.API, force=False, dry_run=False)
        assert len(uow.dreams.find_recent(limit=10)) == 1


def test_a_claim_starts_a_queued_dream_in_its_first_epoch(ports: Ports, queue_dream: MakeDream) -> None:
    claimed = claim(ports, queue_dream())
    assert claimed is not None
    assert (claimed.state, claimed.epoch, claimed.rescue_count) == (DreamState.RUNNING, 1, 0)
    assert claimed.model == "scripted"
    assert claimed.started_at is not None
    assert claimed.deadline_at is not None
    assert claimed.lease_until is not None
    assert (claimed.deadline_at - claimed.started_at).total_seconds() == 300
    assert (claimed.lease_until - claimed.started_at).total_seconds() == 60


def test_a_living_dream_is_not_claimed(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    assert claim(ports, dream) is None
    assert get_dream(ports, dream.tenant_id, dream.id) == dream


def test_a_lapsed_dream_is_taken_over_in_a_new_epoch_and_keeps_its_deadline(
    ports: Ports, start_running: MakeDream
) -> None:
    dream = start_running(lease_seconds=LAPSED)
    taken = claim(ports, dream)
    assert taken is not None
    assert (taken.epoch, taken.rescue_count) == (2, 1)
    assert (taken.started_at, taken.deadline_at) == (dream.started_at, dream.deadline_at)


def test_of_many_who_claim_at_once_one_gets_the_dream(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running(lease_seconds=LAPSED)
    together = Barrier(6)

    def race(_: int) -> Dream | None:
        together.wait(timeout=30)
        return claim(ports, dream)

    with ThreadPoolExecutor(6) as pool:
        won = [result for result in pool.map(race, range(6)) if result is not None]
    assert [result.epoch for result in won] == [2]


@pytest.mark.parametrize("state", [DreamState.COMPLETED, DreamState.PARTIAL, DreamState.ERROR, DreamState.CANCELED])
def test_an_ended_dream_is_not_claimed(state: DreamState, ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    end(ports, dream, state)
    assert claim(ports, dream) is None


def test_the_fence_lets_its_epoch_through_and_renews_the_lease(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running(lease_seconds=LAPSED)
    renewed = fence(ports, dream, 1)
    assert renewed.lease_until is not None
    assert dream.lease_until is not None
    assert renewed.lease_until > dream.lease_until
    assert claim(ports, dream) is None


def test_the_fence_stops_an_epoch_that_was_taken_over(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running(lease_seconds=LAPSED)
    claim(ports, dream)
    with pytest.raises(LostLeaseError, match="Epoch 1"):
        fence(ports, dream, 1)
    assert fence(ports, dream, 2).epoch == 2


def test_the_fence_stops_every_write_once_a_dream_has_ended(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    end(ports, dream, DreamState.CANCELED)
    with pytest.raises(LostLeaseError):
        fence(ports, dream, 1)


def test_a_queued_dream_cannot_be_written_to(ports: Ports, queue_dream: MakeDream) -> None:
    with pytest.raises(LostLeaseError):
        fence(ports, queue_dream(), 0)


def test_a_dream_that_has_lost_its_fence_writes_nothing(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running(lease_seconds=LAPSED)
    claim(ports, dream)

    def write_behind_the_fence() -> None:
        with ports.db.transaction(dream.tenant_id) as uow:
            uow.activity.record(dream.store_id, curations=5)
            uow.dreams.fence(dream.id, 1, 60)

    with pytest.raises(LostLeaseError):
        write_behind_the_fence()
    with ports.db.transaction(dream.tenant_id) as uow:
        assert uow.stores.get(dream.store).curations == 0


def test_the_end_keeps_the_log_and_the_books(ports: Ports, start_running: MakeDream) -> None:
    summary = DreamSummary(consolidated=3, pruned=1, cost_usd=0.25, reasons={"coverage": 2})
    before = {"curations": 4, "last_dream_at": None, "cleaned": [["mem_a", 1]]}
    ended = end(ports, start_running(), DreamState.PARTIAL, summary=summary, before=before)
    assert (ended.state, ended.summary, ended.before) == (DreamState.PARTIAL, summary, before)
    assert ended.lease_until is None
    assert ended.finished_at is not None


def test_undoing_leaves_the_time_at_which_the_dream_ended(ports: Ports, start_running: MakeDream) -> None:
    ended = end(ports, start_running(), DreamState.COMPLETED, summary=DreamSummary(pruned=1))
    undone = end(ports, ended, DreamState.UNDONE)
    assert undone == replace(ended, state=DreamState.UNDONE)


@pytest.mark.parametrize("state", [DreamState.QUEUED, DreamState.COMPLETED, DreamState.UNDONE])
def test_an_illegal_move_is_refused(state: DreamState, ports: Ports, queue_dream: MakeDream) -> None:
    dream = queue_dream()
    with pytest.raises(IllegalTransitionError):
        end(ports, dream, state)
    assert get_dream(ports, dream.tenant_id, dream.id).state is DreamState.QUEUED


def test_dreams_are_found_newest_first_by_store_and_state(ports: Ports, tenant: str, queue_dream: MakeDream) -> None:
    first = queue_dream()
    end(ports, first, DreamState.CANCELED)
    second, third = queue_dream(), queue_dream("other")
    other = a_store(ports, tenant, "other")
    with ports.db.transaction(tenant) as uow:
        find = uow.dreams.find_recent
        assert [dream.id for dream in find(limit=10)] == [third.id, second.id, first.id]
        assert [dream.id for dream in find(limit=1)] == [third.id]
        assert [dream.id for dream in find(store_id=other.id, limit=10)] == [third.id]
        assert [dream.id for dream in find(states=[DreamState.CANCELED], limit=10)] == [first.id]
        since_second = Period(since=second.created_at)
        assert [dream.id for dream in find(period=since_second, limit=10)] == [third.id, second.id]
        assert [dream.id for dream in find(period=Period(until=second.created_at), limit=10)] == [first.id]
        between = Period(since=second.created_at, until=third.created_at)
        assert [dream.id for dream in find(period=between, limit=10)] == [second.id]


def test_a_running_dream_holds_a_slot_and_a_queued_one_does_not(
    ports: Ports, tenant: str, queue_dream: MakeDream, start_running: MakeDream
) -> None:
    queue_dream("a")
    start_running("b")
    with ports.db.transaction(tenant) as uow:
        assert len(uow.dreams.find_recent(states=[DreamState.RUNNING], limit=9)) == 1


def test_a_wish_to_stop_is_seen_by_the_next_fence(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.dreams.request_cancel(dream.id)
    assert fence(ports, dream, 1).cancel_requested_at is not None


def test_an_unknown_dream_and_one_of_another_tenant_are_the_same(ports: Ports, queue_dream: MakeDream) -> None:
    dream = queue_dream()
    stranger = f"{dream.tenant_id}x"
    a_store(ports, stranger)
    for dream_id in ("drm_unknown", dream.id):
        with pytest.raises(NotFoundError, match=dream_id), ports.db.transaction(stranger) as uow:
            uow.dreams.get(dream_id)
