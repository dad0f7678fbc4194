"""Sign-in through an identity provider: OpenID Connect code flow with state, nonce and PKCE, by authlib.

The state that authlib needs between the two redirects is stored on the server under the browser's guest token.
"""

import json
from functools import lru_cache, partial
from typing import Any

import httpx2
from anyio import to_thread
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth
from fastapi import APIRouter, Request
from joserfc.errors import JoseError
from starlette.responses import Response

from gateway.api.http.auth import get_ports
from gateway.console.access.sign_in import GUEST_COOKIE, GUEST_SECONDS, refuse, set_guest_cookie, start_browser_session
from shared.core.errors import ForbiddenError, NotFoundError
from shared.logger import get_logger
from shared.ports.runtime import ConsoleSessions
from shared.services.tenants.console_sessions import new_token, sign_in_with_identity
from shared.settings import Settings

router = APIRouter(prefix="/console/oidc", include_in_schema=False)
_NAME = "console"
_TIMEOUT_SECONDS = 10
_AWAY = "The identity provider does not answer correctly; try again, or sign in with a key"
_log = get_logger()


@router.get("/start")
async def start(request: Request) -> Response:
    """Redirect the browser to the provider."""
    ports, token = get_ports(request), new_token()
    client = _client(ports.settings)
    request.scope["session"] = {}
    try:
        answer: Response = await client.authorize_redirect(request, _callback(request, ports.settings))
    except (AuthlibBaseError, httpx2.HTTPError, ValueError) as error:
        return await _refuse(request, _AWAY, error)
    state = json.dumps(request.scope["session"])
    await to_thread.run_sync(partial(ports.console_sessions.put, _oidc_key(token), state, seconds=GUEST_SECONDS))
    set_guest_cookie(request, answer, token)
    return answer


@router.get("/callback")
async def callback(request: Request) -> Response:
    """Handle the provider's redirect back: verify the claims and start a console session."""
    ports = get_ports(request)
    client = _client(ports.settings)
    request.scope["session"] = await to_thread.run_sync(
        _pop_state, ports.console_sessions, request.cookies.get(GUEST_COOKIE, "")
    )
    try:
        claims = (await client.authorize_access_token(request)).get("userinfo") or {}
    except (AuthlibBaseError, JoseError, httpx2.HTTPError, ValueError) as error:
        return await _refuse(request, "The identity provider did not let you in; try again", error)
    settings = ports.settings
    begin = partial(
        sign_in_with_identity,
        ports.db,
        ports.console_sessions,
        subject=str(claims.get("sub", "")),
        name=str(claims.get("name") or claims.get("email") or claims.get("sub", "")),
        tenant_id=str(claims.get(settings.oidc_tenant_claim, "")),
        role=str(claims.get(settings.oidc_role_claim, "")),
        seconds=int(settings.console_hours * 3_600),
    )
    try:
        token = await to_thread.run_sync(begin)
    except ForbiddenError as error:
        return await _refuse(request, str(error), error)
    return await to_thread.run_sync(start_browser_session, request, token, None)


def _client(settings: Settings) -> Any:  # noqa: ANN401 - authlib has no types
    if settings.oidc_issuer is None:
        raise NotFoundError
    secret = settings.oidc_client_secret.get_secret_value() if settings.oidc_client_secret else None
    return _registered(settings.oidc_issuer, settings.oidc_client_id, secret)


@lru_cache(maxsize=4)
def _registered(issuer: str, client_id: str, secret: str | None) -> Any:  # noqa: ANN401 - authlib has no types
    return OAuth().register(
        name=_NAME,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_id=client_id,
        client_secret=secret,
        client_kwargs={
            "scope": "openid profile email",
            "code_challenge_method": "S256",
            "timeout": _TIMEOUT_SECONDS,
            "token_endpoint_auth_method": "client_secret_basic" if secret else "none",
        },
    )


def _callback(request: Request, settings: Settings) -> str:
    path = request.url_for("callback").path
    return f"{settings.public_url}{path}" if settings.public_url else str(request.url_for("callback"))


def _oidc_key(token: str) -> str:
    return f"oidc:{token}"


def _pop_state(console_sessions: ConsoleSessions, token: str) -> dict[str, Any]:
    """Return and delete the state that was stored for this browser."""
    stored = console_sessions.get(_oidc_key(token)) if token else None
    console_sessions.remove(_oidc_key(token))
    return json.loads(stored) if stored else {}


async def _refuse(request: Request, why: str, error: Exception) -> Response:
    _log.warning("oidc_refused", error=type(error).__name__)
    return await to_thread.run_sync(refuse, request, ForbiddenError(why))
