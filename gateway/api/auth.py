"""Who is calling, for which tenant, and whether the key's role allows it.

A route says what it needs with `Annotated[Caller, allow(Permission.READ)]`; a route without is open to everybody, and
the auth matrix test lists those.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import BackgroundTasks, Depends, Header, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from gateway.api.authenticator import Authenticator
from shared.core.access import Permission, Role, is_allowed
from shared.core.api_key import ApiKey
from shared.core.errors import ForbiddenError, RateLimitedError, UnauthenticatedError
from shared.core.memory import Author
from shared.core.store import check_name
from shared.ports.all_ports import Ports
from shared.ports.rate_limit import RateVerdict
from shared.services.list_stores import get_tenant

bearer = HTTPBearer(auto_error=False, description="A key: `swk_…`", bearerFormat="swk_<id>_<secret>")
_USE_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A verified key, and the tenant that the request is about: its own, unless it is an operator's."""

    key_id: str
    role: Role
    tenant_id: str
    ports: Ports

    @property
    def actor(self) -> str:
        """Return what the audit log calls it."""
        return f"key:{self.key_id}"

    @property
    def author(self) -> Author:
        """Return what a memory's history calls it."""
        return Author.AGENT if self.role is Role.AGENT else Author.USER

    def check(self, permission: Permission) -> None:
        """Raise ForbiddenError unless the role allows that, too."""
        if not is_allowed(self.role, permission):
            able = " or ".join(role for role in Role if is_allowed(role, permission))
            raise ForbiddenError(f"A key with the role {self.role} may not {permission}; it takes one of {able}")


def get_ports(request: Request) -> Ports:
    """Return the ports of the application."""
    ports: Ports = request.app.state.ports
    return ports


def allow(permission: Permission) -> Any:  # noqa: ANN401 - FastAPI's Depends is untyped on purpose
    """Return the dependency that lets in keys with a permission."""
    return Depends(_dependency(permission))


def _dependency(permission: Permission) -> Callable[..., Awaitable[Caller]]:
    async def caller(
        request: Request,
        response: Response,
        background: BackgroundTasks,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
        acting_for: Annotated[str | None, Header(alias="Slowwave-Tenant", description="For operators: whose.")] = None,
    ) -> Caller:
        tokens = [credentials.credentials] if credentials else []
        found = await admit(request, response, background, tokens, acting_for)
        found.check(permission)
        return found

    return caller


async def admit(
    request: Request,
    response: Response,
    background: BackgroundTasks,
    tokens: Sequence[str],
    acting_for: str | None,
) -> Caller:
    """Return the caller whose key is the first valid one of these; its rate is counted, its use noted after the answer.

    A thread is taken only when a server has to be asked, which most requests of a burst need not.

    Raises:
        UnauthenticatedError: none of them is a valid key.
        RateLimitedError: it has asked too often.
        ForbiddenError, NotFoundError: it may not act for that tenant.
    """
    ports, authenticator = get_ports(request), request.app.state.authenticator
    try:
        found = _let_in_at_once(ports, authenticator, response, background, tokens, acting_for)
        if found is not None:
            return found
        return await run_in_threadpool(let_in, ports, authenticator, response, background, tokens, acting_for)
    finally:
        request.state.limits = [one for one in response.raw_headers if one[0].startswith(b"ratelimit-")]


def let_in(
    ports: Ports,
    authenticator: Authenticator,
    response: Response,
    background: BackgroundTasks,
    tokens: Sequence[str],
    acting_for: str | None,
) -> Caller:
    """Return the caller, as `admit` does, where there is no request."""
    key = next(filter(None, map(authenticator.find, tokens)), None)
    if key is None:
        raise UnauthenticatedError
    limit = _limit_of(ports, key)
    _count(ports.rates.take(key.id, per_minute=limit), limit, response)
    _note_use(ports, authenticator, key, background)
    return Caller(key_id=key.id, role=key.role, tenant_id=_tenant_of(ports, key, acting_for), ports=ports)


def _let_in_at_once(
    ports: Ports,
    authenticator: Authenticator,
    response: Response,
    background: BackgroundTasks,
    tokens: Sequence[str],
    acting_for: str | None,
) -> Caller | None:
    """Return the caller by what this process remembers and holds; None when that does not suffice."""
    key = authenticator.find_remembered(tokens[0]) if tokens else None
    if key is None or acting_for not in {None, key.tenant_id}:
        return None
    verdict = ports.rates.take_held(key.id)
    if verdict is None:
        return None
    _count(verdict, _limit_of(ports, key), response)
    _note_use(ports, authenticator, key, background)
    return Caller(key_id=key.id, role=key.role, tenant_id=key.tenant_id, ports=ports)


def _tenant_of(ports: Ports, key: ApiKey, wanted: str | None) -> str:
    if wanted is None or wanted == key.tenant_id:
        return key.tenant_id
    if key.role is not Role.OPERATOR:
        raise ForbiddenError("This key is for its own tenant; leave Slowwave-Tenant out")
    return get_tenant(ports.db, check_name("tenant", wanted)).id


def _limit_of(ports: Ports, key: ApiKey) -> int:
    return key.rate_per_minute or ports.settings.api_requests_per_minute


def _count(verdict: RateVerdict, limit: int, response: Response) -> None:
    response.headers["RateLimit-Limit"] = str(limit)
    response.headers["RateLimit-Remaining"] = str(verdict.remaining)
    if not verdict.is_allowed:
        raise RateLimitedError(verdict.retry_after_seconds)


def _note_use(ports: Ports, authenticator: Authenticator, key: ApiKey, background: BackgroundTasks) -> None:
    """Write down when a key was last used: after the answer, and at most once a minute."""
    is_old = key.last_used_at is None or datetime.now(UTC) - key.last_used_at > _USE_EVERY
    if is_old and authenticator.is_use_due(key.id):
        background.add_task(_record_use, ports, key)


def _record_use(ports: Ports, key: ApiKey) -> None:
    with ports.db.transaction(key.tenant_id) as uow:
        uow.keys.record_use(key.id)


Reader = Annotated[Caller, allow(Permission.READ)]
Writer = Annotated[Caller, allow(Permission.WRITE)]
Reviewer = Annotated[Caller, allow(Permission.REVIEW)]
Administrator = Annotated[Caller, allow(Permission.ADMINISTER)]
Operator = Annotated[Caller, allow(Permission.OPERATE)]
