"""Move the cursors of sessions past what a dream has gathered: only past what a model has answered for."""

from typing import Any

from pydantic import TypeAdapter

from shared.core.dream import Dream, PhaseRun, PhaseState
from shared.core.session import Window
from shared.ports.database import UnitOfWork

_WINDOWS: TypeAdapter[list[Window]] = TypeAdapter(list[Window])


def advance_cursors(uow: UnitOfWork, dream: Dream, runs: list[PhaseRun]) -> list[dict[str, Any]]:
    """Move the cursors and return the windows as plain values, for undo. A session with an open question stays."""
    gather = next((run for run in runs if run.phase == "gather"), None)
    if gather is None or not isinstance(gather.inputs, dict) or uow.orders.find(dream.id) is not None:
        return []  # a dream that was given its sessions leaves their cursors to the dreams of their own stores
    if gather.state not in {PhaseState.DONE, PhaseState.PARTIAL}:
        return []
    windows = _WINDOWS.validate_python(gather.inputs["windows"])
    if gather.state is PhaseState.PARTIAL:
        answered = uow.calls.find_answers(dream.id, "gather")
        open_groups = [group for group in gather.inputs["groups"] if group["key"] not in answered]
        waiting = {excerpt["session_id"] for group in open_groups for excerpt in group["excerpts"]}
        windows = [window for window in windows if window.session_id not in waiting]
    uow.gathering(dream.store_id).advance(windows)
    kept: list[dict[str, Any]] = _WINDOWS.dump_python(windows, mode="json")
    return kept
