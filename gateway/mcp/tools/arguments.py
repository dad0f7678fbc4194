"""Define the arguments that several tools share. Their patterns make them safe to use in a query."""

from typing import Annotated

from pydantic import AfterValidator, Field

from gateway.api.http.parameters import ID
from gateway.api.shapes.stores import NAME


def _from_root(path: str) -> str:
    return path.removeprefix("/")


#: Agents write paths from the root of the store, too, as of a file system.
FromRoot = AfterValidator(_from_root)
StoreName = Annotated[str, Field(pattern=NAME, description="The store: the memory of one agent or project.")]
DreamId = Annotated[str, Field(pattern=ID, description="The dream's id, such as drm_01J….")]
OperationId = Annotated[str, Field(pattern=ID, description="The operation's id from list_reviews.")]
Limit = Annotated[int, Field(ge=1, le=50, description="The maximum number of results.")]
MemoryName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1_024,
        pattern=r"^[^\x00]*$",
        description="The memory's id, or the path of a live memory; `/path` is the same as `path`.",
    ),
    FromRoot,
]
