"""Sessions: transcripts of an agent's conversations, as events, and how far dreams have read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class EventKind(StrEnum):
    """The kind of an event. Only USER and LOG are a person's or agent's statements about the world."""

    USER = "user"
    LOG = "log"  # an entry of a daily log
    ASSISTANT = "assistant"
    THINKING = "thinking"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    META = "meta"
    SIDECHAIN = "sidechain"
    COMMAND = "command"
    CONTINUED = "continued"  # the summary that a continued session begins with
    SUMMARY = "summary"
    SYSTEM = "system"


class Origin(StrEnum):
    """The writer of an event. What only a person can say, such as a wish or a correction, is taken from PERSON alone."""

    PERSON = "person"
    ASSISTANT = "assistant"
    TOOL = "tool"
    MACHINE = "machine"  # a scheduler, another agent, the host
    PASTED = "pasted"  # a person sent it, and did not write it


#: Cues are looked for in these only.
SPOKEN = frozenset({EventKind.USER, EventKind.LOG})
#: Full-text search finds these only; the index of the database is partial in the same way.
SEARCHED = (EventKind.USER, EventKind.LOG, EventKind.ASSISTANT, EventKind.CONTINUED, EventKind.SUMMARY)


def is_spoken(kind: EventKind, origin: Origin) -> bool:
    """Tell whether an event is what a person said, or an entry that an agent wrote into a daily log on purpose."""
    return kind is EventKind.LOG or (kind is EventKind.USER and origin is Origin.PERSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class CueSpan:
    """The position of a cue's sentence. `start` and `end` count characters of the stored text."""

    kind: str  # correction | save | decision …: as `shared.core.sessions.cues` names them
    start: int
    end: int
    strength: float = 1.0  # 0 to 1, how sure the reasons are
    rule: str = ""  # the name of the strongest reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The detector's findings in one event: sentences worth a look, and terms that may recur elsewhere."""

    cues: tuple[CueSpan, ...] = ()
    terms: tuple[str, ...] = ()


NOTHING_FOUND = Findings()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event to be appended. `event_id` is the source's own; `at` is None where the source has no usable time."""

    event_id: str
    kind: EventKind
    role: str
    text: str  # without what programs put around a person's words
    origin: Origin = Origin.PERSON
    as_sent: str | None = None  # the text as it came; None: nothing was cut off
    at: datetime | None = None
    size_chars: int = 0  # of the text before it was cut; 0: it was not
    is_masked: bool = False
    details: Mapping[str, object] | None = None  # what it says beside its text, for the API that it came by


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEvent:
    """An event as it is stored. Positions count from 1 without gaps, in the order in which events were committed."""

    session_id: str
    event_id: str
    position: int
    at: datetime | None
    kind: EventKind
    role: str
    text: str  # without what programs put around a person's words
    is_masked: bool
    origin: Origin = Origin.PERSON
    as_sent: str | None = None  # the text as it came; None: nothing was cut off
    details: Mapping[str, object] | None = None  # read by the API alone

    @property
    def sent(self) -> str:
        """Return the text as it came."""
        return self.text if self.as_sent is None else self.as_sent

    @property
    def is_spoken(self) -> bool:
        """Tell whether it is what a person said, or an entry that an agent wrote into a daily log on purpose."""
        return is_spoken(self.kind, self.origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation.

    Attributes:
        labels: what its host or its importer says of it, such as its branch or its kind.
        gathered_position: the end of the last window that a dream has gathered: its cursor.
        searched_position: the event up to which cues and terms are stored.
        detector_version: the version of the detector that found them; 0 before the first search.
    """

    id: str
    store_id: str
    external_id: str
    source: str
    title: str = ""
    project: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    started_at: datetime | None = None
    last_event_at: datetime | None = None
    event_count: int = 0
    masked_count: int = 0
    skipped_count: int = 0
    malformed_count: int = 0
    is_current: bool = False
    last_position: int = 0
    gathered_position: int = 0
    detector_version: int = 0
    searched_position: int = 0
    consumed_at: datetime | None = None
    created_at: datetime | None = None

    @property
    def waiting(self) -> int:
        """Return the number of events that no dream has gathered yet."""
        return self.last_position - self.gathered_position


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedWindow:
    """The findings of a detector in the events after `after`, up to and including `upto`, by position; empty ones are left out.

    `session` is as it was read before the search.
    """

    session: Session
    after: int
    upto: int
    found: Mapping[int, Findings]


@dataclass(frozen=True, slots=True, kw_only=True)
class CueHit:
    """A cue as it is stored, with what is known of the event that it stands in."""

    session_id: str
    event_id: str
    position: int
    at: datetime | None
    cue: CueSpan


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidTerms:
    """The terms of one event as found by the current detector, to replace those of an older one."""

    session_id: str
    position: int
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A term that recurs: in how many sessions, and the ungathered events (session id, position) that say it."""

    term: str
    sessions: int
    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Events of one session that a dream has gathered: after `after`, up to and with `upto`."""

    session_id: str
    after: int
    upto: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMatch:
    """An event that a search found; a greater score is a better one."""

    event: SessionEvent
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidMatches:
    """Events with any of some words, best first, and word statistics of all events of the store.

    Attributes:
        events: at most as many as were asked for, each with its first characters.
        texts: how many events of the store are searched.
        holding: how many of them hold a term; terms that none holds are left out.
    """

    events: tuple[SessionEvent, ...]
    texts: int
    holding: Mapping[str, int]
