"""Import transcripts into a store: each event once, in order, in batches of which a crash loses at most one.

A batch is one transaction, for a part of a large file or for several small ones, with one statement per step whatever
the number of sessions. The counts of a file are committed when they are returned. A file with a read error keeps the
events before the error, and does not affect other files.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.core.errors import BadInputError
from shared.core.learning.skills import find_skill_uses
from shared.core.policy.choice import Choice, choice_of, label_names
from shared.core.policy.masked import FORGOTTEN
from shared.core.sessions.model import NewEvent, Session, is_spoken
from shared.core.sessions.transcript import (
    REPLACEMENT,
    FoundEvent,
    Item,
    MalformedLine,
    SkippedLine,
    clean_id,
    clean_text,
    keep_labels,
)
from shared.core.tenants.store import Store, check_name
from shared.ports.database import Database, UnitOfWork
from shared.ports.sessions import IngestRepository, Margins
from shared.services.left_out import is_forgotten_session
from shared.services.masking import Mask, count_in_sessions, mask_of, name_mask_of
from shared.services.sessions.repeats import Repeats
from shared.services.sessions.to_event import to_event

_SHOWN_MALFORMED = 100
#: What lines are counted as whose session the settings of the store leave out.
NOT_TAKEN = "left out by sessions.include or sessions.exclude"
#: A file may call each of its lines something else; further kinds are counted together.
_MAX_SKIPPED_KINDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportTarget:
    """The store and the options of an import; `keeps_secrets`: secrets are not masked, whatever the store says.

    `keep` returns what is stored of a text, and `keep_name` that of a title or a label; `for_store` sets them when the store is read.
    They return the same object if that is all of it. `actor` is the author, for the audit log.
    `is_taken`: the caller has checked that the store takes the session.
    """

    tenant_id: str
    store: str
    source: str
    project: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    keeps_secrets: bool = False
    keep: Mask = str
    keep_name: Mask = str
    is_current: bool = False
    is_taken: bool = False
    actor: str = ""

    def for_store(self, uow: UnitOfWork, store: Store) -> "ImportTarget":
        """Return the target with what its store keeps out: by its policy, and what was forgotten there."""
        policy, leave_out, has_mask = store.policy, uow.leave_out(store.id), not self.keeps_secrets
        mask, name_mask = mask_of(uow, policy, secrets=has_mask), name_mask_of(uow, policy, secrets=has_mask)
        return replace(self, keep=lambda text: leave_out(mask(text)), keep_name=lambda text: leave_out(name_mask(text)))


@dataclass(slots=True, kw_only=True)
class ImportCounts:
    """Counts of a transcript's lines: `added + known + skipped + malformed` is their number."""

    added: int = 0
    known: int = 0
    skipped: int = 0
    malformed: int = 0
    masked: int = 0
    replaced: int = 0  # added events with a replacement character for bytes that are not UTF-8
    new_sessions: int = 0
    sessions: set[str] = field(default_factory=set)  # external ids
    kinds: Counter[str] = field(default_factory=Counter)  # of the events added
    skipped_kinds: Counter[str] = field(default_factory=Counter)  # what the lines without an event call themselves
    first_malformed: list[MalformedLine] = field(default_factory=list)

    @property
    def lines(self) -> int:
        """Return the number of lines, without empty ones."""
        return self.added + self.known + self.skipped + self.malformed


@dataclass(slots=True)
class Margin:
    """The title, labels and counts of a session, from lines that are not events."""

    title: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    skipped: int = 0
    malformed: int = 0


@dataclass(slots=True)
class ImportedFile:
    """One file during its import: its pending events and its counts."""

    target: ImportTarget
    counts: ImportCounts = field(default_factory=ImportCounts)
    waiting: dict[str, list[FoundEvent]] = field(default_factory=dict)
    margins: dict[str, Margin] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    session: str = ""
    before: Margin = field(default_factory=Margin)  # of lines before the first event
    is_read: bool = False
    is_recorded: bool = False
    error: BadInputError | OSError | None = None

    def add(self, event: FoundEvent) -> None:
        """Add an event to the next batch."""
        self.session = clean_id(event.session)
        if self.session not in self.margins:
            self.margins[self.session] = self.before if not self.margins else Margin()
        self.waiting.setdefault(self.session, []).append(event)

    def count(self, item: SkippedLine | MalformedLine) -> None:
        """Count a line that is not an event."""
        margin = self.margins.get(self.session, self.before)
        if isinstance(item, SkippedLine):
            margin = self.margins.setdefault(clean_id(item.session), Margin()) if item.session else margin
            self.counts.skipped += 1
            self.counts.skipped_kinds[self._bounded_kind(item.what)] += 1
            margin.skipped += 1
            margin.title = item.title or margin.title
            margin.labels.update(item.labels)
            return
        self.counts.malformed += 1
        margin.malformed += 1
        if len(self.counts.first_malformed) < _SHOWN_MALFORMED:
            self.counts.first_malformed.append(item)

    def names_of(self, session: str) -> tuple[str, ...]:
        """Return what a pattern may match of a session."""
        target, margin = self.target, self.margins[session]
        return (session, margin.title, target.project, *label_names(target.source, {**target.labels, **margin.labels}))

    def _bounded_kind(self, what: str) -> str:
        known = self.counts.skipped_kinds
        return what if what in known or len(known) < _MAX_SKIPPED_KINDS else "other"


_MAX_TITLE_CHARS = 80
_KnownSessions = dict[str, tuple[Session, bool]]


def leave_out(files: Sequence[ImportedFile], choice: Choice) -> None:
    """Drop and count the pending events of sessions that a store does not take."""
    for file in files:
        for name in [one for one in file.waiting if not file.target.is_taken and not choice.takes(file.names_of(one))]:
            dropped = len(file.waiting.pop(name))
            file.counts.skipped += dropped
            file.counts.skipped_kinds[NOT_TAKEN] += dropped


def leave_forgotten(uow: UnitOfWork, store_id: str, files: Sequence[ImportedFile]) -> None:
    """Drop and count the pending events of sessions that were forgotten, or whose names say what was."""
    for file in files:
        for name in [one for one in file.waiting if is_forgotten_session(uow, store_id, one)]:
            dropped = len(file.waiting.pop(name))
            file.counts.skipped += dropped
            file.counts.skipped_kinds[FORGOTTEN] += dropped


def append_pending(uow: UnitOfWork, store: Store, files: Sequence[ImportedFile]) -> None:
    """Append the pending events of files of one store, count them, and record titles and counts of finished files.

    A session counts as activity once, when it first has something to gather.
    """
    store_id = store.id
    repository, repeats = uow.ingest(store_id), Repeats()
    for file in files:
        target = file.target.for_store(uow, store)
        file.target = replace(target, keep=repeats.noting(target.keep))
    held = repository.ensure({name: file.target.source for file in reversed(files) for name in file.waiting})
    for file in files:
        file.ids.update({name: held[name][0].id for name in file.waiting})
    current = {name: file.target.is_current for file in files for name in file.waiting}
    changed = {name: session.id for name, (session, _) in held.items() if session.is_current != current[name]}
    for state in {current[name] for name in changed}:
        ids = [session_id for name, session_id in changed.items() if current[name] == state]
        uow.sessions(store_id).set_current(ids, is_current=state)
    new = _find_new(repository, held, files, repeats)
    repository.append([(held[name][0], events) for name, events in new.items()])
    begun = sum(_becomes_pending(held[name][0], events, is_current=current[name]) for name, events in new.items())
    if begun:
        uow.activity.record(store_id, sessions=begun)
    uses = [use for name, events in new.items() for use in find_skill_uses(name, events, uow.now())]
    uow.skills(store_id).record_uses(uses)
    details = [{"session_id": held[name][0].id, "added": len(events)} for name, events in new.items() if events]
    uow.audit.append_all(files[0].target.actor, "session.append", details)
    repository.record_margins(list(_margins([file for file in files if file.is_read and not file.is_recorded])))


def _find_new(
    repository: IngestRepository, held: _KnownSessions, files: Sequence[ImportedFile], repeats: Repeats
) -> dict[str, list[NewEvent]]:
    """Return the new events by session; an event in two files counts for the first."""
    waiting = [(file, name, _by_id(events)) for file in files for name, events in file.waiting.items()]
    wanted: dict[str, set[str]] = {}
    for _, name, by_id in waiting:
        session, is_new = held[name]
        if not is_new and session.last_position:
            wanted.setdefault(session.id, set()).update(by_id)
    known = repository.find_known(wanted)
    kept: list[tuple[ImportedFile, str, list[NewEvent]]] = []
    for file, name, by_id in waiting:
        session, _ = held[name]
        fresh = [to_event(file.target.keep, key, by_id[key]) for key in by_id if (session.id, key) not in known]
        known.update((session.id, event.event_id) for event in fresh)
        kept.append((file, name, fresh))
    new: dict[str, list[NewEvent]] = {name: [] for name in sorted(held)}
    for file, name, fresh in kept:
        session, is_new = held[name]
        masked = [repeats.mask(event) for event in fresh]
        new[name] += masked
        _count_file(file, name, masked, is_new=is_new)
        held[name] = session, False
    return new


def _by_id(events: Iterable[FoundEvent]) -> dict[str, FoundEvent]:
    """Return events by id in their order, the first of each id."""
    found: dict[str, FoundEvent] = {}
    for event in events:
        found.setdefault(clean_id(event.event_id), event)
    return found


def _becomes_pending(session: Session, new: Sequence[NewEvent], *, is_current: bool) -> bool:
    was_counted = session.waiting > 0 and not session.is_current
    return session.waiting + len(new) > 0 and not is_current and not was_counted


def _count_file(file: ImportedFile, external_id: str, new: Sequence[NewEvent], *, is_new: bool) -> None:
    counts = file.counts
    counts.added += len(new)
    counts.known += len(file.waiting[external_id]) - len(new)
    masked = [event.text for event in new if event.is_masked]
    counts.masked += len(masked)
    count_in_sessions(masked)
    counts.replaced += sum(REPLACEMENT in event.text for event in new)
    counts.new_sessions += is_new
    counts.sessions.add(external_id)
    counts.kinds.update(event.kind.value for event in new)
    margin = file.margins[external_id]
    if not margin.title:
        spoken = next((event.text for event in new if is_spoken(event.kind, event.origin) and event.text.strip()), "")
        margin.title = " ".join(spoken[:400].split())[:_MAX_TITLE_CHARS]


def _margins(files: Sequence[ImportedFile]) -> Iterator[Margins]:
    """Yield the margins of finished files, one per session: the first title and the greatest counts."""
    by_session: dict[str, list[Margins]] = {}
    for file in files:
        for name, margin in file.margins.items():
            if name not in file.ids:  # it has a title and no event
                continue
            title = clean_text(margin.title)[: 2 * _MAX_TITLE_CHARS]
            title = file.target.keep_name(title)[:_MAX_TITLE_CHARS]
            one = Margins(
                session_id=file.ids[name],
                title=title,
                project=file.target.project,
                labels=keep_labels({**file.target.labels, **margin.labels}, file.target.keep_name),
                skipped=margin.skipped,
                malformed=margin.malformed,
            )
            by_session.setdefault(one.session_id, []).append(one)
    for session_id, found in by_session.items():
        yield Margins(
            session_id=session_id,
            title=next((one.title for one in found if one.title), ""),
            project=next((one.project for one in found if one.project), ""),
            labels={key: value for one in reversed(found) for key, value in one.labels.items()},
            skipped=max(one.skipped for one in found),
            malformed=max(one.malformed for one in found),
        )


__all__ = ["ImportCounts", "ImportTarget", "import_files", "import_session_items"]

#: A batch bounds the memory of an import.
MAX_BATCH_EVENTS = 1_000
MAX_BATCH_CHARS = 4_000_000
MAX_BATCH_FILES = 200
#: Errors of a reader on unexpected input: they end one file, not the import.
_READER_ERRORS = (TypeError, ValueError, LookupError, AttributeError, RecursionError)


def import_session_items(db: Database, target: ImportTarget, items: Iterable[Item]) -> ImportCounts:
    """Import one file's items into an existing store; importing them again adds nothing.

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
    """Import the items of files into existing stores; yield the counts or the error of each file, in order.

    Small files of the same store share a transaction.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    importer = _Importer(db)
    for target, items in files:
        check_name("tenant", target.tenant_id)
        if importer.has_other_store(target):
            yield from importer.flush()
        importer.read(ImportedFile(target), items)
        if importer.is_full:
            yield from importer.flush()
    yield from importer.flush()


class _Importer:
    """Collects the events of files of one store for the next transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._files: list[ImportedFile] = []
        self._events = 0
        self._chars = 0

    @property
    def is_full(self) -> bool:
        return self._is_batch_full or len(self._files) >= MAX_BATCH_FILES

    @property
    def _is_batch_full(self) -> bool:
        return self._events >= MAX_BATCH_EVENTS or self._chars >= MAX_BATCH_CHARS

    def has_other_store(self, target: ImportTarget) -> bool:
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
            if self._is_batch_full:
                self._write()
        file.is_read = True

    def flush(self) -> list[ImportCounts | BadInputError | OSError]:
        """Write what is pending and return the results of the files, all of which are read."""
        if self._files:
            self._write()
        done = [file.error or file.counts for file in self._files]
        self._files.clear()
        return done

    def _write(self) -> None:
        target = self._files[0].target
        with self._db.transaction(target.tenant_id) as uow:
            store = uow.stores.get(target.store)
            leave_out(self._files, choice_of(store.policy.sessions))
            leave_forgotten(uow, store.id, self._files)
            append_pending(uow, store, self._files)
        for file in self._files:
            file.waiting.clear()
            file.is_recorded = file.is_read
        self._events = self._chars = 0


def _until_error(file: ImportedFile, items: Iterable[Item]) -> Iterator[Item]:
    try:
        yield from items
    except (BadInputError, OSError) as error:
        file.error = error
    except _READER_ERRORS as error:
        file.error = BadInputError(f"It cannot be read on from here ({type(error).__name__}); what was read is kept")
