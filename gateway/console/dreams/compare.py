"""Show two dreams of a store side by side."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from gateway.api.http.parameters import ID, DreamId
from gateway.console.pages import page
from gateway.console.visitor import Reader
from shared.services.dreams.read import find_dreams, get_dream_progress
from shared.services.evaluation.compare_dreams import compare_dreams, find_dream_before

router = APIRouter(prefix="/console/t/{tenant}/dreams", include_in_schema=False)
#: Dreams of the store to choose from, the newest ones; and memories that are listed.
_CHOICES, _SHOWN = 25, 50
Other = Annotated[str, Query(alias="with", pattern=f"^$|{ID}")]


@router.get("/{dream_id}/compare")
def compare(request: Request, visitor: Reader, dream_id: DreamId, other: Other = "") -> Response:
    """Compare a dream with another one of its store, by default with the one before."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    dream, _ = get_dream_progress(db, tenant_id, dream_id)
    chosen = other or find_dream_before(db, tenant_id, dream_id)
    found = compare_dreams(db, tenant_id, dream_id, chosen) if chosen else None
    choices = [one for one in find_dreams(db, tenant_id, store=dream.store, limit=_CHOICES) if one.id != dream_id]
    return page(
        request, visitor, "dreams/compare.html", dream=dream, found=found, chosen=chosen, choices=choices, shown=_SHOWN
    )
