"""The states of a dream: the table, the drawing of it, and what follows from it."""

import re
from pathlib import Path

import pytest

from shared.core.dream.model import ACTIVE_STATES, TRANSITIONS, UNDOABLE_STATES, DreamState, check_transition
from shared.core.errors import IllegalTransitionError

DRAWING = Path(__file__).parents[4] / "docs" / "state-machine.md"


def drawn_moves() -> set[tuple[str, str]]:
    text = DRAWING.read_text(encoding="utf-8")
    found = re.search(r"```mermaid\nstateDiagram-v2\n(.*?)```", text, re.DOTALL)
    assert found, "docs/state-machine.md has no mermaid state diagram"
    return {(one, other) for one, other in re.findall(r"^\s*(\S+) --> (\S+)\s*$", found[1], re.MULTILINE)}


def test_the_drawing_and_the_table_have_the_same_moves() -> None:
    table = {(str(state), str(after)) for state, nexts in TRANSITIONS.items() for after in nexts}
    assert {(one, other) for one, other in drawn_moves() if "[*]" not in (one, other)} == table


def test_the_drawing_begins_at_queued_and_ends_where_the_table_ends() -> None:
    ends = {str(state) for state, nexts in TRANSITIONS.items() if not nexts}
    assert {(one, other) for one, other in drawn_moves() if "[*]" in (one, other)} == {
        ("[*]", "queued"),
        *((end, "[*]") for end in ends),
    }


def test_the_page_explains_every_state() -> None:
    explained = re.findall(r"^\| `(\w+)` \|", DRAWING.read_text(encoding="utf-8"), re.MULTILINE)
    assert explained == [str(state) for state in DreamState]


@pytest.mark.parametrize("current", list(DreamState))
@pytest.mark.parametrize("wanted", list(DreamState))
def test_a_move_is_allowed_exactly_when_the_table_has_it(current: DreamState, wanted: DreamState) -> None:
    if wanted in TRANSITIONS[current]:
        check_transition(current, wanted)
    else:
        with pytest.raises(IllegalTransitionError, match=f"A dream that is {current} cannot become {wanted}"):
            check_transition(current, wanted)


def test_only_dreams_that_may_have_changed_something_can_be_undone() -> None:
    assert {DreamState.COMPLETED, DreamState.PARTIAL, DreamState.ERROR} == UNDOABLE_STATES


def test_a_store_is_busy_while_a_dream_is_queued_or_running() -> None:
    assert {DreamState.QUEUED, DreamState.RUNNING} == ACTIVE_STATES


def test_every_state_can_be_reached_from_queued() -> None:
    reached, front = {DreamState.QUEUED}, [DreamState.QUEUED]
    while front:
        for after in TRANSITIONS[front.pop()] - reached:
            reached.add(after)
            front.append(after)
    assert reached == set(DreamState)
