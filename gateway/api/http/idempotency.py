"""Support `Idempotency-Key` on POST: a repeated request gets the first answer and has no second effect."""

import hashlib
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Request, Response
from pydantic import BaseModel

from gateway.api.http.auth import Caller
from shared.core.errors import ConflictError
from shared.ports.tenants import KeptResponse
from shared.services.tenants.idempotency import answer_once

Secret = TypeVar("Secret", bound=BaseModel)
RequestKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]+$",
        description="Any text that is unique to the request; remembered for 24 hours.",
    ),
]


class IdempotentRequest:
    """A request's idempotency key and the hash of what it asks for."""

    def __init__(self, request_key: str | None, request_hash: str) -> None:
        self._request_key = request_key
        self._request_hash = request_hash

    def answer(self, caller: Caller, status: int, produce: Callable[[], BaseModel]) -> Response:
        """Return the result of `produce`, or the stored result of the first request with this key."""

        def kept() -> KeptResponse:
            return KeptResponse(status=status, body=produce().model_dump_json(by_alias=True))

        if self._request_key is None:
            return _response(kept())
        response, is_replayed = answer_once(
            caller.ports.db, caller.tenant_id, caller.key_id, self._request_key, self._request_hash, kept
        )
        return _response(response, replayed=is_replayed)

    def answer_secret(self, caller: Caller, produce: Callable[[], Secret]) -> Secret:
        """Return the result of `produce`, which holds a secret: it is not stored, and so is shown once.

        Raises:
            ConflictError: this request was answered before.
        """
        if self._request_key is None:
            return produce()
        made: list[Secret] = []

        def done() -> KeptResponse:
            made.append(produce())
            return KeptResponse(status=200, body="")

        answer_once(caller.ports.db, caller.tenant_id, caller.key_id, self._request_key, self._request_hash, done)
        if not made:
            raise ConflictError(
                "This request was already carried out. Only the first answer contained the secret; rotate it to get a new one"
            )
        return made[0]


async def _once(request: Request, request_key: RequestKey = None) -> IdempotentRequest:
    query = request.url.query.encode()
    asked = b"\0".join((request.method.encode(), request.url.path.encode(), query, await request.body()))
    return IdempotentRequest(request_key, hashlib.sha256(asked).hexdigest())


def _response(kept: KeptResponse, *, replayed: bool = False) -> Response:
    headers = {"Idempotency-Replayed": "true"} if replayed else {}
    return Response(kept.body, kept.status, headers=headers, media_type="application/json")


Idempotent = Annotated[IdempotentRequest, Depends(_once)]
