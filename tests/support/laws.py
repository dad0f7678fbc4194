"""Choose what a law is tried with: little in `make test`, all of it under `--hypothesis-profile=thorough`."""

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import HealthCheck, settings

QUICK, THOROUGH = "quick", "thorough"
#: A quick run takes one of this many examples of a thorough one.
_SHARE = 6
_FEWEST = 4


def register_profiles() -> None:
    """Make the profiles known and load the quick one; `--hypothesis-profile` loads another afterwards."""
    # No law is about how long an example takes: a busy machine would fail it.
    slow = [HealthCheck.too_slow]
    settings.register_profile(QUICK, max_examples=100 // _SHARE, deadline=None, suppress_health_check=slow)
    settings.register_profile(THOROUGH, max_examples=100, deadline=None, suppress_health_check=slow)
    settings.load_profile(QUICK)


def some_quick(values: Iterable[object], *, one_in: int) -> list[object]:
    """Return the values of a parameter: the quick tier tries every `one_in`-th one, the thorough tier the others."""
    return [one if n % one_in == 0 else pytest.param(one, marks=pytest.mark.thorough) for n, one in enumerate(values)]


def examples(count: int, *, steps: int | None = None, suppress: Sequence[HealthCheck] = ()) -> settings:
    """Return the settings of a law, by the number of examples of a thorough run."""
    tried = max(_FEWEST, count // _SHARE) if settings.get_current_profile_name() == QUICK else count
    found = settings(max_examples=tried)
    if suppress:
        found = settings(found, suppress_health_check=list(suppress))
    return found if steps is None else settings(found, stateful_step_count=steps, print_blob=True)
