"""A Redis that answers and takes no writes, because it is full or was demoted: dreams wait, go on, and none is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from celery import Celery
from redis import Redis

from shared.adapters.celery.config import celery_config
from shared.adapters.celery.dispatch import CeleryDispatch
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.bootstrap import broker_url
from shared.core.dream.model import DreamState
from shared.services.dreams.send import Reconciled, reconcile, send_dream
from shared.settings import Settings
from tests.integration.gates.gate_support import claim, start
from tests.support.builders import run_chain, write
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream

ENOUGH = {f"web/{n}.md": f"# Note\n\nWhat the gardener said on visit {n}.\n" for n in ("a", "b", "c")}
STATES = {
    "full": ("CONFIG SET maxmemory 1 maxmemory-policy noeviction", "CONFIG SET maxmemory 0"),
    "a replica": ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
}


@contextmanager
def without_writes(settings: Settings, state: str) -> Iterator[None]:
    assert settings.redis_url is not None
    begin, end = STATES[state]
    with Redis.from_url(settings.redis_url.get_secret_value()) as client:
        client.execute_command(*begin.split())
        try:
            yield
        finally:
            client.execute_command(*end.split())


@pytest.mark.parametrize("state", STATES)
def test_dreams_wait_in_the_database_while_redis_takes_no_writes_and_those_that_run_go_on(
    fresh_ports: Ports, fresh_settings: Settings, state: str
) -> None:
    app = Celery("test")
    app.conf.update(celery_config(fresh_settings, broker_url(fresh_settings)))
    dispatch = CeleryDispatch(app)
    write(fresh_ports, "acme", ENOUGH)
    write(fresh_ports, "beta", ENOUGH)
    chains = RecordingDispatch()
    here = replace(fresh_ports, dispatch=chains, choose_llm=lambda _: OfflineLlm())
    running = begin_dream(here, "beta", "default", force=True, dream_id=None)
    assert running is not None
    chain = chains.chains[-1]
    with without_writes(fresh_settings, state):
        waiting = start(fresh_ports, "acme", force=True).dream
        assert waiting is not None
        assert "broker does not answer" in (send_dream(fresh_ports.db, dispatch, waiting) or "")
        assert reconcile(fresh_ports.db, dispatch, unsent_seconds=0, actor="ada") == Reconciled(found=1, sent=0)
        assert "counts as held" in claim(fresh_ports, waiting).reason
        run_chain(here, chain)
        assert finish_dream(here, "beta", running, chain.epoch) is DreamState.COMPLETED, "the database alone is enough"
    assert reconcile(fresh_ports.db, dispatch, unsent_seconds=0, actor="ada") == Reconciled(found=1, sent=1)
