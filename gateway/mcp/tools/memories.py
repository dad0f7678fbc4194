"""Search and read a store, ask why it remembers something, and say that it is wrong."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from gateway.api.shapes.memories import MemoryOut, memory_out
from gateway.api.shapes.places import PlaceOut, place_out
from gateway.masking import find_mask
from gateway.mcp.callers import Reader, Writer, spoken
from gateway.mcp.tools.arguments import MemoryName, StoreName
from shared.core.dream.operations import OperationKind
from shared.core.learning.feedback import MAX_NAME_CHARS, MAX_TEXT_CHARS, FeedbackKind, NewFeedback
from shared.core.memory.model import Author
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.history import Reason, explain_memory
from shared.services.memories.read import read_memory as read_one
from shared.services.memories.read import search_memories
from shared.services.memories.search import search_together
from shared.services.sessions.feedback import record_feedback

#: As many of the newest versions as a model has use for.
_CAUSES = 50
_SOURCE_NAME = Field(max_length=MAX_NAME_CHARS, pattern=r"^[^\x00]*$")


class FoundMemory(BaseModel):
    """A memory that was found; `read_memory` shows all of it."""

    id: str
    path: str
    title: str
    excerpt: str
    score: float
    archived: bool


class FoundMemories(BaseModel):
    """What was found, best first."""

    memories: list[FoundMemory]


class FoundPlaces(BaseModel):
    """What was found in memories and sessions, best first."""

    places: list[PlaceOut]


class Cause(BaseModel):
    """One version, who wrote it, and the dream's operation and reason if a dream did."""

    version: int
    change: str
    author: Author
    at: datetime
    dream_id: str | None
    operation: OperationKind | None
    reason: str


class WhyRemembered(BaseModel):
    """What made a memory what it is, newest first, and the paths whose knowledge went into it."""

    id: str
    path: str
    came_from: list[str]
    causes: list[Cause]


class Noted(BaseModel):
    """Whether it was new."""

    recorded: bool


@spoken
def search_memory(
    caller: Reader,
    query: Annotated[str, Field(min_length=1, max_length=1_000, description="Words to look for.")],
    store: StoreName = DEFAULT_STORE,
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
) -> FoundMemories:
    """Find memories by words, best first. Archived ones are found, too; they say so."""
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


@spoken
def search_everything(
    caller: Reader,
    query: Annotated[str, Field(min_length=1, max_length=1_000, description="Words to look for.")],
    store: StoreName = DEFAULT_STORE,
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
) -> FoundPlaces:
    """Find memories and what was said in past sessions by words, best first. A memory stands beside what it came from."""
    ports = caller.ports
    places = search_together(ports.db, ports.search, caller.tenant_id, store, query, limit)
    ports.recall.note(caller.tenant_id, [memory.id for place in places for memory in place.memories])
    return FoundPlaces(places=[place_out(place) for place in places])


@spoken
def read_memory(caller: Reader, memory: MemoryName, store: StoreName = DEFAULT_STORE) -> MemoryOut:
    """Read one memory, whole."""
    found = read_one(caller.ports.db, caller.tenant_id, store, memory)
    caller.ports.recall.note(caller.tenant_id, [found.id])
    return memory_out(found)


@spoken
def why_remembered(caller: Reader, memory: MemoryName, store: StoreName = DEFAULT_STORE) -> WhyRemembered:
    """Tell why the store remembers that: who wrote each version, and which memories a dream made it from."""
    found = read_one(caller.ports.db, caller.tenant_id, store, memory)
    explained = explain_memory(caller.ports.db, caller.tenant_id, store, found.id, limit=_CAUSES)
    causes = [_cause(reason) for reason in explained.reasons]
    came_from = [path for _, path in explained.sources]
    return WhyRemembered(id=found.id, path=found.path, came_from=came_from, causes=causes)


@spoken
def note_correction(
    caller: Writer,
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS, description="What is wrong, what is right.")],
    store: StoreName = DEFAULT_STORE,
    about: Annotated[str, _SOURCE_NAME] = "",
    note_id: Annotated[str, _SOURCE_NAME] = "",
) -> Noted:
    """Note that something remembered is wrong, for the next dream. The same note_id is noted once."""
    note = NewFeedback(kind=FeedbackKind.CORRECTION, text=text, subject=about, external_id=note_id)
    mask = find_mask(caller.ports.settings)
    return Noted(
        recorded=bool(record_feedback(caller.ports.db, caller.tenant_id, store, [note], mask=mask, actor=caller.actor))
    )


def _cause(reason: Reason) -> Cause:
    version, recorded = reason.version, reason.operation
    return Cause(
        version=version.version,
        change=version.change,
        author=version.author,
        at=version.created_at,
        dream_id=version.dream_id,
        operation=recorded.operation.kind if recorded else None,
        reason=recorded.operation.reason if recorded else "",
    )
