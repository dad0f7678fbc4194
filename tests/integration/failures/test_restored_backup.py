"""A database that is restored from an older backup, while broker and Redis are of today: nothing is taken for new."""

from dataclasses import replace

import psycopg
import pytest

from shared.adapters.inmemory.dispatch import RecordingDispatch, SentChain
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.services.dreams.claim import lock_token
from shared.services.dreams.start import start_dream
from tests.support.builders import get_dream, run_dream, write
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import ALL_PHASES
from workers.runner.run import run_phase

ENOUGH = {f"web/{n}.md": f"# Note\n\nWhat the gardener said on visit {n}.\n" for n in ("a", "b", "c")}


@pytest.fixture
def queued(ports: Ports, tenant: str) -> Dream:
    """A dream as the backup has it."""
    write(ports, tenant, ENOUGH)
    started = start_dream(ports.db, tenant, trigger=Trigger.CLI, force=True)
    assert started.dream is not None
    return started.dream


def begin(ports: Ports, dispatch: RecordingDispatch, dream: Dream) -> SentChain:
    assert begin_dream(ports, dream.tenant_id, dream.store, force=True, dream_id=dream.id) == dream.id
    return dispatch.chains[-1]


def restore(owner: psycopg.Connection, dream: Dream) -> None:
    """Put the dream's row back to what the backup has; two minutes have passed since."""
    owner.execute(
        "UPDATE dreams SET state = 'queued', epoch = 0, lease_until = NULL, started_at = NULL, deadline_at = NULL,"
        " created_at = created_at - interval '2 minutes' WHERE id = %s",
        [dream.id],
    )


def test_messages_and_workers_of_the_days_that_are_lost_end_and_write_nothing(
    ports: Ports, tenant: str, dispatch: RecordingDispatch, queued: Dream, owner_connection: psycopg.Connection
) -> None:
    lost = begin(ports, dispatch, queued)
    restore(owner_connection, queued)
    again = begin(ports, dispatch, queued)
    assert again.epoch > lost.epoch
    for phase in ALL_PHASES:
        key = PhaseKey(tenant_id=tenant, dream_id=queued.id, epoch=lost.epoch, phase=phase.name)
        assert not run_phase(replace(ports, choose_llm=lambda _: OfflineLlm()), phase, key)
    assert not finish_dream(ports, tenant, queued.id, lost.epoch)
    dream = get_dream(ports, tenant, queued.id)
    assert (dream.state, dream.epoch) == (DreamState.RUNNING, again.epoch)
    with ports.db.transaction(tenant) as uow:
        assert uow.phases.find_all(queued.id) == []


def test_a_lock_that_a_lost_day_has_left_in_redis_keeps_no_dream_from_beginning(
    ports: Ports, tenant: str, dispatch: RecordingDispatch, queued: Dream, owner_connection: psycopg.Connection
) -> None:
    lost = begin(ports, dispatch, queued)
    assert ports.lock.acquire(tenant, "default", "drm_of_tomorrow:7", instead_of=f"{queued.id}:{lost.epoch}")
    restore(owner_connection, queued)
    dream = run_dream(ports, tenant, OfflineLlm(), dream_id=queued.id)
    assert dream.state is DreamState.COMPLETED
    assert ports.lock.find_holder(tenant, "default") is None, f"{lock_token(dream)} was released"
