"""At most as many dreams of all tenants run at once as the installation has slots, from every trigger."""

from dataclasses import replace

import psycopg
import pytest

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.services.dreams.cancel import cancel_dream
from shared.services.dreams.send import send_next
from tests.integration.gates.gate_support import save_tenant, start, start_and_claim
from tests.integration.runner.snooze_support import NOTES, TURNED_AWAY, go, pass_time
from tests.support.builders import a_store, get_dream, texts, write
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream

pytestmark = pytest.mark.usefixtures("endpoint_open_again")


@pytest.fixture
def two(fresh_ports: Ports) -> Ports:
    """An installation with two slots."""
    return replace(fresh_ports, settings=fresh_ports.settings.model_copy(update={"max_active_dreams": 2}))


@pytest.fixture
def three(fresh_ports: Ports) -> Ports:
    """An installation with three slots."""
    return replace(fresh_ports, settings=fresh_ports.settings.model_copy(update={"max_active_dreams": 3}))


def order(ports: Ports, tenant: str, store: str = "default") -> Dream:
    """A dream that was requested over the API, whatever the gates of time say."""
    a_store(ports, tenant, store)
    queued = start(ports, tenant, store, force=True, trigger=Trigger.API).dream
    assert queued is not None
    return queued


def begin(ports: Ports, dream: Dream) -> bool:
    return begin_dream(ports, dream.tenant_id, dream.store, force=True, dream_id=dream.id) is not None


def find_next(ports: Ports) -> list[str]:
    return [one.dream_id for one in ports.db.admission.find_next(ports.settings.max_active_dreams)]


def test_of_many_dreams_that_are_ordered_at_once_as_many_run_as_there_are_slots_and_the_next_one_follows(
    two: Ports, dispatch: RecordingDispatch
) -> None:
    ordered = [order(two, f"tenant{n}") for n in range(4)]
    assert [begin(two, dream) for dream in ordered] == [True, True, False, False]
    states = [get_dream(two, dream.tenant_id, dream.id).state for dream in ordered]
    assert states == [DreamState.RUNNING] * 2 + [DreamState.QUEUED] * 2
    assert find_next(two) == []
    first = get_dream(two, "tenant0", ordered[0].id)
    assert finish_dream(two, first.tenant_id, first.id, first.epoch)
    assert send_next(two.db, two.dispatch, 2) == 1
    assert dispatch.dreams == [("tenant2", "default", ordered[2].id)]
    assert [begin(two, dream) for dream in ordered[2:]] == [True, False]


def test_tenants_take_turns_at_the_slots_and_one_without_a_slot_of_its_own_holds_up_no_other(two: Ports) -> None:
    big = [order(two, "big", f"store{n}") for n in range(3)]
    small = order(two, "small")
    assert find_next(two) == [big[0].id, small.id]
    assert begin(two, big[0])
    assert find_next(two) == [small.id]


def test_of_those_whose_turn_it_is_the_one_that_has_waited_longest_is_next(three: Ports) -> None:
    big = [order(three, "big", f"store{n}") for n in range(3)]
    order(three, "small")
    save_tenant(three, "big", max_concurrent_dreams=3)
    assert begin(three, big[0])
    assert find_next(three)[0] == big[1].id


def test_the_last_slot_is_for_another_tenant_however_many_dreams_one_may_run(three: Ports) -> None:
    big = [order(three, "big", f"store{n}") for n in range(4)]
    save_tenant(three, "big", max_concurrent_dreams=100)
    assert [begin(three, dream) for dream in big] == [True, True, False, False]
    assert three.db.sweeps.count_active_dreams(3) == 2, "there is room for a check of another tenant's store"
    assert find_next(three) == []
    small = order(three, "small")
    assert find_next(three) == [small.id]
    assert begin(three, small)


def test_the_only_slot_of_an_installation_is_for_any_tenant(two: Ports) -> None:
    one = replace(two, settings=two.settings.model_copy(update={"max_active_dreams": 1}))
    assert begin(one, order(one, "only"))


def test_a_dream_that_wakes_while_all_slots_are_taken_sleeps_on_and_its_clock_stands_still(
    two: Ports, owner: psycopg.Connection
) -> None:
    sleeper = a_sleeper(two)
    for tenant in ("one", "other"):
        a_store(two, tenant)
        start_and_claim(two, tenant)
    pass_time(owner, sleeper.id, 4000)
    assert not begin(two, sleeper)
    assert get_dream(two, "sleepy", sleeper.id).snoozed_at is not None
    queued = order(two, "third")
    owner.execute("UPDATE dreams SET state = 'completed' WHERE tenant_id = 'one'")
    assert find_next(two) == [sleeper.id], "it began before the one that is queued"
    assert begin(two, sleeper)
    assert not begin(two, queued)
    assert get_dream(two, "sleepy", sleeper.id).rescue_count == 0


def test_a_sleeping_dream_that_is_canceled_ends_although_all_slots_are_taken(two: Ports) -> None:
    sleeper = a_sleeper(two)
    for tenant in ("one", "other"):
        a_store(two, tenant)
        start_and_claim(two, tenant)
    cancel_dream(two.db, "sleepy", sleeper.id, actor="test")
    ended = go(two, "sleepy", ScriptedLlm(), sleeper.id)
    assert ended is not None
    assert ended.state is DreamState.CANCELED


def test_a_dream_whose_worker_was_lost_is_taken_over_although_all_slots_are_taken(
    two: Ports, owner: psycopg.Connection
) -> None:
    """It holds one of them."""
    dreams = [order(two, tenant) for tenant in ("one", "other")]
    assert all(begin(two, dream) for dream in dreams)
    owner.execute("UPDATE dreams SET lease_until = now() - interval '1 second' WHERE tenant_id = 'one'")
    assert begin(two, dreams[0])
    rescued = get_dream(two, "one", dreams[0].id)
    assert (rescued.rescue_count, [wait.why for wait in rescued.waits]) == (1, ["Its worker was gone"])


def test_a_broker_that_is_away_when_the_next_one_is_sent_is_the_reconcilers_matter(
    two: Ports, dispatch: RecordingDispatch
) -> None:
    queued = order(two, "acme")
    dispatch.is_down = True
    assert send_next(two.db, two.dispatch, 2) == 0
    assert find_next(two) == [queued.id]


def test_a_dream_that_ends_sends_one_message_however_many_wait_for_a_worker(
    fresh_ports: Ports, dispatch: RecordingDispatch
) -> None:
    many = [order(fresh_ports, f"tenant{n}") for n in range(5)]
    assert len(find_next(fresh_ports)) == len(many)
    assert send_next(fresh_ports.db, fresh_ports.dispatch, 100) == 1
    assert [sent[2] for sent in dispatch.dreams] == [many[0].id]


def a_sleeper(ports: Ports) -> Dream:
    write(ports, "sleepy", texts(NOTES))
    dream = go(ports, "sleepy", ScriptedLlm(lambda _: TURNED_AWAY))
    assert dream is not None
    assert dream.next_attempt_at is not None
    return dream
