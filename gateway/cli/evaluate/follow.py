"""Follow an evaluation to its end: what it is doing, on standard error, so that standard output has the page alone."""

import time
from collections.abc import Callable

from gateway.cli.console.output import err, safe, warn
from shared.core.evaluation.model import Evaluation, EvaluationState
from shared.ports.database import Database
from shared.program import COMMAND
from shared.services.evaluation.evaluations import get_evaluation

_POLL_SECONDS = 0.3
_UNCLAIMED_SECONDS = 10.0


def follow_evaluation(db: Database, tenant: str, evaluation_id: str, *, quiet: bool) -> Evaluation:
    """Return an evaluation when it has ended. Ctrl-C ends the following alone, and says so."""
    try:
        if quiet or not err.is_terminal:
            return _wait(db, tenant, evaluation_id, lambda said: None if quiet else warn(f"… {said}", "dim"))
        with err.status(safe("waits for a worker")) as status:
            return _wait(db, tenant, evaluation_id, lambda said: status.update(safe(said)))
    except KeyboardInterrupt:
        warn(f"No longer following {evaluation_id}; it goes on while a worker runs (`{COMMAND} up`).")
        warn(f"See it later: {COMMAND} evaluations show {tenant} {evaluation_id}")
        warn(f"Cancel it: {COMMAND} evaluations cancel {tenant} {evaluation_id}")
        raise


def _wait(db: Database, tenant: str, evaluation_id: str, tell: Callable[[str], None]) -> Evaluation:
    begun, is_told, last = time.monotonic(), False, ""
    while True:
        evaluation = get_evaluation(db, tenant, evaluation_id)
        if not evaluation.is_active:
            return evaluation
        if evaluation.progress and evaluation.progress != last:
            last = evaluation.progress
            tell(last)
        is_late = time.monotonic() - begun > _UNCLAIMED_SECONDS
        if evaluation.state is EvaluationState.QUEUED and is_late and not is_told:
            is_told = True
            warn("No worker has begun it yet: one is still starting, or none runs (slowwave doctor tells). It stays queued and starts by itself.")  # fmt: skip
        time.sleep(_POLL_SECONDS)
