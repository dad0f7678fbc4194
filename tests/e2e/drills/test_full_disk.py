"""The disk of the database is really full, under real workers; dreams wait, and nothing is lost but time."""

import errno
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from gateway.phases import get_phases
from shared.adapters.embedded.postgres import PORT
from shared.adapters.postgres import migrate
from shared.all_ports import Ports
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState, Trigger
from shared.services.dreams.start import start_dream
from shared.settings import Settings
from tests.e2e.drills.drill import a_drill
from tests.e2e.drills.own_postgres import OwnPostgres, an_own_postgres
from tests.e2e.drills.test_drill_backup import settings_of
from tests.e2e.workers.worker_support import eventually
from tests.support.builders import get_dream, get_store, write
from tests.support.database.small_disk import a_small_disk
from tests.support.servers import open_ports

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(600)]

_MEGABYTES = 96
_STORES = 3
#: A lease lapses many times over while the disk is full, so that a worker would count as lost more often than a dream survives.
_BRISK = {
    "SLOWWAVE_LLM": "offline",
    "SLOWWAVE_LEASE_SECONDS": "2",
    "SLOWWAVE_HEARTBEAT_SECONDS": "0.5",
    "SLOWWAVE_MAX_RESCUES": "1",
}
_LINES = 400
_REFUSAL = re.compile("The disk of the database is full|raised unexpected: DatabaseRefusesError")


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """No byte is free on a disk for the duration of the block."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC  # noqa: PT017 - the loop ends by this error alone
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def a_server_on_a_small_disk() -> Iterator[tuple[OwnPostgres, Path]]:
    """A server whose tables are on a small disk of their own, and its log is not: without its log PostgreSQL stops."""
    with an_own_postgres("keeper", "kept") as server, ExitStack() as stack:
        address = f"host={server.host} port={PORT} user=postgres dbname=postgres"
        with psycopg.connect(address, autocommit=True) as admin:
            user = psutil.Process(admin.info.backend_pid).uids().real
            disk = stack.enter_context(a_small_disk(Path(server.host).parent / "disk", user, _MEGABYTES))
            admin.execute(f"CREATE TABLESPACE small LOCATION '{disk}'".encode())
            admin.execute("ALTER DATABASE kept SET TABLESPACE small")
            admin.execute("ALTER SYSTEM SET autovacuum = off")  # it would make new connections write, or not, by chance
            admin.execute("SELECT pg_reload_conf()")
        migrate.upgrade(server.url("keeper"))
        yield server, disk


def notes(seed: int) -> dict[str, str]:
    """Two notes of the same statements, so large that what a dream writes of them needs new blocks."""
    chosen = random.Random(seed)
    lines = [f"- Ticket {chosen.getrandbits(64):x} is kept by team {chosen.getrandbits(64):x}." for _ in range(_LINES)]
    return {f"work/{name}.md": "\n".join([f"# Tickets {name}", "", *lines, ""]) for name in ("a", "b")}


def lines_of(ports: Ports, tenant: str) -> set[str]:
    """Return every statement of a tenant's memories, live or archived."""
    with ports.db.transaction(tenant) as uow:
        found = uow.memories(uow.stores.get("default").id).find_live()
    return {line for one in found for line in one.content.splitlines() if line.startswith("- Ticket")}


@pytest.mark.parametrize("refused", ["writes", "connections"])
def test_dreams_wait_while_the_disk_is_full_and_finish_when_there_is_room_and_nothing_is_lost(
    refused: str, fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    tenants = [f"{tenant}-{number}" for number in range(_STORES)]
    with a_server_on_a_small_disk() as (server, disk):
        settings = settings_of(server, fresh_settings)
        with open_ports(settings) as ports, a_drill(settings, tmp_path, variables=_BRISK) as drill:
            for number, one in enumerate(tenants):
                write(ports, one, notes(number))
            before = {one: lines_of(ports, one) for one in tenants}
            dreams = {one: order(ports, one) for one in tenants}

            def now() -> list[Dream]:
                return [get_dream(ports, one, dream) for one, dream in dreams.items()]

            if refused == "connections":  # each begins with this file, and makes it if it is not there
                for file in disk.rglob("pg_internal.init"):
                    file.unlink()
            with filled(disk):
                drill.start("slowwave-worker")
                drill.start("slowwave-beat")
                log = tmp_path / "slowwave-worker.log"
                eventually(lambda: count_refusals(log) >= 3 * _STORES, "refusals")
                code, said = drill.run("slowwave doctor")
                assert (code, "No space left on device" in said, "database-refuses.md" in said) == (1, True, True), said
                assert all(one.state not in {DreamState.ERROR, DreamState.PARTIAL} for one in now())
            eventually(lambda: drill.run("slowwave reconcile")[0] == 0, "the runbook's command works again")
            eventually(lambda: not any(one.state in ACTIVE_STATES for one in now()), "the dreams end")
            assert [(one.state, one.rescue_count) for one in now()] == [(DreamState.COMPLETED, 0)] * _STORES
            assert not any(get_store(ports, one).is_quarantined for one in tenants)
            assert {one: lines_of(ports, one) for one in tenants} == before
            code, said = drill.run("slowwave doctor")
            assert "No space left on device" not in said


def count_refusals(log: Path) -> int:
    return sum(_REFUSAL.search(line) is not None for line in log.read_text().splitlines())


def order(ports: Ports, tenant: str) -> str:
    started = start_dream(ports.db, tenant, trigger=Trigger.API, force=True, phases=get_phases)
    assert started.dream is not None
    return started.dream.id
