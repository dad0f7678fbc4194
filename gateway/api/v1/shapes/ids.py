"""Define the ids under `/v1`. A version's id is its memory's id and its number; other ids are the same as under `/api`."""

from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import Field

from gateway.api.http.parameters import ID
from shared.core.errors import NotFoundError
from shared.core.tenants.labels import MAX_LABEL_CHARS, MAX_LABEL_KEY_CHARS

_MEMORY, _VERSION, _NUMBER = "mem_", "memver_", "v"
_KEY_ACTOR = "key:"
_MAX_DIGITS = 9

StoreId = Annotated[str, Path(pattern=ID, examples=["memstore_01JD0000000000000000000000"])]
VersionId = Annotated[str, Path(pattern=ID, examples=["memver_01JD0000000000000000000000v1"])]
SessionId = Annotated[str, Path(pattern=ID, examples=["sesn_01JD0000000000000000000000"])]
LabelKey = Annotated[str, Field(max_length=MAX_LABEL_KEY_CHARS)]
LabelText = Annotated[str, Field(max_length=MAX_LABEL_CHARS)]
View = Annotated[Literal["basic", "full"] | None, Query(description="`full` includes the text.")]


def version_id(memory_id: str, number: int) -> str:
    """Return the id of a version."""
    return f"{_VERSION}{memory_id.removeprefix(_MEMORY)}{_NUMBER}{number}"


def split_version_id(given: str) -> tuple[str, int]:
    """Return the memory's id and the version's number. Raises NotFoundError for an id of another form."""
    memory, separator, number = given.removeprefix(_VERSION).rpartition(_NUMBER)
    is_number = number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS
    if not given.startswith(_VERSION) or not separator or not is_number:
        raise NotFoundError
    return _MEMORY + memory, int(number)


def actor_of_key(key_id: str) -> str:
    """Return a key's name in histories."""
    return _KEY_ACTOR + key_id


def key_of_actor(actor: str) -> str | None:
    """Return the key of an actor, or None if it is not a key."""
    return actor.removeprefix(_KEY_ACTOR) if actor.startswith(_KEY_ACTOR) else None
