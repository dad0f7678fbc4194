"""Let agents list stores, and write and archive memories."""

from typing import Annotated

from pydantic import BaseModel, Field

from gateway.api.shapes.memories import MAX_CONTENT_CHARS
from gateway.mcp.callers import Reader, Writer, with_tool_errors
from gateway.mcp.tools.arguments import FromRoot, MemoryName, StoreName
from shared.core.memory.model import Memory, MemoryState
from shared.core.memory.writers import Through
from shared.core.policy.masked import name_masked
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.edit import Expected, MemoryEdit, archive_memory, create_memory, edit_memory
from shared.services.memories.read import get_memory
from shared.services.memories.write import NewText
from shared.services.tenants.stores import find_stores

#: The maximum number of stores on a page; pass the last name as `after` for the next page.
_MOST = 100


class StoreLine(BaseModel):
    """One store: the memory of one agent or project."""

    name: str
    archived: bool = Field(description="Archived stores are read-only.")


class Stores(BaseModel):
    """The stores of the tenant, by name. After a full page, call again with its last name as `after`."""

    stores: list[StoreLine]


class Written(BaseModel):
    """The memory as it is stored now."""

    id: str
    path: str
    version: int
    masked: Annotated[
        list[str], Field(description="The kinds of secrets and personal data that were masked in the text.")
    ] = []


class Deleted(BaseModel):
    """The memory that agents no longer see; its text and its history stay, and a person can restore it."""

    id: str
    path: str
    version: int
    state: MemoryState


@with_tool_errors
def list_stores(
    caller: Reader,
    after: Annotated[
        str,
        Field(max_length=200, pattern=r"^[^\x00]*$", description="The last name of the previous page."),
    ] = "",
) -> Stores:
    """List the stores that other tools take as `store`."""
    found = sorted(find_stores(caller.ports.db, caller.tenant_id), key=lambda store: store.name)
    shown = [store for store in found if store.name > after][:_MOST]
    return Stores(stores=[StoreLine(name=store.name, archived=store.archived_at is not None) for store in shown])


@with_tool_errors
def write_memory(
    caller: Writer,
    path: Annotated[
        str,
        Field(
            min_length=1,
            max_length=1_024,
            pattern=r"^[^\x00]*$",
            description="A path such as ops/deploy.md; `/ops/deploy.md` is the same.",
        ),
        FromRoot,
    ],
    content: Annotated[str, Field(max_length=MAX_CONTENT_CHARS, description="The whole text, in markdown.")],
    store: StoreName = DEFAULT_STORE,
    version: Annotated[
        int | None,
        Field(
            ge=1,
            le=1_000_000_000,
            description="The version that you have read, to replace a memory; omit it for a new memory.",
        ),
    ] = None,
) -> Written:
    """Write a new memory, or replace the version of a memory that you have read."""
    ports = caller.ports
    if version is None:
        text = NewText(path=path, content=content, through=Through.MCP)
        made = create_memory(ports.db, ports.ids, caller.tenant_id, store, text, caller.author, actor=caller.actor)
        return _written(made, content)
    found = get_memory(caller.db, caller.tenant_id, store, path)
    edit = MemoryEdit(content=content, actor=caller.actor, through=Through.MCP)
    expected = Expected(version=version)
    after = edit_memory(ports.db, caller.tenant_id, store, found.id, edit, expected=expected, author=caller.author)
    return _written(after, content)


@with_tool_errors
def delete_memory(
    caller: Writer,
    memory: MemoryName,
    version: Annotated[int, Field(ge=1, le=1_000_000_000, description="The version that you have read.")],
    store: StoreName = DEFAULT_STORE,
) -> Deleted:
    """Archive the version of a memory that you have read: agents no longer see it, and a person can restore it."""
    ports = caller.ports
    found = get_memory(caller.db, caller.tenant_id, store, memory)
    expected = Expected(version=version)
    gone = archive_memory(ports.db, caller.tenant_id, store, found.id, expected=expected, actor=caller.actor)
    return Deleted(id=gone.id, path=gone.path, version=gone.version, state=gone.state)


def _written(memory: Memory, given: str) -> Written:
    masked = name_masked(given, memory.content)
    return Written(id=memory.id, path=memory.path, version=memory.version, masked=masked)
