"""Import transcripts into a store: each event once, in order, in batches that a crash loses at most one of.

A batch is one transaction, of a part of a large file or of several small ones. What a file's counts say is committed when
they are returned. A file that cannot be read to its end keeps what was read of it, and takes nothing from its neighbours.
"""

from collections.abc import Iterable, Iterator

from shared.core.errors import BadInputError
from shared.core.store import check_name
from shared.core.transcript import FoundEvent, Item
from shared.ports.database import Database
from shared.services.append_waiting import append_waiting
from shared.services.imported_file import ImportCounts, ImportedFile, ImportTarget

__all__ = ["ImportCounts", "ImportTarget", "import_files", "import_session_items"]

#: Memory is bounded by a batch.
MAX_BATCH_EVENTS = 1_000
MAX_BATCH_CHARS = 4_000_000
MAX_BATCH_FILES = 200
#: What a reader raises that did not expect what it met: one file's loss, and not that of its neighbours.
_MISTAKES = (TypeError, ValueError, LookupError, AttributeError, RecursionError)


def import_session_items(db: Database, target: ImportTarget, items: Iterable[Item]) -> ImportCounts:
    """Write one file's items into a store that exists; doing it again adds nothing.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    (result,) = import_files(db, [(target, items)])
    if not isinstance(result, ImportCounts):
        raise result
    return result


def import_files(
    db: Database, files: Iterable[tuple[ImportTarget, Iterable[Item]]]
) -> Iterator[ImportCounts | BadInputError | OSError]:
    """Write the items of files into stores that exist, and yield for each, in order, its counts or why it was not read.

    Small files share a transaction as long as they go to the same store.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    importer = _Importer(db)
    for target, items in files:
        check_name("tenant", target.tenant_id)
        if importer.is_for_another(target):
            yield from importer.flush()
        importer.read(ImportedFile(target), items)
        if importer.is_full:
            yield from importer.flush()
    yield from importer.flush()


class _Importer:
    """Files whose events wait for a transaction, all of one store."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._files: list[ImportedFile] = []
        self._events = 0
        self._chars = 0

    @property
    def is_full(self) -> bool:
        return self._holds_much or len(self._files) >= MAX_BATCH_FILES

    @property
    def _holds_much(self) -> bool:
        return self._events >= MAX_BATCH_EVENTS or self._chars >= MAX_BATCH_CHARS

    def is_for_another(self, target: ImportTarget) -> bool:
        return any((one.target.tenant_id, one.target.store) != (target.tenant_id, target.store) for one in self._files)

    def read(self, file: ImportedFile, items: Iterable[Item]) -> None:
        """Read a file to its end; full batches are written on the way."""
        self._files.append(file)
        for item in _until_error(file, items):
            if not isinstance(item, FoundEvent):
                file.count(item)
                continue
            file.add(item)
            self._events += 1
            self._chars += len(item.text)
            if self._holds_much:
                self._write()
        file.is_read = True

    def flush(self) -> list[ImportCounts | BadInputError | OSError]:
        """Write what waits and let go of the files, all of which are read."""
        if self._files:
            self._write()
        done = [file.error or file.counts for file in self._files]
        self._files.clear()
        return done

    def _write(self) -> None:
        target = self._files[0].target
        with self._db.transaction(target.tenant_id) as uow:
            append_waiting(uow, uow.stores.get(target.store).id, self._files)
        for file in self._files:
            file.waiting.clear()
            file.is_recorded = file.is_read
        self._events = self._chars = 0


def _until_error(file: ImportedFile, items: Iterable[Item]) -> Iterator[Item]:
    try:
        yield from items
    except (BadInputError, OSError) as error:
        file.error = error
    except _MISTAKES as error:
        file.error = BadInputError(f"It cannot be read on from here ({type(error).__name__}); what was read is kept")
