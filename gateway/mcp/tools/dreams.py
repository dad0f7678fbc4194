"""Let agents start a dream, read its state, and read whether dreams help their store."""

from typing import Annotated

from pydantic import Field

from gateway.api.http.start_dream import start_or_refuse
from gateway.api.shapes.dreams import DreamDetail, DreamOut, dream_detail, dream_out
from gateway.api.shapes.evaluations import LastEvaluation, evaluation_out
from gateway.mcp.callers import Reader, Writer, with_tool_errors
from gateway.mcp.tools.arguments import DreamId, StoreName
from shared.core.tenants.roles import Permission
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.dreams.read import get_dream_progress
from shared.services.evaluation.evaluations import find_last_evaluation


@with_tool_errors
def start_dream(
    caller: Writer,
    store: StoreName = DEFAULT_STORE,
    *,
    force: Annotated[
        bool, Field(description="Skip the gates that wait for time or activity; needs an admin key.")
    ] = False,
    dry_run: Annotated[bool, Field(description="Run every phase, but change nothing.")] = False,
) -> DreamOut:
    """Start a dream, which consolidates the store in the background. Refused with the reason if a gate is shut."""
    if force:
        caller.check(Permission.ADMINISTER)
    return dream_out(start_or_refuse(caller, store, force=force, dry_run=dry_run))


@with_tool_errors
def get_dream(caller: Reader, dream_id: DreamId) -> DreamDetail:
    """Return the state and the phases of a dream."""
    return dream_detail(*get_dream_progress(caller.ports.db, caller.tenant_id, dream_id))


@with_tool_errors
def last_evaluation(caller: Reader, store: StoreName = DEFAULT_STORE) -> LastEvaluation:
    """Return the last evaluation of a store: whether dreams help it, as a sentence, measured on copies of it."""
    found = find_last_evaluation(caller.ports.db, caller.tenant_id, store)
    return LastEvaluation(evaluation=None if found is None else evaluation_out(found))
