"""A scrape of a real database and a real Redis: its values and its cost."""

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import psycopg
import pytest
import redis
from prometheus_client.parser import text_string_to_metric_families

from gateway.metrics import render_metrics
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.postgres.database import PostgresDatabase
from shared.adapters.redis.counters import RedisCounters
from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.core.metrics import METRICS
from shared.counting import CountSink, Series, count, send_counts_to, stop_counting
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.program import connection_name
from shared.services.tenants.pause import set_all_paused
from shared.settings import Settings
from tests.e2e.workers.worker_support import eventually
from tests.integration.gates.gate_support import start, start_and_claim
from tests.integration.undo.undo_support import OLD_HINT
from tests.support.builders import a_store, run_dream, write
from tests.support.servers import plain_url


@pytest.fixture
def counters(fresh_settings: Settings) -> Iterator[RedisCounters]:
    assert fresh_settings.redis_url is not None
    url = fresh_settings.redis_url.get_secret_value()
    with redis.Redis.from_url(url) as client:
        client.delete("slowwave:counters")
    found = RedisCounters(url)
    yield found
    found.close()


def scrape(ports: Ports, counters: RedisCounters) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample as Prometheus itself reads it."""
    families = text_string_to_metric_families(render_metrics(ports.db, counters))
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def test_an_idle_installation_says_that_it_is_up_and_that_nothing_waits(
    fresh_ports: Ports, counters: RedisCounters
) -> None:
    found = scrape(fresh_ports, counters)
    assert found["slowwave_source_up", (("source", "database"),)] == 1
    assert found["slowwave_source_up", (("source", "redis"),)] == 1
    assert found["slowwave_due_stores", ()] == 0
    assert found["slowwave_active_dreams", (("state", "running"),)] == 0
    assert found["slowwave_last_sweep_timestamp_seconds", ()] == 0
    assert found["slowwave_rescues_total", ()] == 0


def test_waiting_work_is_counted_over_all_tenants(
    fresh_ports: Ports, fresh_settings: Settings, counters: RedisCounters
) -> None:
    for tenant in ("acme", "beta", "gamma"):
        store = a_store(fresh_ports, tenant)
        with fresh_ports.db.transaction(tenant) as uow:
            uow.merges(store.id).add([OLD_HINT])
    start(fresh_ports, "acme", force=True)
    start_and_claim(fresh_ports, "beta")
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
        owner.execute("UPDATE stores SET next_check_at = now() - interval '1 hour' WHERE tenant_id = 'gamma'")
        owner.execute("UPDATE dreams SET lease_until = now() - interval '1 second' WHERE state = 'running'")
        owner.execute("UPDATE pending_merges SET created_at = now() - interval '2 days' WHERE tenant_id = 'acme'")
    run_sweep(fresh_ports, due_stores.SWEEP)
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
        owner.execute("UPDATE stores SET next_check_at = now() - interval '1 hour' WHERE tenant_id = 'gamma'")
    set_all_paused(fresh_ports.db, paused=True)
    found = scrape(fresh_ports, counters)
    assert found["slowwave_due_stores", ()] == 1
    assert 3600 <= found["slowwave_oldest_due_age_seconds", ()] < 4000
    assert found["slowwave_active_dreams", (("state", "queued"),)] == 1
    assert found["slowwave_active_dreams", (("state", "running"),)] == 1
    assert found["slowwave_lapsed_leases", ()] == 1
    assert found["slowwave_pending_merges", ()] == 3
    assert found["slowwave_oldest_pending_merge_age_seconds", ()] >= 2 * 86_400
    assert found["slowwave_last_sweep_timestamp_seconds", ()] > 1_700_000_000
    assert found["slowwave_paused", ()] == 1


def test_a_dream_that_sleeps_is_not_taken_for_one_that_is_stuck(
    fresh_ports: Ports, fresh_settings: Settings, counters: RedisCounters
) -> None:
    for tenant in ("asleep", "woken", "queued"):
        a_store(fresh_ports, tenant)
    for tenant in ("asleep", "woken"):
        start_and_claim(fresh_ports, tenant)
    assert start(fresh_ports, "queued", force=True).dream is not None
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
        owner.execute(
            "UPDATE dreams SET created_at = now() - interval '3 hours', started_at = now() - interval '3 hours'"
        )
        owner.execute(
            "UPDATE dreams SET next_attempt_at = now() + interval '1 minute', snooze_count = 1"
            " WHERE tenant_id IN ('asleep', 'queued')"
        )
        owner.execute(
            "UPDATE dreams SET deadline_at = now() + interval '200 seconds', snooze_count = 1 WHERE tenant_id = 'woken'"
        )
        found = scrape(fresh_ports, counters)
        assert found["slowwave_oldest_queued_dream_age_seconds", ()] == 0
        assert 100 <= found["slowwave_oldest_running_dream_age_seconds", ()] < 200, "awake, of a budget of 300 s"
        owner.execute("UPDATE dreams SET next_attempt_at = now() - interval '40 minutes' WHERE tenant_id <> 'woken'")
    found = scrape(fresh_ports, counters)
    assert found["slowwave_oldest_queued_dream_age_seconds", ()] >= 2400, "it was not woken"
    assert found["slowwave_oldest_running_dream_age_seconds", ()] >= 2400


def test_events_are_counted_in_whichever_process_they_happen(fresh_ports: Ports, counters: RedisCounters) -> None:
    write(fresh_ports, "acme", {"web/a.md": "# Note\n\nThe gardener came on Monday.\n"})
    run_dream(fresh_ports, "acme")
    assert start(fresh_ports, "acme").dream is None
    found = scrape(fresh_ports, counters)
    assert found["slowwave_dreams_ended_total", (("state", "completed"),)] == 1
    assert found["slowwave_dream_duration_seconds_count", (("state", "completed"),)] == 1
    assert found["slowwave_phases_ended_total", (("phase", "orient"), ("state", "done"))] == 1
    assert found["slowwave_refusals_total", (("gate", "time"),)] == 1
    assert found["slowwave_dreams_queued_total", (("trigger", "delay"),)] == 1


def test_a_scrape_without_servers_says_so_instead_of_failing() -> None:
    nowhere = PostgresDatabase("postgresql+psycopg://slowwave_app@/slowwave?host=/nonexistent")
    text = render_metrics(nowhere, RedisCounters("redis://127.0.0.1:1/0"))
    assert 'slowwave_source_up{source="database"} 0.0' in text
    assert 'slowwave_source_up{source="redis"} 0.0' in text


def test_counting_into_a_redis_that_is_away_neither_fails_nor_waits_again() -> None:
    away = RedisCounters("redis://127.0.0.1:1/0")
    away.add({("slowwave_rescues_total", ()): 1.0})
    assert away._silent_until > 0


def test_every_series_belongs_to_a_metric_of_the_list(fresh_ports: Ports, counters: RedisCounters) -> None:
    count("slowwave_sweep_rows_total", 3, sweep="due_stores", outcome="acted")
    names = {metric.name for metric in METRICS}
    for name, labels in scrape(fresh_ports, counters):
        assert {name, name.rpartition("_")[0]} & names, name
        assert "tenant" not in dict(labels)


@pytest.mark.own_database
def test_a_scrape_costs_the_same_however_many_stores_rest(fresh_ports: Ports, fresh_settings: Settings) -> None:
    a_store(fresh_ports, "acme")
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
        owner.execute("INSERT INTO tenants (id) SELECT 'many' || n FROM generate_series(1, 5000) n")
        owner.execute("INSERT INTO stores (id, tenant_id, name) SELECT 's' || n, 'many' || n, 'default'"
                      " FROM generate_series(1, 5000) n")  # fmt: skip
        owner.execute(
            "INSERT INTO dreams (id, tenant_id, store_id, state, trigger, is_forced, is_dry_run, model, reason)"
            " SELECT 'd' || n, 'many' || n, 's' || n, 'completed', 'sweep', false, false, '', ''"
            " FROM generate_series(1, 5000) n",
        )
        owner.execute("VACUUM ANALYZE")
        row = owner.execute("SELECT prosrc FROM pg_proc WHERE proname = 'slowwave_measure'").fetchone()
        assert row is not None
        owner.execute("SET ROLE slowwave_sweep")
        plan = "\n".join(line[0] for line in owner.execute(f"EXPLAIN {row[0]}".encode()))
    assert "Seq Scan on stores" not in plan
    assert "Seq Scan on dreams" not in plan


class Waited(CountSink):
    """Keeps what was counted, and lets go as soon as someone waits."""

    def __init__(self, let_go: Event) -> None:
        self.counted: dict[Series, float] = {}
        self._let_go = let_go

    def add(self, series: Mapping[Series, float]) -> None:
        self.counted |= series
        self._let_go.set()


def test_a_wait_for_a_connection_of_a_pool_that_is_used_up_is_counted(settings: Settings) -> None:
    assert settings.database_url is not None
    database = PostgresDatabase(settings.database_url.get_secret_value(), pool_size=1)
    is_held, let_go = Event(), Event()

    def hold() -> None:
        with database.transaction("acme"):
            is_held.set()
            let_go.wait(60)

    sink = Waited(let_go)
    with ThreadPoolExecutor(1) as threads, counted_by(sink):
        held = threads.submit(hold)
        assert is_held.wait(60)
        assert database.find_pool_use() == (1, 1)
        with database.transaction("acme"):
            held.result(60)
    assert database.find_pool_use() == (0, 1)
    database.dispose()
    work = (("work", "task"),)
    assert sink.counted["slowwave_pool_waits_total", work] == 1
    assert sink.counted["slowwave_pool_wait_seconds_total", work] > 0


@contextmanager
def counted_by(sink: CountSink) -> Iterator[None]:
    send_counts_to(sink)
    try:
        yield
    finally:
        stop_counting(sink)


def test_a_process_tells_what_it_uses_until_it_ends(
    fresh_ports: Ports, fresh_settings: Settings, counters: RedisCounters
) -> None:
    ports = make_ports(fresh_settings, counts_wait=True)
    count("slowwave_rescues_total")
    own = (("process", f"{connection_name()}/{os.getpid()}"),)

    def used() -> dict[str, float]:
        return {name: value for (name, labels), value in scrape(fresh_ports, counters).items() if labels == own}

    found = eventually(used, "the process tells")
    ports.close()
    assert found["slowwave_process_resident_bytes"] > 10_000_000
    assert found["slowwave_process_cpu_seconds"] > 0
    assert found["slowwave_process_threads"] >= 1
    assert found["slowwave_process_open_files"] >= 1
    assert (found["slowwave_pool_connections_in_use"], found["slowwave_pool_connections_max"]) == (0, 12)
    assert used() == {}


def test_costs_by_tenant_are_published_only_when_switched_on(fresh_ports: Ports, counters: RedisCounters) -> None:
    write(
        fresh_ports, "acme", {"a.md": "# Limits\n\nThe API allows 600 calls.\n", "b.md": "# Limits\n\nIt allows 600.\n"}
    )
    usage = LlmUsage(input_tokens=100, output_tokens=7, cost_usd=0.25)
    run_dream(
        fresh_ports,
        "acme",
        ScriptedLlm(lambda _: LlmReply(outcome=LlmOutcome.REFUSED, model="scripted", usage=usage)),
    )
    text = render_metrics(fresh_ports.db, counters, by_tenant=True)
    calls = int(float(text.split('slowwave_tenant_model_calls{tenant="acme"} ')[1].split()[0]))
    assert calls > 0
    assert f'slowwave_tenant_cost_usd{{tenant="acme"}} {0.25 * calls}' in text
    assert f'slowwave_tenant_tokens{{tenant="acme"}} {107.0 * calls}' in text
    assert "acme" not in render_metrics(fresh_ports.db, counters)
