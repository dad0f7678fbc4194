"""Define the JSON shapes of a session's events in Anthropic's API.

slowwave runs no agents, so that the host sends the agent's events, too; Anthropic's API only returns them. Dreams read
messages and outcomes. The other events are kept and returned.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.config import JsonDict

from shared.core.sessions.model import EventKind, SessionEvent
from shared.core.sessions.transcript import FoundEvent

MAX_EVENTS = 500
_MAX_INPUT_CHARS = 100_000
_KEPT_INPUT_CHARS = 2_000
_EXAMPLE: JsonDict = {
    "events": [{"type": "user.message", "content": [{"type": "text", "text": "No, the token lives an hour."}]}]
}
Name = Annotated[str, Field(max_length=256)]
Details = dict[str, object]


def check_input(given: dict[str, Any]) -> dict[str, Any]:
    """Return a tool's input unchanged. Raises ValueError if it is too long or too deep."""
    try:
        size = len(dump_input(given))
    except RecursionError:
        size = _MAX_INPUT_CHARS + 1
    if size > _MAX_INPUT_CHARS:
        raise ValueError(f"input has at most {_MAX_INPUT_CHARS:,} characters as JSON")
    return given


def dump_input(given: Mapping[str, object]) -> str:
    """Return a tool's input as JSON."""
    return json.dumps(given, ensure_ascii=False)


#: Any JSON object. The schema limits the body of a request.
ToolInput = Annotated[
    dict[str, Any],
    AfterValidator(check_input),
    WithJsonSchema(
        {
            "type": "object",
            "maxProperties": 100,
            "propertyNames": {"maxLength": 256},
            "additionalProperties": {"type": "string", "maxLength": _MAX_INPUT_CHARS},
            "description": "Any JSON object of up to 100,000 characters.",
        }
    ),
]


class Block(BaseModel):
    """A piece of content. For content other than text, only the type is stored."""

    type: Annotated[str, Field(max_length=50)]
    text: str | None = Field(None, max_length=1_000_000)


Content = Annotated[list[Block], Field(max_length=1_000)]


class _EventIn(BaseModel):
    """One event. `processed_at` is the time when it happened; default: now."""

    processed_at: AwareDatetime | None = None

    def words(self) -> str:
        """Return the text that is stored."""
        return ""

    def details(self) -> Details:
        """Return the details that are stored beside the text."""
        return self.model_dump(exclude={"type", "content", "processed_at"})


class MessageIn(_EventIn):
    """A message."""

    type: Literal["user.message", "agent.message", "system.message"]
    content: Content

    def words(self) -> str:
        """Return the message."""
        return _text_of(self.content)


class InterruptionIn(_EventIn):
    """A user's interrupt."""

    type: Literal["user.interrupt"]
    session_thread_id: Name | None = None


class ConfirmationIn(_EventIn):
    """A user's answer whether a tool may run."""

    type: Literal["user.tool_confirmation"]
    tool_use_id: Name
    result: Literal["allow", "deny"]
    deny_message: str | None = Field(None, max_length=10_000)

    def words(self) -> str:
        """Return the answer with its reason."""
        return f"{self.result}: {self.deny_message}" if self.deny_message else self.result


class _ResultIn(_EventIn):
    content: Content | None = None
    is_error: bool | None = None

    def words(self) -> str:
        """Return the result."""
        return _text_of(self.content or [])


class ToolResultIn(_ResultIn):
    """The result of a tool."""

    type: Literal["user.tool_result", "agent.tool_result"]
    tool_use_id: Name


class CustomToolResultIn(_ResultIn):
    """The result of a custom tool of the host."""

    type: Literal["user.custom_tool_result"]
    custom_tool_use_id: Name


class McpToolResultIn(_ResultIn):
    """The result of a tool of an MCP server."""

    type: Literal["agent.mcp_tool_result"]
    mcp_tool_use_id: Name


class RubricIn(BaseModel):
    """The criteria by which an outcome is graded: a text, or a file of the host."""

    type: Literal["text", "file"]
    content: str | None = Field(None, max_length=100_000)
    file_id: Name | None = None


class OutcomeIn(_EventIn):
    """An outcome that the agent should produce, in the user's words."""

    type: Literal["user.define_outcome"]
    description: str = Field(max_length=100_000)
    rubric: RubricIn
    max_iterations: int | None = Field(None, ge=1, le=20)

    def words(self) -> str:
        """Return the description."""
        return self.description

    def details(self) -> Details:
        """Return the rubric and its bound."""
        told = self.rubric
        rubric = {"rubric_type": told.type, "rubric_content": told.content, "rubric_file_id": told.file_id}
        return {**rubric, "max_iterations": self.max_iterations}


class ToolUseIn(_EventIn):
    """A use of a tool by the agent. An input of more than 2,000 characters is left out."""

    type: Literal["agent.tool_use", "agent.custom_tool_use", "agent.mcp_tool_use"]
    name: Name
    input: ToolInput
    mcp_server_name: Name | None = None

    def words(self) -> str:
        """Return the tool with its input."""
        return f"{self.name} {dump_input(self.input)}"

    def details(self) -> Details:
        """Return the tool, and its input as JSON."""
        given = dump_input(self.input)
        kept = given if len(given) <= _KEPT_INPUT_CHARS else ""
        return {"name": self.name, "mcp_server_name": self.mcp_server_name, "input": kept}


class ThinkingIn(_EventIn):
    """A sign that the agent is thinking; the thoughts are not included."""

    type: Literal["agent.thinking"]


EventIn = Annotated[
    MessageIn
    | InterruptionIn
    | ConfirmationIn
    | ToolResultIn
    | CustomToolResultIn
    | McpToolResultIn
    | OutcomeIn
    | ToolUseIn
    | ThinkingIn,
    Field(discriminator="type"),
]


class EventsIn(BaseModel):
    """Events in order."""

    model_config = ConfigDict(json_schema_extra={"example": _EXAMPLE})

    events: list[EventIn] = Field(max_length=MAX_EVENTS)


class EventOut(BaseModel):
    """A stored event, with secrets masked. Further fields depend on its type, as in Anthropic's API."""

    model_config = ConfigDict(extra="allow")

    id: str
    type: str
    processed_at: datetime | None


class SentOut(BaseModel):
    """The events that were sent."""

    data: list[EventOut]


#: By type: the kind of the event in dreams, and the role of its author.
_STORED: dict[str, tuple[EventKind, str]] = {
    "user.message": (EventKind.USER, "user"),
    "agent.message": (EventKind.ASSISTANT, "assistant"),
    "system.message": (EventKind.SYSTEM, "system"),
    "user.define_outcome": (EventKind.USER, "user"),
    "user.interrupt": (EventKind.META, "user"),
    "user.tool_confirmation": (EventKind.META, "user"),
    "user.tool_result": (EventKind.TOOL_RESULT, "tool"),
    "user.custom_tool_result": (EventKind.TOOL_RESULT, "tool"),
    "agent.tool_result": (EventKind.TOOL_RESULT, "tool"),
    "agent.mcp_tool_result": (EventKind.TOOL_RESULT, "tool"),
    "agent.tool_use": (EventKind.TOOL_CALL, "assistant"),
    "agent.custom_tool_use": (EventKind.TOOL_CALL, "assistant"),
    "agent.mcp_tool_use": (EventKind.TOOL_CALL, "assistant"),
    "agent.thinking": (EventKind.THINKING, "assistant"),
}
#: By type: the fields besides id, type and time.
_SHOWN: dict[str, tuple[str, ...]] = {
    "user.define_outcome": ("description", "rubric", "max_iterations", "outcome_id"),
    "user.interrupt": ("session_thread_id",),
    "user.tool_confirmation": ("tool_use_id", "result", "deny_message", "session_thread_id"),
    "user.tool_result": ("tool_use_id", "content", "is_error", "session_thread_id"),
    "user.custom_tool_result": ("custom_tool_use_id", "content", "is_error", "session_thread_id"),
    "agent.tool_result": ("tool_use_id", "content", "is_error"),
    "agent.mcp_tool_result": ("mcp_tool_use_id", "content", "is_error"),
    "agent.tool_use": ("name", "input", "evaluated_permission", "evaluation", "session_thread_id"),
    "agent.custom_tool_use": ("name", "input", "session_thread_id"),
    "agent.mcp_tool_use": (
        "name", "input", "mcp_server_name", "evaluated_permission", "evaluation", "session_thread_id",
    ),
    "agent.thinking": (),
}  # fmt: skip
#: The types shown for events of other sources; the rest are system messages.
_TYPES: dict[EventKind, str] = {
    EventKind.USER: "user.message",
    EventKind.LOG: "user.message",
    EventKind.ASSISTANT: "agent.message",
}


def found_event(event: EventIn, event_id: str, line: int, now: datetime) -> FoundEvent:
    """Return an event in the form of an import."""
    kind, role = _STORED[event.type]
    details = None if event.type not in _SHOWN else {"type": event.type, **event.details()}
    at = event.processed_at or now
    return FoundEvent(
        line=line, session="", event_id=event_id, kind=kind, role=role, text=event.words(), at=at, details=details
    )


def event_out(event: SessionEvent) -> EventOut:
    """Return an event as JSON; an event of another source that is not a message is shown as a system message."""
    details = event.details or {}
    kind = str(details.get("type") or _TYPES.get(event.kind, "system.message"))
    fields = {name: _field(name, event, details) for name in _SHOWN.get(kind, ("content",))}
    return EventOut(id=event.event_id, type=kind, processed_at=event.at, **fields)


def _field(name: str, event: SessionEvent, details: Mapping[str, object]) -> object:
    match name:
        case "content":
            return [{"type": "text", "text": event.sent}] if event.sent or not details else []
        case "description":
            return event.sent
        case "outcome_id":
            return f"outc_{event.event_id.rpartition('_')[2]}"
        case "rubric":
            told = {"content": details.get("rubric_content"), "file_id": details.get("rubric_file_id")}
            return {
                "type": details.get("rubric_type"),
                **{key: value for key, value in told.items() if value is not None},
            }
        case "input":
            return read_input(str(details.get("input") or ""))
        case _:
            return details.get(name)


def read_input(kept: str) -> dict[str, object]:
    """Return a tool's input; empty if it was left out, or if masking a secret has broken it."""
    try:
        found = json.loads(kept or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _text_of(content: list[Block]) -> str:
    return "\n".join(one.text or "" if one.type == "text" else f"[{one.type}]" for one in content)
