"""A real worker and more dreams than slots: each end lets the next one begin, without a pass of the reconciler."""

from itertools import pairwise
from pathlib import Path

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.services.dreams.start import start_dream
from shared.settings import Settings
from tests.e2e.gateway.model_support import NOTES
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, get_dream, texts, write
from tests.support.servers import open_ports

#: The quick tier holds it by tests/integration/dreams/test_slots.py.
pytestmark = pytest.mark.thorough

#: No beat runs, so that no other process sends what was turned away.
_ONE = {"SLOWWAVE_MAX_ACTIVE_DREAMS": "1", "SLOWWAVE_LLM": "offline"}


def test_dreams_beyond_the_slots_begin_one_after_another_and_none_counts_as_lost(
    fresh_settings: Settings, tmp_path: Path
) -> None:
    with open_ports(fresh_settings) as ports, a_worker(fresh_settings, tmp_path / "worker.log", _ONE):
        queued = [order(ports, f"tenant{n}") for n in range(3)]
        write(ports, "first", texts(NOTES, at=LONG_AGO))
        delay_dream(fresh_settings, "first")  # the only message that anybody but a worker sends
        run = [eventually(lambda dream=dream: find_ended(ports, dream), f"{dream.id} ends") for dream in queued]  # type: ignore[misc]  # mypy infers no lambda with a default
    assert {dream.state for dream in run} == {DreamState.COMPLETED}
    assert [dream.rescue_count for dream in run] == [0, 0, 0]
    spans = sorted((dream.started_at, dream.finished_at) for dream in run if dream.started_at and dream.finished_at)
    assert all(before[1] <= after[0] for before, after in pairwise(spans)), "never two at once"


def order(ports: Ports, tenant: str) -> Dream:
    write(ports, tenant, texts(NOTES, at=LONG_AGO))
    queued = start_dream(ports.db, tenant, trigger=Trigger.API, force=True).dream
    assert queued is not None
    return queued


def find_ended(ports: Ports, dream: Dream) -> Dream | None:
    found = get_dream(ports, dream.tenant_id, dream.id)
    return None if found.state in {DreamState.QUEUED, DreamState.RUNNING} else found
