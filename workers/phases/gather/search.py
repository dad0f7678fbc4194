"""Find the parts of a store's new sessions that a dream looks at: hits found before, themes, suspected corrections, then the rest.

Grep first: transcripts are never read whole. Each session has a cursor; the result says how far the cursor may move once
the dream has read the excerpts. The number of statements does not grow with the number of sessions.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.excerpts import SHOWN, SPEAKERS, Excerpt, Hit, join_positions, speaker_of
from shared.core.sessions.findings import find_in_event, searched_upto
from shared.core.sessions.model import SaidTerms, Session, Window
from shared.core.sessions.transcript import MAX_SPOKEN_CHARS
from shared.ports.sessions import GatherRepository
from shared.services.sessions.find_cues import MAX_SESSIONS
from workers.phases.gather.spans import Span, read_spans
from workers.phases.gather.unmarked import Unmarked, choose_unmarked, find_shown

_CUES_PER_EVENT = 50  # as many as the detector finds at most
_PLACES_PER_TERM = 3
_MATCHES_PER_SUSPECT = 2
_BATCH_EVENTS = 100
#: The most events in which an estimate, which stores nothing, searches for cues.
_MAX_ESTIMATED_EVENTS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundExcerpts:
    """The excerpts around hits in the order of their sessions, and the window that each session's cursor moves over.

    `left` counts the sessions that are not, or not wholly, covered. `unmarked` is what else people said in the windows.
    """

    excerpts: tuple[Excerpt, ...]
    windows: tuple[Window, ...]
    left: int = 0
    unmarked: Unmarked


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The store's sessions and the limits of reading them.

    Attributes:
        repository: the sessions.
        policy: the limits for hits.
        finds_cues: cues are detected while reading, as for an estimate.
        unmarked_tokens: the budget for messages without a hit; 0 shows none.
    """

    repository: GatherRepository
    policy: GatherPolicy
    finds_cues: bool = False
    unmarked_tokens: int = 0


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
    excerpts = tuple(_read_excerpts(search, now))
    return FoundExcerpts(
        excerpts=excerpts,
        windows=tuple(search.windows.values()),
        left=left,
        unmarked=_find_unmarked(search, excerpts, reading.unmarked_tokens, now),
    )


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


def _find_unmarked(search: _Search, excerpts: Sequence[Excerpt], tokens: int, now: datetime) -> Unmarked:
    if not tokens:
        return Unmarked()
    covered = [(search.sessions[window.session_id], window) for window in search.windows.values()]
    return choose_unmarked(search.repository, covered, find_shown(excerpts), search.policy, tokens, now)


def _read_excerpts(search: _Search, now: datetime) -> Iterator[Excerpt]:
    spans = [
        Span(session=session, positions=tuple(positions))
        for session in search.sessions.values()
        for positions in join_positions({hit.position for hit in search.hits[session.id]}, search.policy)
    ]
    places = {session_id: _by_position(hits) for session_id, hits in search.hits.items()}
    found = read_spans(search.repository, spans, places, search.policy, now)
    yield from (excerpt for _, excerpt in found if excerpt is not None)


def _by_position(hits: Sequence[Hit]) -> dict[int, list[Hit]]:
    found: dict[int, list[Hit]] = defaultdict(list)
    for hit in hits:
        found[hit.position].append(hit)
    return found
