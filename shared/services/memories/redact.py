"""Redact a version of a memory: remove its text for good, from the history and from every stored step of a dream.

Besides retention this is the only destructive operation on memories. A database function does it and writes the audit row;
this module decides what may be redacted. An undo that would need the text reports a conflict.
"""

from shared.core.errors import BadInputError, NotFoundError
from shared.core.listings.records import VersionRecord
from shared.core.memory.model import MemoryState
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.services.evaluation.shadows import check_no_shadow
from shared.services.tenants.stores import check_no_dream


def redact_version(
    db: Database, tenant_id: str, store_id: str, memory_id: str, version: int, *, actor: str
) -> VersionRecord:
    """Redact a version and return its record; redacting it again changes nothing.

    Raises:
        NotFoundError: there is no such store or version.
        BadInputError: it is the current version of a live memory.
        ConflictError: a dream of the store is running and may be reading the text.
    """
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant(lock=True)  # serialises with claims, so that no dream can begin meanwhile
        uow.store_listing.get(store_id)
        repository = uow.memory_listing(store_id)
        found = repository.get_version(memory_id, version, with_content=False)
        if found.redacted_at is not None:
            return found
        if _is_current(uow, store_id, memory_id, version):
            raise BadInputError("This is the memory's current version; change or delete the memory first")
        check_no_dream(uow, store_id)
        check_no_shadow(uow, store_id)
        if repository.redact(memory_id, version, by=actor):
            uow.asked(store_id).delete_all()  # a fingerprint could still prove what the text was
            uow.requests.delete([memory_id])  # a stored answer of an idempotent request may hold the text
            count("slowwave_redactions_total")
        return repository.get_version(memory_id, version, with_content=False)


def _is_current(uow: UnitOfWork, store_id: str, memory_id: str, version: int) -> bool:
    try:
        head = uow.catalog(store_id).get(memory_id, lock=True)
    except NotFoundError:
        return False
    return head.state is MemoryState.LIVE and head.version == version
