"""TLS: a server whose certificate nothing vouches for is refused, unless the address says that it need not be verified."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from kombu.exceptions import OperationalError
from sqlalchemy.engine import make_url

from shared.adapters.celery.config import celery_config
from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.postgres.health import examine_database
from shared.adapters.postgres.sql.transactions import make_engine, open_transaction
from shared.adapters.postgres.sql.verification import VERIFIED, find_mode, verification_of
from shared.adapters.redis.dream_lock import RedisDreamLock
from shared.adapters.redis.health import examine_broker
from shared.core.errors import ServiceUnavailableError
from shared.core.health import Health
from shared.settings import Settings
from tests.integration.operations.tls_proxy import make_certificate, tls_before

ELSEWHERE = "postgresql+psycopg://app:p@db.example.com:5432/slowwave"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for `localhost` and its key."""
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def rediss(servers: Endpoints, files: tuple[Path, Path]) -> Iterator[str]:
    """The tests' Valkey behind TLS."""
    plain = make_url(servers.redis_url)
    assert plain.host
    assert plain.port
    with tls_before((plain.host, plain.port), files) as port:
        yield f"rediss://:{plain.password}@localhost:{port}/0"


@pytest.fixture(scope="module")
def postgres(settings: Settings, files: tuple[Path, Path]) -> Iterator[str]:
    """The tests' PostgreSQL behind TLS, at an address that counts as another host's."""
    assert settings.database_url is not None
    local = make_url(settings.database_url.get_secret_value())
    file = str(Path(str(local.query["host"]), f".s.PGSQL.{local.query['port']}"))
    with tls_before(file, files, is_postgres=True) as port:
        yield local.set(host="localhost", port=port, query={}).render_as_string(hide_password=False)


def can_publish(url: str) -> bool:
    app = Celery("sender", set_as_current=False)
    app.conf.update(celery_config(Settings(), url))
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=5)
            return True
    except OperationalError:
        return False
    finally:
        app.close()


def can_lock(url: str) -> bool:
    lock = RedisDreamLock(url, ttl_seconds=1)
    try:
        return lock.find_holder("tls", "default") is None
    finally:
        lock.close()


def test_a_redis_that_no_authority_vouches_for_is_refused_by_the_lock_the_broker_and_the_doctor(rediss: str) -> None:
    assert not can_lock(rediss)
    assert not can_publish(rediss)
    found = examine_broker(rediss, 3600)
    assert [(one.check, one.health) for one in found] == [("redis", Health.FAIL)]
    assert "certificate verify failed" in found[0].found


def test_an_authority_of_ones_own_vouches_for_a_redis(rediss: str, files: tuple[Path, Path]) -> None:
    trusted = f"{rediss}?ssl_ca_certs={files[0]}"
    assert can_lock(trusted)
    assert can_publish(trusted)
    found = {one.check: one for one in examine_broker(trusted, 3600)}["redis tls"]
    assert (found.health, found.found) == (Health.OK, "verified")


def test_a_redis_that_is_not_verified_is_worth_a_warning(rediss: str) -> None:
    blind = f"{rediss}?ssl_cert_reqs=none"
    assert can_lock(blind)
    assert can_publish(blind)
    found = {one.check: one for one in examine_broker(blind, 3600)}["redis tls"]
    assert (found.health, found.found) == (Health.WARN, "not verified: ssl_cert_reqs=none")


@pytest.mark.parametrize(
    ("url", "mode"),
    [
        (ELSEWHERE, VERIFIED),
        (f"{ELSEWHERE}?sslmode=require", "require"),
        ("postgresql+psycopg://app@127.0.0.2/slowwave", None),
        ("postgresql+psycopg://app@[::1]/slowwave", None),
        ("postgresql+psycopg://app@localhost/slowwave", None),
        ("postgresql+psycopg://app@127.0.0.1.example.com/slowwave", VERIFIED),
        ("postgresql+psycopg://app@/slowwave?host=/run/postgresql", None),
        ("postgresql+psycopg://app@/slowwave?host=db1,db2", VERIFIED),
    ],
)
def test_a_postgresql_on_another_host_is_verified_unless_its_address_says_otherwise(url: str, mode: str | None) -> None:
    assert find_mode(url) == mode
    assert verification_of(url).get("sslmode") == (VERIFIED if mode == VERIFIED else None)


def test_the_authorities_of_the_system_are_asked_unless_others_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGSSLROOTCERT", raising=False)
    assert verification_of(ELSEWHERE)["sslrootcert"]
    assert "sslrootcert" not in verification_of(f"{ELSEWHERE}?sslrootcert=/mine.pem")


def test_a_postgresql_that_no_authority_vouches_for_is_refused_with_what_to_write(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.adapters.postgres.sql.verification._is_local", lambda _: False)
    engine = make_engine(postgres, pool_size=1)
    with (
        pytest.raises(ServiceUnavailableError, match=r"certificate verify failed.*sslrootcert=FILE"),
        open_transaction(engine),
    ):
        pass
    engine.dispose()
    found = examine_database(postgres, 10)
    assert [(one.check, one.health) for one in found] == [("database", Health.FAIL)]


def test_an_authority_of_ones_own_vouches_for_a_postgresql(
    postgres: str, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.adapters.postgres.sql.verification._is_local", lambda _: False)
    found = {one.check: one for one in examine_database(f"{postgres}?sslrootcert={files[0]}", 10)}
    assert (found["database tls"].health, found["database tls"].found) == (Health.OK, "sslmode=verify-full, encrypted")
    blind = {one.check: one for one in examine_database(f"{postgres}?sslmode=require", 10)}
    assert blind["database tls"].health is Health.WARN
