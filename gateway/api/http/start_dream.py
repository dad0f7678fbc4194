"""Start a dream for a caller, or refuse with the gate's reason."""

from functools import partial

from gateway.api.http.auth import Caller
from gateway.phases import get_phases
from shared.core.dream.model import Dream, Trigger
from shared.core.errors import ConflictError
from shared.services.dreams.send import send_dream
from shared.services.dreams.start import start_dream
from shared.services.dreams.start_upkeep import start_upkeep


def start_or_refuse(
    caller: Caller,
    store: str,
    *,
    force: bool = False,
    dry_run: bool = False,
    while_active: bool = False,
    only: Trigger | None = None,
) -> Dream:
    """Return the queued dream, dispatched after its commit; a broker outage only delays it.

    Args:
        caller: the key that starts it.
        store: the store that should dream.
        force: skip the gates that wait.
        dry_run: apply nothing.
        while_active: do not wait for the store's agent; a whole dream only.
        only: a kind of upkeep instead of a whole dream.

    Raises:
        NotFoundError: there is no such store.
        ConflictError: a gate is shut; the message is its reason.
    """
    ports = caller.ports
    whole = partial(start_dream, trigger=Trigger.API, while_active=while_active, phases=get_phases)
    start = whole if only is None else partial(start_upkeep, trigger=only)
    started = start(ports.db, caller.tenant_id, store, force=force, dry_run=dry_run, actor=caller.actor)
    if started.dream is None:
        raise ConflictError(started.verdict.reason)
    send_dream(ports.db, ports.dispatch, started.dream)
    return started.dream
