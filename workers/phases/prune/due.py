"""Tell whether a quiet store has anything to prune."""

from shared.core.upkeep.stale import is_stale
from shared.services.dreams.due_change import QuietStore


def find_due(quiet: QuietStore) -> bool:
    """Tell whether a memory has become stale since the last dream."""
    return quiet.has_become(lambda head, at: is_stale(head, quiet.policy, at))
