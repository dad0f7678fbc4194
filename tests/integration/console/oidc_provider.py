"""A tiny OpenID Connect provider on a free port: it vouches for the visitor that the test names, and checks PKCE as real ones do."""

import base64
import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any
from urllib.parse import urlencode
from uuid import uuid4

import uvicorn
from fastapi import FastAPI, Form, Request
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.responses import JSONResponse, RedirectResponse, Response

from gateway.api.server import address_of, bind
from tests.e2e.workers.worker_support import eventually


class Provider:
    """An OpenID Connect provider whose next user and tokens a test chooses."""

    def __init__(self) -> None:
        self.issuer = ""
        self.claims: dict[str, Any] = {}
        self.overrides: dict[str, Any] = {}  # what its next tokens say wrongly
        self._key = RSAKey.generate_key(2048, {"kid": "k1"})
        self._codes: dict[str, dict[str, str]] = {}

    def app(self) -> FastAPI:
        app = FastAPI()
        app.add_api_route("/.well-known/openid-configuration", self._metadata)
        app.add_api_route("/jwks", lambda: {"keys": [self._key.as_dict(private=False)]})
        app.add_api_route("/authorize", self._authorize, response_model=None)
        app.add_api_route("/token", self._token, methods=["POST"], response_model=None)
        return app

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        code = uuid4().hex
        self._codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", 302)

    def _token(self, code: Annotated[str, Form()], code_verifier: Annotated[str, Form()] = "") -> Response:
        asked = self._codes.pop(code, None)
        digest = hashlib.sha256(code_verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if asked is None or asked["code_challenge"] != challenge:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": asked["client_id"], "nonce": asked["nonce"], "iat": now, "exp": now + 300}
        token = jwt.encode({"alg": "RS256", "kid": "k1"}, claims | self.claims | self.overrides, self._key)
        return JSONResponse({"access_token": "a", "token_type": "Bearer", "expires_in": 300, "id_token": token})


@contextmanager
def a_provider() -> Iterator[Provider]:
    """A running provider."""
    provider = Provider()
    with bind("127.0.0.1", 0) as listening:
        provider.issuer = address_of(listening)
        server = uvicorn.Server(uvicorn.Config(provider.app(), log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            eventually(lambda: server.started, "the provider")
            yield provider
        finally:
            server.should_exit = True
            thread.join(timeout=20)
