"""Read spans of sessions as excerpts. The events around them are fetched for many spans at once, and cut."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.excerpts import REACH_AFTER, REACH_BEFORE, SHOWN, Excerpt, Hit, make_excerpt
from shared.core.sessions.model import Session, SessionEvent, Window
from shared.core.sessions.transcript import MAX_SPOKEN_CHARS
from shared.ports.sessions import GatherRepository

_EVENT_CHARS = 20_000
_BATCH_SPANS = 50
#: The hits by session and position.
Places = Mapping[str, Mapping[int, Sequence[Hit]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Events of a session that are shown together: the positions that they are shown for, in order."""

    session: Session
    positions: tuple[int, ...]

    @property
    def bounds(self) -> tuple[int, int]:
        """Return the first and the last position."""
        return self.positions[0], self.positions[-1]

    @property
    def reach(self) -> Window:
        """Return the events that are fetched to find the speech around the span."""
        first, last = self.bounds
        return Window(session_id=self.session.id, after=max(0, first - REACH_BEFORE - 1), upto=last + REACH_AFTER)


def read_spans(
    repository: GatherRepository, spans: Sequence[Span], places: Places, policy: GatherPolicy, now: datetime
) -> Iterator[tuple[Span, Excerpt | None]]:
    """Yield each span with its excerpt, or None when nothing of it is speech. What is not asked for is not fetched.

    Args:
        repository: the store's sessions.
        spans: what to read, in the order in which it is wanted.
        places: the hits.
        policy: the limits of an excerpt.
        now: stands in for the time of events that have none, in sessions that have none either.
    """
    for first in range(0, len(spans), _BATCH_SPANS):
        batch = spans[first : first + _BATCH_SPANS]
        found = repository.find_windows([span.reach for span in batch], max_chars=_EVENT_CHARS, kinds=SHOWN)
        for span, events in zip(batch, found, strict=True):
            session, by_position = span.session, places.get(span.session.id, {})
            whole = _complete(repository, events, by_position)
            fallback_at = session.last_event_at or session.started_at or session.created_at or now
            yield span, make_excerpt(whole, span.bounds, by_position, policy, fallback_at)


def _complete(
    repository: GatherRepository, events: Sequence[SessionEvent], hits: Mapping[int, Sequence[Hit]]
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
