"""List, create, rotate and revoke a tenant's keys. A token is shown once; answers that contain one are never stored."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, ConfigDict, Field

from gateway.api.http.auth import Administrator
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, Limit, Page, decode_cursor, page_of
from gateway.api.http.parameters import KeyId
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from shared.core.tenants.api_keys import ApiKey
from shared.core.tenants.roles import Role
from shared.services.tenants.keys import IssuedKey, NewKey, create_key, find_keys, revoke_key, rotate_key


class KeyIn(BaseModel):
    """A new key."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "support bot", "role": "agent"}})

    name: str = Field(min_length=1, max_length=100)
    role: Role
    expires_days: float | None = Field(None, gt=0, le=3_650)
    rate_per_minute: int | None = Field(None, ge=1, le=1_000_000)


class RotateIn(BaseModel):
    """Options of a rotation."""

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
    last_used_at: datetime | None = Field(description="Recorded at most once a minute.")


class IssuedKeyOut(KeyOut):
    """A key with its token, which is shown only once."""

    token: str


def key_out(key: ApiKey) -> KeyOut:
    """Return a key as JSON."""
    return KeyOut(**_plain(key))


def issued_key_out(issued: IssuedKey) -> IssuedKeyOut:
    """Return a new key and its token as JSON."""
    return IssuedKeyOut(**_plain(issued.key), token=issued.token)


def _plain(key: ApiKey) -> dict[str, object]:
    return {name: getattr(key, name) for name in KeyOut.model_fields}


router = APIRouter(prefix="/api/keys", tags=["keys"], route_class=OneThreadRoute)


@router.get("", responses=answers(), summary="List keys")
def list_all(caller: Administrator, limit: Limit = 50, cursor: Cursor = None) -> Page[KeyOut]:
    """List the tenant's keys, newest first, including revoked ones; never their secrets."""
    found = find_keys(caller.ports.db, caller.tenant_id)
    after, ids = decode_cursor(cursor), [key.id for key in found]
    first = ids.index(after) + 1 if after in ids else len(ids) if after else 0
    shown, following = page_of(found[first : first + limit + 1], limit, lambda key: key.id)
    return Page(data=[key_out(key) for key in shown], next_cursor=following)


@router.post("", status_code=201, responses=answers(409), summary="Make a key")
def create(body: KeyIn, caller: Administrator, once: Idempotent) -> IssuedKeyOut:
    """Create a key. Only this answer contains its token."""
    wanted = NewKey(
        name=body.name, role=body.role, expires_days=body.expires_days, rate_per_minute=body.rate_per_minute
    )
    ports = caller.ports

    def produce() -> IssuedKeyOut:
        return issued_key_out(
            create_key(ports.db, ports.ids, caller.tenant_id, wanted, actor=caller.actor, actor_role=caller.role)
        )

    return once.answer_secret(caller, produce)


@router.post("/{key_id}/rotate", responses=answers(409), summary="Rotate a key")
def rotate(
    key_id: KeyId,
    caller: Administrator,
    request: Request,
    once: Idempotent,
    body: Annotated[RotateIn | None, Body()] = None,
) -> IssuedKeyOut:
    """Give a key a new secret. The old one stops working now, or after `grace_minutes`."""
    grace = body.grace_minutes if body else 0

    def produce() -> IssuedKeyOut:
        issued = rotate_key(
            caller.ports.db,
            caller.tenant_id,
            key_id,
            grace_minutes=grace,
            actor=caller.actor,
            actor_role=caller.role,
        )
        request.app.state.authenticator.clear_cache()
        return issued_key_out(issued)

    return once.answer_secret(caller, produce)


@router.delete("/{key_id}", responses=answers(409), summary="Revoke a key")
def revoke(key_id: KeyId, caller: Administrator, request: Request) -> KeyOut:
    """Revoke a key for good; it stays in the list."""
    revoked = revoke_key(caller.ports.db, caller.tenant_id, key_id, actor=caller.actor, actor_role=caller.role)
    request.app.state.authenticator.clear_cache()
    return key_out(revoked)
