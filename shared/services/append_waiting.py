"""Append to sessions what waits of files that are read together: one statement a step, however many sessions they are."""

from collections.abc import Iterable, Iterator, Sequence

from shared.core.event_findings import DETECTOR_VERSION, find_in_event
from shared.core.session import SPOKEN, NewEvent, Session
from shared.core.skill_use import find_skill_uses
from shared.core.transcript import REPLACEMENT, FoundEvent, clean_id, clean_text, keep_text
from shared.ports.database import UnitOfWork
from shared.ports.session_book import IngestBook, Margins
from shared.services.imported_file import ImportedFile, ImportTarget

_MAX_TITLE_CHARS = 80
_Held = dict[str, tuple[Session, bool]]


def append_waiting(uow: UnitOfWork, store_id: str, files: Sequence[ImportedFile]) -> None:
    """Append what is new of these files, which all go to this store, and tally it; keep titles and counts of read files.

    A session is activity once, when it begins to wait.
    """
    book = uow.ingest(store_id)
    held = book.ensure({name: file.target.source for file in reversed(files) for name in file.waiting})
    for file in files:
        file.ids.update({name: held[name][0].id for name in file.waiting})
    current = {name: file.target.is_current for file in files for name in file.waiting}
    changed = {name: session.id for name, (session, _) in held.items() if session.is_current != current[name]}
    for state in {current[name] for name in changed}:
        ids = [session_id for name, session_id in changed.items() if current[name] == state]
        uow.sessions(store_id).set_current(ids, is_current=state)
    new = _find_new(book, held, files)
    book.append([(held[name][0], events) for name, events in new.items()], DETECTOR_VERSION)
    begun = sum(_begins_to_wait(held[name][0], events, is_current=current[name]) for name, events in new.items())
    if begun:
        uow.activity.record(store_id, sessions=begun)
    uses = [use for name, events in new.items() for use in find_skill_uses(name, events, uow.now())]
    uow.skills(store_id).record_uses(uses)
    details = [{"session_id": held[name][0].id, "added": len(events)} for name, events in new.items() if events]
    uow.audit.append_all(files[0].target.actor, "session.append", details)
    book.record_margins(list(_margins([file for file in files if file.is_read and not file.is_recorded])))


def _find_new(book: IngestBook, held: _Held, files: Sequence[ImportedFile]) -> dict[str, list[NewEvent]]:
    """Return the events that are new by their sessions' names; what two files have counts in the first."""
    waiting = [(file, name, _by_id(events)) for file in files for name, events in file.waiting.items()]
    wanted: dict[str, set[str]] = {}
    for _, name, by_id in waiting:
        session, is_new = held[name]
        if not is_new and session.last_position:
            wanted.setdefault(session.id, set()).update(by_id)
    known = book.find_known(wanted)
    new: dict[str, list[NewEvent]] = {name: [] for name in sorted(held)}
    for file, name, by_id in waiting:
        session, is_new = held[name]
        fresh = [_made(file.target, key, by_id[key]) for key in by_id if (session.id, key) not in known]
        known.update((session.id, event.event_id) for event in fresh)
        new[name] += fresh
        _tally(file, name, fresh, is_new=is_new)
        held[name] = session, False
    return new


def _by_id(events: Iterable[FoundEvent]) -> dict[str, FoundEvent]:
    """Return events by their ids, the first of each, in their order."""
    found: dict[str, FoundEvent] = {}
    for event in events:
        found.setdefault(clean_id(event.event_id), event)
    return found


def _begins_to_wait(session: Session, new: Sequence[NewEvent], *, is_current: bool) -> bool:
    was_counted = session.waiting > 0 and not session.is_current
    return session.waiting + len(new) > 0 and not is_current and not was_counted


def _tally(file: ImportedFile, external_id: str, new: Sequence[NewEvent], *, is_new: bool) -> None:
    counts = file.counts
    counts.added += len(new)
    counts.known += len(file.waiting[external_id]) - len(new)
    counts.masked += sum(event.is_masked for event in new)
    counts.replaced += sum(REPLACEMENT in event.text for event in new)
    counts.new_sessions += is_new
    counts.sessions.add(external_id)
    counts.kinds.update(event.kind.value for event in new)
    margin = file.margins[external_id]
    if not margin.title:
        spoken = next((event.text for event in new if event.kind in SPOKEN and event.text.strip()), "")
        margin.title = " ".join(spoken[:400].split())[:_MAX_TITLE_CHARS]


def _margins(files: Sequence[ImportedFile]) -> Iterator[Margins]:
    """Yield titles and counts of files that are read, one for each session: the first title, the greatest counts."""
    by_session: dict[str, list[Margins]] = {}
    for file in files:
        for name, margin in file.margins.items():
            title = clean_text(margin.title)[:_MAX_TITLE_CHARS]
            one = Margins(session_id=file.ids[name], title=title, skipped=margin.skipped, malformed=margin.malformed)
            by_session.setdefault(one.session_id, []).append(one)
    for session_id, found in by_session.items():
        yield Margins(
            session_id=session_id,
            title=next((one.title for one in found if one.title), ""),
            skipped=max(one.skipped for one in found),
            malformed=max(one.malformed for one in found),
        )


def _made(target: ImportTarget, event_id: str, event: FoundEvent) -> NewEvent:
    kept, is_masked = keep_text(event.text, event.kind, target.mask)
    return NewEvent(
        event_id=event_id,
        kind=event.kind,
        role=clean_text(event.role),
        text=kept,
        at=event.at,
        size_chars=len(event.text),
        is_masked=is_masked,
        found=find_in_event(event.kind, kept),
    )
