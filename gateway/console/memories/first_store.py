"""Lead from a place of the navigation that every store has to that of the first store."""

from typing import Any

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from gateway.console.pages import page
from gateway.console.visitor import Visitor
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.tenants.stores import find_stores


def lead_to_first_store(request: Request, visitor: Visitor, place: str) -> Response:
    """Redirect to a page of the default store, or of the first one by name; without stores, a message says it."""
    names = [store.name for store in find_stores(visitor.ports.db, visitor.tenant_id)]
    if not names:
        known: dict[str, Any] = {
            "stores": [],
            "following": None,
            "only": None,
            "conditions": [],
            "heading": place.capitalize(),
        }
        return page(request, visitor, "tenants/stores.html", **known)
    chosen = DEFAULT_STORE if DEFAULT_STORE in names else names[0]
    return RedirectResponse(f"/console/t/{visitor.tenant_id}/stores/{chosen}/{place}", 303)
