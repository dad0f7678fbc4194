"""Operations that a dream left out because of what people decided before, and how to allow them."""

from collections import Counter

from shared.core.dream.model import DreamState, OperationState
from shared.core.dream.verdicts import find_decided
from shared.ports.database import Database
from shared.program import COMMAND
from shared.services.dreams.read import DreamView


def held_back_lines(db: Database, view: DreamView) -> list[str]:
    """Return a line for each kind of earlier decision that kept operations of a dream from being applied, with the way out."""
    skipped = (one for one in view.operations if one.state is OperationState.SKIPPED)
    named = [found for one in skipped if (found := find_decided(one.note)) is not None]
    if not named:
        return []
    with db.transaction(view.dream.tenant_id) as uow:
        decided = uow.operations.find_by_ids(named)
        dreams = {one.dream_id for one in decided.values() if one.state is not OperationState.PROPOSED}
        undone = [dream_id for dream_id in sorted(dreams) if uow.dreams.get(dream_id).state is DreamState.UNDONE]
    return _say(view, Counter(decided[one].state for one in named if one in decided), undone)


def _say(view: DreamView, states: Counter[OperationState], undone: list[str]) -> list[str]:
    dream = f"{COMMAND} dream {view.dream.tenant_id}"
    own = f"{dream} --store {view.dream.store}"
    refused = states[OperationState.UNDONE] + states[OperationState.REJECTED]
    lines = []
    if refused:
        lines.append(
            f"{_many(refused)} not applied, since a person undid or rejected the same; to allow it: {own} --again --force"
        )
    if len(undone) == 1:
        lines.append(f"To bring back what was undone: {dream} {undone[0]} --redo")
    elif undone:
        lines.append(f"To bring back what was undone: {dream} --redo with one of {', '.join(undone)}")
    if waiting := states[OperationState.PROPOSED]:
        lines.append(
            f"{_many(waiting)} not proposed again, since the same waits for a review: {COMMAND} review pending {view.dream.tenant_id}"
        )
    return lines


def _many(number: int) -> str:
    return "1 operation was" if number == 1 else f"{number:,} operations were"
