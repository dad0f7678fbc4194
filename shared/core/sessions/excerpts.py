"""Bounded excerpts of a transcript around hits: all that a model ever sees of a session.

Close hits share one excerpt, context is speech only, and every size is bounded.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.model import EventKind, SessionEvent

_ELLIPSIS = " […] "
_MIN_QUOTE_CHARS = 8
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcerptLine:
    """One event of a session in an excerpt. `position` counts the session's events from 1."""

    position: int
    event_id: str
    role: str  # user | assistant | log
    at: datetime
    text: str
    is_hit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Neighbouring events of one session with at least one hit among them; `reasons` say what was found where."""

    session_id: str
    lines: tuple[ExcerptLine, ...]
    reasons: tuple[str, ...]

    @property
    def path(self) -> str:
        """Return the id by which an answer refers to this excerpt."""
        return f"{self.session_id}#{self.lines[0].position}-{self.lines[-1].position}"


def render_excerpt(excerpt: Excerpt) -> str:
    """Return the text of an excerpt: a head for each event, a star at the hits, further lines indented."""
    return "\n".join(_render_line(line) for line in excerpt.lines)


def _render_line(line: ExcerptLine) -> str:
    star = "*" if line.is_hit else ""
    text = line.text.replace("\n", "\n  ")
    return f"[{line.position}]{star} {line.role} {line.at.strftime('%Y-%m-%dT%H:%M')}: {text}"


def cut_around(text: str, start: int, end: int, limit_chars: int) -> str:
    """Return at most about `limit_chars` of a text around the characters from `start` to `end`."""
    if len(text) <= limit_chars:
        return text
    spare = max(0, limit_chars - (end - start)) // 2
    first, last = max(0, start - spare), min(len(text), max(end, start + 1) + spare)
    head = _ELLIPSIS.lstrip() if first else ""
    tail = _ELLIPSIS.rstrip() if last < len(text) else ""
    return f"{head}{text[first : min(last, first + limit_chars)]}{tail}"


def find_quoted(excerpt: Excerpt, quote: str) -> ExcerptLine | None:
    """Return the line that holds a quote, hits first; case and white space may differ, words may not."""
    wanted = _flat(quote)
    if len(wanted) < _MIN_QUOTE_CHARS:
        return None
    holding = [line for line in excerpt.lines if wanted in _flat(line.text)]
    return next((line for line in holding if line.is_hit), holding[0] if holding else None)


def _flat(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


#: Between two spoken events lie tool calls and their results; this many events are fetched to find the speech.
REACH_BEFORE, REACH_AFTER = 12, 8
#: A longer run of hits is cut into several excerpts.
MAX_SPAN_EVENTS = 40
#: What is speech: the rest is machinery around it.
SHOWN = frozenset({EventKind.USER, EventKind.LOG, EventKind.ASSISTANT, EventKind.CONTINUED, EventKind.SUMMARY})
_ROLES = {EventKind.USER: "user", EventKind.LOG: "log"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something worth reading at a position: why, and where in the event's text."""

    position: int
    reason: str
    start: int = 0
    end: int = 0


def join_hits(hits: Collection[Hit], policy: GatherPolicy) -> list[tuple[int, int]]:
    """Return (first, last) positions of spans in order; hits that would share context share a span."""
    spans: list[tuple[int, int]] = []
    for position in sorted({hit.position for hit in hits}):
        reach = policy.events_before + policy.events_after
        if spans and position - spans[-1][1] <= reach and position - spans[-1][0] < MAX_SPAN_EVENTS:
            spans[-1] = (spans[-1][0], position)
        else:
            spans.append((position, position))
    return spans


def make_excerpt(
    events: Sequence[SessionEvent],
    span: tuple[int, int],
    hits: Mapping[int, Sequence[Hit]],
    policy: GatherPolicy,
    fallback_at: datetime,
) -> Excerpt | None:
    """Return the excerpt for a span out of the events around it, or None when nothing of it is speech."""
    spoken = [event for event in events if event.kind in SHOWN and event.text.strip()]
    before = [event for event in spoken if event.position < span[0]]
    after = [event for event in spoken if event.position > span[1]]
    inside = [event for event in spoken if span[0] <= event.position <= span[1]]
    context = before[max(0, len(before) - policy.events_before) :]
    shown = [*context, *inside, *after[: policy.events_after]]
    if not inside:
        return None
    lines = tuple(_line(event, hits.get(event.position, ()), policy.line_chars, fallback_at) for event in shown)
    reasons = tuple(
        dict.fromkeys(f"{hit.reason} at [{event.position}]" for event in inside for hit in hits.get(event.position, ()))
    )
    return Excerpt(session_id=inside[0].session_id, lines=lines, reasons=reasons[:20])


def _line(event: SessionEvent, hits: Sequence[Hit], limit_chars: int, fallback_at: datetime) -> ExcerptLine:
    start = min((hit.start for hit in hits), default=0)
    end = max((hit.end for hit in hits), default=0)
    return ExcerptLine(
        position=event.position,
        event_id=event.event_id,
        role=_ROLES.get(event.kind, "assistant"),
        at=event.at or fallback_at,
        text=cut_around(event.text, start, min(end, start + limit_chars), limit_chars),
        is_hit=bool(hits),
    )
