"""Put a store into quarantine after too many failed dreams, and lift the quarantine by forgiving them."""

from dataclasses import replace

from shared.core.gates.quarantine import decide_quarantined
from shared.core.tenants.store import Store, Verdict
from shared.ports.database import UnitOfWork
from shared.services.dreams.gate_facts import find_ended


def quarantine_store(uow: UnitOfWork, store_name: str) -> None:
    """Set the store's verdict to quarantine if its dreams have failed too often in a row.

    The next check would do so, too, but only after ten minutes, and never in a store without activity.
    """
    store = uow.stores.get(store_name, lock=True)
    reason = decide_quarantined(find_ended(uow, store), store.policy.gates.quarantine_after)
    if reason:
        busy_since = store.last_verdict.busy_since if store.last_verdict is not None else None
        said = Verdict(at=uow.now(), is_open=False, gate="quarantine", reason=reason, busy_since=busy_since)
        uow.activity.record_verdict(store.id, said, store.next_check_at, is_full_check=False)


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
