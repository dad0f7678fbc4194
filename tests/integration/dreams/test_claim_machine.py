"""Claim, renew, expire, rescue, finish and undo in any order, against the real database with an injected clock."""

import pytest
from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.settings import Settings
from tests.integration.dreams.claim_machine import STORES, Claims
from tests.support.laws import examples

STORE = st.sampled_from(STORES)
PICK = st.integers(0, 1_000)
BOUNDED = examples(10, steps=22, suppress=list(HealthCheck))


class ClaimMachine(RuleBasedStateMachine):
    """Hypothesis chooses the order; `Claims` does each step and says what is right."""

    def __init__(self, ports: Ports, where: Settings) -> None:
        super().__init__()
        self.claims = Claims(ports=ports, settings=where)

    def teardown(self) -> None:
        self.claims.tear_down()

    @rule(store=STORE)
    def a_dream_is_asked_for(self, store: str) -> None:
        self.claims.start(store)

    @precondition(lambda self: self.claims.dreams)
    @rule(pick=PICK)
    def a_message_arrives(self, pick: int) -> None:
        ids = list(self.claims.dreams)
        self.claims.claim(ids[-1 - pick % len(ids)])

    # No sum of these comes within five seconds of the lease of 60: the test itself takes time, too.
    @rule(seconds=st.sampled_from([13.0, 27.0, 61.0]))
    def time_passes(self, seconds: float) -> None:
        self.claims.pass_time(seconds)

    @precondition(lambda self: self.claims.workers)
    @rule(pick=PICK)
    def a_heart_beats(self, pick: int) -> None:
        self.claims.renew(self._worker(pick))

    @precondition(lambda self: self.claims.workers)
    @rule(pick=PICK)
    def a_worker_surveys(self, pick: int) -> None:
        self.claims.survey(self._worker(pick))

    @precondition(lambda self: self.claims.workers)
    @rule(pick=PICK)
    def a_worker_writes(self, pick: int) -> None:
        self.claims.write(self._worker(pick))

    @precondition(lambda self: self.claims.workers)
    @rule(pick=PICK)
    def a_worker_finishes(self, pick: int) -> None:
        self.claims.finish(self._worker(pick))

    @rule(store=STORE, writers=st.integers(1, 2))
    def agents_write(self, store: str, writers: int) -> None:
        self.claims.act(store, writers)

    @precondition(lambda self: self.claims.dreams)
    @rule(pick=PICK)
    def a_dream_is_undone(self, pick: int) -> None:
        ids = list(self.claims.dreams)
        self.claims.undo(ids[-1 - pick % len(ids)])

    @invariant()
    def everything_adds_up(self) -> None:
        self.claims.check()

    def _worker(self, pick: int) -> tuple[str, int]:
        return self.claims.workers[-1 - pick % len(self.claims.workers)]


@pytest.mark.hypothesis
def test_in_any_order_no_two_dreams_of_a_store_no_write_of_a_stale_worker_and_one_end_each(
    session_ports: Ports, settings: Settings
) -> None:
    class Here(ClaimMachine):
        def __init__(self) -> None:
            super().__init__(session_ports, settings)

    run_state_machine_as_test(Here, settings=BOUNDED)


def test_the_machine_reaches_a_rescue_a_stale_write_an_end_and_an_undo(
    session_ports: Ports, settings: Settings
) -> None:
    """Otherwise the test above would hold because nothing ever happened."""
    claims = Claims(ports=session_ports, settings=settings)
    claims.act("a", 2)
    claims.start("a")
    (dream,) = claims.dreams
    claims.claim(dream)
    claims.survey(claims.workers[0])
    claims.write(claims.workers[0])
    claims.pass_time(61)
    claims.claim(dream)
    claims.write(claims.workers[0])
    assert claims.dreams[dream].writes == 1, "the first worker is a zombie by now"
    claims.act("a", 1)
    claims.finish(claims.workers[0])
    claims.finish(claims.workers[1])
    claims.finish(claims.workers[1])
    assert claims.curations["a"] == 1
    claims.check()
    claims.undo(dream)
    claims.undo(dream)
    assert claims.dreams[dream].state is DreamState.UNDONE
    assert claims.curations["a"] == 3
    claims.check()
    claims.tear_down()
