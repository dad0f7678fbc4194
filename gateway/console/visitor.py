"""Authentication and authorisation of console pages: the session of a cookie, the page's tenant, the role.

A page declares what it needs with `see(Permission.READ)`, a form's target with `act(Permission.REVIEW)`, which checks
the form's CSRF token, too. Another tenant's page is 404 for every role but operator.
"""

import hmac
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

from fastapi import Depends, Form, Request
from fastapi.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from gateway.api.http.auth import author_of
from gateway.api.http.tenant_turns import take_turn
from shared.all_ports import Ports
from shared.core.errors import ForbiddenError, NotFoundError, RateLimitedError
from shared.core.memory.model import Author
from shared.core.tenants.console_sessions import ConsoleSession
from shared.core.tenants.roles import Permission, Role
from shared.core.tenants.store import check_name
from shared.services.tenants.console_sessions import find_console_session
from shared.services.tenants.stores import get_tenant

COOKIE = "slowwave_session"
HOME = "/console"
SIGN_IN = "/console/sign-in"
_NEXT = re.compile(r"/console(/[A-Za-z0-9._~%/-]*)?(\?[A-Za-z0-9._~%&=/+-]*)?")
_STALE = "This form belongs to an earlier session. Go back, reload the page, and submit it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """A signed-in user at a page of a tenant."""

    session: ConsoleSession
    token: str
    tenant_id: str
    ports: Ports

    @property
    def actor(self) -> str:
        """Return the name for the audit log."""
        return self.session.actor

    @property
    def author(self) -> Author:
        """Return the visitor's kind in a memory's history."""
        return author_of(self.session.role)

    @property
    def is_operator(self) -> bool:
        """Tell whether the role sees every tenant."""
        return self.session.role is Role.OPERATOR


def see(permission: Permission = Permission.READ) -> Any:  # noqa: ANN401 - FastAPI's Depends is untyped on purpose
    """Return the dependency that a page declares."""

    async def visitor(request: Request) -> Visitor:
        return await _visitor_in_turn(request, permission)

    return Depends(visitor)


def act(permission: Permission) -> Any:  # noqa: ANN401 - FastAPI's Depends is untyped on purpose
    """Return the dependency of a form's target."""
    return Depends(_acting(permission))


def _acting(permission: Permission) -> Callable[..., Awaitable[Visitor]]:
    async def visitor(request: Request, csrf: Annotated[str, Form(max_length=200)] = "") -> Visitor:
        found = await _visitor_in_turn(request, permission)
        check_origin(request)
        if not hmac.compare_digest(csrf.encode(), found.session.csrf.encode()):
            raise ForbiddenError(_STALE)
        return found

    return visitor


def check_origin(request: Request) -> None:
    """Raise ForbiddenError for a form submitted by another site."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise ForbiddenError(_STALE)


def is_secure(request: Request) -> bool:
    """Tell whether to mark cookies as HTTPS only."""
    public: str | None = request.app.state.ports.settings.public_url
    return public.startswith("https://") if public else request.url.scheme == "https"


def safe_next(wanted: str | None) -> str:
    """Return the console page to go to after signing in; the home page for any other address."""
    return wanted if wanted and _NEXT.fullmatch(wanted) and "//" not in wanted else HOME


def find_session(request: Request) -> tuple[str, ConsoleSession] | None:
    """Return the token and the session of a signed-in browser."""
    ports: Ports = request.app.state.ports
    token = request.cookies.get(COOKIE, "")
    session = find_console_session(ports.db, ports.console_sessions, token) if token else None
    return (token, session) if session is not None else None


async def _visitor_in_turn(request: Request, permission: Permission) -> Visitor:
    found = await run_in_threadpool(_visitor, request, permission)
    await take_turn(request, found.tenant_id)
    return found


def _visitor(request: Request, permission: Permission) -> Visitor:
    ports: Ports = request.app.state.ports
    found = find_session(request)
    if found is None:
        raise HTTPException(303, headers={"Location": _sign_in_from(request)})
    token, session = found
    verdict = ports.rates.acquire(session.actor, per_minute=ports.settings.api_requests_per_minute)
    if not verdict.is_allowed:
        raise RateLimitedError(verdict.retry_after_seconds)
    tenant_id = _tenant_of(request, ports, session)
    session.check(permission)
    return Visitor(session=session, token=token, tenant_id=tenant_id, ports=ports)


def _tenant_of(request: Request, ports: Ports, session: ConsoleSession) -> str:
    wanted: str = request.path_params.get("tenant", session.tenant_id)
    if wanted == session.tenant_id:
        return wanted
    if session.role is not Role.OPERATOR:
        raise NotFoundError
    return get_tenant(ports.db, check_name("tenant", wanted)).id


def _sign_in_from(request: Request) -> str:
    if request.method != "GET" or request.headers.get("hx-request"):
        return SIGN_IN
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{SIGN_IN}?next={quote(request.url.path + query, safe='')}"


Reader = Annotated[Visitor, see()]
AdminReader = Annotated[Visitor, see(Permission.ADMINISTER)]
OperatorReader = Annotated[Visitor, see(Permission.OPERATE)]
WritingReader = Annotated[Visitor, see(Permission.WRITE)]
Writer = Annotated[Visitor, act(Permission.WRITE)]
Reviewer = Annotated[Visitor, act(Permission.REVIEW)]
Administrator = Annotated[Visitor, act(Permission.ADMINISTER)]
Operator = Annotated[Visitor, act(Permission.OPERATE)]
SignedIn = Annotated[Visitor, act(Permission.READ)]
