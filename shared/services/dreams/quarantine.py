"""Put a store into quarantine after its last allowed failure, and lift it by forgiving its failed dreams."""

from dataclasses import replace

from shared.core.gates.quarantine import decide_quarantined
from shared.core.tenants.store import Store, Verdict
from shared.ports.database import UnitOfWork
from shared.services.dreams.gate_facts import find_ended


def quarantine_store(uow: UnitOfWork, store_name: str) -> None:
    """Keep as the store's verdict that it is in quarantine, if its dreams have failed too often in a row.

    The next check would find it, too, but not before ten minutes, and not at all in a store in which nothing waits.
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
    """Count a store that a person has paused no longer among those in quarantine; resuming it lifts both."""
    if store.is_quarantined:
        current = uow.stores.get(store.name, lock=True)
        _replace_quarantine(uow, current, "paused", "Paused while it was in quarantine")


def _replace_quarantine(uow: UnitOfWork, store: Store, gate: str, reason: str) -> None:
    """Keep another verdict if the last check found the store in quarantine: it may not be checked for long."""
    if store.is_quarantined:
        said = Verdict(at=uow.now(), is_open=False, gate=gate, reason=reason)
        uow.activity.record_verdict(store.id, said, store.next_check_at, is_full_check=False)
