"""Define the JSON shapes of sessions and events in Anthropic's API, as far as a dream's inputs need them.

slowwave runs no agents, so that the host sends the agent's messages as `agent.message`; Anthropic's API only returns
them.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from gateway.api.v1.shapes.dreams import Id
from gateway.api.v1.shapes.ids import LabelKey, LabelText
from shared.core.errors import BadInputError
from shared.core.listings.records import MAX_LABELS, SessionRecord
from shared.core.sessions.model import EventKind, SessionEvent
from shared.core.sessions.transcript import FoundEvent

MAX_EVENTS = 500
_MAX_INITIAL_EVENTS = 50
_EXAMPLE: JsonDict = {
    "events": [{"type": "user.message", "content": [{"type": "text", "text": "No, the token lives an hour."}]}]
}
EventType = Literal["user.message", "agent.message", "system.message"]
_KINDS: dict[str, EventKind] = {
    "user.message": EventKind.USER,
    "agent.message": EventKind.ASSISTANT,
    "system.message": EventKind.SYSTEM,
}
_ROLES = {"user.message": "user", "agent.message": "assistant", "system.message": "system"}
_TYPES: dict[EventKind, EventType] = {
    EventKind.USER: "user.message",
    EventKind.LOG: "user.message",
    EventKind.ASSISTANT: "agent.message",
}


class Block(BaseModel):
    """A piece of content; of anything but text only the type is stored."""

    type: Annotated[str, Field(max_length=50)]
    text: str | None = Field(None, max_length=1_000_000)


class EventIn(BaseModel):
    """One event. `processed_at` is when it happened; now if omitted."""

    type: EventType
    content: list[Block] = Field(max_length=1_000)
    processed_at: AwareDatetime | None = None


class EventsIn(BaseModel):
    """Events in order."""

    model_config = ConfigDict(json_schema_extra={"example": _EXAMPLE})

    events: list[EventIn] = Field(max_length=MAX_EVENTS)


class AgentIn(BaseModel):
    """The agent of the session, stored as given."""

    type: Literal["agent"] = "agent"
    id: str = Field(max_length=200)
    version: int | None = Field(None, ge=1, le=1_000_000_000)


class ResourceIn(BaseModel):
    """The store of the session. Its dreams gather from the session once it is archived."""

    type: Literal["memory_store"]
    memory_store_id: Id
    access: Literal["read_write", "read_only"] | None = None
    instructions: str | None = Field(None, max_length=4_096)


class SessionIn(BaseModel):
    """A new session."""

    model_config = ConfigDict(json_schema_extra={"example": {"agent": "agent_1", "environment_id": "env_1"}})

    agent: Annotated[str, Field(max_length=200)] | AgentIn
    environment_id: str = Field(max_length=200)
    title: str | None = Field(None, max_length=1_000)
    metadata: dict[LabelKey, LabelText] | None = Field(None, max_length=MAX_LABELS)
    resources: list[ResourceIn] | None = Field(None, max_length=1)
    initial_events: list[EventIn] | None = Field(None, max_length=_MAX_INITIAL_EVENTS)

    def details(self) -> dict[str, object]:
        """Return the stored details of the session. Raises BadInputError for a NUL character."""
        agent = AgentIn(id=self.agent) if isinstance(self.agent, str) else self.agent
        kept: dict[str, object] = {
            "agent": agent.model_dump(),
            "environment_id": self.environment_id,
            "resources": [one.model_dump() for one in self.resources or ()],
        }
        if "\\u0000" in self.model_dump_json(exclude={"initial_events"}):
            raise BadInputError("A session's fields cannot hold a NUL character")
        return kept


class SessionUpdate(BaseModel):
    """Changes to a session; omitted fields stay, a null in `metadata` removes the key."""

    model_config = ConfigDict(json_schema_extra={"example": {"title": "Login trouble"}})

    title: str | None = Field(None, max_length=1_000)
    metadata: dict[LabelKey, LabelText | None] | None = Field(None, max_length=100)


class SessionOut(BaseModel):
    """A session. Fields about running agents exist for the SDK and are empty."""

    type: Literal["session"] = "session"
    id: str
    status: Literal["idle", "terminated"]
    title: str | None
    agent: dict[str, Any]
    environment_id: str
    metadata: dict[str, str]
    resources: list[dict[str, Any]]
    outcome_evaluations: list[dict[str, Any]] = Field(default_factory=list)
    stats: dict[str, Any] = Field(default_factory=dict)
    usage: dict[str, Any] = Field(default_factory=dict)
    vault_ids: list[str] = Field(default_factory=list)
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None


class DeletedSessionOut(BaseModel):
    """A deleted session. Memories that were gathered from it stay."""

    type: Literal["session_deleted"] = "session_deleted"
    id: str


class TextBlock(BaseModel):
    """Text."""

    type: Literal["text"] = "text"
    text: str


class EventOut(BaseModel):
    """A stored event, with secrets masked."""

    id: str
    type: EventType
    content: list[TextBlock]
    processed_at: datetime | None


class SentOut(BaseModel):
    """The events that were sent."""

    data: list[EventOut]


def found_event(event: EventIn, event_id: str, line: int, now: datetime) -> FoundEvent:
    """Return an event in the form of an import."""
    text = "\n".join(one.text or "" if one.type == "text" else f"[{one.type}]" for one in event.content)
    at = event.processed_at or now
    return FoundEvent(
        line=line, session="", event_id=event_id, kind=_KINDS[event.type], role=_ROLES[event.type], text=text, at=at
    )


def session_out(record: SessionRecord) -> SessionOut:
    """Return a session as JSON."""
    session, details = record.session, record.details
    kept = details.get("agent")
    agent: dict[str, Any] = kept if isinstance(kept, dict) else {"id": session.source, "version": None}
    labels, resources = details.get("metadata"), details.get("resources")
    return SessionOut(
        id=session.id,
        status="idle" if session.is_current else "terminated",
        title=session.title or None,
        agent={
            "type": "agent", "id": agent["id"], "version": agent["version"] or 1, "name": agent["id"],
            "model": {"id": ""}, "tools": [], "skills": [], "mcp_servers": [], "description": None, "system": None,
            "multiagent": None, "execution_identity": {"type": "service_account"},
        },
        environment_id=str(details.get("environment_id", "")),
        metadata=labels if isinstance(labels, dict) else {},
        resources=resources if isinstance(resources, list) else [],
        created_at=session.created_at or record.changed_at,
        updated_at=record.changed_at,
        archived_at=record.archived_at,
    )  # fmt: skip


def event_out(event: SessionEvent) -> EventOut:
    """Return an event as JSON; events other than messages are shown as system messages."""
    kind = _TYPES.get(event.kind, "system.message")
    return EventOut(id=event.event_id, type=kind, content=[TextBlock(text=event.text)], processed_at=event.at)
