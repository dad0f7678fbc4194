"""The doctor: every check finds what is right and what is wrong, on real servers."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import psycopg
import pytest
import redis
from pydantic import SecretStr

from gateway.health import (
    examine,
    find_disk,
    find_other_versions,
    find_secrets_key,
    find_switches,
    find_tenants,
    find_variables,
    find_visibility,
)
from gateway.metrics import render_metrics
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.adapters.postgres.health import examine_database
from shared.adapters.postgres.revisions import find_newest
from shared.adapters.redis.counters import COUNTERS
from shared.adapters.redis.health import examine_broker, find_writable
from shared.adapters.redis.worker_pulse import WorkerFacts, WorkerPulse, find_workers
from shared.adapters.secrets.key_file import ensure_key_file, key_file
from shared.all_ports import Ports
from shared.bootstrap import make_counters
from shared.core.health import Finding, Health
from shared.services.tenants.pause import set_all_paused, set_defer
from shared.settings import Settings
from tests.support.builders import write
from tests.support.database.migrations import add_a_revision

NOWHERE = "127.0.0.1:9"


def _facts(schema: str = "") -> WorkerFacts:
    return WorkerFacts(pid=1, pool="threads", concurrency=16, schema=schema)


@pytest.fixture
def broker(fresh_settings: Settings) -> Iterator[redis.Redis]:
    """The broker, emptied; what a test sets is set back."""
    with redis.Redis.from_url(broker_url(fresh_settings)) as client:
        client.flushall()
        before = {name: client.config_get(name)[name] for name in ("maxmemory-policy", "appendonly")}
        yield client
        for name, value in before.items():
            client.config_set(name, value)
        client.flushall()


def broker_url(settings: Settings) -> str:
    assert settings.redis_url is not None
    return settings.redis_url.get_secret_value()


def database(settings: Settings, check: str, *, as_owner: bool = False) -> Finding:
    url = settings.owner_database_url if as_owner else settings.database_url
    assert url is not None
    return one(examine_database(url.get_secret_value(), 10), check)


def queues(settings: Settings, check: str) -> Finding:
    return one(examine_broker(broker_url(settings), 3600), check)


def one(findings: list[Finding], check: str) -> Finding:
    return next(finding for finding in findings if finding.check == check)


@pytest.mark.parametrize("check", ["database", "migrations", "role", "row-level security", "clock", "database writes"])
def test_a_migrated_database_is_in_order(check: str, fresh_settings: Settings) -> None:
    assert database(fresh_settings, check).health is Health.OK


def test_a_database_that_does_not_answer_is_one_line() -> None:
    found = examine_database(f"postgresql+psycopg://unknown@{NOWHERE}/none", 10)
    assert [(finding.check, finding.health) for finding in found] == [("database", Health.FAIL)]


@pytest.mark.own_database
def test_a_database_that_refuses_writes_is_noticed_and_the_write_that_finds_out_leaves_nothing(
    fresh_settings: Settings, owner: psycopg.Connection, fresh_ports: Ports
) -> None:
    assert database(fresh_settings, "database writes").health is Health.OK
    assert fresh_ports.db.installation.find_log(10) == []
    owner.execute(f"ALTER DATABASE {owner.info.dbname} SET default_transaction_read_only = on".encode())
    finding = database(fresh_settings, "database writes")
    assert finding.health is Health.FAIL
    assert "read-only" in finding.found
    assert database(fresh_settings, "row-level security").health is Health.OK


@pytest.mark.own_database
def test_an_old_schema_is_noticed_before_anything_that_needs_a_new_one(
    fresh_settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    add_a_revision(monkeypatch, tmp_path)
    finding = database(fresh_settings, "migrations")
    assert finding.health is Health.FAIL
    assert "slowwave migrate" in finding.advice


def test_the_owner_is_not_a_role_to_work_with(fresh_settings: Settings) -> None:
    assert database(fresh_settings, "role", as_owner=True).health is Health.FAIL


@pytest.mark.own_database
def test_a_table_without_forced_row_level_security_is_named(
    fresh_settings: Settings, owner: psycopg.Connection
) -> None:
    owner.execute("ALTER TABLE memories NO FORCE ROW LEVEL SECURITY")
    finding = database(fresh_settings, "row-level security")
    assert (finding.health, finding.found) == (Health.FAIL, "not forced on memories")


@pytest.mark.own_database
def test_functions_that_a_restore_did_not_hand_over_are_noticed(
    fresh_settings: Settings, owner: psycopg.Connection
) -> None:
    assert database(fresh_settings, "functions").health is Health.OK
    owner.execute("ALTER FUNCTION slowwave_measure() OWNER TO CURRENT_USER")
    finding = database(fresh_settings, "functions")
    assert (finding.health, finding.found) == (Health.FAIL, "1 belong to the owner of the tables")


def test_an_empty_schema_is_not_as_healthy_as_a_full_one(
    fresh_ports: Ports, fresh_settings: Settings, broker: redis.Redis, tenant: str
) -> None:
    assert find_tenants(fresh_settings, fresh_ports.db).health is Health.WARN
    broker.hset(COUNTERS, json.dumps(["slowwave_dreams_ended_total", {"state": "completed"}]), "3")
    lost = find_tenants(fresh_settings, fresh_ports.db)
    assert (lost.health, "3 dreams have ended here" in lost.found) == (Health.FAIL, True)
    write(fresh_ports, tenant, {})
    assert find_tenants(fresh_settings, fresh_ports.db).health is Health.OK


def test_beat_is_alive_while_sweeps_run(
    fresh_ports: Ports, fresh_settings: Settings, owner: psycopg.Connection
) -> None:
    assert database(fresh_settings, "beat").found == "no sweep has ever run"
    run_sweep(fresh_ports, due_stores.SWEEP)
    assert database(fresh_settings, "beat").health is Health.OK
    owner.execute("UPDATE installation SET last_sweep_at = now() - interval '10 minutes'")
    assert database(fresh_settings, "beat").health is Health.FAIL


def test_a_broker_that_may_throw_messages_away_fails(fresh_settings: Settings, broker: redis.Redis) -> None:
    broker.config_set("maxmemory-policy", "noeviction")
    assert queues(fresh_settings, "redis eviction").health is Health.OK
    broker.config_set("maxmemory-policy", "allkeys-lru")
    finding = queues(fresh_settings, "redis eviction")
    assert (finding.health, finding.found) == (Health.FAIL, "maxmemory-policy allkeys-lru")


@pytest.mark.parametrize(
    ("begin", "end", "found"),
    [
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "none: its memory is full"),
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", "none: it is a replica"),
    ],
)
def test_a_broker_that_answers_and_takes_no_writes_fails(
    begin: str, end: str, found: str, fresh_settings: Settings, broker: redis.Redis
) -> None:
    assert queues(fresh_settings, "redis writes").health is Health.OK
    broker.execute_command(*begin.split())  # type: ignore[no-untyped-call] # not in redis-py's annotations
    try:
        finding = queues(fresh_settings, "redis writes")
    finally:
        broker.execute_command(*end.split())  # type: ignore[no-untyped-call] # the same
    assert finding.health is Health.FAIL
    assert finding.found.startswith(found)
    assert finding.advice


@pytest.mark.parametrize(
    ("memory", "persistence", "found"),
    [
        ({"used_memory": 95, "maxmemory": 100}, {}, "0 of 0 MB used"),
        ({}, {"aof_last_write_status": "err"}, "could not save"),
    ],
)
def test_a_broker_that_will_soon_take_no_writes_is_worth_a_warning(
    memory: dict[str, int], persistence: dict[str, str], found: str
) -> None:
    class Server:
        def info(self, section: str) -> Mapping[str, object]:
            sections: dict[str, Mapping[str, object]] = {
                "memory": memory, "persistence": persistence, "replication": {"role": "master"},
            }  # fmt: skip
            return sections[section]

    assert (find_writable(Server()).health, find_writable(Server()).found) == (Health.WARN, found)


@pytest.mark.parametrize(("appendonly", "health"), [("yes", Health.OK), ("no", Health.WARN)])
def test_a_broker_that_forgets_at_a_restart_is_worth_a_warning(
    appendonly: str, health: Health, fresh_settings: Settings, broker: redis.Redis
) -> None:
    broker.config_set("appendonly", appendonly)
    assert queues(fresh_settings, "redis persistence").health is health


def test_a_worker_is_seen_by_its_heartbeat(fresh_settings: Settings, broker: redis.Redis) -> None:
    assert queues(fresh_settings, "workers").health is Health.FAIL
    WorkerPulse(broker_url(fresh_settings)).beat("celery@here", _facts)
    assert queues(fresh_settings, "workers").found == "celery@here"
    assert broker.ttl("slowwave:worker:celery@here") > 0


def test_a_pulse_without_a_broker_is_silent() -> None:
    WorkerPulse(f"redis://{NOWHERE}/0").beat("celery@here", _facts)


def test_a_message_without_an_acknowledgement_is_noticed(fresh_settings: Settings, broker: redis.Redis) -> None:
    assert queues(fresh_settings, "messages").health is Health.OK
    broker.zadd("unacked_index", {"lost": 1_000_000})
    assert queues(fresh_settings, "messages").health is Health.WARN


def test_queues_are_declared_once_they_are_bound(fresh_settings: Settings, broker: redis.Redis) -> None:
    assert queues(fresh_settings, "queues").health is Health.WARN
    broker.sadd("_kombu.binding.dream", "dream.phase")
    broker.rpush("dream.phase", "a", "b")
    assert queues(fresh_settings, "queues").found == "dream.phase 2 waiting, dream.control 0 waiting"


def test_a_broker_that_does_not_answer_is_one_line() -> None:
    found = examine_broker(f"redis://{NOWHERE}/0", 3600)
    assert [(finding.check, finding.health) for finding in found] == [("redis", Health.FAIL)]


@pytest.mark.parametrize(("seconds", "health"), [(3600, Health.OK), (1079, Health.FAIL)])
def test_a_visibility_timeout_below_three_phases_fails(seconds: float, health: Health) -> None:
    assert find_visibility(seconds).health is health


def test_without_a_key_the_doctor_says_that_webhooks_do_not_go_out(tmp_path: Path) -> None:
    missing = find_secrets_key(Settings(data_dir=tmp_path, secrets_key=None))
    assert missing.health is Health.WARN
    assert "SLOWWAVE_SECRETS_KEY" in missing.advice
    named = find_secrets_key(Settings(data_dir=tmp_path, secrets_key=SecretStr(f"{'n' * 32},{'o' * 32}")))
    assert (named.health, named.found) == (Health.OK, "set, 1 older")


def test_a_key_file_that_others_may_read_is_worth_a_warning(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, secrets_key=None)
    ensure_key_file(tmp_path)
    assert find_secrets_key(settings).health is Health.OK
    key_file(tmp_path).chmod(0o644)
    assert find_secrets_key(settings).health is Health.WARN


def test_no_secret_is_in_what_the_doctor_says() -> None:
    assert "s" * 40 not in repr(find_secrets_key(Settings(secrets_key=SecretStr("s" * 40))))


def test_too_little_room_is_worth_a_warning(tmp_path: Path) -> None:
    assert find_disk(tmp_path / "not made yet", least_bytes=1).health is Health.OK
    assert find_disk(tmp_path, least_bytes=10**18).health is Health.WARN


def test_a_pause_and_a_deferral_are_told_because_they_look_like_workers_that_do_nothing(fresh_ports: Ports) -> None:
    assert find_switches(fresh_ports.db).health is Health.OK
    set_defer(fresh_ports.db, None, 40, actor="test")
    assert find_switches(fresh_ports.db).found == "40 % of the due stores are postponed to another day"
    set_all_paused(fresh_ports.db, paused=True)
    found = find_switches(fresh_ports.db)
    assert (found.health, found.found, found.advice) == (
        Health.WARN, "all tenants are paused", "slowwave resume --all",
    )  # fmt: skip


def test_a_mistyped_variable_is_named_with_the_setting_that_was_meant() -> None:
    assert find_variables({"SLOWWAVE_LLM": "offline", "SLOWWAVE_KEY": "k"}).health is Health.OK
    found = find_variables({"SLOWWAVE_LLM_MODLE": "x"})
    assert (found.health, found.found) == (Health.WARN, "SLOWWAVE_LLM_MODLE: not a setting")
    assert "SLOWWAVE_LLM_MODEL" in found.advice


def test_metrics_that_nothing_reads_are_worth_a_warning(
    fresh_ports: Ports, fresh_settings: Settings, broker: redis.Redis
) -> None:
    assert queues(fresh_settings, "metrics").health is Health.WARN
    counters = make_counters(fresh_settings)
    render_metrics(fresh_ports.db, counters)
    counters.close()
    assert queues(fresh_settings, "metrics").health is Health.OK
    assert 0 < broker.ttl("slowwave:scraped") <= 300


def test_every_problem_that_doctor_finds_comes_with_its_remedy(
    fresh_ports: Ports, fresh_settings: Settings, broker: redis.Redis
) -> None:
    findings = examine(fresh_settings, fresh_ports.db)
    assert all(finding.advice for finding in findings if finding.health is not Health.OK)
    assert not any(finding.advice for finding in findings if finding.health is Health.OK)
    assert broker.dbsize() == 0, "looking leaves nothing behind"


def test_a_worker_of_another_version_in_company_is_named(broker: redis.Redis, fresh_settings: Settings) -> None:
    pulses = {"worker-old": "0000", "worker-new": find_newest(), "worker-silent": ""}
    broker.flushall()
    for name, schema in pulses.items():
        WorkerPulse(broker_url(fresh_settings)).beat(name, partial(_facts, schema))
    found = find_other_versions(find_workers(broker_url(fresh_settings)), find_newest())
    assert found.health is Health.WARN
    assert "worker-old (schema 0000)" in found.found
    assert "worker-new" not in found.found + found.advice
    assert "worker-silent" not in found.found
