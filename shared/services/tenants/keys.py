"""Create, rotate and revoke API keys. A secret is returned once, and only its hash is stored."""

import secrets
from dataclasses import dataclass, replace
from datetime import timedelta

from shared.core.errors import BadInputError, ConflictError, ForbiddenError
from shared.core.tenants.api_keys import ID_PREFIX, ApiKey, build_token, hash_secret
from shared.core.tenants.roles import Role
from shared.ports.database import Database, UnitOfWork
from shared.ports.runtime import Ids

_SECRET_BYTES = 32
_MAX_NAME_CHARS = 100
_MAX_DAYS = 3_650


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A key and its token, which cannot be shown again."""

    key: ApiKey
    token: str

    def __repr__(self) -> str:
        return f"IssuedKey(key={self.key!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """The properties of a new key. `expires_days` None: no expiry; `rate_per_minute` None: the installation's limit."""

    name: str
    role: Role
    expires_days: float | None = None
    rate_per_minute: int | None = None


def create_key(db: Database, ids: Ids, tenant_id: str, wanted: NewKey, *, actor: str, actor_role: Role) -> IssuedKey:
    """Create a key of an existing tenant.

    Raises:
        BadInputError: the name or the time is invalid.
        ForbiddenError: the key's role exceeds the caller's.
        NotFoundError: there is no such tenant.
    """
    _check(wanted)
    if wanted.role is Role.OPERATOR and actor_role is not Role.OPERATOR:
        raise ForbiddenError("Only an operator can create an operator's key")
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        expires_at = None if wanted.expires_days is None else uow.now() + timedelta(days=wanted.expires_days)
        key = ApiKey(
            id=ids.new(ID_PREFIX.rstrip("_")),
            tenant_id=tenant_id,
            name=wanted.name.strip(),
            role=wanted.role,
            secret_hash=hash_secret(secret),
            rate_per_minute=wanted.rate_per_minute,
            expires_at=expires_at,
        )
        uow.keys.add(key)
        uow.record_audit(actor, "key.create", key_id=key.id, role=key.role, name=key.name)
        return IssuedKey(key=uow.keys.get(key.id), token=build_token(key.id, secret))


def rotate_key(
    db: Database, tenant_id: str, key_id: str, *, grace_minutes: float, actor: str, actor_role: Role
) -> IssuedKey:
    """Give a key a new secret; the old one stays valid for `grace_minutes` (0: not at all).

    Raises:
        NotFoundError: the tenant has no such key.
        ConflictError: the key is revoked.
        ForbiddenError: only operators may change an operator's key.
    """
    if not 0 <= grace_minutes <= 7 * 24 * 60:
        raise BadInputError("The old secret can stay valid from 0 minutes to a week")
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    with db.transaction(tenant_id) as uow:
        key = _get_changeable(uow, key_id, actor_role)
        until = uow.now() + timedelta(minutes=grace_minutes)
        previous = key.secret_hash if grace_minutes else None
        uow.keys.save(
            replace(
                key,
                secret_hash=hash_secret(secret),
                previous_hash=previous,
                previous_until=until if previous else None,
            )
        )
        uow.record_audit(actor, "key.rotate", key_id=key_id, grace_minutes=grace_minutes)
        return IssuedKey(key=uow.keys.get(key_id), token=build_token(key_id, secret))


def revoke_key(db: Database, tenant_id: str, key_id: str, *, actor: str, actor_role: Role) -> ApiKey:
    """Revoke a key for good. Raises NotFoundError, ForbiddenError, and ConflictError if it is revoked already."""
    with db.transaction(tenant_id) as uow:
        key = _get_changeable(uow, key_id, actor_role)
        uow.keys.save(replace(key, revoked_at=uow.now(), previous_hash=None, previous_until=None))
        uow.record_audit(actor, "key.revoke", key_id=key_id)
        return uow.keys.get(key_id)


def find_keys(db: Database, tenant_id: str) -> list[ApiKey]:
    """Return a tenant's keys, newest first. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        return uow.keys.find_all()


def _get_changeable(uow: UnitOfWork, key_id: str, actor_role: Role) -> ApiKey:
    key = uow.keys.get(key_id)
    if key.role is Role.OPERATOR and actor_role is not Role.OPERATOR:
        raise ForbiddenError("Only an operator can change an operator's key")
    if key.revoked_at is not None:
        raise ConflictError(f"{key_id} is revoked already")
    return key


def _check(wanted: NewKey) -> None:
    name = wanted.name.strip()
    if not name or len(name) > _MAX_NAME_CHARS or not name.isprintable():
        raise BadInputError(f"A key's name is 1 to {_MAX_NAME_CHARS} printable characters")
    if wanted.expires_days is not None and not 0 < wanted.expires_days <= _MAX_DAYS:
        raise BadInputError(f"A key must expire in more than 0 and at most {_MAX_DAYS} days")
    if wanted.rate_per_minute is not None and not 1 <= wanted.rate_per_minute <= 1_000_000:
        raise BadInputError("A key's limit is 1 to 1,000,000 requests a minute")
