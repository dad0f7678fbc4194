"""Lead from a place of the navigation that every store has to that of the store that was used last, or has something there."""

from typing import Any

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from gateway.console.last_store import recall_store
from gateway.console.pages import page
from gateway.console.visitor import Visitor
from shared.services.tenants.overview import rank_stores


def lead_to_first_store(request: Request, visitor: Visitor, place: str) -> Response:
    """Redirect to a page of the store that was looked at last, or of the fullest one; without stores, a message says it."""
    names = rank_stores(visitor.ports.db, visitor.tenant_id, by_sessions=place == "sessions")
    if not names:
        known: dict[str, Any] = {
            "stores": [],
            "following": None,
            "only": None,
            "conditions": [],
            "heading": place.capitalize(),
        }
        return page(request, visitor, "tenants/stores.html", **known)
    last = recall_store(request, visitor.tenant_id)
    return RedirectResponse(f"/console/t/{visitor.tenant_id}/stores/{last if last in names else names[0]}/{place}", 303)
