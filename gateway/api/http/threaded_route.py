"""Run blocking route functions in one thread, behind the bounds of their bodies.

FastAPI would send the answer of a plain function to a second thread to validate it against its model.
"""

from collections.abc import Callable
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Any

from fastapi.concurrency import run_in_threadpool

from gateway.api.http.body_bounds import BoundedRoute


class OneThreadRoute(BoundedRoute):
    """A route whose function takes a thread once per request."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # noqa: ANN401 - APIRoute's own
        super().__init__(path, endpoint if iscoroutinefunction(endpoint) else _threaded(endpoint), **options)


def _threaded(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(endpoint)
    async def answer(**values: Any) -> Any:  # noqa: ANN401 - any arguments and result of the endpoint
        return await run_in_threadpool(partial(endpoint, **values))

    return answer
