"""Put a store into quarantine after too many failed dreams, and lift the quarantine by forgiving them."""

from dataclasses import replace

from shared.core.dream.model import Dream
from shared.core.gates.quarantine import decide_quarantined
from shared.core.tenants.store import Store, Verdict
from shared.core.webhooks.endpoint import WebhookEvent
from shared.core.webhooks.message import build_quarantine_message
from shared.ports.database import UnitOfWork
from shared.services.dreams.gate_facts import find_ended
from shared.services.webhooks.announce import announce


def quarantine_store(uow: UnitOfWork, dream: Dream) -> None:
    """Set a store's verdict to quarantine if its dreams have failed too often in a row, this one last, and tell its tenant.

    The next check would do so, too, but only after ten minutes, and never in a store without activity.
    """
    store = uow.stores.get(dream.store, lock=True)
    reason = decide_quarantined(find_ended(uow, store), store.policy.gates.quarantine_after)
    if reason:
        busy_since = store.last_verdict.busy_since if store.last_verdict is not None else None
        said = Verdict(at=uow.now(), is_open=False, gate="quarantine", reason=reason, busy_since=busy_since)
        uow.activity.record_verdict(store.id, said, store.next_check_at, is_full_check=False)
        failures = store.policy.gates.quarantine_after or 0
        event = WebhookEvent.STORE_QUARANTINED
        announce(uow, event, dream.store, lambda: build_quarantine_message(dream, failures, uow.now()))


def forgive_store(uow: UnitOfWork, store: Store) -> bool:
    """Exclude earlier failures from a store's quarantine rule; tell whether it was in quarantine."""
    if not decide_quarantined(find_ended(uow, store), store.policy.gates.quarantine_after):
        return False
    current = uow.stores.get(store.name, lock=True)
    uow.stores.save(replace(current, forgiven_at=uow.now()))
    _replace_quarantine(uow, current, "forgiven", "Its failed dreams are forgiven; not checked since")
    return True


def tell_paused(uow: UnitOfWork, store: Store) -> None:
    """Stop counting a store as quarantined once a person has paused it; resuming it lifts both."""
    if store.is_quarantined:
        current = uow.stores.get(store.name, lock=True)
        _replace_quarantine(uow, current, "paused", "Paused while it was in quarantine")


def _replace_quarantine(uow: UnitOfWork, store: Store, gate: str, reason: str) -> None:
    """Replace a quarantine verdict of the last check, since the next check may be far away."""
    if store.is_quarantined:
        said = Verdict(at=uow.now(), is_open=False, gate=gate, reason=reason)
        uow.activity.record_verdict(store.id, said, store.next_check_at, is_full_check=False)
