"""Let agents report events of a session, from which dreams gather, and uses of skills."""

from typing import Annotated

from pydantic import BaseModel, Field

from gateway.api.resources.sessions import EventIn, Labels, found_events, import_target
from gateway.mcp.callers import Writer, with_tool_errors
from gateway.mcp.tools.arguments import StoreName
from shared.core.learning.skills import MAX_NAME_CHARS
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.skills import record_skill_use
from shared.services.sessions.live import append_events, open_live_session

_MOST_EVENTS = 100
SessionName = Annotated[
    str,
    Field(pattern=r"^[\x21-\x7e]{1,200}$", description="Your own id of the session; use the same one in every call."),
]


class Appended(BaseModel):
    """The number of new events, and of events whose `event_id` was already recorded."""

    added: int
    known: int


class Used(BaseModel):
    """The skill whose use is recorded."""

    skill: str


@with_tool_errors
def append_session(
    caller: Writer,
    session: SessionName,
    events: Annotated[
        list[EventIn], Field(min_length=1, max_length=_MOST_EVENTS, description="The messages and actions, in order.")
    ],
    store: StoreName = DEFAULT_STORE,
    *,
    ended: Annotated[
        bool, Field(description="Whether the session is over; then the next dream may gather from it.")
    ] = False,
    labels: Labels = None,
) -> Appended:
    """Append events to a session; the first call begins it. An event with a repeated event_id is recorded once."""
    ports, target = caller.ports, import_target(store, caller, is_current=not ended, labels=labels)
    begun = open_live_session(ports.db, target, session)
    _, counts = append_events(ports.db, target, begun.id, found_events(events))
    return Appended(added=counts.added, known=counts.known)


@with_tool_errors
def record_use(
    caller: Writer,
    skill: Annotated[
        str, Field(min_length=1, max_length=MAX_NAME_CHARS, pattern=r"^[^\x00]+$", description="The name of the skill.")
    ],
    session: SessionName,
    store: StoreName = DEFAULT_STORE,
) -> Used:
    """Record that a session used a skill; a repeated use counts once."""
    use = record_skill_use(caller.ports.db, caller.tenant_id, store, skill, session, actor=caller.actor)
    return Used(skill=use.skill)
