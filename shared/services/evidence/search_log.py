"""Write what was noted of searches to a store's log, without what the store keeps out, unless it keeps no log."""

from collections.abc import Sequence
from dataclasses import replace

from shared.core.errors import NotFoundError
from shared.core.memory.paths import is_memory_id
from shared.core.tenants.store import Store
from shared.ports.database import Database, UnitOfWork
from shared.ports.evidence.search_log import Noted, OfStore, Searched, WasRead, WasTold
from shared.ports.runtime import Ids
from shared.services.left_out import leave_out
from shared.services.masking import mask_of, note_masked


def write_notes(db: Database, ids: Ids, of_store: OfStore, notes: Sequence[Noted]) -> bool:
    """Write notes of one store in one transaction; return false if there is no such store, or it keeps no log."""
    with db.transaction(of_store.tenant_id) as uow:
        try:
            name = uow.store_listing.get(of_store.store).name if of_store.is_id else of_store.store
            store = uow.stores.get(name)
        except NotFoundError:
            return False
        if not store.policy.evidence.log_searches:
            return False
        searches = [(ids.new("srch"), _kept(uow, store, one)) for one in notes if isinstance(one, Searched)]
        told = [found for one in notes if isinstance(one, WasTold) and (found := _with_id(uow, store, one))]
        uow.search_log(store.id).write(searches, [one for one in notes if isinstance(one, WasRead)], told)
    return True


def _kept(uow: UnitOfWork, store: Store, searched: Searched) -> Searched:
    """Return a search without secrets, personal data and what was forgotten; the search itself has been answered as it was asked."""
    query = leave_out(uow, store.id, mask_of(uow, store.policy)(searched.query))
    note_masked(store, "It", searched.query, query, where="search", may_refuse=False)
    return replace(searched, query=query)


def _with_id(uow: UnitOfWork, store: Store, told: WasTold) -> WasTold | None:
    if is_memory_id(told.memory):
        return told
    found = uow.memories(store.id).find_by_path(told.memory)
    return None if found is None else replace(told, memory=found.id)
