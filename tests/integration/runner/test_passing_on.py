"""Phases that have nothing to do, or need no model, cost no message; a dream's log of them stays the same."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

import workers.runner.run
from shared.adapters.inmemory.dispatch import RecordingDispatch, SentChain
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseRun, PhaseState
from shared.services.dreams.cancel import cancel_dream
from tests.integration.failures.crash_support import CountingLlm
from tests.support.builders import get_dream, get_operations, run_chain, write
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.shape import Phase
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase, run_phases

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
    "ops/keys.md": "# Keys\n\nSigning keys are rotated on the first Monday of a quarter by the platform team.\n",
}
_BEHIND = tuple(PHASES[1:])


def _begin(ports: Ports, tenant: str, llm: CountingLlm | None = None) -> tuple[Ports, SentChain]:
    write(ports, tenant, _NOTES)
    dispatch, model = RecordingDispatch(), llm or CountingLlm()
    here = replace(ports, dispatch=dispatch, choose_llm=lambda _: model)
    assert begin_dream(here, tenant, "default", force=True, dream_id=None) is not None
    return here, dispatch.chains[-1]


def _key(chain: SentChain, phase: str) -> PhaseKey:
    return PhaseKey(tenant_id=chain.tenant_id, dream_id=chain.dream_id, epoch=chain.epoch, phase=phase)


def _orient(ports: Ports, chain: SentChain, phases: tuple[Phase, ...] = PHASES) -> int:
    return run_phases(ports, phases, _key(chain, "orient")).ended


def _finish(ports: Ports, chain: SentChain) -> Dream:
    assert finish_dream(ports, chain.tenant_id, chain.dream_id, chain.epoch)
    return get_dream(ports, chain.tenant_id, chain.dream_id)


def _runs(ports: Ports, chain: SentChain) -> list[PhaseRun]:
    with ports.db.transaction(chain.tenant_id) as uow:
        return uow.phases.find_all(chain.dream_id)


def _log(ports: Ports, chain: SentChain) -> list[tuple[str, PhaseState, str, dict[str, int]]]:
    return [(run.phase, run.state, run.reason, run.counts) for run in _runs(ports, chain)]


def test_a_dreams_log_reads_the_same_whether_or_not_its_phases_have_messages_of_their_own(
    ports: Ports, tenant: str
) -> None:
    one_by_one, alone = _begin(ports, f"{tenant}-one-by-one")
    for phase in PHASES:
        assert run_phase(one_by_one, phase, _key(alone, phase.name))
    passing, chain = _begin(ports, f"{tenant}-passing")
    assert run_chain(passing, chain)
    assert _log(passing, chain) == _log(one_by_one, alone)
    assert [run.phase for run in _runs(passing, chain)] == [phase.name for phase in PHASES]
    assert all(run.finished_at for run in _runs(passing, chain))
    ended = [_finish(one_by_one, alone), _finish(passing, chain)]
    assert [dream.state for dream in ended] == [DreamState.COMPLETED] * 2
    kinds = [
        [op.operation.kind for op in get_operations(ports, dream.tenant_id, dream.id)] for dream in ended
    ]  # fmt: skip
    assert kinds[0] == kinds[1]


def test_a_phase_that_asks_a_model_has_a_message_of_its_own_and_finds_there_what_was_read_for_it(
    ports: Ports, tenant: str
) -> None:
    llm = CountingLlm()
    here, chain = _begin(ports, tenant, llm)
    through = _orient(here, chain)
    assert PHASES[through].name == "consolidate"
    assert llm.asked == [], "no model was asked before the phase's own task"
    waiting = _runs(here, chain)[-1]
    assert (waiting.phase, waiting.state) == ("consolidate", PhaseState.RUNNING)
    assert waiting.inputs is not None
    assert run_phases(here, PHASES[through:], _key(chain, "consolidate")).ended
    assert {phase for phase, _ in llm.asked} == {"consolidate"}


def test_a_message_that_comes_twice_at_the_same_time_leaves_one_log_and_asks_once(ports: Ports, tenant: str) -> None:
    llm = CountingLlm()
    here, chain = _begin(ports, tenant, llm)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: run_chain(here, chain), range(2)))
    run_chain(here, chain)
    assert [run.phase for run in _runs(here, chain)] == [phase.name for phase in PHASES]
    assert len(llm.asked) == len(set(llm.asked)), "a question was asked twice"
    assert _finish(here, chain).state is DreamState.COMPLETED


def test_a_phase_that_raises_while_it_is_read_ahead_fails_in_its_own_task_and_takes_nothing_with_it(
    ports: Ports, tenant: str
) -> None:
    here, chain = _begin(ports, tenant)
    broken = tuple(replace(p, read=_fail) if p.name == "maintain" else p for p in PHASES)
    assert _orient(here, chain, broken) == 1, "nothing was passed: gather is read again in its own task"
    assert [run.phase for run in _runs(here, chain)] == ["orient"]
    assert run_phases(here, broken[1:], _key(chain, "gather")).ended == 1
    assert run_phases(here, broken[2:], _key(chain, "maintain")).ended == 1
    assert [run.state for run in _runs(here, chain)][-1] is PhaseState.FAILED
    assert run_phases(here, broken[3:], _key(chain, "consolidate")).ended


def _fail(_context: object) -> None:
    msg = "this phase is broken"
    raise RuntimeError(msg)


@pytest.mark.parametrize("when", ["before", "while it is read ahead"])
def test_a_dream_that_is_canceled_says_so_of_every_phase_that_did_not_run(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    here, chain = _begin(ports, tenant)
    cancel = partial(cancel_dream, ports.db, tenant, chain.dream_id, actor="test")
    if when == "before":
        cancel()
    else:
        _call_after_reading(monkeypatch, cancel)
    assert run_chain(here, chain)
    reasons = {run.phase: run.reason for run in _runs(here, chain)}
    assert {reasons[name] for name in ("gather", "consolidate", "prune", "index")} == {"canceled"}
    assert _finish(here, chain).state is DreamState.CANCELED


def _call_after_reading(monkeypatch: pytest.MonkeyPatch, action: Callable[[], object]) -> None:
    look = workers.runner.run._look_ahead

    def look_then_act(*args: Any) -> object:
        found = look(*args)
        monkeypatch.setattr(workers.runner.run, "_look_ahead", look)
        action()
        return found

    monkeypatch.setattr(workers.runner.run, "_look_ahead", look_then_act)


def test_a_worker_that_lost_the_dream_meanwhile_records_nothing_ahead(ports: Ports, tenant: str) -> None:
    here, chain = _begin(ports, tenant)
    assert run_phase(here, PHASES[0], _key(chain, "orient"))
    with ports.db.transaction(tenant) as uow:
        uow.dreams.release(chain.dream_id, chain.epoch, is_planned=True)
    assert run_phases(here, _BEHIND, _key(chain, "gather")).ended == 0
    assert [run.phase for run in _runs(here, chain)] == ["orient"]


def test_an_offline_dream_of_a_small_store_needs_a_message_for_each_phase_that_asks_and_no_other(
    ports: Ports, tenant: str
) -> None:
    here, chain = _begin(ports, tenant)
    here = replace(here, choose_llm=lambda _: OfflineLlm())
    messages, left = [], PHASES
    while left:
        messages.append(left[0].name)
        through = run_phases(here, left, _key(chain, left[0].name)).ended
        assert through
        left = left[through:]
    assert messages[:2] == ["orient", "consolidate"]
    assert set(messages) <= {"orient", "consolidate", "synthesize", "prune"}
