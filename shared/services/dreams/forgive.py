"""Lift a store's quarantine by forgiving its failed dreams."""

from dataclasses import replace

from shared.core.gates.quarantine import decide_quarantined
from shared.core.tenants.store import Store, Verdict
from shared.ports.database import UnitOfWork
from shared.services.dreams.gate_facts import find_ended


def forgive_store(uow: UnitOfWork, store: Store) -> bool:
    """Exclude earlier failures from a store's quarantine rule; tell whether it was in quarantine."""
    if not decide_quarantined(find_ended(uow, store), store.policy.gates.quarantine_after):
        return False
    now = uow.now()
    current = uow.stores.get(store.name, lock=True)
    uow.stores.save(replace(current, forgiven_at=now))
    if current.last_verdict is not None and current.last_verdict.gate == "quarantine":
        # The store was not checked since, but the last verdict is no longer true.
        said = Verdict(
            at=now, is_open=False, gate="forgiven", reason="Its failed dreams are forgiven; not checked since"
        )
        uow.activity.record_verdict(store.id, said, current.next_check_at, is_full_check=False)
    return True
