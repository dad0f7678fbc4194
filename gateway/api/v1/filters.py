"""Refuse filters without their brackets: if such a filter were ignored, the list would return too much."""

from collections.abc import Iterator

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from shared.core.errors import BadInputError


def check_filters(request: Request) -> None:
    """Raise BadInputError for `statuses` if the route reads `statuses[]`, and so on. Others are ignored."""
    route = request.scope.get("route")
    if not isinstance(route, APIRoute) or not request.query_params:
        return
    known = frozenset(_walk(route.dependant))
    for name in request.query_params:
        meant = [one for one in known if "[" in one and one.partition("[")[0] == name.partition("[")[0]]
        if meant and name not in known:
            raise BadInputError(f"There is no filter {name[:40]!r}; write {' or '.join(sorted(meant))}")


def _walk(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for further in dependant.dependencies:
        yield from _walk(further)
