"""Read and set directives, the custom prompts of a tenant or a store. Every change makes a version and an audit entry."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from gateway.api.http.auth import Administrator
from gateway.api.http.paging import Cursor, Limit, Page, encode_cursor, find_within, read_position
from gateway.api.http.parameters import DirectiveName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from gateway.api.shapes.stores import NAME
from gateway.phases import get_phases
from shared.core.questions.directives import MAX_CHARS, Directive
from shared.services.tenants.directives import (
    check_name,
    find_directive_versions,
    find_directives,
    reset_directive,
    set_directive,
)

OfStore = Annotated[
    str | None, Query(pattern=NAME, description="Only for this store; default: for all stores of the tenant.")
]


class DirectiveIn(BaseModel):
    """A custom prompt."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"content": "Merge what says the same. Keep every date.\n"}}
    )

    content: str = Field(
        min_length=1,
        max_length=MAX_CHARS,
        pattern=r"^[^\x00]*$",
        description="A complete prompt. It cannot change the answer's schema or the safety rules.",
    )


class DirectiveLine(BaseModel):
    """A directive, and whether the tenant has set it."""

    name: str
    phase: str = Field(description="The phase whose built-in prompt it replaces.")
    own: bool = Field(description="False if the tenant, or the given store, has no custom prompt.")
    version: int | None = Field(description="Null if it was never set.")
    changed_by: str | None
    changed_at: datetime | None


class DirectiveOut(DirectiveLine):
    """A directive with its text; null for the built-in prompt."""

    content: str | None


def directive_line(name: str, directive: Directive | None) -> DirectiveLine:
    """Return a directive without its text as JSON."""
    return DirectiveLine(**_plain(name, directive))


def directive_out(name: str, directive: Directive | None) -> DirectiveOut:
    """Return a directive with its text as JSON."""
    return DirectiveOut(**_plain(name, directive), content=directive.content if directive else None)


def _plain(name: str, directive: Directive | None) -> dict[str, object]:
    return {
        "name": name,
        "phase": get_phases().directives[name],
        "own": directive is not None and directive.content is not None,
        "version": directive.version if directive else None,
        "changed_by": directive.actor if directive else None,
        "changed_at": directive.created_at if directive else None,
    }


router = APIRouter(prefix="/api/directives", tags=["directives"], route_class=OneThreadRoute)


@router.get("", responses=answers(), summary="List directives")
def list_all(caller: Administrator, store: OfStore = None) -> Page[DirectiveLine]:
    """List all directives, and whether the tenant or the given store has set them. The list is one page."""
    found = find_directives(caller.ports.db, caller.tenant_id, get_phases(), store or "")
    return Page(data=[directive_line(name, one) for name, one in found.items()], next_cursor=None)


@router.get("/{directive}", responses=answers(), summary="Read a directive")
def get(directive: DirectiveName, caller: Administrator, store: OfStore = None) -> DirectiveOut:
    """Return the text of the tenant, or of the given store; null if there is none."""
    db, tenant = caller.ports.db, caller.tenant_id
    versions = find_directive_versions(db, tenant, directive, get_phases(), store=store or "", limit=1)
    return directive_out(directive, versions[0] if versions else None)


@router.put("/{directive}", responses=answers(409), summary="Set a directive")
def put(directive: DirectiveName, body: DirectiveIn, caller: Administrator, store: OfStore = None) -> DirectiveOut:
    """Replace a phase's prompt. An unchanged text makes no new version."""
    check_name(directive, get_phases())
    made = set_directive(
        caller.ports.db,
        caller.tenant_id,
        directive,
        body.content,
        phases=get_phases(),
        actor=caller.actor,
        store=store or "",
    )
    return directive_out(directive, made)


@router.delete("/{directive}", responses=answers(409), summary="Reset a directive")
def reset(directive: DirectiveName, caller: Administrator, store: OfStore = None) -> DirectiveOut:
    """Return to the built-in prompt, or for a store to the tenant's prompt. The versions stay."""
    check_name(directive, get_phases())
    db, tenant = caller.ports.db, caller.tenant_id
    made = reset_directive(db, tenant, directive, phases=get_phases(), actor=caller.actor, store=store or "")
    return directive_out(directive, made)


@router.get("/{directive}/versions", responses=answers(), summary="Read a directive's versions")
def versions(
    directive: DirectiveName, caller: Administrator, store: OfStore = None, limit: Limit = 20, cursor: Cursor = None
) -> Page[DirectiveOut]:
    """List versions, newest first, with their texts; a reset has no text. A page of long texts ends before `limit`."""

    def find(below: int | None, wanted: int) -> list[Directive]:
        db, tenant = caller.ports.db, caller.tenant_id
        return find_directive_versions(
            db, tenant, directive, get_phases(), store=store or "", below=below, limit=wanted
        )

    shown, is_more = find_within(
        find, read_position(cursor), limit, size_of=lambda one: json_size(one.content), place=lambda one: one.version
    )
    following = encode_cursor(str(shown[-1].version)) if is_more else None
    return Page(data=[directive_out(directive, one) for one in shown], next_cursor=following)
