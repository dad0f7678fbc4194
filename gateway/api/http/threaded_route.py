"""Routes whose function waits for servers: it runs in a thread, and what it returned is taken from there as it is.

FastAPI sends the answer of a plain function to a thread once more, to be checked against its model.
"""

from collections.abc import Callable
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Any

from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute


class OneThreadRoute(APIRoute):
    """A route that takes one thread, once."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # noqa: ANN401 - APIRoute's own
        super().__init__(path, endpoint if iscoroutinefunction(endpoint) else _threaded(endpoint), **options)


def _threaded(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(endpoint)
    async def answer(**values: Any) -> Any:  # noqa: ANN401 - whatever the endpoint takes and returns
        return await run_in_threadpool(partial(endpoint, **values))

    return answer
