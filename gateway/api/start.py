"""Start a dream for a caller, or refuse with the gate's reason."""

from gateway.api.auth import Caller
from shared.core.dream import Dream, Trigger
from shared.core.errors import ConflictError
from shared.services.send_dream import send_dream
from shared.services.start_dream import start_dream


def start_or_refuse(caller: Caller, store: str, *, force: bool = False, dry_run: bool = False) -> Dream:
    """Return the queued dream, sent after its commit; a broker that is away delays it, no more.

    Raises:
        NotFoundError: there is no such store.
        ConflictError: a gate is shut; the message is its reason.
    """
    ports = caller.ports
    started = start_dream(
        ports.db,
        caller.tenant_id,
        store,
        trigger=Trigger.API,
        force=force,
        dry_run=dry_run,
        actor=caller.actor,
    )
    if started.dream is None:
        raise ConflictError(started.verdict.reason)
    send_dream(ports.db, ports.dispatch, started.dream)
    return started.dream
