"""A worker or the sweep may die at any instant of a dream in batch mode: no question is asked or paid for twice."""

from dataclasses import replace

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.tenants.store import DEFAULT_STORE
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
from tests.integration.failures.crash_support import Crash, CrashingDatabase, let_lapse
from tests.support.model.batch_server import BatchServer, a_batch_server

#: The quick tier has each of these crashes at one instant that matters: test_message_batches.py.
pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("after_commit", [False, True], ids=["before-a-transaction", "after-its-commit"])
def test_a_process_that_dies_at_any_instant_of_a_batch_asks_and_pays_once(
    fresh_ports: Ports, owner: psycopg.Connection, after_commit: bool, first: int
) -> None:
    crashes = 0
    for instant in range(1 + first, 300, 3):
        tenant = f"crash-{instant}"
        with a_batch_server() as server:
            ports = with_batches(fresh_ports, server)
            write_notes(ports, tenant)
            database = CrashingDatabase(ports.db, crash_at=instant, after_commit=after_commit)
            try:
                _run(replace(ports, db=database), server, tenant)
                break
            except Crash:
                crashes += 1
            _recover(ports, owner, server, tenant)
    assert crashes > 1, "the dream never got as far as its first batch"


def _run(ports: Ports, server: BatchServer, tenant: str) -> None:
    """Send a first batch, fetch it, wake the dream, and let it go to sleep over its second one."""
    dream = go(ports, tenant)
    assert dream is not None
    for _ in range(2):
        sweep(ports)
        server.end_all()
    go_on(ports, tenant, dream)


def _recover(ports: Ports, owner: psycopg.Connection, server: BatchServer, tenant: str) -> None:
    with ports.db.transaction(tenant) as uow:
        found = uow.dreams.find_recent(limit=1)
    dream: Dream | None = found[0] if found else go(ports, tenant)
    assert dream is not None
    let_lapse(owner, dream.id)
    owner.execute("UPDATE dreams SET lease_until = NULL WHERE next_attempt_at IS NOT NULL AND id = %s", [dream.id])
    server.end_all()
    pass_minutes(owner, 11)
    for _ in range(3):  # what was being sent is found or sent again, then fetched, then the dream is woken
        sweep(ports)
        server.end_all()
    if dream.finished_at is None:
        again = go(ports, tenant, dream.id)
        assert again is not None
        dream = finish_in_rounds(ports, server, tenant, again)
    assert dream.state is DreamState.COMPLETED, dream.reason
    assert dream.store == DEFAULT_STORE
    assert sent_twice(server) == []
    with ports.db.transaction(tenant) as uow:
        assert uow.calls.get_totals(dream.id).outcomes == {"ok": len(server.asked())}
    assert owner.execute("SELECT count(*) FROM batch_calls WHERE tenant_id = %s", [tenant]).fetchone() == (0,)
