"""Explain a session event by event: its cues, the memories gathered from it, or why there are none."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.core.dream.effects import Effect
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import Create, OperationKind, Rewrite
from shared.core.dream.phase_catalog import PhaseCatalog
from shared.core.memory.provenance import place_of, read_sources
from shared.core.sessions.explained import Fate, decide_fate
from shared.core.sessions.findings import find_in_event, searched_upto
from shared.core.sessions.model import CueSpan, Session, SessionEvent, Window
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.sessions import Refused

_CUES_PER_EVENT = 50
#: The dreams that are asked what they made of a session: those that read it, the newest first.
_MAX_DREAMS = 20
_GATHERING = frozenset({OperationKind.GATHER, OperationKind.CORRECT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """An operation that wrote or proposed a memory from an event. `memory_id` is None while nothing is written."""

    operation: RecordedOperation
    memory_id: str | None
    path: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedEvent:
    """An event with its cues, what was gathered from it, and what was refused; `fate` says why there is neither."""

    event: SessionEvent
    cues: tuple[CueSpan, ...]
    gathered: tuple[Gathered, ...]
    refused: tuple[Refused, ...]
    fate: Fate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:
    """A page of a session's events: at most `limit` events after a position, each cut to its first `max_chars` characters."""

    after: int
    limit: int
    max_chars: int


def explain_events(
    db: Database,
    tenant_id: str,
    store_name: str,
    session_id: str,
    phases: PhaseCatalog,
    shown: EventPage,
) -> tuple[Session, list[ExplainedEvent]]:
    """Return a session and its events after a position, each explained. Raises NotFoundError.

    Questions, operations and skips are deleted by retention; for older dreams only the cues are shown.
    """
    gathering = [entry.name for entry in phases.entries if entry.may_emit & _GATHERING]
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        session = uow.sessions(store_id).get(session_id)
        window = Window(
            session_id=session.id, after=shown.after, upto=min(shown.after + shown.limit, session.last_position)
        )
        events = uow.gathering(store_id).find_windows([window], max_chars=shown.max_chars)[0]
        cues: dict[int, list[CueSpan]] = defaultdict(list)
        for hit in uow.gathering(store_id).find_cues([window], limit=_CUES_PER_EVENT * shown.limit):
            cues[hit.position].append(hit.cue)
        for event in events:
            if event.position > searched_upto(session):  # a dream will find and store the same
                cues[event.position] = list(find_in_event(event.kind, event.text, event.origin).cues)
        is_read = session.gathered_position > shown.after
        refused = uow.sessions(store_id).find_refused(session, gathering, _MAX_DREAMS) if is_read else {}
        gathered = _find_gathered(uow, session, refused) if is_read else {}
    return session, [_explain(event, session, tuple(cues[event.position]), gathered, refused) for event in events]


def find_position(db: Database, tenant_id: str, store_name: str, session_id: str, event_id: str) -> int | None:
    """Return the position of an event in a session of a store, by the id from its source."""
    with db.transaction(tenant_id) as uow:
        found = uow.gathering(uow.stores.get(store_name).id).find_events([(session_id, event_id)])
    return found[0].position if found else None


def _explain(
    event: SessionEvent,
    session: Session,
    cues: tuple[CueSpan, ...],
    gathered: Mapping[str, Sequence[Gathered]],
    refused: Mapping[str, Sequence[Refused]],
) -> ExplainedEvent:
    made = tuple(gathered.get(event.event_id, ()))
    place = place_of(session.id, event.event_id)
    said = tuple(one for found in refused.values() for one in found if one.place == place)
    fate = None if made or said else decide_fate(event, session, has_cue=bool(cues))
    return ExplainedEvent(event=event, cues=cues, gathered=made, refused=said, fate=fate)


def _find_gathered(
    uow: UnitOfWork, session: Session, dreams: Mapping[str, Sequence[Refused]]
) -> dict[str, list[Gathered]]:
    """Return by event what these dreams have gathered from a session."""
    found: dict[str, list[Gathered]] = defaultdict(list)
    for dream_id in dreams:
        for kind in sorted(_GATHERING):
            for operation in uow.operations.find_all(dream_id, OperationFilter(kind=kind)):
                for event_id, one in _read_operation(operation, session.id):
                    found[event_id].append(one)
    return found


def _read_operation(operation: RecordedOperation, session_id: str) -> Iterator[tuple[str, Gathered]]:
    effects = {effect.after.path: effect for effect in operation.effects}
    for change in operation.operation.changes:
        if not isinstance(change, Create | Rewrite):
            continue
        effect = effects.get(change.path)
        known = _known_before(effect)
        for source in read_sources(change.content):
            if source.session_id == session_id and source.place not in known:
                memory_id = effect.after.id if effect else (change.memory_id if isinstance(change, Rewrite) else None)
                yield (
                    source.event_id,
                    Gathered(operation=operation, memory_id=memory_id, path=change.path, quote=source.quote),
                )


def _known_before(effect: Effect | None) -> frozenset[str]:
    """Return the places that a memory named already before it was rewritten."""
    if effect is None or effect.before is None:
        return frozenset()
    return frozenset(source.place for source in read_sources(effect.before.content))
