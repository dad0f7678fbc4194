"""Plan an operation again on the memories as they are now, if they still say what it was planned on."""

from collections.abc import Mapping
from dataclasses import replace

from shared.core.dream.effects import rebase_signals
from shared.core.dream.operations import Edit, Operation, Rewrite
from shared.core.memory.model import Memory


def keep_up(operation: Operation, planned: Mapping[str, Memory], current: Mapping[str, Memory]) -> Operation:
    """Return an operation for the versions of now of those memories whose texts have not changed.

    A clock, a signal or a mark that was written meanwhile makes no plan stale, and stays as it is now.

    Args:
        operation: the operation.
        planned: the memories that it was planned on, by id.
        current: the same memories as they are now, by id.
    """
    changes = tuple(
        _keep_up(one, planned[one.memory_id], current[one.memory_id])
        if isinstance(one, Edit) and one.memory_id in planned and one.memory_id in current
        else one
        for one in operation.changes
    )
    return replace(operation, changes=changes)


def _keep_up(change: Edit, was: Memory, now: Memory) -> Edit:
    if (was.path, was.content, was.state) != (now.path, now.content, now.state):
        return change
    if isinstance(change, Rewrite):
        return replace(change, version=now.version, signals=rebase_signals(change.signals, was.signals, now.signals))
    return replace(change, version=now.version)
