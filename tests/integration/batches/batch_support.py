"""Dreams whose questions go out in Message Batches: how tests run the sweep, let time pass and read what was paid."""

import json
from collections import Counter
from dataclasses import replace

import psycopg
from pydantic import SecretStr

from scheduler.sweeps import message_batches, stalled_dreams
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.core.errors import SlowwaveError
from shared.core.tenants.store import DEFAULT_STORE
from shared.model_choice import choose_batches, choose_llm
from tests.support.builders import LONG_AGO, get_dream, run_chain, texts, write
from tests.support.model.batch_server import BatchServer
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream

NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}


def with_batches(ports: Ports, server: BatchServer, **changes: object) -> Ports:
    """The same ports with the server's models, asked in batches."""
    values = {"llm": "anthropic", "llm_batch": "on", "llm_api_key": SecretStr(server.key), "llm_base_url": server.url}
    settings = ports.settings.model_copy(update=values | changes)
    return replace(
        ports,
        settings=settings,
        choose_llm=lambda tenant: choose_llm(settings, tenant),
        choose_batches=lambda tenant: choose_batches(settings, tenant),
    )


def write_notes(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))


def go(ports: Ports, tenant: str, dream_id: str | None = None) -> Dream | None:
    """Begin or wake a dream and run its chain as far as it gets; None when it was not claimed."""
    dispatch = RecordingDispatch()
    here = replace(ports, dispatch=dispatch)
    begun = begin_dream(here, tenant, DEFAULT_STORE, force=True, dream_id=dream_id)
    if begun is None:
        return None
    chain = dispatch.chains[-1]
    if run_chain(here, chain):
        finish_dream(here, tenant, begun, chain.epoch)
    return get_dream(ports, tenant, begun)


def sweep(ports: Ports) -> list[str]:
    """One pass of the sweep; returns what it did, and the errors of what failed."""
    done = []
    for work in message_batches.find(ports):
        try:
            if message_batches.act(ports, work):
                done.append(str(work.need))
        except SlowwaveError as error:
            done.append(f"{work.need} failed: {error}")
    return done


def go_on(ports: Ports, tenant: str, dream: Dream) -> Dream:
    """Claim a dream that is found to be due, as the reconciler's message would."""
    assert dream.id in {one.dream_id for one in stalled_dreams.find(ports)}, "the dream is not awake"
    again = go(ports, tenant, dream.id)
    assert again is not None
    return again


def finish_in_rounds(ports: Ports, server: BatchServer, tenant: str, dream: Dream) -> Dream:
    """Let batches go out and end until the dream has ended."""
    for _ in range(12):
        if dream.finished_at is not None:
            return dream
        sweep(ports)
        server.end_all()
        sweep(ports)
        sweep(ports)
        dream = go_on(ports, tenant, dream)
    raise AssertionError(f"the dream does not end: {dream}")


def pass_minutes(owner: psycopg.Connection, minutes: float) -> None:
    """Shift the sent batches into the past by the given time."""
    owner.execute(
        "UPDATE batch_calls SET sent_at = sent_at - make_interval(mins => %s), created_at = created_at - make_interval(mins => %s)",
        [minutes, minutes],
    )


def sent_twice(server: BatchServer) -> list[str]:
    """The questions that the server was asked more than once."""
    asked = [json.dumps(one["params"], sort_keys=True) for entries in server.batches.values() for one in entries]
    return [text for text, number in Counter(asked).items() if number > 1]
