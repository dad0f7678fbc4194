"""Render pages from templates, with their common variables and headers, and redirect after forms."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gateway.api.http.failures import NO_ROUTE, Failure
from gateway.console.dream_names import DreamNames
from gateway.console.last_store import remember_store
from gateway.console.member_names import MemberNames
from gateway.console.navigation import find_links
from gateway.console.views import words
from gateway.console.visitor import HOME, Visitor
from shared.core.tenants.roles import Permission
from shared.services.tenants.console_sessions import set_notice

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
THEME_COOKIE = "slowwave_theme"
#: No inline code and no foreign sources. htmx is configured not to add style elements or to evaluate text.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
#: With no-referrer, browsers send "null" as the origin of a form, which could not be told from another site.
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Vary": "HX-Request",
    "Referrer-Policy": "same-origin",
}
_env = Environment(
    loader=FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_env.filters |= words.FILTERS
_env.globals.update(words.GLOBALS, Permission=Permission)


@cache
def asset(name: str) -> str:
    """Return the URL of a static file; it changes with the file, so that browsers may cache it."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/console/static/{name}?v={digest}"


_env.globals["asset"] = asset


def page(request: Request, visitor: Visitor | None, template: str, status: int = 200, **known: Any) -> HTMLResponse:  # noqa: ANN401 - what a template shows
    """Return a page, or part of one."""
    theme = request.cookies.get(THEME_COOKIE, "")
    base = f"/console/t/{visitor.tenant_id}" if visitor else HOME
    shown = {
        "visitor": visitor,
        "session": visitor.session if visitor else None,
        "csrf": visitor.session.csrf if visitor else "",
        "theme": theme if theme in {"light", "dark"} else "",
        "base": base,
        "path": request.url.path,
        "dream_names": DreamNames(visitor),
        "members": MemberNames(visitor),
        "links": find_links(visitor, request.url.path) if visitor else [],
    }
    text = _env.get_template(template).render(shown | known)
    if visitor and visitor.session.notice and not request.headers.get("hx-request"):
        set_notice(visitor.ports.console_sessions, visitor.token, visitor.session, "", "")
    answer = HTMLResponse(text, status, headers=_HEADERS)
    if visitor and (store := request.path_params.get("store")) and status == 200:
        remember_store(request, answer, visitor.tenant_id, store)
    return answer


def go(visitor: Visitor, where: str, notice: str = "", kind: str = "done") -> Response:
    """Redirect to a page with a notice of what was done, or why it was refused."""
    if notice:
        set_notice(visitor.ports.console_sessions, visitor.token, visitor.session, notice, kind)
    return RedirectResponse(where, 303, headers=_HEADERS)


def markdown_file(text: str, name: str) -> Response:
    """Return a text that the browser saves as a file of this name."""
    headers = _HEADERS | {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/markdown; charset=utf-8", headers=headers)


def failure_page(failure: Failure, request_id: str) -> Response:
    """Return an error as a page: the error shape under `/console`."""
    if 300 <= failure.status < 400:
        return Response(None, failure.status, headers=dict(failure.headers) | _HEADERS)
    known = {
        "failure": failure, "request_id": request_id, "visitor": None, "session": None, "csrf": "", "theme": "",
        "base": HOME, "path": "", "links": [],
        "detail": "There is no such page" if failure.detail == NO_ROUTE else failure.detail.rstrip("."),
    }  # fmt: skip
    text = _env.get_template("failure.html").render(known)
    return HTMLResponse(text, failure.status, headers=dict(failure.headers) | _HEADERS)
