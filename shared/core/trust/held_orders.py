"""The policy of orders: what a dream writes that tells an agent what to do, and that a person has to allow.

| written new into a page | waits for a review |
|---|---|
| a dangerous order, said from below rank user | always |
| a dangerous order, in a skill | always, also of an owner |
| any other order, said from below rank user | if it was found in sessions, or if its page holds what a more trusted writer said |
"""

from collections.abc import Collection, Sequence

from shared.core.memory.model import Memory, MemoryKind, MemoryState, kind_of
from shared.core.memory.writers import Rank
from shared.core.text.clip import clip
from shared.core.trust.inherit import Written, statements_by_key, writers_by_key
from shared.core.trust.orders import find_order
from shared.core.trust.outranked import Change

#: What was said from below this rank orders nothing by itself.
LEAST_OF_ORDER = Rank.USER
_SKILLS = frozenset({MemoryKind.SKILL, MemoryKind.SKILL_FILE})


def find_held_order(changes: Sequence[Change], *, is_from_sessions: bool) -> str | None:
    """Describe the order for which an operation waits for a person, as the end of a sentence, or None.

    Args:
        changes: the memories before and after the operation.
        is_from_sessions: what it writes was found in sessions; else it arranges what stands in memories.
    """
    changes = [one for one in changes if kind_of(one[1].path) is not MemoryKind.INDEX]
    stood = {key for before, _ in changes if before is not None for key in statements_by_key(before.content)}
    for before, after in changes:
        if after.state is not MemoryState.LIVE or (before is not None and before.content == after.content):
            continue
        if (found := _find_in_page(before, after, stood, is_from_sessions=is_from_sessions)) is not None:
            return found
    return None


def _find_in_page(
    before: Memory | None, after: Memory, stood: Collection[str], *, is_from_sessions: bool
) -> str | None:
    stands = statements_by_key(before.content) if before is not None else {}
    told = statements_by_key(after.content)
    if not told.keys() - stands.keys():
        return None
    trusted = before.writers.highest.rank if before is not None else Rank.MACHINE
    is_skill = kind_of(after.path) in _SKILLS
    for key, writer in writers_by_key(Written(after.content, after.writers), told).items():
        if key in stands or (writer.rank >= LEAST_OF_ORDER and not is_skill):
            continue
        order = find_order(told[key])
        if order is not None and (
            order.is_dangerous
            or (not is_skill and writer.rank < trusted)
            or (not is_skill and key not in stood and is_from_sessions)
        ):
            whose = "" if is_skill else f", and {writer.told} said so"
            return f"it would write into {after.path} what {order.does}{whose}: “{clip(told[key])}”"
    return None
