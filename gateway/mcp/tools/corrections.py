"""Let agents report a wrong memory, which the next dream corrects, or ask that one is forgotten, which a person decides."""

from typing import Annotated

from pydantic import BaseModel, Field

from gateway.api.http.noted import note_told
from gateway.mcp.callers import Writer, with_tool_errors
from gateway.mcp.tools.arguments import MemoryName, StoreName
from shared.core.learning.feedback import MAX_NAME_CHARS, MAX_TEXT_CHARS, FeedbackKind, NewFeedback
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.asking.corrections import correction_of, find_wrong, subject_of
from shared.services.memories.read import search_memories
from shared.services.sessions.feedback import record_feedback

#: The maximum number of memories named as possible subjects of a correction.
_LIKELY = 3
_NO_NUL = r"^[^\x00]*$"
Text = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_TEXT_CHARS,
        description="The correct fact, in a sentence that makes sense without context; the wrong statement may follow.",
    ),
]


class Noted(BaseModel):
    """The result of noting a correction."""

    recorded: bool = Field(description="False if a correction with this note_id was already recorded.")
    memory: str | None = Field(
        description="The path of the memory that the next dream corrects; null if none was named."
    )
    likely: list[str] = Field(description="If no memory was named: paths of memories that may be wrong.")
    masked: list[str] = Field(default=[], description="The kinds of what was masked in the text.")


@with_tool_errors
def note_correction(
    caller: Writer,
    text: Text,
    store: StoreName = DEFAULT_STORE,
    memory: Annotated[
        str,
        Field(max_length=1_024, pattern=_NO_NUL, description="The id or path of the wrong memory, if you know it."),
    ] = "",
    about: Annotated[
        str, Field(max_length=MAX_NAME_CHARS, pattern=_NO_NUL, description="If you name no memory: the domain or tool.")
    ] = "",
    note_id: Annotated[
        str, Field(max_length=MAX_NAME_CHARS, pattern=_NO_NUL, description="Your own id; a repeated id counts once.")
    ] = "",
) -> Noted:
    """Note that a memory is wrong. The next dream corrects it, or asks a person if it finds no wrong sentence."""
    found = find_wrong(caller.db, caller.tenant_id, store, memory) if memory else None
    note = correction_of(found, text, rank=caller.rank, about=about, note_id=note_id)
    done = record_feedback(caller.ports.db, caller.tenant_id, store, [note], actor=caller.actor)
    note_told(caller, store, note.kind, found.id if found else "")
    return Noted(
        recorded=bool(done.added),
        masked=list(done.masked),
        memory=found.path if found else None,
        likely=[] if found else _find_likely(caller, store, text),
    )


class Asked(BaseModel):
    """The memory that the next dream proposes to forget; until a person agrees, it stays as it is."""

    id: str
    path: str


@with_tool_errors
def forget(caller: Writer, memory: MemoryName, store: StoreName = DEFAULT_STORE) -> Asked:
    """Ask that a memory is forgotten. The next dream proposes it, a person decides, and what it said is then gone for good."""
    found = find_wrong(caller.db, caller.tenant_id, store, memory)
    asked = NewFeedback(kind=FeedbackKind.FORGET, subject=subject_of(found))
    record_feedback(caller.ports.db, caller.tenant_id, store, [asked], actor=caller.actor)
    return Asked(id=found.id, path=found.path)


def _find_likely(caller: Writer, store: str, text: str) -> list[str]:
    ports = caller.ports
    hits = search_memories(
        ports.db,
        ports.search,
        caller.tenant_id,
        store,
        text[:1_000],
        _LIKELY,
        ports.meaning,
        with_hidden=caller.sees_all,
    )
    return [hit.path for hit in hits if not hit.is_archived and not hit.is_generated]
