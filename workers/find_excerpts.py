"""What of a store's new sessions a dream looks at: hits that were found at ingest, themes, and what is suspected.

Grep first: transcripts are never read whole. Each session has a cursor; what is returned says how far it may move when
the dream has read the excerpts.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.core.cues import DETECTOR_VERSION, find_cues
from shared.core.excerpt import Excerpt
from shared.core.excerpt_spans import REACH_AFTER, REACH_BEFORE, Hit, join_hits, make_excerpt
from shared.core.policy import GatherPolicy
from shared.core.session import SPOKEN, Session, Window
from shared.ports.session_book import GatherBook

#: So many sessions are looked at by one dream; the rest wait for the next.
_MAX_SESSIONS = 2_000
_PLACES_PER_TERM = 3
_MATCHES_PER_SUSPECT = 2
_EVENT_CHARS = 20_000
_BATCH_EVENTS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundExcerpts:
    """The excerpts in the order of their sessions, and the window that each session's cursor moves over."""

    excerpts: tuple[Excerpt, ...]
    windows: tuple[Window, ...]


@dataclass
class _Search:
    """What has been found so far."""

    book: GatherBook
    policy: GatherPolicy
    sessions: dict[str, Session] = field(default_factory=dict)
    hits: dict[str, list[Hit]] = field(default_factory=lambda: defaultdict(list))
    windows: list[Window] = field(default_factory=list)
    left: int = 0


def find_excerpts(
    book: GatherBook, policy: GatherPolicy, suspects: Sequence[str], now: datetime, since: datetime | None
) -> FoundExcerpts | None:
    """Return what to look at, or None when no session has anything new.

    Args:
        book: the store's sessions.
        policy: limits.
        suspects: search terms of memories that may have drifted.
        now: stands in for the time of events that have none, in sessions that have none either.
        since: events before it were looked at by an earlier dream, as far as suspects go.
    """
    search = _Search(book=book, policy=policy, left=policy.max_windows)
    waiting = book.find_ungathered(_MAX_SESSIONS)
    if not waiting:
        return None
    for session in waiting:
        if search.left <= 0:
            break
        _find_cues(search, session)
    _find_themes(search)
    _find_suspects(search, suspects, since)
    return FoundExcerpts(excerpts=tuple(_read_excerpts(search, now)), windows=tuple(search.windows))


def _find_cues(search: _Search, session: Session) -> None:
    """Take a session's hits as far as the budget goes; its cursor will move to the last event that was covered."""
    upto = session.last_position
    hits = list(_hits_of(search, session))
    positions = sorted({hit.position for hit in hits})
    if len(positions) > search.left:
        upto = positions[search.left] - 1
        hits = [hit for hit in hits if hit.position <= upto]
    search.sessions[session.id] = session
    search.hits[session.id] += hits
    search.left -= min(len(positions), search.left)
    search.windows.append(Window(session_id=session.id, after=session.gathered_position, upto=upto))


def _hits_of(search: _Search, session: Session) -> Iterator[Hit]:
    """Yield the hits of a session's new events; those of an older detector are found anew."""
    after, upto = session.gathered_position, session.last_position
    if session.detector_version == DETECTOR_VERSION:
        for found in search.book.find_cues(session.id, after=after, upto=upto, limit=50 * (search.left + 1)):
            yield Hit(position=found.position, reason=found.cue.kind, start=found.cue.start, end=found.cue.end)
        return
    for first in range(after + 1, upto + 1, _BATCH_EVENTS):
        last = min(upto, first + _BATCH_EVENTS - 1)
        for event in search.book.find_window(session.id, first=first, last=last, max_chars=_EVENT_CHARS):
            for cue in find_cues(event.text) if event.kind in SPOKEN else ():
                yield Hit(position=event.position, reason=str(cue.kind), start=cue.start, end=cue.end)


def _find_themes(search: _Search) -> None:
    if search.policy.max_themes <= 0:
        return
    themes = search.book.find_themes(min_sessions=search.policy.min_theme_sessions, limit=search.policy.max_themes)
    for theme in themes:
        shown = 0
        for session_id, position in theme.places:
            if shown < _PLACES_PER_TERM and _is_covered(search, session_id, position):
                reason = f'theme "{theme.term}" in {theme.sessions} sessions'
                search.hits[session_id].append(Hit(position=position, reason=reason))
                shown += 1


def _is_covered(search: _Search, session_id: str, position: int) -> bool:
    return any(w.session_id == session_id and w.after < position <= w.upto for w in search.windows)


def _find_suspects(search: _Search, suspects: Sequence[str], since: datetime | None) -> None:
    for query in suspects[: search.policy.max_suspects]:
        for match in search.book.search(query, _MATCHES_PER_SUSPECT, since=since):
            event = match.event
            if _is_covered(search, event.session_id, event.position):
                reason = f'search for "{query}"'
                search.hits[event.session_id].append(Hit(position=event.position, reason=reason))


def _read_excerpts(search: _Search, now: datetime) -> Iterator[Excerpt]:
    for session_id, session in search.sessions.items():
        by_position: dict[int, list[Hit]] = defaultdict(list)
        for hit in search.hits[session_id]:
            by_position[hit.position].append(hit)
        fallback_at = session.last_event_at or session.started_at or session.created_at or now
        for span in join_hits(search.hits[session_id], search.policy):
            first, last = max(1, span[0] - REACH_BEFORE), span[1] + REACH_AFTER
            events = search.book.find_window(session_id, first=first, last=last, max_chars=_EVENT_CHARS)
            excerpt = make_excerpt(events, span, by_position, search.policy, fallback_at)
            if excerpt is not None:
                yield excerpt
