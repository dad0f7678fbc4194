"""Memory stores as Anthropic's API shows and takes them."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from shared.core.listings.records import MAX_DESCRIPTION_CHARS, MAX_LABELS, MAX_TITLE_CHARS, StoreCard


class StoreIn(BaseModel):
    """A new store. Names need not be unique."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Support notes"}})

    name: str = Field(min_length=1, max_length=MAX_TITLE_CHARS)
    description: str | None = Field(None, max_length=MAX_DESCRIPTION_CHARS)
    metadata: dict[str, str] | None = Field(None, max_length=MAX_LABELS)


class StoreUpdate(BaseModel):
    """What shall change; what is left out stays, a key of `metadata` that is null goes."""

    model_config = ConfigDict(json_schema_extra={"example": {"description": "What customers ask"}})

    name: str | None = Field(None, min_length=1, max_length=MAX_TITLE_CHARS)
    description: str | None = Field(None, max_length=MAX_DESCRIPTION_CHARS)
    metadata: dict[str, str | None] | None = Field(None, max_length=100)


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


def store_out(card: StoreCard) -> StoreOut:
    """Return a store as JSON; one that was made elsewhere has the name that it has there."""
    return StoreOut(
        id=card.id,
        name=card.title or card.name,
        description=card.description,
        metadata=card.labels,
        created_at=card.created_at,
        updated_at=card.described_at,
        archived_at=card.archived_at,
    )
