"""Forget a memory, a session, a text or a person: what would go, and then, once the box is ticked, for good."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.parameters import StoreName
from gateway.console.pages import go, page
from gateway.console.views.words import count
from gateway.console.visitor import Administrator, AdminReader
from shared.core.errors import BadInputError, ConflictError
from shared.services.forgetting.forget import OUT_OF_REACH, forget
from shared.services.forgetting.wanted import MAX_TEXT_CHARS, Kind, Target
from shared.services.tenants.stores import get_store

router = APIRouter(prefix="/console/t/{tenant}/stores/{store}/forget", include_in_schema=False)
_NO_NUL = r"^[^\x00]*$"


@router.get("")
def ask_to_forget(
    request: Request,
    visitor: AdminReader,
    store: StoreName,
    what: Annotated[Kind, Query()] = Kind.TEXT,
    value: Annotated[str, Query(max_length=MAX_TEXT_CHARS, pattern=_NO_NUL)] = "",
) -> Response:
    """Show what would be forgotten, and ask; without a value, ask for it."""
    get_store(visitor.ports.db, visitor.tenant_id, store)
    found, refused = None, ""
    if value:
        try:
            target = Target(what, value)
            found = forget(visitor.ports.db, visitor.tenant_id, store, target, actor=visitor.actor, dry_run=True)
        except (BadInputError, ConflictError) as error:
            refused = str(error)
    known: dict[str, Any] = {"store": store, "what": what, "value": value, "found": found, "refused": refused}
    return page(request, visitor, "memories/forget.html", kinds=list(Kind), out_of_reach=OUT_OF_REACH, **known)


@router.post("")
def forget_it(
    visitor: Administrator,
    store: StoreName,
    what: Annotated[Kind, Form()] = Kind.TEXT,
    value: Annotated[str, Form(max_length=MAX_TEXT_CHARS, pattern=_NO_NUL)] = "",
    sure: Annotated[str, Form(pattern="^(|yes)$")] = "",
) -> Response:
    """Forget it for good, once the box was ticked."""
    get_store(visitor.ports.db, visitor.tenant_id, store)
    where = f"/console/t/{visitor.tenant_id}/stores/{store}"
    if sure != "yes" or not value:
        return go(visitor, f"{where}/forget", "Tick the box first: this cannot be undone", "refused")
    try:
        done = forget(visitor.ports.db, visitor.tenant_id, store, Target(what, value), actor=visitor.actor)
    except (BadInputError, ConflictError) as error:
        return go(visitor, f"{where}/forget", str(error), "refused")
    changed = count(len(done.rewritten) + len(done.archived), "memory", "memories")
    places = count(sum(one.rows for one in done.places), "place")
    return go(visitor, f"{where}/memories", f"Forgotten: {changed} and {places}")
