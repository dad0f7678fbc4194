"""Define the JSON shapes of sessions in Anthropic's API, as far as a dream's inputs need them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.v1.shapes.events import EventIn
from gateway.api.v1.shapes.ids import LabelKey, LabelText
from gateway.api.v1.shapes.resources import MAX_RESOURCES, ResourceIn, ResourceOut, resource_out
from shared.core.errors import BadInputError
from shared.core.listings.records import SessionRecord
from shared.core.tenants.labels import MAX_LABELS

_MAX_INITIAL_EVENTS = 50


class AgentIn(BaseModel):
    """The agent of the session: its id and version are stored. What it overrides is for who runs it, which is not slowwave."""

    type: Literal["agent", "agent_with_overrides"] = "agent"
    id: str = Field(max_length=200)
    version: int | None = Field(None, ge=1, le=1_000_000_000)


class SessionIn(BaseModel):
    """A new session."""

    model_config = ConfigDict(json_schema_extra={"example": {"agent": "agent_1", "environment_id": "env_1"}})

    agent: Annotated[str, Field(max_length=200)] | AgentIn
    environment_id: str = Field(max_length=200)
    title: str | None = Field(None, max_length=1_000)
    metadata: dict[LabelKey, LabelText] | None = Field(None, max_length=MAX_LABELS)
    resources: list[ResourceIn] | None = Field(None, max_length=MAX_RESOURCES)
    initial_events: list[EventIn] | None = Field(None, max_length=_MAX_INITIAL_EVENTS)

    def details(self) -> dict[str, object]:
        """Return the stored details of the session. Raises BadInputError for a NUL character."""
        agent = AgentIn(id=self.agent) if isinstance(self.agent, str) else self.agent
        kept: dict[str, object] = {
            "agent": agent.model_dump(),
            "environment_id": self.environment_id,
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
    resources: list[ResourceOut]
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
        resources=[resource_out(one) for one in resources] if isinstance(resources, list) else [],
        created_at=session.created_at or record.changed_at,
        updated_at=record.changed_at,
        archived_at=record.archived_at,
    )  # fmt: skip
