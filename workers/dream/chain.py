"""What a task's message says of the chain behind it, and what is left of that once phases needed no message."""

from itertools import takewhile
from typing import Any

from celery.app.task import Context

from shared.adapters.celery import names
from workers.phase.shape import Phase
from workers.phases import ALL_PHASES

_BY_TASK = {names.phase_task(phase.name): phase for phase in ALL_PHASES}


def remaining_phases(request: Context) -> tuple[Phase, ...]:
    """Return the phases that a task's chain goes on with, the next one first, up to a task that is no phase of this code."""
    tasks = (str(step["task"]) for step in reversed(_steps(request)))
    return tuple(_BY_TASK[task] for task in takewhile(_BY_TASK.__contains__, tasks))


def truncate_chain(request: Context, through: int) -> None:
    """Leave of a task's chain what needs a message when so many phases are through, the task's own among them.

    0 is a leftover: its chain ends here, without a failure.
    """
    steps = _steps(request)
    left: Any = steps[: len(steps) - (through - 1)] if through else None
    request.chain = left


def _steps(request: Context) -> list[dict[str, Any]]:
    """Return the steps as Celery keeps them: the next one stands last."""
    steps: Any = request.chain  # Celery's annotation says str
    return list(steps or ())
