"""Operations of one dream that share memories are one change with an order; others stand alone."""

from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.model import OperationState
from shared.core.dream.operation_filter import PendingOperation
from shared.core.dream.operations import OperationKind
from shared.core.listings.one_change import group_waiting, keep_together
from tests.support.laws import examples


def touching(identifier: str, memories: str, *, dream: str = "drm_1", kind: str = "MERGE") -> PendingOperation:
    return PendingOperation(
        id=identifier, kind=OperationKind(kind), state=OperationState.PROPOSED, store="default", dream_id=dream,
        reason="", memory_ids=frozenset(memories),
    )  # fmt: skip


def test_what_shares_a_memory_by_another_between_them_is_one_change_in_the_dreams_order() -> None:
    waiting = [touching("1", "ab"), touching("2", "c"), touching("3", "de", kind="CORRECT"), touching("4", "bd")]
    places = group_waiting(waiting)
    assert {one: (place.group, place.position, place.of) for one, place in places.items()} == {
        "1": ("1", 1, 3),
        "3": ("1", 2, 3),
        "4": ("1", 3, 3),
    }
    assert str(places["3"]) == "2 of 3: first MERGE, then this, then MERGE"
    ids = [one.id for one in waiting]
    assert keep_together(ids, ids, places) == [["1", "3", "4"], ["2"]]
    assert keep_together(["2", "4", "3"], ["2", "4", "3"], places) == [["2"], ["4", "3"]]


def test_operations_of_two_dreams_are_no_change_though_they_share_a_memory() -> None:
    assert group_waiting([touching("1", "a"), touching("2", "a", dream="drm_2")]) == {}


def test_what_changes_no_memory_stands_alone() -> None:
    assert group_waiting([touching("1", ""), touching("2", "")]) == {}


@examples(200)
@given(st.lists(st.tuples(st.sampled_from(["drm_1", "drm_2"]), st.text("abcdef", max_size=3)), max_size=9))
def test_two_operations_that_share_a_memory_are_always_in_one_change_and_no_place_is_taken_twice(
    made: list[tuple[str, str]],
) -> None:
    waiting = [touching(str(number), memories, dream=dream) for number, (dream, memories) in enumerate(made)]
    places = group_waiting(waiting)
    for one in waiting:
        for other in waiting:
            if one.id != other.id and one.dream_id == other.dream_id and one.memory_ids & other.memory_ids:
                assert places[one.id].group == places[other.id].group
    assert len({(place.group, place.position) for place in places.values()}) == len(places)
    assert all(place.members[place.position - 1].id == identifier for identifier, place in places.items())
    for place in places.values():
        ids = [int(one.id) for one in place.members]
        assert ids == sorted(ids)
        assert len({one.dream_id for one in place.members}) == 1
