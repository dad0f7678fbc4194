"""Show and set directives: own prompts of a tenant or of a store, beside the built-in ones that they replace."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.parameters import DirectiveName
from gateway.api.shapes.stores import NAME
from gateway.console.pages import page
from gateway.console.settings.changes import REFUSALS, change
from gateway.console.views.diff_rows import diff_rows
from gateway.console.visitor import Administrator, AdminReader, Visitor
from gateway.phases import get_phases, read_built_in
from shared.core.questions.directives import MAX_CHARS
from shared.services.tenants.directives import (
    check_name,
    find_directive_versions,
    find_directives,
    reset_directive,
    set_directive,
)

router = APIRouter(prefix="/console/t/{tenant}/settings/directives", include_in_schema=False)
_VERSIONS_SHOWN = 10
OfStore = Annotated[str, Query(pattern=rf"{NAME}|^$", max_length=128)]


@router.get("")
def show_all(request: Request, visitor: AdminReader, store: OfStore = "") -> Response:
    """List the directives of a tenant or of a store, and which of them it has set."""
    phases = get_phases()
    found = find_directives(visitor.ports.db, visitor.tenant_id, phases, store)
    owners = {file: entry.label for entry in phases.entries for file in entry.directives}
    return page(request, visitor, "settings/directives.html", found=found, owners=owners, store=store)


@router.get("/{directive}")
def show(request: Request, visitor: AdminReader, directive: DirectiveName, store: OfStore = "") -> Response:
    """Show a directive: its text, what differs from the built-in prompt, and its versions."""
    return _show(request, visitor, directive, store)


@router.post("/{directive}")
def set_text(
    request: Request,
    visitor: Administrator,
    directive: DirectiveName,
    store: OfStore = "",
    content: Annotated[str, Form(max_length=MAX_CHARS * 2)] = "",
) -> Response:
    """Replace the prompt of a phase; a text that is refused stays in the form."""
    check_name(directive, get_phases())
    text = content.replace("\r\n", "\n")
    db, phases = visitor.ports.db, get_phases()
    try:
        made = set_directive(db, visitor.tenant_id, directive, text, phases=phases, actor=visitor.actor, store=store)
    except REFUSALS as error:
        return _show(request, visitor, directive, store, typed=text, refused=str(error))
    return change(visitor, _where(directive, store), lambda: f"Set: version {made.version}")


@router.post("/{directive}/reset")
def reset(visitor: Administrator, directive: DirectiveName, store: OfStore = "") -> Response:
    """Go back to the built-in prompt, or of a store to its tenant's."""
    check_name(directive, get_phases())

    def carry_out() -> str:
        db, phases = visitor.ports.db, get_phases()
        reset_directive(db, visitor.tenant_id, directive, phases=phases, actor=visitor.actor, store=store)
        return (
            "Reset: its tenant's text, or the built-in prompt, holds" if store else "Reset: the built-in prompt holds"
        )

    return change(visitor, _where(directive, store), carry_out)


def _show(
    request: Request, visitor: Visitor, directive: str, store: str, *, typed: str | None = None, refused: str = ""
) -> Response:
    versions = find_directive_versions(
        visitor.ports.db, visitor.tenant_id, directive, get_phases(), store=store, limit=_VERSIONS_SHOWN
    )
    current, built_in = versions[0].content if versions else None, read_built_in(directive)
    return page(
        request,
        visitor,
        "settings/directive.html",
        name=directive,
        store=store,
        built_in=built_in,
        current=current,
        typed=typed if typed is not None else current if current is not None else built_in,
        rows=diff_rows(built_in, current) if current is not None else None,
        versions=versions,
        refused=refused,
        most=MAX_CHARS,
    )


def _where(directive: str, store: str) -> str:
    return f"/directives/{directive}" + (f"?store={store}" if store else "")
