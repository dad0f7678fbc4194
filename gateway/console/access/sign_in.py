"""Signing in with a key, signing out, and the switch between light and dark."""

import hmac
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from gateway.api.http.auth import get_ports
from gateway.console.access.visitor import COOKIE, SIGN_IN, Anybody, check_origin, find_here, is_secure, safe_next
from gateway.console.pages import THEME_COOKIE, go, page
from shared.core.errors import ForbiddenError, RateLimitedError, UnauthenticatedError
from shared.services.tenants.console_sessions import begin_visit_with_key, new_word

router = APIRouter(prefix="/console", include_in_schema=False)
#: A browser's word before it is signed in: the form carries the same, so that no other site can send it.
GUEST_COOKIE = "slowwave_guest"
GUEST_SECONDS = 900
_FAILURES_PER_MINUTE = 20
Next = Annotated[str | None, Query(alias="next", max_length=2_000)]


@router.get("/sign-in")
def show(request: Request, then: Next = None) -> Response:
    """Show the form, or go on for who is signed in already."""
    if request.headers.get("hx-request"):  # part of a page asked, and its visit is over: have the whole page go
        return Response(None, 204, headers={"HX-Redirect": SIGN_IN})
    if find_here(request) is not None:
        return RedirectResponse(safe_next(then), 303)
    return form(request, then)


@router.post("/sign-in")
def sign_in(
    request: Request,
    key: Annotated[str, Form(max_length=300)] = "",
    csrf: Annotated[str, Form(max_length=200)] = "",
    then: Annotated[str, Form(alias="next", max_length=2_000)] = "",
) -> Response:
    """Begin a visit with a key."""
    ports = get_ports(request)
    check_origin(request)
    guest = request.cookies.get(GUEST_COOKIE, "")
    if not guest or not hmac.compare_digest(guest.encode(), csrf.encode()):
        return form(request, then, "That form was too old. Try again.", status=403)
    try:
        word = begin_visit_with_key(ports.db, ports.sign_ins, key, seconds=_seconds(request))
    except UnauthenticatedError:
        _count_failure(request)
        return form(request, then, "That is no valid key. A key looks like swk_… and is shown once.", status=401)
    return welcome(request, word, then)


@router.post("/sign-out")
def sign_out(visitor: Anybody) -> Response:
    """End the visit, here and on the server."""
    visitor.ports.sign_ins.remove(visitor.word)
    answer = RedirectResponse(SIGN_IN, 303, headers={"Clear-Site-Data": '"cache"'})
    answer.delete_cookie(COOKIE, path="/console")
    return answer


@router.post("/theme")
def set_theme(
    request: Request,
    visitor: Anybody,
    theme: Annotated[str, Form(max_length=10)] = "",
    then: Annotated[str, Form(alias="next", max_length=2_000)] = "",
) -> Response:
    """Choose light or dark; anything else leaves it to the browser."""
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
    """Return the form with a word of its own."""
    settings = get_ports(request).settings
    word = new_word()
    answer = page(
        request,
        None,
        "sign_in.html",
        status,
        problem=problem,
        then=safe_next(then),
        guest=word,
        has_oidc=settings.oidc_issuer is not None,
    )
    keep_guest(request, answer, word)
    return answer


def keep_guest(request: Request, answer: Response, word: str) -> None:
    """Give a browser its word before it is signed in."""
    answer.set_cookie(
        GUEST_COOKIE,
        word,
        max_age=GUEST_SECONDS,
        path="/console",
        samesite="lax",
        httponly=True,
        secure=is_secure(request),
    )


def welcome(request: Request, word: str, then: str | None) -> Response:
    """Give the browser its new word; the visit that it had before, if any, is over."""
    before = request.cookies.get(COOKIE)
    if before:
        get_ports(request).sign_ins.remove(before)
    answer = RedirectResponse(safe_next(then), 303, headers={"Cache-Control": "no-store"})
    answer.set_cookie(
        COOKIE,
        word,
        max_age=_seconds(request),
        path="/console",
        samesite="lax",
        httponly=True,
        secure=is_secure(request),
    )
    answer.delete_cookie(GUEST_COOKIE, path="/console")
    return answer


def refuse(request: Request, error: ForbiddenError) -> Response:
    """Show the form with the reason why somebody was not let in."""
    return form(request, None, str(error), status=403)


def _count_failure(request: Request) -> None:
    """Slow down who guesses; a valid key is let in at any time, whoever else guesses from the same address."""
    address = request.client.host if request.client else "nowhere"
    verdict = get_ports(request).rates.take(f"sign-in:{address}", per_minute=_FAILURES_PER_MINUTE)
    if not verdict.is_allowed:
        raise RateLimitedError(verdict.retry_after_seconds)


def _seconds(request: Request) -> int:
    return int(get_ports(request).settings.console_hours * 3_600)
