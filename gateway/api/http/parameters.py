"""Path, query and header parameters that several routes share. Their patterns make them safe to use in a query."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import Header, Path, Query, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from gateway.api.shapes.stores import NAME
from shared.core.errors import BadInputError
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.edit import Expected

#: The same rule as in `shared.core.learning.skills`.
SKILL = r"^[a-z0-9]+(?:[-_.][a-z0-9]+)*(?:/[a-z0-9]+(?:[-_.][a-z0-9]+)*){0,2}$"
_NAMED = 3
#: The form of every id, so that nothing else reaches a query.
ID = r"^[A-Za-z0-9_-]{1,64}$"

StoreName = Annotated[str, Path(pattern=NAME, description="The store's name.", examples=[DEFAULT_STORE])]
StoreFilter = Annotated[str | None, Query(pattern=NAME, description="Only this store.")]
TenantName = Annotated[str, Path(pattern=NAME, description="The tenant's id.", examples=["acme"])]
DreamId = Annotated[str, Path(pattern=ID, examples=["drm_01JD0000000000000000000000"])]
EvaluationId = Annotated[
    str, Path(pattern=ID, description="The evaluation's id.", examples=["eval_01JD0000000000000000000000"])
]
OperationId = Annotated[str, Path(pattern=ID, examples=["op_01JD0000000000000000000000"])]
CallId = Annotated[str, Path(pattern=ID, examples=["call_01JD0000000000000000000000"])]
MemoryId = Annotated[str, Path(pattern=ID, examples=["mem_01JD0000000000000000000000"])]
SkillName = Annotated[
    str,
    Path(pattern=SKILL, max_length=64, description="The skill's name; may have a namespace.", examples=["mcp/mail"]),
]
DirectiveName = Annotated[
    str, Path(pattern=r"^[a-z-]{1,40}\.md$", description="The directive's name.", examples=["dream.md"])
]
KeyId = Annotated[str, Path(pattern=ID, examples=["key_01JD0000000000000000000000"])]
EndpointId = Annotated[str, Path(pattern=ID, examples=["hook_01JD0000000000000000000000"])]
DeliveryId = Annotated[str, Path(pattern=ID, examples=["dlv_01JD0000000000000000000000"])]
IfMatch = Annotated[
    str | None, Header(alias="If-Match", max_length=100, description='The expected version, such as `"3"`.')
]


def expected_of(if_match: str | None, content_sha256: str | None = None) -> Expected:
    """Return the preconditions of a write. Raises BadInputError for an If-Match that names no version."""
    if if_match is None or if_match.strip() == "*":
        return Expected(content_sha256=content_sha256)
    number = if_match.strip().removeprefix("W/").strip('"')
    if not (number.isascii() and number.isdigit() and len(number) <= 9):
        raise BadInputError('If-Match takes a version as in the ETag, such as "3"')
    return Expected(version=int(number), content_sha256=content_sha256)


def check_parameters(request: Request) -> None:
    """Raise BadInputError for a parameter that the route does not take: a mistyped filter would return too much."""
    unknown = request.query_params.keys() - known_parameters(request)
    if unknown:
        names, known = ", ".join(name[:40] for name in sorted(unknown)[:_NAMED]), sorted(known_parameters(request))
        raise BadInputError(f"There is no parameter {names} here; this call takes {', '.join(known) or 'none'}")


def known_parameters(request: Request) -> frozenset[str]:
    """Return the query parameters that the route of a request takes."""
    route = request.scope.get("route")
    return frozenset(_walk(route.dependant)) if isinstance(route, APIRoute) else frozenset()


def _walk(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for further in dependant.dependencies:
        yield from _walk(further)
