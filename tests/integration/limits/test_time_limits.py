"""Each kind of work limits how long a statement may run; a statement beyond it is a clear error and is counted."""

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from gateway.api import server
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared import counting
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres import migrate
from shared.adapters.postgres.unit_of_work import PostgresUnitOfWork
from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.core.errors import ServiceUnavailableError, StatementCutError
from shared.counting import Series
from shared.services.tenants import delete, purge
from shared.settings import Settings
from shared.working import Work, current_work, doing
from tests.integration.api.api_support import a_token, bearer
from tests.support.builders import a_store
from tests.support.servers import a_database, plain_url

_SHORT, _LONG = 0.1, 60.0


class Counted:
    """Counts of this test."""

    def __init__(self) -> None:
        self.series: dict[Series, float] = {}

    def add(self, series: dict[Series, float]) -> None:
        for one, amount in series.items():
            self.series[one] = self.series.get(one, 0) + amount

    def cut(self, work: Work, limit: str) -> float:
        return self.series.get(("slowwave_statements_cut_total", (("limit", limit), ("work", work))), 0)


@contextmanager
def limited_ports(settings: Settings, work: Work, **limits: float) -> Iterator[tuple[Ports, Counted]]:
    """The ports of a process that does this work, with these limits in seconds, and what it counts."""
    seconds = {f"database_{name}_seconds": value for name, value in limits.items()}
    before = list(counting._sinks)
    ports = make_ports(settings.model_copy(update=seconds), work=work)
    counted = Counted()
    counting.send_counts_to(counted)
    try:
        yield ports, counted
    finally:
        ports.close()
        counting._sinks[:] = before


def sleep(ports: Ports, tenant: str, seconds: float) -> None:
    with ports.db.transaction(tenant) as uow:
        assert isinstance(uow, PostgresUnitOfWork)
        uow._connection.exec_driver_sql("SELECT pg_sleep(%s)", (seconds,))


@contextmanager
def locked(settings: Settings, table: str) -> Iterator[None]:
    """Another transaction that holds a whole table."""
    with psycopg.connect(plain_url(settings.owner_database_url)) as owner:
        owner.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        yield
        owner.rollback()


@pytest.mark.parametrize("work", Work)
def test_each_kind_of_work_has_its_own_limit(settings: Settings, tenant: str, work: Work) -> None:
    others = {str(one): _LONG for one in Work if one is not work}
    for usual in (work, next(one for one in Work if one is not work)):
        with limited_ports(settings, usual, **{str(work): _SHORT}, **others) as (ports, counted):
            with doing(work), pytest.raises(StatementCutError, match="canceled this because it took too long"):
                sleep(ports, tenant, _LONG)
            assert counted.cut(work, "statement") == 1
            with doing(next(one for one in Work if one is not work)):
                sleep(ports, tenant, 2 * _SHORT)


def test_a_connection_that_was_cut_serves_the_next_statement(settings: Settings, tenant: str) -> None:
    with limited_ports(settings, Work.REQUEST, request=_SHORT) as (ports, _):
        with pytest.raises(StatementCutError):
            sleep(ports, tenant, _LONG)
        a_store(ports, tenant)


@pytest.mark.own_database
def test_a_request_that_the_database_cuts_is_a_503_that_says_so(fresh_settings: Settings, tenant: str) -> None:
    with limited_ports(fresh_settings, Work.REQUEST, request=_SHORT, lock=_LONG) as (ports, counted):
        key = bearer(a_token(ports, tenant))
        app: FastAPI = server.create_server(ports)
        with TestClient(app, raise_server_exceptions=False) as client:
            paths = ("/api/stores/mine/memories", "/api/stores/mine/memories/mem_01HZZZZZZZZZZZZZZZZZZZZZZZ")
            with locked(fresh_settings, "memories"):
                answers = [client.get(path, headers=key) for path in paths]
    assert [one.status_code for one in answers] == [503, 503]
    assert {one.json()["detail"] for one in answers} == {str(StatementCutError())}
    assert {one.headers["Retry-After"] for one in answers} == {"5"}
    assert counted.cut(Work.REQUEST, "statement") == 2


@pytest.mark.own_database
@pytest.mark.parametrize("work", [Work.REQUEST, Work.SWEEP])
def test_requests_and_sweeps_do_not_wait_long_for_a_lock(fresh_settings: Settings, tenant: str, work: Work) -> None:
    with limited_ports(fresh_settings, work, lock=_SHORT) as (ports, counted):
        a_store(ports, tenant)
        with locked(fresh_settings, "stores"), pytest.raises(ServiceUnavailableError, match="holds what this would"):
            a_store(ports, tenant, "another")
        assert counted.cut(work, "lock") == 1


def test_a_migration_has_a_limit_of_its_own(servers: Endpoints) -> None:
    with a_database(servers) as empty:
        assert empty.owner_database_url is not None
        url = empty.owner_database_url.get_secret_value()
        with pytest.raises(ServiceUnavailableError, match="SLOWWAVE_DATABASE_MIGRATION_SECONDS"):
            migrate.upgrade(url, statement_seconds=0.001)
        migrate.upgrade(url, statement_seconds=_LONG)


def test_the_server_answers_requests_and_a_sweep_sweeps(monkeypatch: pytest.MonkeyPatch, ports: Ports) -> None:
    done, switches = list[Work](), list[float]()

    def make(*_: object, work: Work, **__: object) -> Ports:
        done.append(work)
        return ports

    def find(_: Ports) -> list[str]:
        done.append(current_work(Work.TASK))
        return []

    monkeypatch.setattr(server, "make_ports", make)
    monkeypatch.setattr(server, "configure_logging", lambda: None)
    monkeypatch.setattr(sys, "setswitchinterval", switches.append)
    server.build_app()
    run_sweep(ports, replace(due_stores.SWEEP, find=find))
    assert done == [Work.REQUEST, Work.SWEEP]
    assert switches[0] < 0.005, "a thread that computes gives way sooner than Python's default has it"


def test_retention_and_the_deletion_of_a_tenant_have_the_limit_of_a_purge(settings: Settings, tenant: str) -> None:
    limits = {"request": _LONG, "task": _LONG, "sweep": _LONG, "purge": 0.001}
    with limited_ports(settings, Work.REQUEST, **limits) as (ports, counted):
        a_store(ports, tenant)
        with contextlib.ExitStack() as held:
            held.enter_context(locked(settings, "feedback"))
            with pytest.raises(StatementCutError):
                delete.delete_tenant(ports.db, ports.lock, tenant, actor="ada")
            with pytest.raises(StatementCutError):
                purge.purge_expired(ports.db, tenant, settings.retention)
        assert counted.cut(Work.PURGE, "statement") == 2
