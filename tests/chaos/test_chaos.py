"""The short version of `make chaos`: a few faults of a random kind; a failure names its seed."""

import random

import pytest

from tests.chaos.run import run_chaos

#: The quick tier holds each promise by itself: crashes, zombies, reconciling, restarts of servers.
pytestmark = pytest.mark.thorough


def test_whatever_dies_nothing_is_lost_nothing_runs_twice_and_every_dream_ends() -> None:
    seed = random.randrange(1_000_000)
    outcome = run_chaos(seed, faults=6, tenants=3)
    assert outcome.violations == [], f"seed {seed}, faults {dict(outcome.faults)}"
    assert outcome.dreams.total() > 0
    assert outcome.texts > 0
