"""The contract of `PhaseRepository`: one runner at a time, and every stored step is kept."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, PhaseRun, PhaseState, Survey
from shared.core.errors import LostLeaseError

MakeDream = Callable[..., Dream]
LAPSED = -1.0


def claim(
    ports: Ports, dream: Dream, runner: str, *, lease_seconds: float = 60, phase: str = "prune"
) -> PhaseRun | None:
    with ports.db.transaction(dream.tenant_id) as uow:
        return uow.phases.claim(dream.id, phase, runner=runner, lease_seconds=lease_seconds)


def renew(ports: Ports, dream: Dream, runner: str) -> None:
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.phases.renew(dream.id, "prune", runner=runner, lease_seconds=60)


def end(ports: Ports, dream: Dream, state: PhaseState = PhaseState.DONE, *, phase: str = "prune") -> None:
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.phases.finish(dream.id, phase, state, reason="a reason", counts={"ARCHIVE": 2})


def test_the_first_claim_makes_the_record(ports: Ports, start_running: MakeDream) -> None:
    run = claim(ports, start_running(), "run_a")
    assert run is not None
    assert (run.phase, run.state, run.inputs, run.plan) == ("prune", PhaseState.RUNNING, None, None)


def test_a_second_runner_is_refused_while_the_first_lives(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    claim(ports, dream, "run_a")
    assert claim(ports, dream, "run_b") is None
    renew(ports, dream, "run_a")


def test_the_same_runner_may_claim_again(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    claim(ports, dream, "run_a")
    assert claim(ports, dream, "run_a") is not None


def test_a_phase_whose_runner_fell_silent_is_taken_over_with_what_it_stored(
    ports: Ports, start_running: MakeDream
) -> None:
    dream = start_running()
    claim(ports, dream, "run_a", lease_seconds=LAPSED)
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.phases.save_inputs(dream.id, "prune", {"candidates": [1, 2]})
        uow.phases.save_plan(dream.id, "prune", {"plan": {"operations": []}})
    taken = claim(ports, dream, "run_b")
    assert taken is not None
    assert taken.inputs == {"candidates": [1, 2]}
    assert taken.plan == {"plan": {"operations": []}}


def test_a_worker_whose_dream_was_taken_over_cannot_go_on(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    claim(ports, dream, "run_a", lease_seconds=LAPSED)
    claim(ports, dream, "run_b")
    with pytest.raises(LostLeaseError, match="prune"):
        renew(ports, dream, "run_a")
    renew(ports, dream, "run_b")


def test_a_renewed_phase_is_not_taken_over(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    claim(ports, dream, "run_a", lease_seconds=LAPSED)
    renew(ports, dream, "run_a")
    assert claim(ports, dream, "run_b") is None


def test_of_many_who_claim_a_phase_at_once_one_gets_it(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    together = Barrier(6)

    def race(number: int) -> bool:
        together.wait(timeout=30)
        return claim(ports, dream, f"run_{number}") is not None

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(race, range(6))) == 1


def test_a_dream_that_is_taken_over_lets_go_of_unfinished_phases_only(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    claim(ports, dream, "run_a", phase="orient")
    end(ports, dream, phase="orient")
    claim(ports, dream, "run_a")
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.phases.release_claims(dream.id)
    taken = claim(ports, dream, "run_b")
    assert taken is not None
    assert taken.state is PhaseState.RUNNING
    with pytest.raises(LostLeaseError):
        renew(ports, dream, "run_a")


@pytest.mark.parametrize("state", [PhaseState.DONE, PhaseState.SKIPPED, PhaseState.PARTIAL, PhaseState.FAILED])
def test_a_late_worker_finds_a_finished_phase_finished(
    state: PhaseState, ports: Ports, start_running: MakeDream
) -> None:
    dream = start_running()
    claim(ports, dream, "run_a")
    end(ports, dream, state)
    found = claim(ports, dream, "run_b")
    assert found is not None
    assert (found.state, found.reason, found.counts) == (state, "a reason", {"ARCHIVE": 2})
    assert found.finished_at is not None


def test_phases_are_found_in_the_order_in_which_they_began(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    for phase in ("orient", "consolidate", "prune", "index"):
        claim(ports, dream, "run_a", phase=phase)
    with ports.db.transaction(dream.tenant_id) as uow:
        assert [run.phase for run in uow.phases.find_all(dream.id)] == ["orient", "consolidate", "prune", "index"]
        assert uow.phases.find_all("drm_unknown") == []


def test_two_dreams_have_phases_of_their_own(ports: Ports, start_running: MakeDream) -> None:
    first, second = start_running("a"), start_running("b")
    claim(ports, first, "run_a")
    assert claim(ports, second, "run_b") is not None
    end(ports, first)
    with ports.db.transaction(second.tenant_id) as uow:
        assert [run.state for run in uow.phases.find_all(second.id)] == [PhaseState.RUNNING]


def test_a_survey_is_kept_with_the_dream_and_every_later_phase_finds_it(ports: Ports, start_running: MakeDream) -> None:
    dream = start_running()
    claim(ports, dream, "run_a", phase="any")
    survey = Survey(live_memories=40, changed_topics=7, domains={"api": 25, "ops": 15})
    with ports.db.transaction(dream.tenant_id) as uow:
        before = uow.phase_facts.get(dream, "prune", with_tokens=False).survey
        uow.phases.save_inputs(dream.id, "any", {"domains": []}, survey=survey)
    with ports.db.transaction(dream.tenant_id) as uow:
        assert uow.phase_facts.get(dream, "prune", with_tokens=False).survey == survey
        (run,) = uow.phases.find_all(dream.id)
    assert before == Survey(live_memories=0, changed_topics=0)
    assert run.inputs == {"domains": []}
