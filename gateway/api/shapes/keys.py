"""Keys as JSON: never a hash, and the token once."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from shared.core.access import Role
from shared.core.api_key import ApiKey
from shared.services.manage_keys import IssuedKey


class KeyIn(BaseModel):
    """A new key."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "support bot", "role": "agent"}})

    name: str = Field(min_length=1, max_length=100)
    role: Role
    expires_days: float | None = Field(None, gt=0, le=3_650)
    rate_per_minute: int | None = Field(None, ge=1, le=1_000_000)


class RotateIn(BaseModel):
    """How a key gets its new secret."""

    model_config = ConfigDict(extra="forbid")

    grace_minutes: float = Field(0, ge=0, le=10_080, description="How long the old secret stays valid.")


class KeyOut(BaseModel):
    """A key without its secret."""

    id: str
    name: str
    role: Role
    rate_per_minute: int | None
    created_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None = Field(description="To the minute.")


class IssuedKeyOut(KeyOut):
    """A key with its token, which is shown this once."""

    token: str


def key_out(key: ApiKey) -> KeyOut:
    """Return a key as JSON."""
    return KeyOut(**_plain(key))


def issued_key_out(issued: IssuedKey) -> IssuedKeyOut:
    """Return a new key and its token as JSON."""
    return IssuedKeyOut(**_plain(issued.key), token=issued.token)


def _plain(key: ApiKey) -> dict[str, object]:
    return {name: getattr(key, name) for name in KeyOut.model_fields}
