"""With a real worker and a real beat, a dream in batch mode sends its questions, sleeps, wakes and ends."""

from pathlib import Path

import pytest

from shared.core.dream.model import DreamState
from shared.settings import Settings
from tests.e2e.gateway.model_support import NOTES, find_ended
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, texts, write
from tests.support.model.batch_server import a_batch_server
from tests.support.servers import open_ports

#: The quick tier holds each step by tests/integration/batches.
pytestmark = pytest.mark.thorough


def test_beat_and_worker_carry_a_dream_through_its_batches(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    with a_batch_server() as server:
        environment = {
            "SLOWWAVE_LLM": "anthropic",
            "SLOWWAVE_LLM_BATCH": "on",
            "SLOWWAVE_LLM_API_KEY": server.key,
            "SLOWWAVE_LLM_BASE_URL": server.url,
            "SLOWWAVE_BATCH_SECONDS": "1",
            "SLOWWAVE_RECONCILE_SECONDS": "1",
        }
        with (
            open_ports(fresh_settings) as ports,
            a_worker(fresh_settings, tmp_path / "worker.log", environment),
            a_worker(fresh_settings, tmp_path / "beat.log", environment, beat=True),
        ):
            write(ports, tenant, texts(NOTES, at=LONG_AGO))
            delay_dream(fresh_settings, tenant)

            def ended() -> object:
                server.end_all()
                return find_ended(ports, tenant)

            eventually(ended, "the dream ends")
            dream = find_ended(ports, tenant)
            with ports.db.transaction(tenant) as uow:
                assert dream is not None
                totals = uow.calls.get_totals(dream.id)
    assert dream.state is DreamState.COMPLETED
    assert totals.outcomes == {"ok": len(server.asked())}
    assert server.asked()
