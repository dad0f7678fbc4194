"""Group the operations that wait for a review by the memories that they touch."""

from collections import Counter
from collections.abc import Sequence

from shared.core.dream.operation_filter import PendingOperation


def group_by_memory(waiting: Sequence[PendingOperation]) -> list[tuple[str, list[PendingOperation]]]:
    """Return operations by the id of a memory, those of the memory with the most first; each stands once, in its order.

    An operation on several memories stands with the one of them that most operations touch; one that touches none stands last,
    under an empty id.
    """
    touched = Counter(memory_id for one in waiting for memory_id in one.memory_ids)
    groups: dict[str, list[PendingOperation]] = {}
    for one in waiting:
        memory_id = max(one.memory_ids, key=lambda found: (touched[found], found), default="")
        groups.setdefault(memory_id, []).append(one)
    return sorted(groups.items(), key=lambda pair: (not pair[0], -len(pair[1])))
