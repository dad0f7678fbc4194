"""Find the memories that hold a secret: those from before the scanner knew its kind, or from a time when masking was off."""

from collections.abc import Iterator
from dataclasses import dataclass

from shared.adapters.secrets.mask import SecretMask, find_secrets
from shared.core.memory.model import MemoryState
from shared.ports.database import Database, UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSecret:
    """A memory whose current text holds secrets of these kinds. A secret within its path is masked, and no secret is shown."""

    tenant: str
    store: str
    path: str
    state: MemoryState
    kinds: tuple[str, ...]


def find_stored_secrets(db: Database) -> Iterator[StoredSecret]:
    """Yield the memories of all tenants, live and retired, whose path or current text holds a secret."""
    for tenant in db.sweeps.find_tenants():
        with db.transaction(tenant) as uow:
            found = [one for store in uow.stores.find_all() for one in _find_in_store(uow, store.id, store.name)]
        yield from found


def _find_in_store(uow: UnitOfWork, store_id: str, name: str) -> Iterator[StoredSecret]:
    mask, memories = SecretMask(), uow.memories(store_id)
    for memory in (*memories.find_live(), *memories.find_retired()):
        kinds = tuple(one.kind for text in (memory.path, memory.content) for one in find_secrets(text))
        if kinds:
            yield StoredSecret(
                tenant=uow.tenant_id, store=name, path=mask(memory.path), state=memory.state, kinds=kinds
            )
