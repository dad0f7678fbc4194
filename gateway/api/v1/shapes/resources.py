"""Define the JSON shapes of a session's resources: stores, files, repositories.

slowwave runs no agent and mounts nothing: files and repositories are kept as the host names them. A token for a
repository is not kept.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.v1.shapes.dreams import Id
from shared.core.errors import BadInputError
from shared.core.listings.records import StoreRecord
from shared.core.memory.paths import ascii_slug_of

MAX_RESOURCES = 20
MAX_STORES = 8
MountPath = Annotated[str, Field(min_length=1, max_length=1_024, pattern=r"^[^\x00]*$")]
Kept = dict[str, Any]


class StoreResourceIn(BaseModel):
    """A store of the session. The session belongs to the first one that the agent may write; its dreams gather from the session."""

    type: Literal["memory_store"]
    memory_store_id: Id
    access: Literal["read_write", "read_only"] | None = None
    instructions: str | None = Field(None, max_length=4_096)

    def kept(self, store: StoreRecord) -> Kept:
        """Return the stored form, with the current name and description of the store."""
        name = store.title or store.name
        told = {"name": name, "description": store.description, "mount_path": f"/mnt/memory/{ascii_slug_of(name)}"}
        return {**self.model_dump(), "access": self.access or "read_write", **told}


class FileResourceIn(BaseModel):
    """A file of the host; slowwave has no copy of it."""

    model_config = ConfigDict(json_schema_extra={"example": {"type": "file", "file_id": "file_1"}})

    type: Literal["file"]
    file_id: Id
    mount_path: MountPath | None = None

    def kept(self, resource_id: str, now: datetime) -> Kept:
        """Return the stored form."""
        mount_path = self.mount_path or f"/mnt/session/uploads/{self.file_id}"
        return {**_made(self.type, resource_id, now), "file_id": self.file_id, "mount_path": mount_path}


class Branch(BaseModel):
    """The branch to check out."""

    type: Literal["branch"]
    name: str = Field(max_length=255)


class Commit(BaseModel):
    """The commit to check out."""

    type: Literal["commit"]
    sha: str = Field(max_length=64)


class RepositoryResourceIn(BaseModel):
    """A repository in which the host's agent works."""

    type: Literal["github_repository"]
    url: str = Field(max_length=1_024)
    authorization_token: str | None = Field(
        None, max_length=4_096, description="Not stored, since slowwave clones nothing."
    )
    checkout: Annotated[Branch | Commit, Field(discriminator="type")] | None = None
    mount_path: MountPath | None = None

    def kept(self, resource_id: str, now: datetime) -> Kept:
        """Return the stored form, without the token."""
        name = self.url.rstrip("/").rpartition("/")[2].removesuffix(".git")
        return {
            **_made(self.type, resource_id, now),
            "url": self.url,
            "checkout": self.checkout and self.checkout.model_dump(),
            "mount_path": self.mount_path or f"/workspace/{name}",
        }


ResourceIn = Annotated[StoreResourceIn | FileResourceIn | RepositoryResourceIn, Field(discriminator="type")]


class StoreResourceOut(BaseModel):
    """A store of a session."""

    type: Literal["memory_store"]
    memory_store_id: str
    access: str | None
    instructions: str | None
    description: str | None
    name: str | None
    mount_path: str | None


class FileResourceOut(BaseModel):
    """A file of a session."""

    type: Literal["file"]
    id: str
    file_id: str
    mount_path: str
    created_at: datetime
    updated_at: datetime


class RepositoryResourceOut(BaseModel):
    """A repository of a session."""

    type: Literal["github_repository"]
    id: str
    url: str
    checkout: Branch | Commit | None
    mount_path: str
    created_at: datetime
    updated_at: datetime


ResourceOut = Annotated[StoreResourceOut | FileResourceOut | RepositoryResourceOut, Field(discriminator="type")]


class DeletedResourceOut(BaseModel):
    """A resource that was removed from its session."""

    type: Literal["session_resource_deleted"] = "session_resource_deleted"
    id: str


def stores_of(resources: Sequence[ResourceIn]) -> list[StoreResourceIn]:
    """Return the stores among resources. Raises BadInputError if there are too many, or if one is named twice."""
    stores = [one for one in resources if isinstance(one, StoreResourceIn)]
    if len(stores) > MAX_STORES:
        raise BadInputError(f"A session has at most {MAX_STORES} memory stores")
    if len({one.memory_store_id for one in stores}) < len(stores):
        raise BadInputError("A memory store is named twice in resources")
    return stores


def home_of(stores: Sequence[StoreResourceIn]) -> str | None:
    """Return the store whose dreams gather from the session: the first that the agent may write, else the first."""
    wanted = sorted(stores, key=lambda one: one.access == "read_only")
    return wanted[0].memory_store_id if wanted else None


def resource_out(kept: Mapping[str, Any]) -> ResourceOut:
    """Return a resource as JSON."""
    kinds = {"memory_store": StoreResourceOut, "file": FileResourceOut, "github_repository": RepositoryResourceOut}
    shape: Any = kinds[kept["type"]]
    shown: ResourceOut = shape(**{name: kept.get(name) for name in shape.model_fields})
    return shown


def _made(kind: str, resource_id: str, now: datetime) -> Kept:
    return {"type": kind, "id": resource_id, "created_at": now.isoformat(), "updated_at": now.isoformat()}
