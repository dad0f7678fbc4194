"""Authenticate and authorise requests: from a bearer token to a key, its tenant and its role.

A route declares the permission that it needs with `Annotated[Caller, allow(Permission.READ)]`. A route without one is
public; the auth matrix test lists those. The key is checked before the body is read, so that a refusal costs little. A
verified key is cached for a moment, so that a burst asks the database once.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Any, Self

from fastapi import BackgroundTasks, Depends, Header, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param

from gateway.api.http.failed_keys import FailedKeys
from gateway.api.http.parameters import check_parameters
from gateway.api.http.tenant_turns import take_turn
from shared.all_ports import Ports
from shared.core.errors import ForbiddenError, RateLimitedError, UnauthenticatedError
from shared.core.memory.model import Author
from shared.core.memory.writers import Rank
from shared.core.tenants.api_keys import ApiKey, decide_key_valid, split_token
from shared.core.tenants.roles import Permission, Role, is_allowed
from shared.core.tenants.store import check_name
from shared.ports.database import Database
from shared.ports.runtime import RateVerdict
from shared.services.memories.read import get_memory
from shared.services.tenants.stores import get_tenant

#: Cache lifetime of a verified key; a key that another process revoked works for at most this long.
CACHE_SECONDS = 2.0
_MAX_CACHED = 10_000


class Authenticator:
    """Finds keys, with a cache keyed by the hash of the whole token: a wrong secret never gets a faster answer."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._cache: dict[bytes, tuple[float, ApiKey]] = {}
        self._use_noted: dict[str, float] = {}
        self._lock = threading.Lock()

    def find(self, token: str) -> ApiKey | None:
        """Return the valid key of a token, or None."""
        parts = split_token(token)
        if parts is None:
            return None
        mark = hashlib.sha256(token.encode()).digest()
        known = self._find_cached(mark)
        if known is not None:
            return known
        key_id, secret = parts
        found = self._db.find_key(key_id)
        if not decide_key_valid(found.key, secret, found.now) or found.key is None:
            return None
        with self._lock:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            self._cache[mark] = (self._clock() + CACHE_SECONDS, found.key)
        return found.key

    def find_cached(self, token: str) -> ApiKey | None:
        """Return the cached key of a token, or None when the database must be asked. Never waits."""
        return self._find_cached(hashlib.sha256(token.encode()).digest())

    def is_use_due(self, key_id: str) -> bool:
        """Tell whether to record a key's use now; at most once per cache lifetime."""
        now = self._clock()
        with self._lock:
            noted = self._use_noted.get(key_id)
            if noted is not None and now - noted < CACHE_SECONDS:
                return False
            if len(self._use_noted) >= _MAX_CACHED:
                self._use_noted.clear()
            self._use_noted[key_id] = now
            return True

    def clear_cache(self) -> None:
        """Clear the cache, because a key was changed in this process."""
        with self._lock:
            self._cache.clear()

    def _find_cached(self, mark: bytes) -> ApiKey | None:
        known = self._cache.get(mark)
        return known[1] if known is not None and known[0] > self._clock() else None


bearer = HTTPBearer(auto_error=False, description="A key: `swk_…`", bearerFormat="swk_<id>_<secret>")
_USE_EVERY = timedelta(minutes=1)
_TENANT = "Slowwave-Tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A verified key and the tenant of the request: the key's own, or the one that an operator named."""

    key_id: str
    role: Role
    tenant_id: str
    ports: Ports

    @property
    def actor(self) -> str:
        """Return the caller's name in the audit log."""
        return f"key:{self.key_id}"

    @property
    def author(self) -> Author:
        """Return the caller's kind in a memory's history."""
        return author_of(self.role)

    @property
    def rank(self) -> Rank:
        """Return the rank of what the caller says."""
        return Rank.AGENT if self.role is Role.AGENT else Rank.OWNER

    @property
    def db(self) -> Database:
        """Return the database as the caller is shown it: an agent's key reads nothing that a store hides."""
        return self.ports.db.for_agents() if self.role is Role.AGENT else self.ports.db

    def as_reader(self) -> Self:
        """Return the caller of what only reads, whose ports show what the caller is shown."""
        return self if self.sees_all else replace(self, ports=replace(self.ports, db=self.db))

    @property
    def sees_all(self) -> bool:
        """Tell whether a person holds the key, from whom no store hides anything."""
        return self.role is not Role.AGENT

    def check_shown(self, store: str, memory_id: str) -> None:
        """Raise NotFoundError for a memory that the caller is not shown. Persons are shown all; for them it reads nothing."""
        if not self.sees_all:
            get_memory(self.db, self.tenant_id, store, memory_id)

    @property
    def may_instruct(self) -> bool:
        """Tell whether a person holds the key, who may write what hosts load or run."""
        return self.role is not Role.AGENT

    def check(self, permission: Permission) -> None:
        """Raise ForbiddenError unless the role also has this permission."""
        if not is_allowed(self.role, permission):
            able = " or ".join(role for role in Role if is_allowed(role, permission))
            raise ForbiddenError(f"A key with the role {self.role} may not {permission}; this needs the role {able}")


def author_of(role: Role) -> Author:
    """Return who writes in a memory's history when a key of this role does."""
    return Author.AGENT if role is Role.AGENT else Author.USER


def get_ports(request: Request) -> Ports:
    """Return the ports of the application."""
    ports: Ports = request.app.state.ports
    return ports


@dataclass(slots=True)
class Entry:
    """The result of an admission, also of a refused one: the key's tenant, its rate limit's headers, and what records its use."""

    tenant_id: str | None = None
    limits: Sequence[tuple[bytes, bytes]] = ()
    record_use: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Door:
    """Admits keys with a permission to a route: a dependency whose route calls `admit` before it reads the body."""

    permission: Permission

    def credentials_of(self, request: Request) -> tuple[Sequence[str], str | None]:
        """Return the tokens of a request, and the tenant that an operator acts for."""
        return bearer_tokens(request), request.headers.get(_TENANT)

    def check_query(self, request: Request) -> None:
        """Raise BadInputError for a parameter that the route does not take."""
        check_parameters(request)

    async def admit(self, request: Request) -> None:
        """Refuse what headers and path alone tell, or note the caller for the dependency. Raises as the module's `admit` does."""
        caller = await admit(request, *self.credentials_of(request))
        caller.check(self.permission)
        self.check_query(request)
        request.state.caller = caller.as_reader() if self.permission is Permission.READ else caller

    async def enter(self, request: Request, background: BackgroundTasks) -> Caller:
        """Return the admitted caller at its turn. The use of its key is recorded after the answer."""
        caller: Caller = request.state.caller
        await take_turn(request, caller.tenant_id)
        if request.state.record_use is not None:
            background.add_task(request.state.record_use)
        return caller


class ApiDoor(Door):
    """The door of `/api`. Its parameters are for OpenAPI: `admit` has read the headers."""

    async def __call__(
        self,
        request: Request,
        background: BackgroundTasks,
        _: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
        __: Annotated[
            str | None,
            Header(alias=_TENANT, max_length=200, description="For operators: the tenant to act for."),
        ] = None,
    ) -> Caller:
        """Return the caller."""
        return await self.enter(request, background)


def allow(permission: Permission) -> Any:  # noqa: ANN401 - FastAPI's Depends is untyped on purpose
    """Return the dependency that admits keys with a permission."""
    return Depends(ApiDoor(permission))


def bearer_tokens(request: Request) -> list[str]:
    """Return the bearer token of a request, if it has one."""
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    return [token] if token and scheme.lower() == "bearer" else []


async def admit(request: Request, tokens: Sequence[str], acting_for: str | None) -> Caller:
    """Return the caller of the first valid key among the tokens.

    Counts the request against the key's rate limit. Takes a thread only when the database or Redis must be asked; most
    requests of a burst need neither. The request's state gets `tokens`, the headers `limits`, what records the key's use,
    `record_use`, or None, and the key's tenant as its `payer`.

    Raises:
        UnauthenticatedError: no token is a valid key.
        RateLimitedError: the key has reached its rate limit, or the address has sent too many wrong keys.
        ForbiddenError, NotFoundError: the key may not act for that tenant.
    """
    ports, authenticator = get_ports(request), request.app.state.authenticator
    entry = Entry()
    request.state.tokens = tokens
    try:
        found = _admit_from_cache(ports, authenticator, entry, tokens, acting_for)
        if found is None:
            found = await run_in_threadpool(_limited(request, tokens), entry, tokens, acting_for)
        return found
    finally:
        state = request.state
        state.limits, state.record_use, state.payer = entry.limits, entry.record_use, entry.tenant_id


def _limited(request: Request, tokens: Sequence[str]) -> Callable[..., Caller]:
    """Return `admit_blocking` for a request. It counts wrong keys; an address with too many is refused here already."""
    address, failed = request.client.host if request.client else "", request.app.state.failed_keys
    failed.check(address, tokens)
    if not tokens:
        raise UnauthenticatedError

    def admitted(*arguments: Any) -> Caller:  # noqa: ANN401 - those of admit_blocking
        try:
            return admit_blocking(get_ports(request), request.app.state.authenticator, *arguments, failed=failed)
        except UnauthenticatedError:
            failed.note_failure(address)
            raise

    return admitted


def admit_blocking(
    ports: Ports,
    authenticator: Authenticator,
    entry: Entry,
    tokens: Sequence[str],
    acting_for: str | None,
    *,
    failed: FailedKeys | None = None,
) -> Caller:
    """Return the caller as `admit` does, asking the database and Redis in the calling thread."""
    token, key = next(((token, key) for token in tokens if (key := authenticator.find(token))), ("", None))
    if key is None:
        raise UnauthenticatedError
    if failed is not None:
        failed.note_valid(token)
    limit = _limit_of(ports, key)
    _count(ports.rates.acquire(key.id, per_minute=limit), key, limit, entry)
    _note_use(ports, authenticator, key, entry)
    return Caller(key_id=key.id, role=key.role, tenant_id=_tenant_of(ports, key, acting_for), ports=ports)


def _admit_from_cache(
    ports: Ports,
    authenticator: Authenticator,
    entry: Entry,
    tokens: Sequence[str],
    acting_for: str | None,
) -> Caller | None:
    """Return the caller from caches alone, without waiting; None when a server must be asked."""
    key = authenticator.find_cached(tokens[0]) if tokens else None
    if key is None or acting_for not in {None, key.tenant_id}:
        return None
    verdict = ports.rates.acquire_held(key.id)
    if verdict is None:
        return None
    _count(verdict, key, _limit_of(ports, key), entry)
    _note_use(ports, authenticator, key, entry)
    return Caller(key_id=key.id, role=key.role, tenant_id=key.tenant_id, ports=ports)


def _tenant_of(ports: Ports, key: ApiKey, wanted: str | None) -> str:
    if wanted is None or wanted == key.tenant_id:
        return key.tenant_id
    if key.role is not Role.OPERATOR:
        raise ForbiddenError("This key is only valid for its own tenant; omit Slowwave-Tenant")
    return get_tenant(ports.db, check_name("tenant", wanted)).id


def _limit_of(ports: Ports, key: ApiKey) -> int:
    return key.rate_per_minute or ports.settings.api_requests_per_minute


def _count(verdict: RateVerdict, key: ApiKey, limit: int, entry: Entry) -> None:
    entry.tenant_id = key.tenant_id
    counts = ((b"ratelimit-limit", limit), (b"ratelimit-remaining", verdict.remaining))
    entry.limits = [(name, str(number).encode()) for name, number in counts]
    if not verdict.is_allowed:
        raise RateLimitedError(verdict.retry_after_seconds)


def _note_use(ports: Ports, authenticator: Authenticator, key: ApiKey, entry: Entry) -> None:
    """See to it that a key's last use is recorded: after the answer, and at most once a minute."""
    is_old = key.last_used_at is None or datetime.now(UTC) - key.last_used_at > _USE_EVERY
    if is_old and authenticator.is_use_due(key.id):
        entry.record_use = partial(_record_use, ports, key)


def _record_use(ports: Ports, key: ApiKey) -> None:
    with ports.db.transaction(key.tenant_id) as uow:
        uow.keys.record_use(key.id)


Reader = Annotated[Caller, allow(Permission.READ)]
Writer = Annotated[Caller, allow(Permission.WRITE)]
Reviewer = Annotated[Caller, allow(Permission.REVIEW)]
Administrator = Annotated[Caller, allow(Permission.ADMINISTER)]
Operator = Annotated[Caller, allow(Permission.OPERATE)]
