"""Refuse filters without their brackets: if such a filter were ignored, the list would return too much."""

from fastapi import Request

from gateway.api.http.parameters import known_parameters
from shared.core.errors import BadInputError


def check_filters(request: Request) -> None:
    """Raise BadInputError for `statuses` if the route reads `statuses[]`, and so on. Others are ignored: SDKs add some."""
    if not request.query_params:
        return
    known = known_parameters(request)
    for name in request.query_params:
        meant = [one for one in known if "[" in one and one.partition("[")[0] == name.partition("[")[0]]
        if meant and name not in known:
            raise BadInputError(f"There is no filter {name[:40]!r}; write {' or '.join(sorted(meant))}")
