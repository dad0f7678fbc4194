"""Who is at the console: the visit behind a cookie, the tenant of the page, and whether the role allows it.

A page says what it needs with `see(Permission.READ)`, a form's target with `act(Permission.REVIEW)`, which checks the
form's word, too. Another tenant's page is not found, whoever asks, unless an operator does.
"""

import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

from fastapi import Depends, Form, Request
from starlette.exceptions import HTTPException

from shared.core.errors import ForbiddenError, NotFoundError, RateLimitedError
from shared.core.tenants.console_sessions import ConsoleSession
from shared.core.tenants.roles import Permission, Role
from shared.core.tenants.store import check_name
from shared.ports.ports import Ports
from shared.services.tenants.console_sessions import find_visit
from shared.services.tenants.stores import get_tenant

COOKIE = "slowwave_session"
HOME = "/console"
SIGN_IN = "/console/sign-in"
_NEXT = re.compile(r"/console(/[A-Za-z0-9._~%/-]*)?(\?[A-Za-z0-9._~%&=/+-]*)?")
_STALE = "This form is no longer good: it is from another visit. Go back, load the page again, and repeat it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Somebody who is signed in, at a page of a tenant."""

    visit: ConsoleSession
    word: str
    tenant_id: str
    ports: Ports

    @property
    def actor(self) -> str:
        """Return what the audit log calls them."""
        return self.visit.actor

    @property
    def is_operator(self) -> bool:
        """Tell whether they see every tenant."""
        return self.visit.role is Role.OPERATOR


def see(permission: Permission = Permission.READ) -> Any:  # noqa: ANN401 - FastAPI's Depends is untyped on purpose
    """Return the dependency of a page."""

    def visitor(request: Request) -> Visitor:
        return _visitor(request, permission)

    return Depends(visitor)


def act(permission: Permission) -> Any:  # noqa: ANN401 - FastAPI's Depends is untyped on purpose
    """Return the dependency of what a form is sent to."""
    return Depends(_acting(permission))


def _acting(permission: Permission) -> Callable[..., Visitor]:
    def visitor(request: Request, csrf: Annotated[str, Form(max_length=200)] = "") -> Visitor:
        found = _visitor(request, permission)
        check_origin(request)
        if not hmac.compare_digest(csrf.encode(), found.visit.csrf.encode()):
            raise ForbiddenError(_STALE)
        return found

    return visitor


def check_origin(request: Request) -> None:
    """Raise ForbiddenError for a form that another site has sent."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise ForbiddenError(_STALE)


def is_secure(request: Request) -> bool:
    """Tell whether cookies may be for https only."""
    public: str | None = request.app.state.ports.settings.public_url
    return public.startswith("https://") if public else request.url.scheme == "https"


def safe_next(wanted: str | None) -> str:
    """Return where to go after signing in: a page of the console, never another place."""
    return wanted if wanted and _NEXT.fullmatch(wanted) and "//" not in wanted else HOME


def find_here(request: Request) -> tuple[str, ConsoleSession] | None:
    """Return the word and the visit of a browser that is signed in."""
    ports: Ports = request.app.state.ports
    word = request.cookies.get(COOKIE, "")
    visit = find_visit(ports.db, ports.sign_ins, word) if word else None
    return (word, visit) if visit is not None else None


def _visitor(request: Request, permission: Permission) -> Visitor:
    ports: Ports = request.app.state.ports
    found = find_here(request)
    if found is None:
        raise HTTPException(303, headers={"Location": _sign_in_from(request)})
    word, visit = found
    verdict = ports.rates.take(visit.actor, per_minute=ports.settings.api_requests_per_minute)
    if not verdict.is_allowed:
        raise RateLimitedError(verdict.retry_after_seconds)
    tenant_id = _tenant_of(request, ports, visit)
    visit.check(permission)
    return Visitor(visit=visit, word=word, tenant_id=tenant_id, ports=ports)


def _tenant_of(request: Request, ports: Ports, visit: ConsoleSession) -> str:
    wanted: str = request.path_params.get("tenant", visit.tenant_id)
    if wanted == visit.tenant_id:
        return wanted
    if visit.role is not Role.OPERATOR:
        raise NotFoundError
    return get_tenant(ports.db, check_name("tenant", wanted)).id


def _sign_in_from(request: Request) -> str:
    if request.method != "GET" or request.headers.get("hx-request"):
        return SIGN_IN
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{SIGN_IN}?next={quote(request.url.path + query, safe='')}"


Seen = Annotated[Visitor, see()]
Overseer = Annotated[Visitor, see(Permission.ADMINISTER)]
Starter = Annotated[Visitor, act(Permission.WRITE)]
Judge = Annotated[Visitor, act(Permission.REVIEW)]
Administrator = Annotated[Visitor, act(Permission.ADMINISTER)]
Anybody = Annotated[Visitor, act(Permission.READ)]
