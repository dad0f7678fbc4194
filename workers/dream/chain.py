"""Read, truncate and send the rest of the Celery chain of the current task."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from celery import Celery, signature
from celery.app.task import Context

from shared.adapters.celery import names
from shared.core.errors import ReportedFailureError
from workers.phase.shape import Phase
from workers.phases import ALL_PHASES

_BY_TASK = {names.phase_task(phase.name): phase for phase in ALL_PHASES}


def remaining_phases(request: Context) -> tuple[Phase, ...]:
    """Return the phases that follow a task in its chain, up to the first task that is not a phase of this version."""
    tasks = (str(step["task"]) for step in reversed(_steps(request)))
    return tuple(_BY_TASK[task] for task in takewhile(_BY_TASK.__contains__, tasks))


def truncate_chain(request: Context, ended: int) -> None:
    """Remove ended phases from a task's chain, so that the next message goes to the phase after them.

    Args:
        request: the request of the current task.
        ended: the number of ended phases, including the task's own. 0: the message is a leftover, and the chain ends
            here without a failure.
    """
    steps = _steps(request)
    left: Any = steps[: len(steps) - (ended - 1)] if ended else None
    request.chain = left


def raise_failures(app: Celery, request: Context, failed: Sequence[str]) -> None:
    """Send the rest of a task's chain and raise ReportedFailureError when phases have failed.

    Celery itself sends the rest only after a successful task, but a failed phase must not end its dream.
    """
    if not failed:
        return
    steps = _steps(request)
    if steps:
        following = signature(steps.pop(), app=app)
        following.apply_async((), chain=steps, parent_id=request.id, root_id=request.root_id or request.id)
    raise ReportedFailureError(f"{', '.join(failed)} failed; `dreams show` has the reason")


def _steps(request: Context) -> list[dict[str, Any]]:
    """Return the steps as Celery stores them: the next one is last."""
    steps: Any = request.chain  # Celery's annotation says str
    return list(steps or ())
