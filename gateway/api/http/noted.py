"""Note what an agent searched for and read: the accesses of memories, and the log of searches. Neither touches a server now."""

from collections.abc import Sequence
from datetime import UTC, datetime

from gateway.api.http.auth import Caller
from shared.core.learning.feedback import FeedbackKind
from shared.ports.evidence.search_log import OfStore, Outcome, Searched, WasRead, WasTold

_OUTCOMES = {
    FeedbackKind.THUMBS_UP: Outcome.HELPED,
    FeedbackKind.THUMBS_DOWN: Outcome.WRONG,
    FeedbackKind.CORRECTION: Outcome.WRONG,
}


def note_search(caller: Caller, surface: str, store: str, query: str, shown: Sequence[str]) -> None:
    """Note a search of a store by its name, and the ids of the memories that it showed, best first."""
    searched = Searched(key_id=caller.key_id, surface=surface, query=query, shown=tuple(shown), at=datetime.now(UTC))
    caller.ports.recall.note(caller.tenant_id, shown)
    caller.ports.searches.note(OfStore(caller.tenant_id, store), searched)


def note_read(caller: Caller, store: str, memory_id: str, *, is_id: bool = False) -> None:
    """Note that a memory was read; the store is named, or given by its id (`is_id`)."""
    read = WasRead(key_id=caller.key_id, memory_id=memory_id, at=datetime.now(UTC))
    caller.ports.recall.note(caller.tenant_id, [memory_id])
    caller.ports.searches.note(OfStore(caller.tenant_id, store, is_id), read)


def note_told(caller: Caller, store: str, kind: FeedbackKind, memory: str) -> None:
    """Note what feedback told of a memory, by its id or path; feedback of other kinds, or on no memory, tells nothing."""
    if memory and kind in _OUTCOMES:
        told = WasTold(memory=memory, outcome=_OUTCOMES[kind], at=datetime.now(UTC))
        caller.ports.searches.note(OfStore(caller.tenant_id, store), told)
