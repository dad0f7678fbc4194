"""The sessions of one store: opened and listed, extended by importers, read by dreams.

Also the uses of a store's skills and the openings of its sessions, and the feedback and workflow runs that agents and people
record and dreams use.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from shared.core.sessions.model import (
    CueHit,
    EventKind,
    EventMatch,
    NewEvent,
    SaidMatches,
    SaidTerms,
    SearchedWindow,
    Session,
    SessionEvent,
    Theme,
    Window,
)

if TYPE_CHECKING:
    from shared.core.learning.feedback import Feedback, FeedbackKind, NewFeedback, NewRun, WorkflowRun
    from shared.core.learning.skills import Opening, SkillUse
    from shared.ports.api_lists import Place

#: Behind which session a page begins: when its newest event happened (None: it has none with a time), and its id.
SessionPlace = tuple[datetime | None, str]
#: A session, and the events that are appended to it in this order.
Addition = tuple[Session, Sequence[NewEvent]]


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """The filters of a list of sessions; an empty one filters nothing. `state`: going on, waiting for a dream, or read."""

    source: str = ""
    state: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A statement that a dream refused, and its event, as `SESSION#EVENT`."""

    code: str
    detail: str
    place: str


class SessionRepository(Protocol):
    """The sessions of one store of one tenant, inside one transaction."""

    def ensure(self, external_id: str, *, source: str) -> tuple[Session, bool]:
        """Return a session by its source's id, creating it if needed, and whether it is new.

        Its row is locked until the transaction ends, so that positions have no gaps and follow the commit order.
        """

    def set_current(self, session_ids: Sequence[str], *, is_current: bool) -> None:
        """Set whether sessions are still running: a current session does not count as activity and is not gathered."""

    def get(self, session_id: str) -> Session:
        """Return a session by its id or its source's id. Raises NotFoundError."""

    def find_recent(
        self, limit: int, start_after: SessionPlace | None = None, only: SessionFilter | None = None
    ) -> list[Session]:
        """Return sessions, the one with the newest event first; those without any come last."""

    def note_hidden(self, session_id: str) -> str:
        """Return the sentence about the events of a session that the transaction does not show; empty for none."""

    def find_sources(self, limit: int) -> list[str]:
        """Return the formats and hosts that the store's sessions came from, by name."""

    def find_refused(self, session: Session, phases: Collection[str], limit: int) -> dict[str, list[Refused]]:
        """Return, by the dreams whose plans of these phases name a session, the statements of it that each refused.

        At most `limit` plans of the session's store, the newest first. Plans that retention deleted are missing.
        """

    def count_kinds(self, session_id: str) -> dict[EventKind, int]:
        """Return how many events of each kind a session has."""

    def count_waiting(self) -> int:
        """Return how many ended sessions have events that no dream has gathered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """The parts of a transcript besides its events: its title, project, labels, and the number of lines that are not events."""

    session_id: str
    title: str
    project: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    skipped: int
    malformed: int


class IngestRepository(Protocol):
    """Appends to many sessions of one store inside one transaction; each step is one statement."""

    def ensure(self, sources: Mapping[str, str]) -> dict[str, tuple[Session, bool]]:
        """Return sessions by their sources' ids, creating them if needed, and whether each is new.

        `sources` names for each id the format it is from. As `SessionRepository.ensure`, for all of them in one order, so that
        two importers never wait for each other. Raises ConflictError for a session that is another tenant's.
        """

    def find_known(self, wanted: Mapping[str, Collection[str]]) -> set[tuple[str, str]]:
        """Return which (session id, event id) there are already, of event ids by their session's id."""

    def append(self, additions: Sequence[Addition]) -> list[Session]:
        """Append events that are new (see `find_known`); return the sessions as they are then.

        Each session once, as `ensure` returned it in this transaction. Raises ConflictError for an event that it has.
        """

    def record_findings(self, searched: Sequence[SearchedWindow], detector_version: int) -> None:
        """Store the cues and terms that a detector found, in place of an older one's, and how far it has looked.

        Each session once. A window of a session that another search has moved on meanwhile is left out.
        """

    def record_margins(self, margins: Sequence[Margins]) -> None:
        """Store titles where there are none, and the greater of the counts, so that a second import counts nothing twice.

        A label replaces the one of its key; others stay.

        Each session once.
        """


class GatherRepository(Protocol):
    """The queries by which a dream reads a store's sessions: hits first, then small windows around them, never a whole session."""

    def find_ungathered(self, limit: int, *, with_current: bool = False) -> list[Session]:
        """Return sessions with `gathered_position < last_position`, the one that has waited longest first."""

    def find_cues(self, windows: Sequence[Window], *, limit: int) -> list[CueHit]:
        """Return the cues of the events in these windows, window by window, in the order of their events."""

    def find_windows(
        self, windows: Sequence[Window], *, max_chars: int, kinds: Collection[EventKind] | None = None
    ) -> list[list[SessionEvent]]:
        """Return the events of each window, in their order, each with its first `max_chars` only.

        Of the kinds named, or of all. A window of another store holds nothing.
        """

    def find_themes(self, *, min_sessions: int, limit: int, read_again: Sequence[SaidTerms] = ()) -> list[Theme]:
        """Return theme terms of ungathered events that at least `min_sessions` sessions of the store mention, most first.

        `read_again` replaces the stored terms of the ungathered events of its sessions.
        """

    def search(
        self, query: str, limit: int, *, session_id: str | None = None, only_new: bool = False
    ) -> list[EventMatch]:
        """Return events that hold all words of a query (in the syntax of web search: quotes, `or`, `-`), best first.

        `only_new` leaves out gathered events, and sessions that are still running.
        """

    def advance(self, windows: Sequence[Window]) -> None:
        """Move cursors forward to the end of what was gathered; never back."""

    def restore(self, windows: Sequence[Window]) -> None:
        """Move cursors back to where these windows began; an undone dream's events are gathered again."""

    def find_said(self, terms: Sequence[str], limit: int) -> SaidMatches:
        """Return events that hold any of these terms, those with the rarest first, and how rare the terms are."""

    def find_events(self, keys: Collection[tuple[str, str]]) -> list[SessionEvent]:
        """Return the events of these (session id, event id) that the store has and that searches find."""


class SkillRepository(Protocol):
    """The skill uses of one store of one tenant, inside one transaction."""

    def record_uses(self, uses: Sequence[SkillUse]) -> int:
        """Record uses; return how many were new. The same skill at the same moment of a session is the same use."""

    def find_uses(self, since: datetime | None, limit: int) -> list[SkillUse]:
        """Return the newest uses since a moment, newest first."""

    def find_openings(self, limit: int, *, max_chars: int) -> list[Opening]:
        """Return the openings of the newest ended sessions, newest first, each cut to `max_chars`."""


class FeedbackRepository(Protocol):
    """The feedback of one store of one tenant, inside one transaction."""

    def add(self, feedback: Sequence[NewFeedback]) -> int:
        """Record feedback; return how many were new. Entries with a known external id are left as they are."""

    def find(
        self,
        *,
        limit: int,
        since: datetime | None = None,
        kinds: Collection[FeedbackKind] = (),
        only_unused: bool = False,
        with_words: bool | None = None,
        start_after: Place | None = None,
    ) -> list[Feedback]:
        """Return feedback, newest first.

        `kinds` empty: of every kind; `only_unused`: what no dream has consumed; `with_words`: only what says something, or
        only what does not.
        """

    def consume(self, ids: Collection[str], dream_id: str) -> None:
        """Mark feedback as used by a dream, unless another dream has used it."""

    def restore(self, dream_id: str) -> list[str]:
        """Remove the marks of an undone dream. Return the ids of the feedback that is unused again."""


class WorkflowRepository(Protocol):
    """The workflow runs of one store of one tenant, inside one transaction."""

    def add(self, runs: Sequence[NewRun]) -> int:
        """Record runs; return how many were new. Runs with a known external id are left as they are."""

    def find(
        self,
        *,
        limit: int,
        since: datetime | None = None,
        only_unused: bool = False,
        start_after: Place | None = None,
    ) -> list[WorkflowRun]:
        """Return runs, newest first; `only_unused`: what no dream has consumed."""

    def consume(self, ids: Collection[str], dream_id: str) -> None:
        """Mark runs as used by a dream, unless another dream has used them."""

    def restore(self, dream_id: str) -> list[str]:
        """Remove a dream's marks; return the ids of the runs that are unused again."""
