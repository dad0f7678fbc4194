"""Reconciling by hand: what a pass sends, and what it leaves alone."""

import psycopg

from scheduler.run_sweep import run_sweep
from scheduler.sweeps import stalled_dreams
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.services.dreams.send import Reconciled, reconcile, send_dream
from tests.integration.gates.gate_support import start, start_and_claim
from tests.support.builders import a_store

REPUBLISH_SECONDS = 0.0
PASS_SECONDS = 30.0


def queue_and_send(ports: Ports, tenant: str) -> Dream:
    a_store(ports, tenant)
    dream = start(ports, tenant, force=True).dream
    assert dream is not None
    send_dream(ports.db, ports.dispatch, dream)
    return dream


def lapse(owner: psycopg.Connection, dream: Dream) -> None:
    owner.execute("UPDATE dreams SET lease_until = now() - interval '1 second' WHERE id = %s", [dream.id])


def test_republishing_sends_a_queued_dream_that_was_sent_just_now(
    fresh_ports: Ports, dispatch: RecordingDispatch
) -> None:
    dream = queue_and_send(fresh_ports, "acme")
    done = reconcile(fresh_ports.db, dispatch, unsent_seconds=REPUBLISH_SECONDS, actor="cli:ann")
    assert done == Reconciled(found=1, sent=1)
    assert dispatch.dreams == [("acme", "default", dream.id)] * 2


def test_an_ordinary_pass_leaves_what_was_sent_just_now(fresh_ports: Ports, dispatch: RecordingDispatch) -> None:
    queue_and_send(fresh_ports, "acme")
    assert reconcile(fresh_ports.db, dispatch, unsent_seconds=PASS_SECONDS, actor="cli:ann") == Reconciled(
        found=0, sent=0
    )


def test_a_dream_with_a_live_lease_is_left_to_its_worker(fresh_ports: Ports, dispatch: RecordingDispatch) -> None:
    a_store(fresh_ports, "acme")
    start_and_claim(fresh_ports, "acme")
    assert reconcile(fresh_ports.db, dispatch, unsent_seconds=REPUBLISH_SECONDS, actor="cli:ann").found == 0


def test_a_dream_with_a_lapsed_lease_is_sent_by_hand_as_by_the_sweep(
    fresh_ports: Ports, dispatch: RecordingDispatch, owner: psycopg.Connection
) -> None:
    a_store(fresh_ports, "acme")
    dream = start_and_claim(fresh_ports, "acme")
    lapse(owner, dream)
    assert reconcile(fresh_ports.db, dispatch, unsent_seconds=PASS_SECONDS, actor="cli:ann") == Reconciled(
        found=1, sent=1
    )
    assert run_sweep(fresh_ports, stalled_dreams.SWEEP) == {"found": 1, "acted": 1, "failed": 0}
    assert dispatch.dreams == [("acme", "default", dream.id)] * 2


def test_more_dreams_than_one_sweep_takes_are_sent_in_one_pass(fresh_ports: Ports, dispatch: RecordingDispatch) -> None:
    many = 101
    for number in range(many):
        a_store(fresh_ports, f"t{number}")
        start(fresh_ports, f"t{number}", force=True)
    done = reconcile(fresh_ports.db, dispatch, unsent_seconds=REPUBLISH_SECONDS, actor="cli:ann")
    assert done == Reconciled(found=many, sent=many)


def test_dreams_that_the_broker_did_not_take_are_sent_by_the_next_pass(
    fresh_ports: Ports, dispatch: RecordingDispatch
) -> None:
    dream = queue_and_send(fresh_ports, "acme")
    dispatch.is_down = True
    assert reconcile(fresh_ports.db, dispatch, unsent_seconds=REPUBLISH_SECONDS, actor="cli:ann") == Reconciled(
        found=1, sent=0
    )
    dispatch.is_down = False
    assert reconcile(fresh_ports.db, dispatch, unsent_seconds=REPUBLISH_SECONDS, actor="cli:ann") == Reconciled(
        found=1, sent=1
    )
    assert dispatch.dreams[-1] == ("acme", "default", dream.id)
