"""Find earlier wishes in similar words: a mild wish is often repeated across the sessions of several dreams.

The words of today's wishes are searched in all sessions. A hit that was recognized as a wish or a correction before a
dream read it, and that is not too old, is shown again, alone and cut.
"""

from collections.abc import Sequence
from datetime import timedelta

from shared.core.search.bm25 import terms_of
from shared.core.sessions.excerpts import PEOPLE, Excerpt, make_line
from shared.core.sessions.model import CueHit, SessionEvent, Window
from shared.core.text.similarity import significant_words
from shared.ports.sessions import GatherRepository

_WISHES = frozenset({"preference", "correction"})
_MAX_LINES = 50
_WORDS_OF_A_LINE = 12
_MAX_WORDS = 60
_MAX_EVENTS = 60
_MAX_FOUND = 20
_CUES_PER_EVENT = 20
_LINE_CHARS = 600
_FEWEST_SHARED = 2


def find_earlier_wishes(repository: GatherRepository, excerpts: Sequence[Excerpt], days: float) -> list[Excerpt]:
    """Return pieces of one event each; those that share the rarest words come first.

    Args:
        repository: the sessions that this dream may read.
        excerpts: the new events, which are not returned again.
        days: how long before the oldest of them an event may be.
    """
    lines = [line for one in excerpts for line in one.lines if line.is_hit and line.role in PEOPLE][:_MAX_LINES]
    words = [frozenset(significant_words(line.text, _WORDS_OF_A_LINE)) for line in lines]
    terms = terms_of(sorted({word for some in words for word in some})[:_MAX_WORDS])
    if not terms:
        return []
    shown = {(one.session_id, line.event_id) for one in excerpts for line in one.lines}
    first, last = min(line.at for line in lines), max(line.at for line in lines)
    span = timedelta(days=days)
    events = {
        (event.session_id, event.position): event
        for event in repository.find_said(terms, _MAX_EVENTS).events
        if event.is_spoken
        and (event.session_id, event.event_id) not in shown
        and event.at is not None
        and first - span <= event.at <= last
        and _is_like(event.text, words)
    }
    windows = [Window(session_id=session, after=at - 1, upto=at) for session, at in events]
    cues: dict[tuple[str, int], CueHit] = {}
    for found in repository.find_cues(windows, limit=_CUES_PER_EVENT * len(windows)) if windows else ():
        if found.cue.kind in _WISHES:
            cues.setdefault((found.session_id, found.position), found)
    return [_piece(event, cues[place]) for place, event in events.items() if place in cues][:_MAX_FOUND]


def _is_like(text: str, wishes: Sequence[frozenset[str]]) -> bool:
    words = frozenset(significant_words(text, _MAX_WORDS))
    return any(len(words & wish) >= min(_FEWEST_SHARED, len(wish)) for wish in wishes if wish)


def _piece(event: SessionEvent, found: CueHit) -> Excerpt:
    assert event.at is not None  # only events with a time count
    line = make_line(event, (found.cue.start, found.cue.end), _LINE_CHARS, event.at, is_hit=True)
    reason = f"{found.cue.kind} at [{event.position}], said in an earlier session"
    return Excerpt(session_id=event.session_id, lines=(line,), reasons=(reason,))
