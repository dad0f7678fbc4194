"""Bound what a request may make the server parse: the size of a body and the number of its values, by route.

Both bounds follow from the route's own model: a body that is larger than any valid one is refused before it is parsed,
and so before pydantic reports a mistake for each of a million items. A model with an unbounded list, map or text has
no bounds, which is a mistake in the code: the route cannot be used, and a test of all routes fails.
"""

from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from re import _constants, _parser  # the parser of `re` knows how long a match may be
from typing import Any, Protocol, runtime_checkable

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

Schema = Mapping[str, Any]
#: The key of the route's `Bounds` in the ASGI scope, for the middleware that counts bytes.
SCOPE_KEY = "slowwave.bounds"
#: No body has more values, whatever its model allows: each may become a mistake in the report, at 20 us and 2 kB.
MAX_VALUES = 10_000
#: For spaces, and for fields that a newer client sends and this version ignores.
_SPARE_BYTES, _SPARE_VALUES = 16_384, 250
_BYTES_OF_A_CHARACTER = 12  # as an escaped pair of surrogates
_BYTES_OF_A_SCALAR = 64  # a number or a time
_BYTES_OF_A_FRAME = 32  # quotes, a comma, a colon, indentation


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The most that a valid JSON value has: bytes of its text, and values within it, itself included."""

    size: int
    values: int


@runtime_checkable
class Guard(Protocol):
    """A dependency that refuses by headers and path alone, before the body is read; FastAPI would read and parse it first."""

    async def admit(self, request: Request) -> None:
        """Raise an error for a request that is refused."""


class UnboundedError(Exception):
    """A model has a list, a map or a text without a bound."""


class BoundedRoute(APIRoute):
    """A route that refuses bodies larger than its model allows before it parses them."""

    @cached_property
    def bounds(self) -> Bounds | None:
        """Return the bounds of the body; None for a route without a JSON body. Raises UnboundedError."""
        annotation = None if self.body_field is None else self.body_field.field_info.annotation
        if annotation is None:
            return None
        document: Schema = TypeAdapter(annotation).json_schema()
        found = bounds_of(document, document.get("$defs", {}), self.path)
        return Bounds(size=found.size + _SPARE_BYTES, values=min(found.values + _SPARE_VALUES, MAX_VALUES))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        scope[SCOPE_KEY] = self.bounds
        await super().handle(scope, receive, send)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler, behind the guards of the route and the count of values."""
        handler = super().get_route_handler()
        guards = list(_find_guards(self.dependant))

        async def bounded(request: Request) -> Response:
            for guard in guards:
                await guard.admit(request)
            if self.bounds is not None:
                check_values(await request.body(), self.bounds.values)
            return await handler(request)

        return bounded


def _find_guards(dependant: Dependant) -> Iterator[Guard]:
    for one in dependant.dependencies:
        call: object = one.call
        if isinstance(call, Guard):
            yield call
        yield from _find_guards(one)


def bounds_of(schema: Schema, definitions: Mapping[str, Schema], where: str) -> Bounds:
    """Return the bounds of a JSON schema. Raises UnboundedError, which names the place."""
    if "$ref" in schema:
        return bounds_of(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions, where)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            options = [bounds_of(one, definitions, where) for one in schema[union]]
            return Bounds(size=max(one.size for one in options), values=max(one.values for one in options))
    match schema.get("type"):
        case "object":
            return _bounds_of_object(schema, definitions, where)
        case "array":
            return _bounds_of_list(schema, definitions, where)
        case "string":
            return Bounds(size=_longest(schema, where) * _BYTES_OF_A_CHARACTER + _BYTES_OF_A_FRAME, values=1)
        case "integer" | "number" | "boolean" | "null":
            return Bounds(size=_BYTES_OF_A_SCALAR, values=1)
        case _:
            raise UnboundedError(f"{where} may be anything")


def _bounds_of_list(schema: Schema, definitions: Mapping[str, Schema], where: str) -> Bounds:
    if "maxItems" not in schema:
        raise UnboundedError(f"{where} is a list without a bound")
    item = bounds_of(schema["items"], definitions, f"{where}[]")
    return _many(schema["maxItems"], item.size, item.values)


def _bounds_of_object(schema: Schema, definitions: Mapping[str, Schema], where: str) -> Bounds:
    if "properties" in schema:
        fields = {name: bounds_of(one, definitions, f"{where}.{name}") for name, one in schema["properties"].items()}
        size = sum(len(name) + _BYTES_OF_A_FRAME + one.size for name, one in fields.items())
        return Bounds(size=size + _BYTES_OF_A_FRAME, values=1 + sum(one.values for one in fields.values()))
    if schema.get("additionalProperties") is False:
        return Bounds(size=_BYTES_OF_A_FRAME, values=1)
    if "maxProperties" not in schema or not isinstance(schema.get("additionalProperties"), Mapping):
        raise UnboundedError(f"{where} is a map without a bound")
    key = bounds_of({"type": "string", **schema.get("propertyNames", {})}, definitions, f"a key of {where}")
    value = bounds_of(schema["additionalProperties"], definitions, f"{where}.*")
    return _many(schema["maxProperties"], key.size + value.size, value.values)


def _many(number: int, size: int, values: int) -> Bounds:
    return Bounds(size=number * (size + _BYTES_OF_A_FRAME) + _BYTES_OF_A_FRAME, values=1 + number * values)


def _longest(schema: Schema, where: str) -> int:
    """Return the length of the longest text that a schema allows."""
    if "const" in schema:
        return len(str(schema["const"]))
    if "enum" in schema:
        return max(map(len, map(str, schema["enum"])))
    if "maxLength" in schema:
        return int(schema["maxLength"])
    if schema.get("format") in {"date-time", "date"}:
        return _BYTES_OF_A_SCALAR
    longest = find_longest_match(schema.get("pattern", ""))
    if longest is None:
        raise UnboundedError(f"{where} is a text without a bound")
    return longest


def find_longest_match(pattern: str) -> int | None:
    """Return the length of the longest text that an anchored pattern matches; None if there is none."""
    if not (pattern.startswith("^") and pattern.endswith("$")):
        return None
    _, longest = _parser.parse(pattern).getwidth()
    return int(longest) if longest < _constants.MAXREPEAT else None


def check_values(body: bytes, most: int) -> None:
    """Raise HTTPException (413) if a JSON body holds more values than `most`, without parsing it."""
    if _count_marks(body) < most:
        return
    if b"\x00" in body:  # UTF-16, whose quotes are not found below; the answer is that of any unreadable body
        raise HTTPException(400, "The body is not UTF-8")
    plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")  # backslashes stand in texts only
    if plain.count(b'"') <= 4 * most and _count_marks(b"".join(plain.split(b'"')[::2])) < most:
        return
    raise HTTPException(413, f"The body may contain at most {most:,} JSON values here")


def _count_marks(text: bytes) -> int:
    """Return the number of commas and opening brackets, one less than the number of values outside of texts."""
    return text.count(b",") + text.count(b"[") + text.count(b"{")
