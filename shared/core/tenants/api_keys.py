"""API keys: `swk_<id>_<secret>`. The secret is shown once; its SHA-256 is stored.

A plain hash is enough: the secret is 256 random bits, so there is no list of likely secrets to try against a stolen
hash. A slow hash would only help to keep the server busy.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from shared.core.tenants.roles import Role

TOKEN_PREFIX = "swk_"  # noqa: S105 - the prefix of every key, by which scanners recognise a leaked one
ID_PREFIX = "key_"
_MAX_TOKEN_CHARS = 200
#: Compared with for an unknown id, so that it takes as long as a known one. No text is known to have this hash.
_UNKNOWN_HASH = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A stored key. `previous_hash` is the secret before a rotation, valid until `previous_until`."""

    id: str
    tenant_id: str
    name: str
    role: Role
    secret_hash: str
    previous_hash: str | None = None
    previous_until: datetime | None = None
    rate_per_minute: int | None = None  # None: the installation's limit
    created_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None

    def __repr__(self) -> str:
        return f"ApiKey(id={self.id!r}, tenant_id={self.tenant_id!r}, role={self.role!r})"


def build_token(key_id: str, secret: str) -> str:
    """Return the bearer token of a key."""
    return f"{TOKEN_PREFIX}{key_id.removeprefix(ID_PREFIX)}_{secret}"


def split_token(token: str) -> tuple[str, str] | None:
    """Return a token's key id and secret; None for a text of another form."""
    if not token.startswith(TOKEN_PREFIX) or len(token) > _MAX_TOKEN_CHARS or not token.isascii():
        return None
    number, separator, secret = token.removeprefix(TOKEN_PREFIX).partition("_")
    return (ID_PREFIX + number, secret) if number.isalnum() and separator and secret else None


def hash_secret(secret: str) -> str:
    """Return the hash that is stored for a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def decide_key_valid(key: ApiKey | None, secret: str, now: datetime) -> bool:
    """Tell whether a secret is valid for a key now. An unknown key takes as long as a wrong secret."""
    return decide_hash_valid(key, hash_secret(secret), now)


def decide_hash_valid(key: ApiKey | None, given: str, now: datetime) -> bool:
    """Tell whether a secret with this hash is valid for a key now."""
    is_same = hmac.compare_digest(given, key.secret_hash if key else _UNKNOWN_HASH)
    is_previous = hmac.compare_digest(given, (key.previous_hash if key else None) or _UNKNOWN_HASH)
    if key is None or key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now):
        return False
    is_in_grace = key.previous_until is not None and now < key.previous_until
    return is_same or (is_previous and is_in_grace)
