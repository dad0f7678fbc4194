"""Find the preferences that were not recalled yet, and tell whether the time for one has run out in a quiet store."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from shared.core.learning.preferences import is_tentative
from shared.core.memory.model import Memory, MemoryHead
from shared.core.policy.policy import PreferencePolicy
from shared.ports.memories import MemoryRepository
from shared.services.dreams.due_change import QuietStore


def find_due(quiet: QuietStore) -> bool:
    """Tell whether the time to recall a tentative preference has run out since the last dream."""
    before, policy = quiet.store.last_dream_at, quiet.policy.preferences
    waiting = find_waiting(quiet.uow.memories(quiet.store.id), quiet.heads)
    return any(
        is_over(one, quiet.now, policy) and (before is None or not is_over(one, before, policy)) for one in waiting
    )


def find_waiting(memories: MemoryRepository, heads: Iterable[MemoryHead]) -> list[Memory]:
    """Return the tentative preferences that were not recalled yet."""
    ids = [head.id for head in heads if is_tentative(head.path, head.author, head.signals)]
    return memories.find_live(ids) if ids else []


def is_over(memory: Memory, now: datetime, policy: PreferencePolicy) -> bool:
    """Tell whether the time to recall a preference is over."""
    return now - memory.created_at > timedelta(days=policy.tentative_days)
