"""Mark feedback and workflow runs that a dream has made use of: they count once. An undo takes the marks back."""

from shared.core.dream import Dream, PhaseRun
from shared.ports.database import UnitOfWork


def consume_signals(uow: UnitOfWork, dream: Dream, runs: list[PhaseRun]) -> None:
    """Mark what the plans of a dream's phases name."""
    used: list[str] = []
    for run in runs:
        stored = run.plan.get("plan") if isinstance(run.plan, dict) else None
        named = stored.get("used") if isinstance(stored, dict) else None
        used += [str(one) for one in named] if isinstance(named, list) else []
    if used:
        uow.feedback(dream.store_id).consume(used, dream.id)
        uow.workflows(dream.store_id).consume(used, dream.id)
