"""Read the audit log: a tenant's for its admins, all of it for operators."""

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.config import JsonDict

from gateway.api.http.auth import Administrator, Operator
from gateway.api.http.paging import Cursor, Limit, Page, encode_cursor, find_within, place_of, read_place
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from shared.core.tenants.audit import AuditEntry
from shared.ports.api_lists import Place
from shared.ports.tenants import AuditFilter
from shared.services.tenants.audit import find_audit, find_audit_of_all

router = APIRouter(prefix="/api/audit", tags=["audit"], route_class=OneThreadRoute)
_EXAMPLE: JsonDict = {
    "id": "aud_01JD0000000000000000000000", "tenant": "acme", "at": "2026-11-21T06:00:00Z",
    "actor": "key:key_01JD0000000000000000000000", "action": "store.configure",
    "detail": {"store": "default", "overrides": {"gates.min_hours": {"from": None, "to": 4}}},
}  # fmt: skip
Actor = Annotated[
    str | None, Query(pattern=r"^[^\x00]{1,200}$", description="Only changes by this actor.", examples=["key:key_01JD"])
]
Action = Annotated[
    str | None,
    Query(
        pattern=r"^[a-z._]{1,60}$",
        description="Only this action, or all actions with this prefix, such as `memory.`",
        examples=["memory."],
    ),
]
Day = Annotated[date | None, Query(description="Only changes of this day (UTC).", examples=["2026-11-21"])]


class AuditOut(BaseModel):
    """One change."""

    model_config = ConfigDict(json_schema_extra={"example": _EXAMPLE})

    id: str
    tenant: str | None = Field(description="The tenant; null for the whole installation.")
    at: datetime
    actor: str = Field(description="Who made the change: `key:…`, `oidc:…` or `cli:…`.")
    action: str
    detail: dict[str, JsonValue] = Field(
        description='The changed object by id; for settings `{"from": …, "to": …}`. Never the text of a memory.'
    )


@router.get("", responses=answers(), summary="List the tenant's changes")
def list_own(
    caller: Administrator,
    actor: Actor = None,
    action: Action = None,
    day: Day = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[AuditOut]:
    """List the tenant's changes, newest first, from every interface."""
    read = partial(find_audit, caller.ports.db, caller.tenant_id, AuditFilter(actor=actor, action=action, day=day))
    return _page(lambda start_after, wanted: read(limit=wanted, start_after=start_after), cursor, limit)


@router.get("/all", responses=answers(), summary="List the changes of all tenants")
def list_of_all_tenants(
    caller: Operator,
    actor: Actor = None,
    action: Action = None,
    day: Day = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[AuditOut]:
    """List changes of all tenants and of the installation (`installation.…`), newest first."""
    read = partial(find_audit_of_all, caller.ports.db, AuditFilter(actor=actor, action=action, day=day))
    return _page(lambda start_after, wanted: read(limit=wanted, start_after=start_after), cursor, limit)


def _page(find: Callable[[Place | None, int], list[AuditEntry]], cursor: str | None, limit: int) -> Page[AuditOut]:
    """Return a page, which ends early if a change names thousands of memories."""
    shown, is_more = find_within(
        find,
        read_place(cursor),
        limit,
        size_of=lambda one: json_size(one.detail),
        place=lambda one: (one.at, one.id),
        first=limit + 1,
    )
    following = encode_cursor(place_of(shown[-1].at, shown[-1].id)) if is_more else None
    return Page(data=[_entry_out(one) for one in shown], next_cursor=following)


def _entry_out(one: AuditEntry) -> AuditOut:
    return AuditOut.model_validate(
        {
            "id": one.id,
            "tenant": one.tenant_id,
            "at": one.at,
            "actor": one.actor,
            "action": one.action,
            "detail": one.detail,
        }
    )
