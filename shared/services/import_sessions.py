"""Import transcripts into a store: each event once, in order, in batches that a crash loses at most one of.

A batch is one transaction, of a part of a large file or of several small ones. What a file's counts say is committed when
they are returned. A file that cannot be read to its end keeps what was read of it, and takes nothing from its neighbours.
"""

from collections.abc import Iterable, Iterator, Sequence

from shared.core.errors import BadInputError
from shared.core.event_findings import DETECTOR_VERSION, find_in_event
from shared.core.session import SPOKEN, NewEvent
from shared.core.skill_use import find_skill_uses
from shared.core.store import check_name
from shared.core.transcript import FoundEvent, Item, clean_id, clean_text, cut_text
from shared.ports.database import Database
from shared.ports.session_book import SessionBook
from shared.services.imported_file import ImportCounts, ImportedFile, ImportTarget

__all__ = ["ImportCounts", "ImportTarget", "import_files", "import_session_items"]

#: Memory is bounded by a batch.
MAX_BATCH_EVENTS = 1_000
MAX_BATCH_CHARS = 4_000_000
MAX_BATCH_FILES = 200
_MAX_TITLE_CHARS = 80


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
            store_id = uow.stores.get(target.store).id
            book = uow.sessions(store_id)
            # In one order for all importers, so that two never wait for each other's sessions.
            sessions = sorted((name, number) for number, file in enumerate(self._files) for name in file.waiting)
            begun = 0
            for name, number in sessions:
                is_begun, new = _append(book, self._files[number], name)
                begun += is_begun
                uow.skills(store_id).record_uses(find_skill_uses(name, new, uow.now()))
                if new:
                    session_id = self._files[number].ids[name]
                    uow.record_audit(target.actor, "session.append", session_id=session_id, added=len(new))
            if begun:
                uow.activity.record(store_id, sessions=begun)
            for file in self._files:
                if file.is_read and not file.is_recorded:
                    _record(book, file)
        for file in self._files:
            file.waiting.clear()
            file.is_recorded = file.is_read
        self._events = self._chars = 0


def _until_error(file: ImportedFile, items: Iterable[Item]) -> Iterator[Item]:
    try:
        yield from items
    except (BadInputError, OSError) as error:
        file.error = error


def _record(book: SessionBook, file: ImportedFile) -> None:
    """Keep titles and counts of a file that is read."""
    for session, margin in file.margins.items():
        title = clean_text(margin.title)[:_MAX_TITLE_CHARS]
        book.record_import(file.ids[session], title=title, skipped=margin.skipped, malformed=margin.malformed)


def _append(book: SessionBook, file: ImportedFile, external_id: str) -> tuple[bool, Sequence[NewEvent]]:
    """Append what is new and return it, and whether the session is activity now: once, when it begins to wait."""
    target, events = file.target, file.waiting[external_id]
    session, is_new = book.ensure(external_id, source=target.source)
    file.ids[external_id] = session.id
    was_counted = session.waiting > 0 and not session.is_current
    if session.is_current != target.is_current:
        book.set_current(session.id, is_current=target.is_current)
    by_id = {clean_id(event.event_id): event for event in reversed(events)}
    known = book.find_known(session, by_id.keys())
    new = [_made(target, key, by_id[key]) for key in reversed(by_id) if key not in known]
    session = book.append(session, new, DETECTOR_VERSION)
    _tally(file, external_id, new, len(events) - len(new), is_new=is_new)
    return session.waiting > 0 and not target.is_current and not was_counted, new


def _tally(file: ImportedFile, external_id: str, new: Sequence[NewEvent], known: int, *, is_new: bool) -> None:
    counts = file.counts
    counts.added += len(new)
    counts.known += known
    counts.masked += sum(event.is_masked for event in new)
    counts.new_sessions += is_new
    counts.sessions.add(external_id)
    counts.kinds.update(event.kind.value for event in new)
    margin = file.margins[external_id]
    if not margin.title:
        spoken = next((event.text for event in new if event.kind in SPOKEN and event.text.strip()), "")
        margin.title = " ".join(spoken[:400].split())[:_MAX_TITLE_CHARS]


def _made(target: ImportTarget, event_id: str, event: FoundEvent) -> NewEvent:
    text = clean_text(event.text)
    masked = target.mask(text) if target.mask else text
    kept = cut_text(masked, event.kind)  # after masking, which must not meet half a key
    return NewEvent(
        event_id=event_id,
        kind=event.kind,
        role=clean_text(event.role),
        text=kept,
        at=event.at,
        size_chars=len(event.text),
        is_masked=masked is not text,
        found=find_in_event(event.kind, kept),
    )
