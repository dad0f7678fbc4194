"""Wait for a turn at the model, within limits and patience; what takes longer is slept through, not waited for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shared.core.questions.call_limits import CallCaps, CallScope, name_endpoint
from shared.core.tenants.store import Tenant
from shared.ports.ports import Ports
from shared.settings import Settings
from workers.process.running import RUNNING


@dataclass(frozen=True, slots=True, kw_only=True)
class NoSlot:
    """There was no turn in time; it is worth asking again after so many seconds."""

    retry_seconds: float


def call_scope(settings: Settings, tenant: Tenant, model: str) -> CallScope:
    """Return what a tenant's calls count for: its own caps before those that the installation gives each tenant."""
    return CallScope(
        tenant_id=tenant.id,
        endpoint=name_endpoint(tenant, model),
        everybody=CallCaps(per_minute=settings.model_calls_per_minute, at_once=settings.model_calls_at_once),
        tenant=CallCaps(
            per_minute=tenant.model_calls_per_minute or settings.tenant_model_calls_per_minute,
            at_once=tenant.model_calls_at_once or settings.tenant_model_calls_at_once,
        ),
    )


@contextmanager
def model_slot(
    ports: Ports, scope: CallScope, *, hold_seconds: float, patience: Callable[[], float]
) -> Iterator[NoSlot | None]:
    """Hold a turn for the block; yield NoSlot instead when there is none within `patience()` seconds from any moment.

    `patience` says what is left of it; 0 when the dream was lost or canceled. Nobody waits for ever.
    """
    call_id = ports.ids.new("call")
    wait = ports.limits.acquire(scope, call_id, hold_seconds=hold_seconds)
    while 0 < wait <= patience():
        RUNNING.draining.wait(wait)
        wait = ports.limits.acquire(scope, call_id, hold_seconds=hold_seconds)
    if wait > 0:
        yield NoSlot(retry_seconds=wait)
        return
    try:
        yield None
    finally:
        ports.limits.release(scope, call_id)
