"""Let agents search and read memories, ask where one comes from, and note corrections."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from gateway.api.shapes.memories import MemoryOut, SearchResultOut, memory_out, search_result_out
from gateway.masking import find_mask
from gateway.mcp.callers import Reader, Writer, with_tool_errors
from gateway.mcp.tools.arguments import MemoryName, StoreName
from shared.core.dream.operations import OperationKind
from shared.core.learning.feedback import MAX_NAME_CHARS, MAX_TEXT_CHARS, FeedbackKind, NewFeedback
from shared.core.memory.model import Author
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.history import HistoryEntry, get_history
from shared.services.memories.read import get_memory, search_memories
from shared.services.memories.search import search_together
from shared.services.sessions.feedback import record_feedback

#: The newest versions that a model has use for.
_CAUSES = 50
_SOURCE_NAME = Field(max_length=MAX_NAME_CHARS, pattern=r"^[^\x00]*$")


class FoundMemory(BaseModel):
    """A memory in a search result; `read_memory` returns its whole text."""

    id: str
    path: str
    title: str
    excerpt: str
    score: float
    archived: bool


class FoundMemories(BaseModel):
    """Search results, best match first."""

    memories: list[FoundMemory]


class FoundTogether(BaseModel):
    """Search results over memories and sessions, best match first."""

    places: list[SearchResultOut]


class Cause(BaseModel):
    """One version, its author, and the operation and reason if a dream wrote it."""

    version: int
    change: str
    author: Author
    at: datetime
    dream_id: str | None
    operation: OperationKind | None
    reason: str


class WhyRemembered(BaseModel):
    """The provenance of a memory: its versions, newest first, and the paths of the memories merged into it."""

    id: str
    path: str
    came_from: list[str]
    causes: list[Cause]


class Noted(BaseModel):
    """The result of noting a correction: whether it was new."""

    recorded: bool


@with_tool_errors
def search_memory(
    caller: Reader,
    query: Annotated[str, Field(min_length=1, max_length=1_000, description="Words to look for.")],
    store: StoreName = DEFAULT_STORE,
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
) -> FoundMemories:
    """Search memories, best match first. Archived memories are included and marked."""
    ports = caller.ports
    hits = search_memories(ports.db, ports.search, caller.tenant_id, store, query, limit)
    ports.recall.note(caller.tenant_id, [hit.id for hit in hits])
    found = [
        FoundMemory(
            id=hit.id, path=hit.path, title=hit.title, excerpt=hit.excerpt, score=hit.score, archived=hit.is_archived
        )
        for hit in hits
    ]
    return FoundMemories(memories=found)


@with_tool_errors
def search_everything(
    caller: Reader,
    query: Annotated[str, Field(min_length=1, max_length=1_000, description="Words to look for.")],
    store: StoreName = DEFAULT_STORE,
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
) -> FoundTogether:
    """Search memories and past sessions, best match first. A memory and the event it came from are one result."""
    ports = caller.ports
    found = search_together(ports.db, ports.search, caller.tenant_id, store, query, limit)
    ports.recall.note(caller.tenant_id, [memory.id for one in found for memory in one.memories])
    return FoundTogether(places=[search_result_out(one) for one in found])


@with_tool_errors
def read_memory(caller: Reader, memory: MemoryName, store: StoreName = DEFAULT_STORE) -> MemoryOut:
    """Read the whole text of one memory."""
    found = get_memory(caller.ports.db, caller.tenant_id, store, memory)
    caller.ports.recall.note(caller.tenant_id, [found.id])
    return memory_out(found)


@with_tool_errors
def why_remembered(caller: Reader, memory: MemoryName, store: StoreName = DEFAULT_STORE) -> WhyRemembered:
    """Tell where a memory comes from: the author of each version, and the memories that a dream made it from."""
    found = get_memory(caller.ports.db, caller.tenant_id, store, memory)
    history = get_history(caller.ports.db, caller.tenant_id, store, found.id, limit=_CAUSES)
    causes = [_cause(entry) for entry in history.entries]
    came_from = [path for _, path in history.sources]
    return WhyRemembered(id=found.id, path=found.path, came_from=came_from, causes=causes)


@with_tool_errors
def note_correction(
    caller: Writer,
    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_TEXT_CHARS,
            description="The correction: the wrong statement and the right one.",
        ),
    ],
    store: StoreName = DEFAULT_STORE,
    about: Annotated[str, _SOURCE_NAME] = "",
    note_id: Annotated[str, _SOURCE_NAME] = "",
) -> Noted:
    """Note that a memory is wrong, for the next dream. A repeated note_id is recorded once."""
    note = NewFeedback(kind=FeedbackKind.CORRECTION, text=text, subject=about, external_id=note_id)
    mask = find_mask(caller.ports.settings)
    return Noted(
        recorded=bool(record_feedback(caller.ports.db, caller.tenant_id, store, [note], mask=mask, actor=caller.actor))
    )


def _cause(entry: HistoryEntry) -> Cause:
    version, recorded = entry.version, entry.operation
    return Cause(
        version=version.version,
        change=version.change,
        author=version.author,
        at=version.created_at,
        dream_id=version.dream_id,
        operation=recorded.operation.kind if recorded else None,
        reason=recorded.operation.reason if recorded else "",
    )
