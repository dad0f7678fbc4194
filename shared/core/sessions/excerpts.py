"""Bounded excerpts of a transcript, around hits or messages: all that a model ever sees of a session.

Close hits share one excerpt, context is speech only, and every size is bounded.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shared.core.memory.writers import Rank
from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.languages import find_language
from shared.core.sessions.model import EventKind, SessionEvent
from shared.core.sessions.pasted import blank_blocks, blank_documents, blank_quotations, blank_reported

_ELLIPSIS = " […] "
_MIN_QUOTE_CHARS = 8
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcerptLine:
    """One event of a session in an excerpt. `position` counts the session's events from 1.

    `pasted` are the bounds of what a person pasted, in `text`: a paste whose beginning is cut off no longer shows it.
    """

    position: int
    event_id: str
    role: str  # as `speaker_of` returns it
    at: datetime
    text: str
    is_hit: bool = False
    pasted: tuple[tuple[int, int], ...] = ()
    speaker: str = ""  # the name of the person, where the session gives one
    noted_by: Rank | None = None  # of a noted correction, the rank of its writer

    @property
    def own_words(self) -> str:
        """Return the text with blanks in place of what was pasted or quoted in it."""
        return blank_quotations(_blank(self.text, self.pasted)) if self.role == "user" else self.text

    def rank_of(self, unsaid: "Unsaid | None") -> Rank:
        """Return the rank of words of it; `unsaid` is why they are not a person's own."""
        if unsaid is Unsaid.PASTED:
            return Rank.PASTED
        return self.noted_by or (Rank.USER if self.role == "user" else Rank.AGENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Neighbouring events of one session; `reasons` say what was found where. Without a hit there is none."""

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
    name = f" ({line.speaker})" if line.speaker else ""
    return f"[{line.position}]{star} {line.role}{name} {line.at.strftime('%Y-%m-%dT%H:%M')}: {text}"


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
    """Return the line that holds a quote; case and white space may differ, words may not.

    A line in which a person says it comes before others, and a hit before its neighbours.
    """
    wanted = _flat(quote)
    if len(wanted) < _MIN_QUOTE_CHARS:
        return None
    holding = [line for line in excerpt.lines if wanted in _flat(line.text)]
    return min(holding, key=lambda line: (find_unsaid(line, quote) is not None, not line.is_hit), default=None)


class Unsaid(StrEnum):
    """The reason why words are not what a person said: the code of a refusal."""

    OTHERS = "not_the_users_words"
    PASTED = "pasted_words"

    @property
    def reason(self) -> str:
        """Return the reason as the end of a sentence."""
        return "that the user did not say" if self is Unsaid.OTHERS else "that the user pasted or quoted"


def find_unsaid(line: ExcerptLine, quote: str) -> Unsaid | None:
    """Return why a quote from a line is not a person's own words, or None if it is."""
    if line.role not in PEOPLE:
        return Unsaid.OTHERS
    places = [
        (found.start(), found.end())
        for found in re.finditer(r"\s+".join(map(re.escape, quote.split())), line.text, re.IGNORECASE)
    ]
    said = line.own_words
    is_own = any(_is_own(line, said, *place) for place in places) or (not places and said == line.text)
    return None if is_own else Unsaid.PASTED


def _is_own(line: ExcerptLine, said: str, start: int, end: int) -> bool:
    """Tell whether a person wrote what lies between two places: nothing in it is pasted, and most is no quotation."""
    if any(first < end and start < last for first, last in line.pasted):
        return False
    return 2 * sum(not one.isspace() for one in said[start:end]) > sum(
        not one.isspace() for one in line.text[start:end]
    )


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for first, last in spans:
        text = f"{text[:first]}{' ' * (last - first)}{text[last:]}"
    return text


def _flat(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


#: Between two spoken events lie tool calls and their results; this many events are fetched to find the speech.
REACH_BEFORE, REACH_AFTER = 12, 8
#: A longer run of hits is cut into several excerpts.
MAX_SPAN_EVENTS = 40
#: So much of a neighbour is shown where there is no hit: enough to see what "it's 609 now" is about.
NEIGHBOUR_CHARS = 300
#: Roles that are no names, and what a name may not hold where it is shown in brackets.
_NO_NAMES = frozenset({"", "user", "human", "person", "customer", "unknown", "me", "you", "client", "log", "assistant"})
_NO_NAME = re.compile(r"[^\w .,'\u2019@+-]|_")
_NAME_CHARS, _BEFORE_CHARS = 60, 200
#: At the end of what a carrier wrote before a person's words.
_NAMED = re.compile(r"([^\W\d_][\w .'\u2019-]{0,40}?)(?: \([^()\n]{1,40}\))?:\s*\Z")
#: What is speech: the rest is machinery around it.
SHOWN = frozenset({EventKind.USER, EventKind.LOG, EventKind.ASSISTANT, EventKind.CONTINUED, EventKind.SUMMARY})
_BY_KIND = {EventKind.LOG: "log", EventKind.ASSISTANT: "assistant"}
#: Who says what only a person can say. A daily log is an agent's: it states facts, and no wish or correction of a person.
PEOPLE = frozenset({"user"})
#: Whose words may become a memory.
SPEAKERS = PEOPLE | {"log", "assistant"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something worth reading at a position: why, and where in the event's text."""

    position: int
    reason: str
    start: int = 0
    end: int = 0


def join_positions(
    positions: Collection[int], policy: GatherPolicy, *, longest: int = MAX_SPAN_EVENTS
) -> list[list[int]]:
    """Return positions in order, those together that would share context, and that are no more than `longest` events apart."""
    spans: list[list[int]] = []
    reach = policy.events_before + policy.events_after
    for position in sorted(positions):
        if spans and position - spans[-1][-1] <= reach and position - spans[-1][0] < longest:
            spans[-1].append(position)
        else:
            spans.append([position])
    return spans


def make_excerpt(
    events: Sequence[SessionEvent],
    span: tuple[int, int],
    hits: Mapping[int, Sequence[Hit]],
    policy: GatherPolicy,
    fallback_at: datetime,
) -> Excerpt | None:
    """Return the excerpt for a span out of the events around it, or None when nothing of it is speech.

    Where a span has no hit, what others said in it and all around it is clipped.
    """
    spoken = [event for event in events if event.kind in SHOWN and event.text.strip()]
    before = [event for event in spoken if event.position < span[0]]
    after = [event for event in spoken if event.position > span[1]]
    inside = [event for event in spoken if span[0] <= event.position <= span[1]]
    context = before[max(0, len(before) - policy.events_before) :]
    shown = [*context, *inside, *after[: policy.events_after]]
    if not inside:
        return None
    if any(event.position in hits for event in inside):
        lines = tuple(_line(event, hits.get(event.position, ()), policy.line_chars, fallback_at) for event in shown)
    else:
        lines = tuple(_unmarked_line(event, span, policy.line_chars, fallback_at) for event in shown)
    reasons = tuple(
        dict.fromkeys(f"{hit.reason} at [{event.position}]" for event in inside for hit in hits.get(event.position, ()))
    )
    return Excerpt(session_id=inside[0].session_id, lines=lines, reasons=reasons[:20])


def _line(event: SessionEvent, hits: Sequence[Hit], limit_chars: int, fallback_at: datetime) -> ExcerptLine:
    start = min((hit.start for hit in hits), default=0)
    end = max((hit.end for hit in hits), default=0)
    return make_line(event, (start, end), limit_chars, event.at or fallback_at, is_hit=bool(hits))


def _unmarked_line(event: SessionEvent, span: tuple[int, int], limit_chars: int, fallback_at: datetime) -> ExcerptLine:
    """Return a line of an excerpt without a hit: a message from its own words on, of a neighbour what is next to a message."""
    if event.is_spoken and span[0] <= event.position <= span[1]:
        start = _find_own_start(event.text) if len(event.text) > limit_chars else 0
    else:
        limit_chars = min(limit_chars, NEIGHBOUR_CHARS)
        start = 0 if event.position > span[1] else max(0, len(event.text) - limit_chars)
    return make_line(event, (start, start + limit_chars), limit_chars, event.at or fallback_at, is_hit=False)


def _find_own_start(text: str) -> int:
    own = _blank_pasted(text)
    return len(own) - len(own.lstrip())


def _blank_pasted(text: str) -> str:
    own, prose = blank_reported(blank_blocks(text), find_language(text)), blank_documents(text)
    return own if prose == text else "".join(map(min, own, prose))  # a blank comes before all that is seen


def make_line(
    event: SessionEvent, bounds: tuple[int, int], limit_chars: int, at: datetime, *, is_hit: bool
) -> ExcerptLine:
    """Return an event as a line with at most about `limit_chars` characters around the bounds."""
    start, end = bounds[0], min(bounds[1], bounds[0] + limit_chars)
    role, text = speaker_of(event), cut_around(event.text, start, end, limit_chars)
    pasted: tuple[tuple[int, int], ...] = ()
    if role == "user":
        pasted = tuple(_find_blanks(text, cut_around(_blank_pasted(event.text), start, end, limit_chars)))
    return ExcerptLine(
        position=event.position,
        event_id=event.event_id,
        role=role,
        at=at,
        text=text,
        is_hit=is_hit,
        pasted=pasted,
        speaker=name_of(event),
    )


def speaker_of(event: SessionEvent) -> str:
    """Return who speaks in an event: user, log, assistant, machine, or what else the origin of a message is called."""
    if event.kind in _BY_KIND:
        return _BY_KIND[event.kind]
    if event.kind is not EventKind.USER:
        return "machine"
    return "user" if event.is_spoken else str(event.origin)


def name_of(event: SessionEvent) -> str:
    """Return the name of the person who speaks in an event: its role, or what its carrier wrote before the words; empty if none is known."""
    if not event.is_spoken or event.kind is not EventKind.USER:
        return ""
    named = (
        _NAMED.search(event.sent.removesuffix(event.text)[-_BEFORE_CHARS:]) if event.sent.endswith(event.text) else None
    )
    told = event.role if event.role.casefold() not in _NO_NAMES else named[1] if named else ""
    return " ".join(_NO_NAME.sub(" ", told).split())[:_NAME_CHARS].strip()


def _find_blanks(text: str, own: str) -> Iterator[tuple[int, int]]:
    """Yield the bounds of what is blank in `own` and not in `text`, which is as long."""
    start = end = -1
    for place, (shown, said) in enumerate(zip(text, own, strict=True)):
        if not said.isspace():
            if start >= 0:
                yield start, end
            start = -1
        elif not shown.isspace():
            start, end = (place if start < 0 else start), place + 1
    if start >= 0:
        yield start, end
