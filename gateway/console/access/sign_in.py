"""Sign-in with a key, sign-out, and the switch between light and dark."""

import hmac
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from gateway.api.http.auth import get_ports
from gateway.console.pages import THEME_COOKIE, go, page
from gateway.console.visitor import COOKIE, SIGN_IN, SignedIn, check_origin, find_session, is_secure, safe_next
from shared.core.errors import ForbiddenError, RateLimitedError, UnauthenticatedError
from shared.services.tenants.console_sessions import new_token, sign_in_with_key

router = APIRouter(prefix="/console", include_in_schema=False)
#: Holds a token for a browser that has not signed in: the form carries the same one, so that no other site can send it.
GUEST_COOKIE = "slowwave_guest"
GUEST_SECONDS = 900
_FAILURES_PER_MINUTE = 20
Next = Annotated[str | None, Query(alias="next", max_length=2_000)]


@router.get("/sign-in")
def show(request: Request, then: Next = None) -> Response:
    """Show the form; redirect a browser that is signed in already."""
    if request.headers.get("hx-request"):  # htmx asks for part of a page after the session has ended: redirect it all
        return Response(None, 204, headers={"HX-Redirect": SIGN_IN})
    if find_session(request) is not None:
        return RedirectResponse(safe_next(then), 303)
    return form(request, then)


@router.post("/sign-in")
def sign_in(
    request: Request,
    key: Annotated[str, Form(max_length=300)] = "",
    csrf: Annotated[str, Form(max_length=200)] = "",
    then: Annotated[str, Form(alias="next", max_length=2_000)] = "",
) -> Response:
    """Start a console session with a key."""
    ports = get_ports(request)
    check_origin(request)
    guest = request.cookies.get(GUEST_COOKIE, "")
    if not guest or not hmac.compare_digest(guest.encode(), csrf.encode()):
        return form(request, then, "This form has expired. Try again.", status=403)
    try:
        token = sign_in_with_key(ports.db, ports.console_sessions, key, seconds=_seconds(request))
    except UnauthenticatedError:
        _count_failure(request)
        return form(request, then, "This is not a valid key. A key looks like swk_… and is shown once.", status=401)
    return start_browser_session(request, token, then)


@router.post("/sign-out")
def sign_out(visitor: SignedIn) -> Response:
    """End the session in the browser and on the server."""
    visitor.ports.console_sessions.remove(visitor.token)
    answer = RedirectResponse(SIGN_IN, 303, headers={"Clear-Site-Data": '"cache"'})
    answer.delete_cookie(COOKIE, path="/console")
    return answer


@router.post("/theme")
def set_theme(
    request: Request,
    visitor: SignedIn,
    theme: Annotated[str, Form(max_length=10)] = "",
    then: Annotated[str, Form(alias="next", max_length=2_000)] = "",
) -> Response:
    """Set the theme to light or dark; any other value leaves it to the browser."""
    answer = go(visitor, safe_next(then))
    chosen = theme if theme in {"light", "dark"} else ""
    answer.set_cookie(
        THEME_COOKIE,
        chosen,
        max_age=31_536_000,
        path="/console",
        samesite="lax",
        httponly=True,
        secure=is_secure(request),
    )
    return answer


def form(request: Request, then: str | None, problem: str = "", status: int = 200) -> Response:
    """Return the sign-in form with a fresh guest token."""
    settings = get_ports(request).settings
    token = new_token()
    answer = page(
        request,
        None,
        "sign_in.html",
        status,
        problem=problem,
        then=safe_next(then),
        guest=token,
        has_oidc=settings.oidc_issuer is not None,
    )
    set_guest_cookie(request, answer, token)
    return answer


def set_guest_cookie(request: Request, answer: Response, token: str) -> None:
    """Set the guest token of a browser that has not signed in."""
    answer.set_cookie(
        GUEST_COOKIE,
        token,
        max_age=GUEST_SECONDS,
        path="/console",
        samesite="lax",
        httponly=True,
        secure=is_secure(request),
    )


def start_browser_session(request: Request, token: str, then: str | None) -> Response:
    """Set the new session's cookie, and end the session that the browser had before."""
    before = request.cookies.get(COOKIE)
    if before:
        get_ports(request).console_sessions.remove(before)
    answer = RedirectResponse(safe_next(then), 303, headers={"Cache-Control": "no-store"})
    answer.set_cookie(
        COOKIE,
        token,
        max_age=_seconds(request),
        path="/console",
        samesite="lax",
        httponly=True,
        secure=is_secure(request),
    )
    answer.delete_cookie(GUEST_COOKIE, path="/console")
    return answer


def refuse(request: Request, error: ForbiddenError) -> Response:
    """Show the form with the reason for the refusal."""
    return form(request, None, str(error), status=403)


def _count_failure(request: Request) -> None:
    """Rate-limit wrong keys by address. A valid key signs in at any time, also from an address that is limited."""
    address = request.client.host if request.client else "nowhere"
    verdict = get_ports(request).rates.acquire(f"sign-in:{address}", per_minute=_FAILURES_PER_MINUTE)
    if not verdict.is_allowed:
        raise RateLimitedError(verdict.retry_after_seconds)


def _seconds(request: Request) -> int:
    return int(get_ports(request).settings.console_hours * 3_600)
