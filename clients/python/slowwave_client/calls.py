"""Calls of the API as steps without a connection: both faces, with and without `await`, carry out the same steps.

A function of steps is a generator. It yields a `Call`, and gets the answer; or a `Pause`, which it waits for. What it returns is
the result. So each rule stands once, whichever way the caller waits.
"""

from __future__ import annotations

import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel

from slowwave_client.errors import UnreachableError

T = TypeVar("T")
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Call:
    """One request. With `is_safe` it may be sent again although its first sending may have been carried out."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    body: BaseModel | Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_safe: bool = True

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of httpx's `request`."""
        body = self.body.model_dump(mode="json", exclude_unset=True) if isinstance(self.body, BaseModel) else self.body
        params = {name: _text(value) for name, value in self.params.items() if value is not None}
        told = {"json": body} if body is not None else {}
        return {"method": self.method, "url": self.path, "params": params, "headers": dict(self.headers), **told}


@dataclass(frozen=True, slots=True)
class Pause:
    """A wait, in seconds."""

    seconds: float


Steps = Generator[Call | Pause, Any, T]


def get(kind: type[Model], path: str, /, **params: object) -> Steps[Model]:
    """Read one thing."""
    return read(kind, (yield Call("GET", path, params)))


def post(kind: type[Model], path: str, body: BaseModel | Mapping[str, Any] | None, again: str | None) -> Steps[Model]:
    """Send what has an effect, once however often it is sent: `again` is the `Idempotency-Key`, or a new one is made."""
    headers = {"Idempotency-Key": again or uuid.uuid4().hex}
    return read(kind, (yield Call("POST", path, body=body, headers=headers)))


def read(kind: type[Model], answer: httpx.Response) -> Model:
    """Return an answer as its model. Raises UnreachableError for an answer that slowwave did not give."""
    try:
        return kind.model_validate_json(answer.content)
    except ValueError as error:
        raise UnreachableError(f"{answer.url} did not answer as slowwave does: {error}") from error


def named(**fields: object) -> dict[str, Any]:
    """Return a body of the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
