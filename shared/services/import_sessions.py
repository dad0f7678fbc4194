"""Import a transcript into a store: each event once, in order, in batches that a crash loses at most one of."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from shared.core.event_findings import DETECTOR_VERSION, find_in_event
from shared.core.session import SPOKEN, NewEvent
from shared.core.skill_use import find_skill_uses
from shared.core.store import check_name
from shared.core.transcript import FoundEvent, Item, MalformedLine, SkippedLine, clean_id, clean_text, cut_text
from shared.ports.database import Database
from shared.ports.session_book import SessionBook

#: A batch is one transaction; memory is bounded by it.
MAX_BATCH_EVENTS = 1_000
MAX_BATCH_CHARS = 4_000_000
_MAX_TITLE_CHARS = 80
_SHOWN_MALFORMED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportTarget:
    """Where a transcript goes, and how. `mask` returns a text without secrets; None: texts are stored as they are.

    `actor` is on whose behalf.
    """

    tenant_id: str
    store: str
    source: str
    mask: Callable[[str], str] | None = None
    is_current: bool = False
    actor: str = ""


@dataclass(slots=True, kw_only=True)
class ImportCounts:
    """What became of a transcript's lines: `added + known + skipped + malformed` is how many there were."""

    added: int = 0
    known: int = 0
    skipped: int = 0
    malformed: int = 0
    masked: int = 0
    new_sessions: int = 0
    sessions: set[str] = field(default_factory=set)  # external ids
    kinds: Counter[str] = field(default_factory=Counter)  # of the events added
    first_malformed: list[MalformedLine] = field(default_factory=list)

    @property
    def lines(self) -> int:
        """Return how many lines there were, empty ones left out."""
        return self.added + self.known + self.skipped + self.malformed


@dataclass(slots=True)
class _Margin:
    """What is no event but belongs to a session."""

    title: str = ""
    skipped: int = 0
    malformed: int = 0


def import_session_items(db: Database, target: ImportTarget, items: Iterable[Item]) -> ImportCounts:
    """Write one file's items into a store that exists; doing it again adds nothing.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    return _Importer(db, target).run(items)


class _Importer:
    """One run over one file."""

    def __init__(self, db: Database, target: ImportTarget) -> None:
        check_name("tenant", target.tenant_id)
        self._db = db
        self._target = target
        self._counts = ImportCounts()
        self._waiting: dict[str, list[FoundEvent]] = {}
        self._waiting_events = 0
        self._waiting_chars = 0
        self._margins: dict[str, _Margin] = {}
        self._ids: dict[str, str] = {}
        self._session = ""
        self._before = _Margin()  # of lines before the first event

    def run(self, items: Iterable[Item]) -> ImportCounts:
        for item in items:
            if isinstance(item, FoundEvent):
                self._add(item)
            else:
                self._count(item)
        self._flush(is_last=True)
        return self._counts

    def _add(self, event: FoundEvent) -> None:
        session = clean_id(event.session)
        if session not in self._margins:
            self._margins[session] = self._before if not self._margins else _Margin()
        self._session = session
        self._waiting.setdefault(session, []).append(event)
        self._waiting_events += 1
        self._waiting_chars += len(event.text)
        if self._waiting_events >= MAX_BATCH_EVENTS or self._waiting_chars >= MAX_BATCH_CHARS:
            self._flush()

    def _count(self, item: SkippedLine | MalformedLine) -> None:
        margin = self._margins.get(self._session, self._before)
        if isinstance(item, SkippedLine):
            self._counts.skipped += 1
            margin.skipped += 1
            margin.title = item.title or margin.title
            return
        self._counts.malformed += 1
        margin.malformed += 1
        if len(self._counts.first_malformed) < _SHOWN_MALFORMED:
            self._counts.first_malformed.append(item)

    def _flush(self, *, is_last: bool = False) -> None:
        with self._db.transaction(self._target.tenant_id) as uow:
            store_id = uow.stores.get(self._target.store).id
            book = uow.sessions(store_id)
            # In one order for all importers, so that two never wait for each other's sessions.
            begun = 0
            for session in sorted(self._waiting):
                is_begun, new = self._write(book, session, self._waiting[session])
                begun += is_begun
                uow.skills(store_id).record_uses(find_skill_uses(session, new, uow.now()))
                if new:
                    uow.record_audit(
                        self._target.actor, "session.append", session_id=self._ids[session], added=len(new)
                    )
            if begun:
                uow.activity.record(store_id, sessions=begun)
            for session, margin in self._margins.items() if is_last else ():
                title = clean_text(margin.title)[:_MAX_TITLE_CHARS]
                book.record_import(self._ids[session], title=title, skipped=margin.skipped, malformed=margin.malformed)
        self._waiting.clear()
        self._waiting_events = self._waiting_chars = 0

    def _write(
        self, book: SessionBook, external_id: str, events: Sequence[FoundEvent]
    ) -> tuple[bool, Sequence[NewEvent]]:
        """Append what is new and return it, and whether the session is activity now: once, when it begins to wait."""
        session, is_new = book.ensure(external_id, source=self._target.source)
        self._ids[external_id] = session.id
        was_counted = session.waiting > 0 and not session.is_current
        if session.is_current != self._target.is_current:
            book.set_current(session.id, is_current=self._target.is_current)
        by_id = {clean_id(event.event_id): event for event in reversed(events)}
        known = book.find_known(session, by_id.keys())
        new = [self._made(key, by_id[key]) for key in reversed(by_id) if key not in known]
        session = book.append(session, new, DETECTOR_VERSION)
        self._tally(external_id, new, len(events) - len(new), is_new=is_new)
        return session.waiting > 0 and not self._target.is_current and not was_counted, new

    def _tally(self, external_id: str, new: Sequence[NewEvent], known: int, *, is_new: bool) -> None:
        counts = self._counts
        counts.added += len(new)
        counts.known += known
        counts.masked += sum(event.is_masked for event in new)
        counts.new_sessions += is_new
        counts.sessions.add(external_id)
        counts.kinds.update(event.kind.value for event in new)
        margin = self._margins[external_id]
        if not margin.title:
            spoken = next((event.text for event in new if event.kind in SPOKEN and event.text.strip()), "")
            margin.title = " ".join(spoken[:400].split())[:_MAX_TITLE_CHARS]

    def _made(self, event_id: str, event: FoundEvent) -> NewEvent:
        text = clean_text(event.text)
        masked = self._target.mask(text) if self._target.mask else text
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
