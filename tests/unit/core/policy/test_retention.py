"""Days that things are kept: what a tenant may choose."""

import pytest

from shared.core.errors import BadInputError
from shared.core.policy.retention import RULES, RetentionPolicy, get_retention


def test_a_tenants_days_go_before_the_installations() -> None:
    policy = get_retention(RetentionPolicy(versions=100), {"dreams": 60})
    assert (policy.versions, policy.dreams) == (100, 60)


def test_nothing_that_an_undo_needs_may_go_before_its_window_is_over() -> None:
    with pytest.raises(BadInputError, match="versions is 10 days; it must be 30 to"):
        get_retention(RetentionPolicy(), {"versions": 10})
    with pytest.raises(BadInputError, match="undone for 200 days"):
        get_retention(RetentionPolicy(), {"undo": 200})


def test_answers_of_the_model_may_go_sooner() -> None:
    assert get_retention(RetentionPolicy(), {"calls": 1}).calls == 1


@pytest.mark.parametrize("overrides", [{"undo": 0}, {"audit": 0}, {"versions": 1_000_000}, {"memories": 5}])
def test_days_that_make_no_sense_are_refused(overrides: dict[str, int]) -> None:
    with pytest.raises(BadInputError, match=next(iter(overrides))):
        get_retention(RetentionPolicy(), overrides)


def test_the_defaults_keep_to_the_rules() -> None:
    policy = get_retention(RetentionPolicy(), {})
    assert all(getattr(policy, rule) >= 1 for rule in RULES)
