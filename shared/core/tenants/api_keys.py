"""API keys: `swk_<id>_<secret>`. The secret is shown once; what is stored is its SHA-256.

A plain hash is enough, and a slow one would only help those who want to keep the server busy: the secret is 256 random
bits, so there is no list of likely ones to try against a stolen hash. Slow hashes are for what people choose.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from shared.core.tenants.roles import Role

TOKEN_PREFIX = "swk_"  # noqa: S105 - what every key begins with, so that scanners of leaked secrets know it
ID_PREFIX = "key_"
_MAX_TOKEN_CHARS = 200
#: The hash that an unknown id is compared with, so that it takes as long as a known one. No text is known to have it.
_NOBODY = "0" * 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key as it is stored. `previous_hash` is the secret before a rotation, good until `previous_until`."""

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
    """Return what its holder sends as bearer token."""
    return f"{TOKEN_PREFIX}{key_id.removeprefix(ID_PREFIX)}_{secret}"


def split_token(token: str) -> tuple[str, str] | None:
    """Return a token's key id and secret, or None for anything that is no token of ours."""
    if not token.startswith(TOKEN_PREFIX) or len(token) > _MAX_TOKEN_CHARS or not token.isascii():
        return None
    number, separator, secret = token.removeprefix(TOKEN_PREFIX).partition("_")
    return (ID_PREFIX + number, secret) if number.isalnum() and separator and secret else None


def hash_secret(secret: str) -> str:
    """Return what of a secret is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def decide_key_valid(key: ApiKey | None, secret: str, now: datetime) -> bool:
    """Tell whether a secret opens a key now. Takes as long for a key that does not exist as for a wrong secret."""
    return decide_hash_valid(key, hash_secret(secret), now)


def decide_hash_valid(key: ApiKey | None, given: str, now: datetime) -> bool:
    """Tell whether a secret with this hash opens a key now."""
    is_same = hmac.compare_digest(given, key.secret_hash if key else _NOBODY)
    is_previous = hmac.compare_digest(given, (key.previous_hash if key else None) or _NOBODY)
    if key is None or key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= now):
        return False
    is_in_grace = key.previous_until is not None and now < key.previous_until
    return is_same or (is_previous and is_in_grace)
