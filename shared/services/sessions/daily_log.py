"""Daily logs: a log written as a memory is also a session. Dreams distil its entries and never write to it."""

from shared.core.memory.model import MemoryKind, kind_of
from shared.core.sessions.daily_log import SOURCE, read_text
from shared.core.tenants.store import Store
from shared.ports.database import UnitOfWork
from shared.services.masking import mask_of
from shared.services.sessions.ingest import ImportedFile, ImportTarget, append_pending


def append_log(uow: UnitOfWork, store: Store, path: str, content: str, *, actor: str) -> None:
    """Append the new entries of a daily log to its session; do nothing for other paths.

    Call it first in a transaction: imports and dreams lock sessions before memories.
    """
    if kind_of(path) is not MemoryKind.LOG:
        return
    target = ImportTarget(tenant_id=uow.tenant_id, store=store.name, source=SOURCE, actor=actor)
    file = ImportedFile(target, is_read=True)
    for entry in read_text(path, content, mask_of(uow, store.policy)):
        file.add(entry)
    if file.waiting:
        append_pending(uow, store, [file])
