"""Find the parts of a store's new sessions that a dream looks at: hits found before, themes, and suspected corrections.

Grep first: transcripts are never read whole. Each session has a cursor; the result says how far the cursor may move once
the dream has read the excerpts. The number of statements does not grow with the number of sessions.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.excerpts import (
    REACH_AFTER,
    REACH_BEFORE,
    SHOWN,
    SPEAKERS,
    Excerpt,
    Hit,
    join_hits,
    make_excerpt,
    speaker_of,
)
from shared.core.sessions.findings import find_in_event, searched_upto
from shared.core.sessions.model import SaidTerms, Session, SessionEvent, Window
from shared.core.sessions.transcript import MAX_SPOKEN_CHARS
from shared.ports.sessions import GatherRepository
from shared.services.sessions.find_cues import MAX_SESSIONS

_CUES_PER_EVENT = 50  # as many as the detector finds at most
_PLACES_PER_TERM = 3
_MATCHES_PER_SUSPECT = 2
_EVENT_CHARS = 20_000
_BATCH_EVENTS = 100
#: The most events in which an estimate, which stores nothing, searches for cues.
_MAX_ESTIMATED_EVENTS = 500
_BATCH_SPANS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundExcerpts:
    """The excerpts in the order of their sessions, and the window that each session's cursor moves over.

    `left` counts the sessions that are not, or not wholly, covered.
    """

    excerpts: tuple[Excerpt, ...]
    windows: tuple[Window, ...]
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The store's sessions and the limits of reading them. `finds_cues`: cues are detected while reading, as for an estimate."""

    repository: GatherRepository
    policy: GatherPolicy
    finds_cues: bool = False


@dataclass
class _Search:
    """The findings so far. `windows` are the events that the cursors move over, by session."""

    repository: GatherRepository
    policy: GatherPolicy
    estimated: int = 0
    sessions: dict[str, Session] = field(default_factory=dict)
    hits: dict[str, list[Hit]] = field(default_factory=lambda: defaultdict(list))
    windows: dict[str, Window] = field(default_factory=dict)
    new_terms: list[SaidTerms] = field(default_factory=list)
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """Events that are shown together, and the events that are fetched to find the speech around them."""

    session: Session
    bounds: tuple[int, int]
    reach: Window


def find_excerpts(reading: Reading, find_suspects: Callable[[], Sequence[str]], now: datetime) -> FoundExcerpts | None:
    """Return what to look at, or None when no session has anything new.

    Args:
        reading: the store's sessions, and limits.
        find_suspects: returns search terms of memories that may have drifted; only asked when a session has something new.
        now: stands in for the time of events that have none, in sessions that have none either.
    """
    search = _Search(repository=reading.repository, policy=reading.policy, left=reading.policy.max_windows)
    waiting = reading.repository.find_ungathered(MAX_SESSIONS)
    if not waiting:
        return None
    known = _find_known(search, waiting)
    for session in waiting:
        if search.left <= 0:
            break
        upto, hits = searched_upto(session), known[session.id]
        if reading.finds_cues:
            upto, found = _look(search, session, upto)
            hits += found
        if upto > session.gathered_position:
            _take(search, session, hits, upto)
    _find_themes(search)
    _find_suspects(search, find_suspects())
    left = sum(not _is_covered(search, session.id, session.last_position) for session in waiting)
    return FoundExcerpts(excerpts=tuple(_read_excerpts(search, now)), windows=tuple(search.windows.values()), left=left)


def _find_known(search: _Search, waiting: Sequence[Session]) -> dict[str, list[Hit]]:
    """Return what the detector of today has found, for the first sessions until the budget must be spent."""
    windows = [
        Window(session_id=session.id, after=session.gathered_position, upto=searched_upto(session))
        for session in waiting
        if searched_upto(session) > session.gathered_position
    ]
    hits: dict[str, list[Hit]] = defaultdict(list)
    for found in search.repository.find_cues(windows, limit=_CUES_PER_EVENT * (search.left + 1)):
        cue = found.cue
        hits[found.session_id].append(Hit(position=found.position, reason=cue.kind, start=cue.start, end=cue.end))
    return hits


def _look(search: _Search, session: Session, begin: int) -> tuple[int, list[Hit]]:
    """Return how far an estimate looks, and the hits in what no detector has looked at; terms are kept for the themes."""
    upto = min(session.last_position, begin + max(0, _MAX_ESTIMATED_EVENTS - search.estimated))
    hits, terms = list[Hit](), list[SaidTerms]()
    search.estimated += upto - begin
    for after in range(begin, upto, _BATCH_EVENTS):
        piece = Window(session_id=session.id, after=after, upto=min(upto, after + _BATCH_EVENTS))
        for event in search.repository.find_windows([piece], max_chars=MAX_SPOKEN_CHARS, kinds=SHOWN)[0]:
            found = find_in_event(event.kind, event.text, event.origin)
            hits += [Hit(position=event.position, reason=c.kind, start=c.start, end=c.end) for c in found.cues]
            if event.is_spoken:
                terms.append(SaidTerms(session_id=session.id, position=event.position, terms=found.terms))
    search.new_terms += terms
    return upto, hits


def _take(search: _Search, session: Session, hits: list[Hit], upto: int) -> None:
    """Take a session's hits as far as the budget goes; its cursor will move to the last event that was covered."""
    positions = sorted({hit.position for hit in hits})
    if len(positions) > search.left:
        upto = positions[search.left] - 1
        hits = [hit for hit in hits if hit.position <= upto]
    search.sessions[session.id] = session
    search.hits[session.id] += hits
    search.left -= min(len(positions), search.left)
    search.windows[session.id] = Window(session_id=session.id, after=session.gathered_position, upto=upto)


def _find_themes(search: _Search) -> None:
    if search.policy.max_themes <= 0:
        return
    policy, read_again = search.policy, search.new_terms
    themes = search.repository.find_themes(
        min_sessions=policy.min_theme_sessions, limit=policy.max_themes, read_again=read_again
    )
    for theme in themes:
        covered = [place for place in theme.places if _is_covered(search, *place)]
        for session_id, position in covered[:_PLACES_PER_TERM]:
            reason = f'theme "{theme.term}" in {theme.sessions} sessions'
            search.hits[session_id].append(Hit(position=position, reason=reason))


def _is_covered(search: _Search, session_id: str, position: int) -> bool:
    window = search.windows.get(session_id)
    return window is not None and window.after < position <= window.upto


def _find_suspects(search: _Search, suspects: Sequence[str]) -> None:
    for query in suspects[: search.policy.max_suspects]:
        for match in search.repository.search(query, _MATCHES_PER_SUSPECT, only_new=True):
            event = match.event
            is_said = speaker_of(event) in SPEAKERS
            if is_said and _is_covered(search, event.session_id, event.position):
                reason = f'search for "{query}"'
                search.hits[event.session_id].append(Hit(position=event.position, reason=reason))


def _read_excerpts(search: _Search, now: datetime) -> Iterator[Excerpt]:
    spans = [_span(session, bounds) for session in search.sessions.values() for bounds in _join(search, session)]
    places = {session_id: _by_position(hits) for session_id, hits in search.hits.items()}
    for first in range(0, len(spans), _BATCH_SPANS):
        batch = spans[first : first + _BATCH_SPANS]
        found = search.repository.find_windows([span.reach for span in batch], max_chars=_EVENT_CHARS, kinds=SHOWN)
        for span, events in zip(batch, found, strict=True):
            session, by_position = span.session, places[span.session.id]
            whole = _complete(search.repository, events, by_position)
            fallback_at = session.last_event_at or session.started_at or session.created_at or now
            excerpt = make_excerpt(whole, span.bounds, by_position, search.policy, fallback_at)
            if excerpt is not None:
                yield excerpt


def _by_position(hits: Sequence[Hit]) -> dict[int, list[Hit]]:
    found: dict[int, list[Hit]] = defaultdict(list)
    for hit in hits:
        found[hit.position].append(hit)
    return found


def _join(search: _Search, session: Session) -> list[tuple[int, int]]:
    return join_hits(search.hits[session.id], search.policy)


def _span(session: Session, bounds: tuple[int, int]) -> _Span:
    reach = Window(session_id=session.id, after=max(0, bounds[0] - REACH_BEFORE - 1), upto=bounds[1] + REACH_AFTER)
    return _Span(session=session, bounds=bounds, reach=reach)


def _complete(
    repository: GatherRepository, events: Sequence[SessionEvent], hits: dict[int, list[Hit]]
) -> Sequence[SessionEvent]:
    """Return the events, those with a hit far from the beginning with more of their text."""
    deep = [
        Window(session_id=event.session_id, after=event.position - 1, upto=event.position)
        for event in events
        if any(hit.end > _EVENT_CHARS for hit in hits.get(event.position, ()))
    ]
    if not deep:
        return events
    longer = {found.position: found for [found] in repository.find_windows(deep, max_chars=MAX_SPOKEN_CHARS)}
    return [longer.get(event.position, event) for event in events]
