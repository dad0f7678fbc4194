"""A real worker's log of a dream: every line of slowwave's own says which dream it is about; none holds memory text."""

import json
from pathlib import Path
from typing import Any

from shared.core.dream.model import DreamState
from shared.settings import Settings
from tests.e2e.gateway.model_support import NOTES, QUICK, find_ended, slow_model
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, texts, write
from tests.support.servers import open_ports

_ABOUT_DREAMS = {"tenant_id", "store", "dream_id", "epoch"}
_ABOUT_PHASES = _ABOUT_DREAMS | {"phase"}


def test_a_worker_logs_which_dream_and_phase_it_is_at_and_no_memory_text(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str
) -> None:
    environment = QUICK | slow_model(llmock, 0.1) | {"SLOWWAVE_LOG_LEVEL": "DEBUG"}
    with open_ports(fresh_settings) as ports:
        write(ports, tenant, texts(NOTES, at=LONG_AGO))
        with a_worker(fresh_settings, tmp_path / "worker.log", environment) as worker:
            delay_dream(fresh_settings, tenant)
            ended = eventually(lambda: find_ended(ports, tenant), "the dream ends")
            eventually(lambda: "dream_finished" in worker.log.read_text(), "the worker says so")
            text = worker.log.read_text()
    assert ended.state is DreamState.COMPLETED
    for piece in _pieces():
        assert piece not in text, f"the log holds memory text: {piece!r}"
    assert "sk-test" not in text
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    # slowwave's own events are single words; the others are sentences of Celery's.
    ours = [line for line in lines if ended.id in json.dumps(line) and " " not in line["event"]]
    phases = [line for line in ours if line["event"].startswith("phase_")]
    assert {line["phase"] for line in phases} >= {"orient", "consolidate", "index"}
    assert [line for line in phases if not line.keys() >= _ABOUT_PHASES] == []
    assert [line for line in ours if not line.keys() >= _ABOUT_DREAMS] == []


def _pieces() -> list[str]:
    """Runs of five words of every memory: none of them is anything that a program would say by itself."""
    found = []
    for content in NOTES.values():
        words = content.split()
        found += [" ".join(words[start : start + 5]) for start in range(0, len(words) - 4, 3)]
    return found
