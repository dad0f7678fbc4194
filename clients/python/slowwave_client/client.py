"""The two clients: `Slowwave` for a thread that waits, `AsyncSlowwave` with `await`."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import httpx

from slowwave_client.async_resources import AsyncDreams, AsyncEvaluations, AsyncMemories, AsyncOperations, AsyncSessions
from slowwave_client.calls import Call, Steps, T
from slowwave_client.connection import AsyncConnection, Connection, headers_for
from slowwave_client.resources import Dreams, Evaluations, Memories, Operations, Sessions
from slowwave_client.retries import Retries

DEFAULT_STORE = "default"
_SECONDS = 30.0


class Slowwave:
    """The API of slowwave for one key, in the calling thread. Threads may share it; close it, or use it in `with`.

    Args:
        url: the server, such as `https://slowwave.example.com`.
        key: the key, `swk_…`.
        store: the store of calls that name none.
        tenant: for an operator's key: the tenant to act for.
        retries: how often a request is sent again.
        timeout: for how many seconds to wait for a connection, and for each part of an answer.
        transport: what sends requests, for tests and proxies of your own.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        store: str = DEFAULT_STORE,
        tenant: str | None = None,
        retries: Retries | None = None,
        timeout: float = _SECONDS,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = headers_for(key, tenant)
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout, transport=transport)
        self._connection = Connection(self._http, retries or Retries())
        self.store = store
        self.dreams = Dreams(self._connection, store)
        self.memories = Memories(self._connection, store)
        self.sessions = Sessions(self._connection, store)
        self.operations = Operations(self._connection)
        self.evaluations = Evaluations(self._connection, store)

    def request(self, method: str, path: str, *, json: Any = None, **params: Any) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON of any call of the API, such as `request("GET", "/api/costs")`; `models` has its classes."""
        return self._connection.run(_any_call(method, path, json, params))

    def run(self, steps: Steps[T]) -> T:
        """Return the result of steps (`slowwave_client.calls`). Raises SlowwaveError."""
        return self._connection.run(steps)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class AsyncSlowwave:
    """The API of slowwave for one key, with `await`. Tasks may share it; close it, or use it in `async with`.

    The arguments are those of `Slowwave`.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        store: str = DEFAULT_STORE,
        tenant: str | None = None,
        retries: Retries | None = None,
        timeout: float = _SECONDS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = headers_for(key, tenant)
        self._http = httpx.AsyncClient(base_url=url, headers=headers, timeout=timeout, transport=transport)
        self._connection = AsyncConnection(self._http, retries or Retries())
        self.store = store
        self.dreams = AsyncDreams(self._connection, store)
        self.memories = AsyncMemories(self._connection, store)
        self.sessions = AsyncSessions(self._connection, store)
        self.operations = AsyncOperations(self._connection)
        self.evaluations = AsyncEvaluations(self._connection, store)

    async def request(self, method: str, path: str, *, json: Any = None, **params: Any) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON of any call of the API, such as `request("GET", "/api/costs")`; `models` has its classes."""
        return await self._connection.run(_any_call(method, path, json, params))

    async def run(self, steps: Steps[T]) -> T:
        """Return the result of steps (`slowwave_client.calls`). Raises SlowwaveError."""
        return await self._connection.run(steps)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()


def _any_call(method: str, path: str, json: Any, params: dict[str, Any]) -> Steps[Any]:  # noqa: ANN401 - JSON
    answer = yield Call(method.upper(), path, params, body=json, is_safe=method.upper() in {"GET", "PUT", "DELETE"})
    return answer.json()
