"""`dream.delay`, the one public name, against a real worker and beat."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from shared.all_ports import Ports
from shared.bootstrap import environment_of
from shared.core.dream.model import DreamState, Trigger
from shared.core.tenants.store import Verdict
from shared.services.dreams.send import send_dream
from shared.services.dreams.start import start_dream
from shared.settings import Settings
from tests.e2e.workers.worker_support import ROOT, a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, get_dream, get_store, texts, write
from tests.support.servers import open_ports

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}


def _refusal(ports: Ports, tenant: str) -> Verdict | None:
    verdict = get_store(ports, tenant).last_verdict
    return verdict if verdict is not None and not verdict.is_open else None


@pytest.mark.thorough
def test_of_two_dreams_asked_for_at_once_one_runs_and_the_other_says_why_not(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    with open_ports(fresh_settings) as ports:
        write(ports, tenant, texts(_NOTES, at=LONG_AGO))
        delay_dream(fresh_settings, tenant, times=2)
        with a_worker(fresh_settings, tmp_path / "worker.log"):
            refusal = eventually(lambda: _refusal(ports, tenant), "one of the two is refused")
            eventually(lambda: get_store(ports, tenant).total_dreams == 1, "the other one ends")
        with ports.db.transaction(tenant) as uow:
            dreams = uow.dreams.find_recent(limit=10)
    assert [dream.state for dream in dreams] == [DreamState.COMPLETED]
    assert refusal.reason == f"Another dream is running ({dreams[0].id})"


def test_beat_finds_a_store_that_became_due_and_a_worker_dreams_over_it_unasked(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    quick = {"SLOWWAVE_SWEEP_SECONDS": "1"}
    with open_ports(fresh_settings) as ports:
        store = write_and_make_due(ports, tenant)
        with (
            a_worker(fresh_settings, tmp_path / "worker.log", quick | {"SLOWWAVE_WORKER_NICE": "1"}) as worker,
            a_worker(fresh_settings, tmp_path / "beat.log", quick, beat=True),
        ):
            eventually(lambda: get_store(ports, tenant).total_dreams == 1, "the sweep's dream ends")
            stands_back = psutil.Process(worker.process.pid).nice() - psutil.Process().nice()
        with ports.db.transaction(tenant) as uow:
            dream = uow.dreams.find_recent(store_id=store, limit=1)[0]
        assert dream.trigger == "sweep"
        assert stands_back == 1, "requests of clients come first on a busy machine"
        assert dream.state is DreamState.COMPLETED
        assert get_store(ports, tenant).next_check_at is None, "without new activity it is not checked again"


def write_and_make_due(ports: Ports, tenant: str) -> str:
    """Write three memories into a store that need not be quiet before it dreams, and is due now."""
    write(ports, tenant, texts(_NOTES, at=LONG_AGO))
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default", lock=True)
        uow.stores.save(replace(store, overrides={"gates.idle_seconds": 0}, next_check_at=uow.now()))
        return store.id


@pytest.mark.thorough
def test_a_dream_that_was_queued_while_the_broker_was_away_runs_once_it_is_back(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    away = fresh_settings.model_copy(update={"broker_url": SecretStr("redis://127.0.0.1:1/0")})
    with open_ports(away) as ports:
        write(ports, tenant, texts(_NOTES, at=LONG_AGO))
        dream = start_dream(ports.db, tenant, trigger=Trigger.CLI, force=True).dream
        assert dream is not None
        assert send_dream(ports.db, ports.dispatch, dream) is not None, "it was not taken"
    quick = {"SLOWWAVE_RECONCILE_SECONDS": "1", "SLOWWAVE_LEASE_SECONDS": "3"}
    with open_ports(fresh_settings) as ports:
        with (
            a_worker(fresh_settings, tmp_path / "worker.log", quick),
            a_worker(fresh_settings, tmp_path / "beat.log", quick, beat=True),
        ):
            eventually(lambda: get_store(ports, tenant).total_dreams == 1, "the queued dream ends")
        assert get_dream(ports, tenant, dream.id).state is DreamState.COMPLETED


def test_a_client_that_cannot_reach_the_broker_hears_so_at_once(fresh_settings: Settings) -> None:
    """Without the broker there is nothing that `delay` could do; the command line and the API queue a row first."""
    away = fresh_settings.model_copy(update={"redis_url": SecretStr("redis://127.0.0.1:1/0")})
    done = subprocess.run(
        [sys.executable, "-c", "from workers import dream; dream.delay('acme')"],
        cwd=ROOT,
        env=os.environ | environment_of(away),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    last = done.stderr.decode().strip().splitlines()[-1]
    assert "The broker does not answer" in last
    assert "127.0.0.1:1" in last
