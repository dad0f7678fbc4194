"""Remember in the browser which store a person looked at last, so that the places that every store has open there again."""

import re

from fastapi import Request
from starlette.responses import Response

from gateway.console.visitor import is_secure

_COOKIE = "slowwave_store"
_YEAR = 31_536_000
_NAMED = re.compile(r"[A-Za-z0-9._-]{1,200}/[A-Za-z0-9._-]{1,200}")


def remember_store(request: Request, answer: Response, tenant_id: str, store: str) -> None:
    """Set the cookie, unless it says so already."""
    wanted = f"{tenant_id}/{store}"
    if request.cookies.get(_COOKIE) != wanted and _NAMED.fullmatch(wanted):
        answer.set_cookie(
            _COOKIE, wanted, max_age=_YEAR, path="/console", samesite="lax", httponly=True, secure=is_secure(request)
        )


def recall_store(request: Request, tenant_id: str) -> str:
    """Return the name of the store that was looked at last, if it was one of this tenant; empty if not."""
    tenant, _, store = request.cookies.get(_COOKIE, "").partition("/")
    return store if tenant == tenant_id else ""
