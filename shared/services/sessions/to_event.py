"""An event of a transcript as it is stored: cut to its size, with its origin, and without what is masked or left out."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from shared.core.sessions.model import NewEvent
from shared.core.sessions.origin import find_origin
from shared.core.sessions.transcript import FoundEvent, clean_text, keep_text


def to_event(keep: Callable[[str], str], event_id: str, event: FoundEvent) -> NewEvent:
    """Return an event as it is stored; `keep` returns what is stored of a text, or the text itself if that is all of it."""
    found = find_origin(event.kind, event.text, role=event.role, session=event.session)
    if event.origin is not None:
        found = replace(found, origin=event.origin)
    kept, is_masked = keep_text(found.words, event.kind, keep)
    is_cut = found.words != event.text
    as_sent, is_also_masked = keep_text(event.text, event.kind, keep) if is_cut else (None, False)
    details = None if event.details is None else _keep_details(event.details, keep)
    return NewEvent(
        event_id=event_id,
        kind=event.kind,
        role=clean_text(event.role),
        origin=found.origin,
        text=kept,
        as_sent=as_sent,
        at=event.at or found.at,
        size_chars=len(event.text),
        is_masked=is_masked or is_also_masked or (details is not None and details != event.details),
        details=details,
    )


def _keep_details(details: Mapping[str, object], keep_one: Callable[[str], str]) -> dict[str, object]:
    """Return an event's details besides its text, with cleaned and masked strings."""

    def keep(value: object) -> object:
        if not isinstance(value, str):
            return value
        return keep_one(clean_text(value))

    return {name: keep(value) for name, value in details.items()}
