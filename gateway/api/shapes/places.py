"""What a search over memories and sessions found, as JSON."""

from datetime import datetime

from pydantic import BaseModel, Field

from shared.services.memories.search import SearchResult


class SaidOut(BaseModel):
    """Something that somebody said in a session."""

    session_id: str
    event_id: str
    position: int
    at: datetime | None
    role: str
    excerpt: str


class KeptOut(BaseModel):
    """A memory that was found."""

    id: str
    path: str
    title: str
    excerpt: str
    archived: bool


class PlaceOut(BaseModel):
    """What was said together with the memories that came from it, or a memory alone."""

    score: float = Field(description="0 to 1.")
    said: SaidOut | None
    memories: list[KeptOut]


def place_out(place: SearchResult) -> PlaceOut:
    """Return a place as JSON."""
    said = place.said
    memories = [
        KeptOut(id=one.id, path=one.path, title=one.title, excerpt=one.excerpt, archived=one.is_archived)
        for one in place.memories
    ]
    if said is None:
        return PlaceOut(score=place.score, said=None, memories=memories)
    shown = SaidOut(
        session_id=said.session_id,
        event_id=said.event_id,
        position=said.position,
        at=said.at,
        role=said.role,
        excerpt=said.excerpt,
    )
    return PlaceOut(score=place.score, said=shown, memories=memories)
