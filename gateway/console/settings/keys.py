"""Show, make, rotate and revoke a tenant's API keys. A key is shown once, as it is made."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import KeyId
from gateway.console.pages import go, page
from gateway.console.settings.changes import REFUSALS, Line, change, read_form, settings_of
from gateway.console.visitor import Administrator, AdminReader, Visitor
from shared.core.tenants.roles import Role
from shared.services.tenants.keys import IssuedKey, NewKey, create_key, find_keys, revoke_key, rotate_key

router = APIRouter(prefix="/console/t/{tenant}/settings/keys", include_in_schema=False)
_ON_A_PAGE = 50


class KeyForm(BaseModel):
    """The form for a new key."""

    name: str = ""
    role: Role = Role.AGENT
    expires_days: float | None = None
    rate_per_minute: int | None = Field(None, ge=1)


@router.get("")
def show(
    request: Request,
    visitor: AdminReader,
    state: Annotated[str, Query(max_length=20)] = "",
    cursor: Cursor = None,
) -> Response:
    """List keys, newest first: those that are valid, or those that were revoked."""
    revoked = state == "revoked"
    found = [one for one in find_keys(visitor.ports.db, visitor.tenant_id) if (one.revoked_at is not None) == revoked]
    after = decode_cursor(cursor)
    ids = [one.id for one in found]
    begin = ids.index(after) + 1 if after in ids else 0
    shown, following = page_of(found[begin : begin + _ON_A_PAGE + 1], _ON_A_PAGE, lambda key: key.id)
    roles = [role for role in Role if role is not Role.OPERATOR or visitor.is_operator]
    return page(
        request,
        visitor,
        "settings/keys.html",
        keys=shown,
        following=following,
        revoked=revoked,
        roles=roles,
        own=visitor.session.key_id,
    )


@router.post("")
def create(
    request: Request,
    visitor: Administrator,
    name: Line = "",
    role: Line = Role.AGENT,
    expires_days: Line = "",
    rate_per_minute: Line = "",
) -> Response:
    """Make a key and show it, this once."""
    given = {"name": name, "role": role, "expires_days": expires_days, "rate_per_minute": rate_per_minute}
    try:
        wanted = NewKey(**read_form(KeyForm, given).model_dump())
        ports = visitor.ports
        issued = create_key(
            ports.db, ports.ids, visitor.tenant_id, wanted, actor=visitor.actor, actor_role=visitor.session.role
        )
    except REFUSALS as error:
        return go(visitor, f"{settings_of(visitor)}/keys", str(error), "refused")
    return _show_key(request, visitor, issued)


@router.post("/{key_id}/rotate")
def rotate(
    request: Request,
    visitor: Administrator,
    key_id: KeyId,
    grace_minutes: Annotated[float, Form(ge=0, le=10_080)] = 0,
) -> Response:
    """Give a key a new secret and show it, this once."""
    try:
        issued = rotate_key(
            visitor.ports.db,
            visitor.tenant_id,
            key_id,
            grace_minutes=grace_minutes,
            actor=visitor.actor,
            actor_role=visitor.session.role,
        )
    except REFUSALS as error:
        return go(visitor, f"{settings_of(visitor)}/keys", str(error), "refused")
    request.app.state.authenticator.clear_cache()
    return _show_key(request, visitor, issued)


@router.post("/{key_id}/revoke")
def revoke(request: Request, visitor: Administrator, key_id: KeyId) -> Response:
    """End a key for good."""

    def carry_out() -> str:
        done = revoke_key(
            visitor.ports.db, visitor.tenant_id, key_id, actor=visitor.actor, actor_role=visitor.session.role
        )
        request.app.state.authenticator.clear_cache()
        return f"{done.name} is revoked"

    return change(visitor, "/keys", carry_out)


def _show_key(request: Request, visitor: Visitor, issued: IssuedKey) -> Response:
    """Return the page that shows a key. It is an answer to a form, so that no address leads to it again."""
    key = issued.key
    return page(
        request,
        visitor,
        "settings/secret.html",
        title="The key",
        secret=issued.token,
        about=f"{key.name}, {key.role} of {key.tenant_id}",
        use="Programs send it as a bearer token; people sign in with it.",
        until=key.previous_until,
        back="keys",
    )
