"""Directives: a tenant's own prompts, for its admins. Every change is a version and stands in the audit log."""

from fastapi import APIRouter

from gateway.api.auth import Administrator
from gateway.api.cursors import Cursor, Limit, Page, page_of, read_position
from gateway.api.one_thread import OneThreadRoute
from gateway.api.parameters import DirectiveName
from gateway.api.problems import answers
from gateway.api.shapes.directives import DirectiveIn, DirectiveLine, DirectiveOut, directive_line, directive_out
from shared.services.find_directives import find_directive_versions, find_directives
from shared.services.set_directive import reset_directive, set_directive

router = APIRouter(prefix="/api/directives", tags=["directives"], route_class=OneThreadRoute)


@router.get("", responses=answers(), summary="List directives")
def list_all(caller: Administrator) -> Page[DirectiveLine]:
    """List every directive there is, and which of them the tenant has set. There are few: this is one page."""
    found = find_directives(caller.ports.db, caller.tenant_id)
    return Page(data=[directive_line(name, one) for name, one in found.items()], next_cursor=None)


@router.get("/{directive}", responses=answers(), summary="Read a directive")
def get(directive: DirectiveName, caller: Administrator) -> DirectiveOut:
    """Return the text that is in force; null when it is the built-in prompt."""
    versions = find_directive_versions(caller.ports.db, caller.tenant_id, directive)
    return directive_out(directive, versions[0] if versions else None)


@router.put("/{directive}", responses=answers(409), summary="Set a directive")
def put(directive: DirectiveName, body: DirectiveIn, caller: Administrator) -> DirectiveOut:
    """Replace a phase's prompt. The same text again is no new version."""
    find_directive_versions(caller.ports.db, caller.tenant_id, directive)  # refuses a name that is none
    made = set_directive(caller.ports.db, caller.tenant_id, directive, body.content, actor=caller.actor)
    return directive_out(directive, made)


@router.delete("/{directive}", responses=answers(409), summary="Reset a directive")
def reset(directive: DirectiveName, caller: Administrator) -> DirectiveOut:
    """Go back to the built-in prompt. Its versions stay."""
    find_directive_versions(caller.ports.db, caller.tenant_id, directive)
    return directive_out(directive, reset_directive(caller.ports.db, caller.tenant_id, directive, actor=caller.actor))


@router.get("/{directive}/versions", responses=answers(), summary="Read a directive's versions")
def versions(
    directive: DirectiveName, caller: Administrator, limit: Limit = 20, cursor: Cursor = None
) -> Page[DirectiveOut]:
    """List versions, newest first, with their texts; a reset has none."""
    below = read_position(cursor)
    found = find_directive_versions(caller.ports.db, caller.tenant_id, directive)
    rest = [one for one in found if below is None or one.version < below]
    shown, following = page_of(rest[: limit + 1], limit, lambda one: str(one.version))
    return Page(data=[directive_out(directive, one) for one in shown], next_cursor=following)
