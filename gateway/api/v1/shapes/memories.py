"""Define the JSON shapes of memories and versions in Anthropic's API. Its paths begin with `/`; slowwave's do not."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.v1.shapes.ids import key_of_actor, version_id
from shared.core.errors import BadInputError
from shared.core.listings.records import MemoryRecord, VersionRecord
from shared.services.memories.api_lists import Folder

MAX_CONTENT_BYTES = 102_400
_ROOT = "/"
_MAX_SEGMENTS = 20
Text = Annotated[str, Field(max_length=MAX_CONTENT_BYTES)]
_MAX_PATH_BYTES = 1_024  # with the `/` at its beginning
MemoryPath = Annotated[str, Field(min_length=1, max_length=_MAX_PATH_BYTES)]


class MemoryIn(BaseModel):
    """A new memory."""

    model_config = ConfigDict(json_schema_extra={"example": {"path": "/api/auth.md", "content": "# Auth\n"}})

    path: MemoryPath
    content: Text | None


class Precondition(BaseModel):
    """A precondition on the current text."""

    type: Literal["content_sha256"]
    content_sha256: str = Field(pattern="^[0-9a-f]{64}$")


class MemoryUpdate(BaseModel):
    """Changes to a memory; omitted fields stay."""

    model_config = ConfigDict(json_schema_extra={"example": {"content": "# Auth\n\nSigned.\n"}})

    path: MemoryPath | None = None
    content: Text | None = None
    precondition: Precondition | None = None


class MemoryOut(BaseModel):
    """A memory; the text is included only with `view=full`."""

    type: Literal["memory"] = "memory"
    id: str
    memory_store_id: str
    memory_version_id: str
    path: str
    content: str | None
    content_sha256: str
    content_size_bytes: int
    created_at: datetime
    updated_at: datetime


class PrefixOut(BaseModel):
    """A folder of memories below the depth of the list."""

    type: Literal["memory_prefix"] = "memory_prefix"
    path: str


class DeletedOut(BaseModel):
    """A deleted memory: agents no longer see it, but its versions stay."""

    type: Literal["memory_deleted"] = "memory_deleted"
    id: str


class KeyActor(BaseModel):
    """A key as the writer of a version."""

    type: Literal["api_actor"] = "api_actor"
    api_key_id: str


class DreamActor(BaseModel):
    """A dream as the writer of a version; `session_id` is the dream's id."""

    type: Literal["session_actor"] = "session_actor"
    session_id: str


Actor = Annotated[KeyActor | DreamActor, Field(discriminator="type")]
Operation = Literal["created", "modified", "deleted"]


class VersionOut(BaseModel):
    """One entry of a memory's history."""

    type: Literal["memory_version"] = "memory_version"
    id: str
    memory_id: str
    memory_store_id: str
    operation: str
    path: str | None
    content: str | None
    content_sha256: str | None
    content_size_bytes: int | None
    created_at: datetime
    created_by: Actor | None
    redacted_at: datetime | None
    redacted_by: Actor | None


def read_path(path: str) -> str:
    """Return a path in its stored form. Raises BadInputError; the write checks the rest."""
    if not path.startswith(_ROOT):
        raise BadInputError("path begins with `/`")
    if len(path.encode("utf-8", "surrogatepass")) > _MAX_PATH_BYTES:
        raise BadInputError(f"path has at most {_MAX_PATH_BYTES:,} bytes")
    if path.count(_ROOT) > _MAX_SEGMENTS:
        raise BadInputError(f"path has at most {_MAX_SEGMENTS} segments")
    return path.removeprefix(_ROOT)


def read_prefix(prefix: str | None) -> str:
    """Return a path prefix in its stored form. Raises BadInputError."""
    if prefix is None:
        return ""
    if not prefix.startswith(_ROOT) or not prefix.endswith(_ROOT) or "\x00" in prefix:
        raise BadInputError("path_prefix begins and ends with `/`")
    return prefix.removeprefix(_ROOT)


def check_content(content: str) -> str:
    """Return the text. Raises BadInputError if it is too long."""
    if len(content.encode("utf-8", "surrogatepass")) > MAX_CONTENT_BYTES:
        raise BadInputError(f"content has at most {MAX_CONTENT_BYTES:,} bytes")
    return content


def memory_out(store_id: str, record: MemoryRecord) -> MemoryOut:
    """Return a memory as JSON."""
    return MemoryOut(
        id=record.id,
        memory_store_id=store_id,
        memory_version_id=version_id(record.id, record.version),
        path=_ROOT + record.path,
        content=record.content,
        content_sha256=record.content_sha256,
        content_size_bytes=record.size_bytes,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )


def entry_out(store_id: str, entry: MemoryRecord | Folder) -> MemoryOut | PrefixOut:
    """Return an entry of a list as JSON."""
    return PrefixOut(path=_ROOT + entry.path) if isinstance(entry, Folder) else memory_out(store_id, entry)


def version_out(store_id: str, record: VersionRecord) -> VersionOut:
    """Return a version as JSON; a redacted one has no path and no text."""
    is_gone = record.redacted_at is not None
    is_empty = is_gone or record.operation == "deleted"
    return VersionOut(
        id=version_id(record.memory_id, record.version),
        memory_id=record.memory_id,
        memory_store_id=store_id,
        operation=record.operation,
        path=None if is_gone else _ROOT + record.path,
        content=None if is_empty else record.content,
        content_sha256=None if is_empty else record.content_sha256,
        content_size_bytes=None if is_empty else record.size_bytes,
        created_at=record.created_at,
        created_by=_actor(record.actor, record.dream_id),
        redacted_at=record.redacted_at,
        redacted_by=_actor(record.redacted_by, None),
    )


def _actor(actor: str, dream_id: str | None) -> KeyActor | DreamActor | None:
    if dream_id is not None:
        return DreamActor(session_id=dream_id)
    key_id = key_of_actor(actor)
    return KeyActor(api_key_id=key_id) if key_id is not None else None
