"""Sessions of one store: what importers append to, and what a dream gathers from."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from shared.core.session import (
    CueHit,
    EventKind,
    EventMatch,
    NewEvent,
    SaidMatches,
    Session,
    SessionEvent,
    Theme,
    Window,
)

#: Behind which session a page begins: when its newest event happened (None: it has none with a time), and its id.
SessionPlace = tuple[datetime | None, str]


class SessionBook(Protocol):
    """The sessions of one store of one tenant, inside one transaction."""

    def ensure(self, external_id: str, *, source: str) -> tuple[Session, bool]:
        """Return a session by the id its source gave it, made if it is new, and whether it is new.

        Its row is held until the transaction ends, so that positions have no gaps and commit order is their order.
        """

    def set_current(self, session_id: str, *, is_current: bool) -> None:
        """Say whether a session is still being lived: a current one is neither activity nor gathered."""

    def find_known(self, session: Session, event_ids: Collection[str]) -> set[str]:
        """Return which of these event ids the session has already."""

    def append(self, session: Session, events: Sequence[NewEvent], detector_version: int) -> Session:
        """Append events that are new (see `find_known`) with what was found in them, and return the session as it is then.

        The session is one that `ensure` returned in this transaction. Raises ConflictError for an event that it has.
        """

    def record_import(self, session_id: str, *, title: str, skipped: int, malformed: int) -> None:
        """Keep a title where there is none, and the greater of the counts: a second import counts nothing twice."""

    def get(self, session_id: str) -> Session:
        """Return a session by its own or its source's id. Raises NotFoundError."""

    def find_recent(self, limit: int, behind: SessionPlace | None = None) -> list[Session]:
        """Return sessions, the one with the newest event first; those without any come last."""

    def count_kinds(self, session_id: str) -> dict[EventKind, int]:
        """Return how many events of each kind a session has."""

    def count_waiting(self) -> int:
        """Return how many ended sessions have events that no dream has gathered."""


class GatherBook(Protocol):
    """What a dream reads of a store's sessions: hits first, then small windows around them, never a whole session."""

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

    def find_themes(self, *, min_sessions: int, limit: int) -> list[Theme]:
        """Return theme terms of ungathered events that at least so many sessions of the store say, most first."""

    def search(
        self, query: str, limit: int, *, session_id: str | None = None, since: datetime | None = None
    ) -> list[EventMatch]:
        """Return events that hold all words of a query (in the syntax of web search: quotes, `or`, `-`), best first."""

    def advance(self, windows: Sequence[Window]) -> None:
        """Move cursors forward to the end of what was gathered; never back."""

    def give_back(self, windows: Sequence[Window]) -> None:
        """Move cursors back to where these windows began; an undone dream's events are gathered again."""

    def find_said(self, terms: Sequence[str], limit: int) -> SaidMatches:
        """Return events that hold any of these terms, those with the rarest first, and how rare the terms are."""

    def find_events(self, keys: Collection[tuple[str, str]]) -> list[SessionEvent]:
        """Return the events of these (session id, event id) that the store has and that searches find."""
