"""Wait up to `model_patience_seconds` for a rate-limit slot; beyond that the dream is snoozed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shared.all_ports import Ports
from shared.core.questions.call_limits import CallCaps, CallScope, name_endpoint
from shared.core.tenants.store import Store, Tenant
from shared.settings import Settings
from workers.process.running import RUNNING


@dataclass(frozen=True, slots=True, kw_only=True)
class NoSlot:
    """No slot was free in time; retry after the given seconds."""

    retry_seconds: float


def call_scope(settings: Settings, tenant: Tenant, model: str, store: Store | None = None) -> CallScope:
    """Return the caps on a tenant's calls; its own take precedence over those that the installation gives each tenant."""
    return CallScope(
        tenant_id=tenant.id,
        endpoint=name_endpoint(tenant, model, store),
        installation=CallCaps(per_minute=settings.model_calls_per_minute, at_once=settings.model_calls_at_once),
        tenant=CallCaps(
            per_minute=tenant.model_calls_per_minute or settings.tenant_model_calls_per_minute,
            at_once=tenant.model_calls_at_once or settings.tenant_model_calls_at_once,
        ),
    )


@contextmanager
def model_slot(
    ports: Ports, scope: CallScope, *, hold_seconds: float, patience: Callable[[], float]
) -> Iterator[NoSlot | None]:
    """Hold a slot for the block; yield NoSlot instead when the wait would exceed `patience()`.

    `patience` returns the seconds left to wait; 0 if the dream was lost or canceled.
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
