"""A database that refuses writes for a while costs dreams time, and nothing else: no worker and no dream is at fault."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from psycopg import sql

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.postgres.dreams.phases import PostgresPhaseRepository
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.errors import DatabaseRefusesError
from shared.services.dreams.claim import find_refusal
from shared.settings import Settings
from tests.architecture.sources import ROOT
from tests.e2e.workers.worker_support import eventually
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import get_dream, get_store, run_chain, write
from tests.support.servers import environment_for
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.heartbeat import Heartbeat
from workers.phase.work import PhaseKey

pytestmark = pytest.mark.own_database
_NOTES = {"api/a.md": "# Tokens\n\nTokens are signed.\n", "api/b.md": "# Tokens, too\n\nTokens are signed.\n"}
_OUTAGES = 6  # more than the rescues that a dream may have
_TAKES_NO_WRITES = "ALTER DATABASE {} SET default_transaction_read_only = on"
_TAKES_NO_CONNECTIONS = "ALTER DATABASE {} CONNECTION LIMIT 0"
_REFUSALS = {
    _TAKES_NO_WRITES: "ALTER DATABASE {} RESET default_transaction_read_only",
    _TAKES_NO_CONNECTIONS: "ALTER DATABASE {} CONNECTION LIMIT -1",
}
#: Run the task of a dream, which the database refuses twice; without an id, no row in the database knows of it.
_REFUSED_TASK = """
import sys
from shared.core.errors import DatabaseRefusesError
from workers import tasks

asked = []

def begin(*_, **__):
    asked.append(1)
    if len(asked) < 3:
        raise DatabaseRefusesError("read_only", "The database takes no writes", "read-only transaction")

tasks.begin_dream, tasks.get_ports = begin, lambda: None
tasks.app.set_current()
tasks.app.finalize()
done = tasks.app.tasks["dream"].apply(("acme",), {"dream_id": sys.argv[1] or None})
print(done.state, len(asked))
"""
Refuse = Callable[[str], Any]


@pytest.fixture
def refusing(owner: psycopg.Connection) -> Refuse:
    """A block in which the database refuses in this way, also on connections that were open before."""

    def run(statement: str) -> None:
        owner.execute(sql.SQL(statement).format(sql.Identifier(owner.info.dbname)))
        owner.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )

    @contextmanager
    def refuse(how: str) -> Iterator[None]:
        owner.execute("SET default_transaction_read_only = off")
        run(how)
        try:
            yield
        finally:
            run(_REFUSALS[how])

    return refuse


def begin(ports: Ports, tenant: str, dream_id: str | None = None) -> str:
    begun = begin_dream(ports, tenant, "default", force=True, dream_id=dream_id)
    assert begun is not None
    return begun


def wait_a_quarter_of_an_hour(owner: psycopg.Connection, dream_id: str) -> None:
    """Move all that has a time, as if it had been set so much earlier."""
    owner.execute(
        "UPDATE dreams SET lease_until = lease_until - interval '15 minutes',"
        " deadline_at = deadline_at - interval '15 minutes', snoozed_at = snoozed_at - interval '15 minutes',"
        " next_attempt_at = next_attempt_at - interval '15 minutes' WHERE id = %s",
        [dream_id],
    )


def finish(ports: Ports, dispatch: RecordingDispatch) -> Dream:
    """Run the dream's last chain to its end."""
    chain = dispatch.chains[-1]
    assert run_chain(ports, chain)
    assert finish_dream(ports, chain.tenant_id, chain.dream_id, chain.epoch)
    return get_dream(ports, chain.tenant_id, chain.dream_id)


@pytest.mark.parametrize("how", [_TAKES_NO_WRITES, _TAKES_NO_CONNECTIONS])
def test_a_dream_completes_after_many_long_outages_and_none_of_them_is_a_lost_worker(
    how: str, fresh_ports: Ports, dispatch: RecordingDispatch, owner: psycopg.Connection, refusing: Refuse, tenant: str
) -> None:
    write(fresh_ports, tenant, _NOTES)
    dream_id = begin(fresh_ports, tenant)
    for _ in range(_OUTAGES):
        with refusing(how):
            assert not run_chain(fresh_ports, dispatch.chains[-1])
            wait_a_quarter_of_an_hour(owner, dream_id)
            with pytest.raises(DatabaseRefusesError):
                begin(fresh_ports, tenant, dream_id)
        begin(fresh_ports, tenant, dream_id)
    dream = finish(fresh_ports, dispatch)
    assert (dream.state, dream.reason, dream.rescue_count) == (DreamState.COMPLETED, "", 0)
    assert [wait.why.startswith("The database") for wait in dream.waits] == [True] * _OUTAGES
    assert not get_store(fresh_ports, tenant).is_quarantined


def test_a_dream_whose_end_is_refused_ends_when_the_database_takes_writes_again(
    fresh_ports: Ports, dispatch: RecordingDispatch, owner: psycopg.Connection, refusing: Refuse, tenant: str
) -> None:
    write(fresh_ports, tenant, _NOTES)
    dream_id = begin(fresh_ports, tenant)
    chain = dispatch.chains[-1]
    assert run_chain(fresh_ports, chain)
    with refusing(_TAKES_NO_WRITES):
        assert finish_dream(fresh_ports, tenant, dream_id, chain.epoch) is None
    wait_a_quarter_of_an_hour(owner, dream_id)
    begin(fresh_ports, tenant, dream_id)
    dream = finish(fresh_ports, dispatch)
    assert (dream.state, dream.rescue_count) == (DreamState.COMPLETED, 0)


def test_a_dream_sleeps_with_the_servers_words_while_the_database_refuses_only_some_writes(
    fresh_ports: Ports,
    dispatch: RecordingDispatch,
    owner: psycopg.Connection,
    tenant: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise DatabaseRefusesError("disk_full", "The disk of the database is full", "No space left on device")

    write(fresh_ports, tenant, _NOTES)
    dream_id = begin(fresh_ports, tenant)
    for _ in range(_OUTAGES):
        with monkeypatch.context() as patched:
            patched.setattr(PostgresPhaseRepository, "claim", refuse)
            assert not run_chain(fresh_ports, dispatch.chains[-1])
        dream = get_dream(fresh_ports, tenant, dream_id)
        assert dream.reason == "The disk of the database is full: No space left on device"
        wait_a_quarter_of_an_hour(owner, dream_id)
        begin(fresh_ports, tenant, dream_id)
    dream = finish(fresh_ports, dispatch)
    assert (dream.state, dream.rescue_count, dream.snooze_count) == (DreamState.COMPLETED, 0, 0)


def test_a_worker_that_is_lost_while_the_database_takes_writes_is_counted(
    fresh_ports: Ports, owner: psycopg.Connection, tenant: str
) -> None:
    write(fresh_ports, tenant, _NOTES)
    dream_id = begin(fresh_ports, tenant)
    wait_a_quarter_of_an_hour(owner, dream_id)
    begin(fresh_ports, tenant, dream_id)
    assert get_dream(fresh_ports, tenant, dream_id).rescue_count == 1


def test_a_worker_that_waits_for_its_model_during_an_outage_is_known_to_be_alive_until_the_outage_ends(
    fresh_ports: Ports, dispatch: RecordingDispatch, refusing: Refuse, tenant: str
) -> None:
    write(fresh_ports, tenant, _NOTES)
    dream = get_dream(fresh_ports, tenant, begin(fresh_ports, tenant))
    quick = replace(fresh_ports, settings=fresh_ports.settings.model_copy(update={"heartbeat_seconds": 0.05}))
    chain = dispatch.chains[-1]
    with fresh_ports.db.transaction(tenant) as uow:
        uow.phases.claim(dream.id, chain.phases[0], runner="run_1", lease_seconds=60)
    key = PhaseKey(tenant_id=tenant, dream_id=dream.id, epoch=dream.epoch, phase=chain.phases[0])
    with Heartbeat(quick, key, "run_1", "default"):
        with refusing(_TAKES_NO_WRITES):
            eventually(lambda: "read-only" in find_refusal(fresh_ports.kept, dream), "the refusal is noted")
        eventually(lambda: not find_refusal(fresh_ports.kept, dream), "the next heartbeat takes the note back")


def test_a_request_is_answered_503_with_the_reason_and_when_to_try_again(
    fresh_ports: Ports, refusing: Refuse, tenant: str
) -> None:
    headers = bearer(a_token(fresh_ports, tenant))
    client = a_client(an_app(fresh_ports))
    with refusing(_TAKES_NO_WRITES):
        answer = client.post("/api/stores", headers=headers, json={"name": "other"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.json()["detail"] == "The database takes no writes: it is read-only, as a standby is; try again"


@pytest.mark.parametrize(("dream_id", "runs"), [("", 3), ("drm_1", 1)])
def test_a_message_that_alone_knows_of_its_dream_is_tried_until_the_database_takes_it(
    dream_id: str, runs: int, settings: Settings
) -> None:
    """In a process of its own, because a Celery app reads its settings once."""
    done = subprocess.run(
        [sys.executable, "-c", _REFUSED_TASK, dream_id],
        cwd=ROOT,
        env=os.environ | environment_for(settings),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.splitlines()[-1] == f"SUCCESS {runs}"
