"""A JSON value that loses words keeps all of its values, also where two keys become one."""

from hypothesis import given
from hypothesis import strategies as st

from shared.core.forgetting.json_values import change_strings

KEYS = st.text("ab+", min_size=1, max_size=3)


def test_two_keys_that_are_masked_alike_both_keep_their_values() -> None:
    told = {"ann@example.com": 1, "bob@example.com": 2}
    assert change_strings(told, lambda _: "[masked]") == {"[masked]": 1, "[masked]+": 2}


@given(st.dictionaries(KEYS, st.integers(), max_size=8))
def test_no_value_is_lost_whatever_becomes_of_the_keys(told: dict[str, int]) -> None:
    changed = change_strings(told, lambda key: key.replace("b", "a"))
    assert sorted(changed.values()) == sorted(told.values())
