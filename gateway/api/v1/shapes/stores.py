"""Define the JSON shapes of memory stores in Anthropic's API."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.v1.shapes.ids import LabelKey, LabelText
from shared.core.listings.records import MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS, StoreRecord
from shared.core.tenants.labels import MAX_LABELS


class StoreIn(BaseModel):
    """A new store. Names need not be unique."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Support notes"}})

    name: str = Field(min_length=1, max_length=MAX_TITLE_CHARS)
    description: str | None = Field(None, max_length=MAX_DESCRIPTION_CHARS)
    metadata: dict[LabelKey, LabelText] | None = Field(None, max_length=MAX_LABELS)


class StoreUpdate(BaseModel):
    """Changes to a store; omitted fields stay, a null in `metadata` removes the key."""

    model_config = ConfigDict(json_schema_extra={"example": {"description": "What customers ask"}})

    name: str | None = Field(None, min_length=1, max_length=MAX_TITLE_CHARS)
    description: str | None = Field(None, max_length=MAX_DESCRIPTION_CHARS)
    metadata: dict[LabelKey, LabelText | None] | None = Field(None, max_length=100)


class StoreOut(BaseModel):
    """A memory store."""

    type: Literal["memory_store"] = "memory_store"
    id: str
    name: str
    description: str
    metadata: dict[str, str]
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None


class DeletedStoreOut(BaseModel):
    """A deleted store; its memories and versions are deleted, too."""

    type: Literal["memory_store_deleted"] = "memory_store_deleted"
    id: str


def store_out(record: StoreRecord) -> StoreOut:
    """Return a store as JSON; a store created outside `/v1` is shown with its own name."""
    return StoreOut(
        id=record.id,
        name=record.title or record.name,
        description=record.description,
        metadata=record.labels,
        created_at=record.created_at,
        updated_at=record.described_at,
        archived_at=record.archived_at,
    )
