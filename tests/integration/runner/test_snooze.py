"""Snoozing: a dream that cannot go on waits in the database, holds up no other dream, and loses nothing."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from gateway.cli.dreams.status import status_lines
from gateway.cli.dreams.watch import watch_dream
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import stalled_dreams
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.core.errors import LostLeaseError
from shared.ports.database import StalledDream
from shared.ports.llm import LlmReply, LlmRequest
from shared.services.dreams.cancel import cancel_dream, wake_dream
from shared.services.dreams.claim import claim_dream
from shared.services.dreams.explain import explain_store
from shared.services.dreams.start import start_dream
from tests.integration.failures.crash_support import CountingLlm
from tests.integration.gates.gate_support import TERMS, claim, start
from tests.integration.runner.snooze_support import (
    NOTES,
    TURNED_AWAY,
    TurnsAway,
    go,
    open_endpoint,
    pass_time,
    stalled,
)
from tests.support.builders import get_dream, get_store, texts, write
from workers.dream.finish import finish_dream
from workers.phases import get_catalog

pytestmark = pytest.mark.usefixtures("endpoint_open_again")


def a_sleeper(ports: Ports, tenant: str) -> Dream:
    write(ports, tenant, texts(NOTES))
    dream = go(ports, tenant, ScriptedLlm(lambda _: TURNED_AWAY))
    assert dream is not None
    assert (dream.state, dream.snooze_count) == (DreamState.RUNNING, 1)
    return dream


def test_a_client_that_waits_for_a_sleeping_dream_is_told_and_wakes_it_when_it_is_due(
    fresh_ports: Ports, owner: psycopg.Connection, capsys: pytest.CaptureFixture[str]
) -> None:
    dream = a_sleeper(fresh_ports, "acme")
    pass_time(owner, dream.id)

    class Wakes(RecordingDispatch):
        def send_dream(self, tenant_id: str, store: str, *, dream_id: str) -> None:
            super().send_dream(tenant_id, store, dream_id=dream_id)
            open_endpoint(fresh_ports)
            go(fresh_ports, tenant_id, ScriptedLlm(), dream_id)

    ended = watch_dream(replace(fresh_ports, dispatch=Wakes()), "acme", dream.id, quiet=True)
    assert ended.state is DreamState.COMPLETED
    told = capsys.readouterr().err
    assert "The dream sleeps for 0 s" in told
    assert f"./slowwave dreams cancel acme {dream.id}" in told.replace("\n", " ")


def test_while_a_store_has_a_dream_its_status_tells_of_that_and_of_no_gate(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    def status(tenant: str) -> list[str]:
        explained = explain_store(fresh_ports.db, tenant, "default", get_catalog)
        return [line.plain.strip() for line in status_lines(explained)[1:3]]

    dream = a_sleeper(fresh_ports, "acme")
    headline, when = status("acme")
    assert headline == f"Its dream sleeps ({dream.id})"
    assert when.startswith("It goes on in ")
    assert when.endswith(f"; to end it: ./slowwave dreams cancel acme {dream.id}")
    open_endpoint(fresh_ports)
    pass_time(owner, dream.id)
    go(fresh_ports, "acme", ScriptedLlm(), dream.id)
    assert status("acme")[0].startswith("Not dreaming: ")

    write(fresh_ports, "beta", texts(NOTES))
    queued = start(fresh_ports, "beta", force=True).dream
    assert queued is not None
    look = f"To look at it: ./slowwave dreams show beta {queued.id}"
    assert status("beta") == [f"Its dream waits for a worker ({queued.id})", look]
    assert claim(fresh_ports, queued).dream is not None
    assert status("beta") == [f"It dreams now ({queued.id})", look]


def test_a_dream_that_is_turned_away_sleeps_as_long_as_the_server_asked_and_holds_nothing(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    dream = a_sleeper(fresh_ports, "acme")
    assert dream.lease_until is None
    assert dream.reason == "Sleeps until the model takes calls again: 429", "what the model's server said"
    assert explain_store(fresh_ports.db, "acme", "default", get_catalog).problem == dream
    assert dream.next_attempt_at is not None
    assert timedelta(seconds=60) < dream.next_attempt_at - datetime.now(UTC) <= timedelta(seconds=90)
    assert fresh_ports.lock.find_holder("acme", "default") is None
    assert stalled(fresh_ports, 0.0) == [], "a sleeper is not stalled"
    pass_time(owner, dream.id)
    assert stalled(fresh_ports) == [StalledDream("acme", dream.id)]
    assert run_sweep(fresh_ports, stalled_dreams.SWEEP)["acted"] == 1
    assert stalled(fresh_ports) == [], "it was sent"


def test_a_woken_dream_completes_with_the_answers_that_it_had_and_no_rescue_is_burnt(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    write(fresh_ports, "acme", texts(NOTES))
    llm = TurnsAway(1)
    dream, turns = go(fresh_ports, "acme", llm), 0
    while dream is not None and dream.state is DreamState.RUNNING:
        turns += 1
        pass_time(owner, dream.id)
        open_endpoint(fresh_ports)
        dream = go(fresh_ports, "acme", llm, dream.id)
    assert dream is not None
    assert (dream.state, dream.rescue_count) == (DreamState.COMPLETED, 0)
    assert [wait.why for wait in dream.waits] == ["Sleeps until the model takes calls again: 429"] * turns
    assert all(wait.begun < wait.ended for wait in dream.waits)
    assert turns >= 1
    assert all(times <= 2 for times in Counter(llm.asked).values()), "an answer was bought twice"


def test_the_deadline_stands_still_while_a_dream_sleeps(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    dream = a_sleeper(fresh_ports, "acme")
    pass_time(owner, dream.id, 4000)
    woken = claim_dream(fresh_ports.db, fresh_ports.lock, "acme", dream.id, TERMS).dream
    assert woken is not None
    assert woken.deadline_at is not None
    assert dream.deadline_at is not None
    moved = woken.deadline_at - dream.deadline_at
    assert timedelta(seconds=4000) <= moved < timedelta(seconds=4060)
    assert (woken.next_attempt_at, woken.rescue_count, woken.reason) == (None, 0, "")


def test_a_sleeping_dream_cannot_be_claimed_and_keeps_its_store_and_slot(fresh_ports: Ports) -> None:
    dream = a_sleeper(fresh_ports, "acme")
    result = claim_dream(fresh_ports.db, fresh_ports.lock, "acme", dream.id, TERMS)
    assert result.dream is None
    assert "sleeps until" in result.reason
    started = start_dream(fresh_ports.db, "acme", trigger=Trigger.CLI, force=True)
    assert started.verdict.reason == f"Another dream is running ({dream.id})"
    write(fresh_ports, "acme", texts(NOTES), store="other")
    other = start_dream(fresh_ports.db, "acme", "other", trigger=Trigger.CLI, force=True)
    assert other.verdict.reason == "No free slot (1 of 1 dreams running)"


def test_snoozed_dreams_keep_no_other_from_being_admitted(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    dream = a_sleeper(fresh_ports, "acme")
    assert fresh_ports.db.sweeps.count_active_dreams(16) == 0
    pass_time(owner, dream.id)
    assert fresh_ports.db.sweeps.count_active_dreams(16) == 1


def test_a_worker_from_before_the_snooze_writes_nothing(fresh_ports: Ports) -> None:
    dream = a_sleeper(fresh_ports, "acme")
    with pytest.raises(LostLeaseError), fresh_ports.db.transaction("acme") as uow:
        uow.dreams.fence(dream.id, dream.epoch - 1, 60)
    assert not finish_dream(fresh_ports, "acme", dream.id, dream.epoch - 1)


def test_a_sleeping_dream_is_canceled_at_once(fresh_ports: Ports, dispatch: RecordingDispatch) -> None:
    dream = a_sleeper(fresh_ports, "acme")
    cancel_dream(fresh_ports.db, "acme", dream.id, actor="test")
    wake_dream(fresh_ports.db, fresh_ports.dispatch, "acme", dream.id)
    assert dispatch.dreams == [("acme", "default", dream.id)]
    ended = go(fresh_ports, "acme", ScriptedLlm(), dream.id)
    assert ended is not None
    assert (ended.state, ended.reason) == (DreamState.CANCELED, "canceled")


def test_after_so_many_snoozes_in_a_row_a_dream_ends_with_the_reason(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    dream: Dream | None = a_sleeper(fresh_ports, "acme")
    for _ in range(40):
        if dream is None or dream.state is not DreamState.RUNNING:
            break
        pass_time(owner, dream.id)
        open_endpoint(fresh_ports)
        dream = go(fresh_ports, "acme", ScriptedLlm(lambda _: TURNED_AWAY), dream.id)
    assert dream is not None
    assert dream.state in {DreamState.PARTIAL, DreamState.ERROR}
    assert "model_rate_limited" in dream.reason
    assert f"after {fresh_ports.settings.max_snoozes} snoozes" in dream.reason
    assert get_store(fresh_ports, "acme").curations == len(NOTES), "nothing was read, so nothing is consumed"


def make_busy(ports: Ports, tenant: str, minutes: int) -> None:
    with ports.db.transaction(tenant) as uow:
        until = uow.now() + timedelta(minutes=minutes) if minutes else None
        uow.activity.set_busy(uow.stores.get("default").id, pending_tasks=0, active_until=until)


def test_a_queued_dream_sleeps_while_the_agent_is_busy_and_ends_when_it_stays_so(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    write(fresh_ports, "acme", texts(NOTES))
    owner.execute("UPDATE stores SET last_activity_at = now() - interval '1 day'")
    queued = start_dream(fresh_ports.db, "acme", trigger=Trigger.SWEEP).dream
    assert queued is not None
    make_busy(fresh_ports, "acme", 30)
    for snoozes in range(1, TERMS.snooze.max_snoozes + 1):
        assert claim_dream(fresh_ports.db, fresh_ports.lock, "acme", queued.id, TERMS).dream is None
        asleep = get_dream(fresh_ports, "acme", queued.id)
        assert (asleep.state, asleep.snooze_count) == (DreamState.QUEUED, snoozes)
        assert stalled(fresh_ports, 0.0) == []
        pass_time(owner, queued.id, 3600)
    claim_dream(fresh_ports.db, fresh_ports.lock, "acme", queued.id, TERMS)
    ended = get_dream(fresh_ports, "acme", queued.id)
    assert (ended.state, ended.reason) == (DreamState.CANCELED, "The agent stayed busy through 6 snoozes")
    assert get_store(fresh_ports, "acme").next_check_at is not None


def test_a_forced_dream_does_not_wait_for_the_agent(fresh_ports: Ports) -> None:
    write(fresh_ports, "acme", texts(NOTES))
    make_busy(fresh_ports, "acme", 30)
    forced = start_dream(fresh_ports.db, "acme", trigger=Trigger.CLI, force=True).dream
    assert forced is not None
    claimed = claim_dream(fresh_ports.db, fresh_ports.lock, "acme", forced.id, TERMS).dream
    assert claimed is not None
    assert (claimed.state, claimed.snooze_count) == (DreamState.RUNNING, 0)


def test_a_running_dream_sleeps_before_it_asks_a_model_while_the_agent_is_busy(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    write(fresh_ports, "acme", texts(NOTES))
    owner.execute("UPDATE stores SET last_activity_at = now() - interval '1 day'")

    class Interrupted(CountingLlm):
        def decide(self, request: LlmRequest) -> LlmReply:
            make_busy(fresh_ports, "acme", 30)
            return super().decide(request)

    dream = go(fresh_ports, "acme", Interrupted(), force=False)
    assert dream is not None
    assert (dream.state, dream.reason) == (DreamState.RUNNING, "Sleeps while its agent is busy")
    make_busy(fresh_ports, "acme", 0)
    pass_time(owner, dream.id, 3600)
    ended = go(fresh_ports, "acme", CountingLlm(), dream.id)
    assert ended is not None
    assert ended.state is DreamState.COMPLETED


def test_a_turn_that_is_over_in_a_moment_costs_a_dream_no_sleep(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    write(fresh_ports, "acme", texts(NOTES))
    owner.execute("UPDATE stores SET last_activity_at = now() - interval '1 day'")

    class Interrupted(CountingLlm):
        def decide(self, request: LlmRequest) -> LlmReply:
            if not self.asked:
                with fresh_ports.db.transaction("acme") as uow:
                    until = uow.now() + timedelta(seconds=1)
                    uow.activity.set_busy(uow.stores.get("default").id, pending_tasks=0, active_until=until)
            return super().decide(request)

    patient = fresh_ports.settings.model_copy(update={"busy_polls": 60, "busy_poll_seconds": 0.1})
    dream = go(replace(fresh_ports, settings=patient), "acme", Interrupted(), force=False)
    assert dream is not None
    assert (dream.state, dream.snooze_count) == (DreamState.COMPLETED, 0)
