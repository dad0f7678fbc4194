"""A daily log that is written as a memory is a session, too: dreams distil what an agent appends, and never write there."""

from collections.abc import Callable

from shared.core.memory.model import MemoryKind, kind_of
from shared.core.sessions.daily_log import SOURCE, read_text
from shared.ports.database import UnitOfWork
from shared.services.sessions.ingest import ImportedFile, ImportTarget, append_pending

#: Returns a text without secrets; None: texts are stored as they are.
Mask = Callable[[str], str] | None


def append_log(uow: UnitOfWork, store: tuple[str, str], path: str, content: str, *, mask: Mask, actor: str) -> None:
    """Append the entries that are new, if the path is a daily log's, to the session of that name; else do nothing.

    Before anything else of its transaction: importers and dreams hold sessions before they hold memories. `store` is
    its id and its name.
    """
    if kind_of(path) is not MemoryKind.LOG:
        return
    store_id, name = store
    target = ImportTarget(tenant_id=uow.tenant_id, store=name, source=SOURCE, mask=mask, actor=actor)
    file = ImportedFile(target, is_read=True)
    for entry in read_text(path, content):
        file.add(entry)
    if file.waiting:
        append_pending(uow, store_id, [file])
