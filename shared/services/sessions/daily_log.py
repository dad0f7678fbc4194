"""Daily logs: a log written as a memory is also a session. Dreams distil its entries and never write to it."""

from shared.core.memory.model import MemoryKind, kind_of
from shared.core.sessions.daily_log import SOURCE, read_text
from shared.ports.database import UnitOfWork
from shared.services.sessions.ingest import ImportedFile, ImportTarget, append_pending


def append_log(uow: UnitOfWork, store: tuple[str, str], path: str, content: str, *, actor: str) -> None:
    """Append the new entries of a daily log to its session; do nothing for other paths.

    Call it first in a transaction: imports and dreams lock sessions before memories. `store` is the store's id and
    name.
    """
    if kind_of(path) is not MemoryKind.LOG:
        return
    store_id, name = store
    target = ImportTarget(tenant_id=uow.tenant_id, store=name, source=SOURCE, mask=uow.mask, actor=actor)
    file = ImportedFile(target, is_read=True)
    for entry in read_text(path, content, uow.mask):
        file.add(entry)
    if file.waiting:
        append_pending(uow, store_id, [file])
