"""The shape of sweeps: adding one is adding a file, a test of what it finds, and a line in the list."""

import importlib
from datetime import timedelta

import pytest

from scheduler.schedule import build_schedule
from scheduler.sweep import Sweep
from scheduler.sweeps import SWEEPS
from shared.settings import Settings
from tests.architecture.sources import ROOT

NAMES = sorted(path.stem for path in (ROOT / "scheduler" / "sweeps").glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", NAMES)
def test_a_sweep_file_exports_the_sweep_of_its_name(name: str) -> None:
    sweep = importlib.import_module(f"scheduler.sweeps.{name}").SWEEP
    assert isinstance(sweep, Sweep)
    assert sweep.name == name


def test_every_sweep_file_is_in_the_list_once() -> None:
    assert sorted(sweep.name for sweep in SWEEPS) == NAMES


def test_beat_holds_one_entry_per_sweep_and_none_per_tenant() -> None:
    schedule = build_schedule(Settings())
    assert set(schedule) == set(NAMES)
    for name, entry in schedule.items():
        assert entry["kwargs"] == {"name": name}
        assert entry["schedule"] > timedelta(0)


def test_a_message_that_is_older_than_two_intervals_expires_instead_of_piling_up() -> None:
    for entry in build_schedule(Settings()).values():
        assert entry["options"]["expires"] == 2 * entry["schedule"].total_seconds()
