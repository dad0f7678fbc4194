"""Under prefork a dream's own time and Celery's soft time limit hold: what was stored stays, and the next phases run."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseRun, PhaseState
from shared.core.dream.summary import render_summary
from shared.settings import Settings
from tests.e2e.gateway.model_support import NOTES, find_ended, slow_model
from tests.e2e.workers.worker_support import a_worker, delay_dream, eventually
from tests.support.builders import LONG_AGO, a_store, texts, write
from tests.support.servers import open_ports

#: The quick tier holds it by tests/integration/runner/test_soft_time_limit.py and test_time_budget.py.
pytestmark = pytest.mark.thorough
CUT = "The phase ran into the worker's time limit"
PREFORK = {"SLOWWAVE_WORKER_POOL": "prefork", "SLOWWAVE_LEASE_SECONDS": "60"}


def runs_of(ports: Ports, tenant: str, dream: Dream) -> dict[str, PhaseRun]:
    with ports.db.transaction(tenant) as uow:
        return {run.phase: run for run in uow.phases.find_all(dream.id)}


def test_a_model_that_never_answers_leaves_partial_dreams_by_their_own_time_and_by_the_soft_limit(
    fresh_settings: Settings, llmock: Any, tmp_path: Path, tenant: str
) -> None:
    short, side_by_side, one_by_one = (f"{tenant}{which}" for which in "abc")
    log = tmp_path / "worker.log"
    with (
        open_ports(fresh_settings) as ports,
        a_worker(fresh_settings, log, PREFORK | slow_model(llmock, 300), app="tests.e2e.prefork.limited_app"),
    ):
        a_store(ports, short, overrides={"budget.dream_seconds": 2.0})
        a_store(ports, side_by_side)  # synthesize has two questions
        a_store(ports, one_by_one, overrides={"budget.calls_side_by_side": 1})
        ended, runs = {}, {}
        for which in (short, side_by_side, one_by_one):
            write(ports, which, texts(NOTES, at=LONG_AGO))
            delay_dream(fresh_settings, which)
        for which in (short, side_by_side, one_by_one):
            ended[which] = eventually(partial(find_ended, ports, which), "the dream ends", seconds=240)
            runs[which] = runs_of(ports, which, ended[which])

    assert {dream.state for dream in ended.values()} == {DreamState.PARTIAL}
    assert ended[short].reason.startswith("Budget exceeded")
    # On a slow machine the dream's two seconds are over before a phase asks; then that phase is skipped.
    assert runs[short]["consolidate"].state in {PhaseState.PARTIAL, PhaseState.SKIPPED}
    assert CUT not in {run.reason for run in runs[short].values()}
    for which in (side_by_side, one_by_one):
        assert "Dream partial" in render_summary(ended[which])
        for phase in ("consolidate", "synthesize", "prune"):  # each had its message after the one before was cut
            assert (runs[which][phase].state, runs[which][phase].reason) == (PhaseState.PARTIAL, CUT)
        assert runs[which]["index"].state is PhaseState.DONE
    told = log.read_text()
    assert "Soft time limit (6s) exceeded for dream.synthesize" in told
    assert "Hard time limit" not in told
