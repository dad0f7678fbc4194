"""Anthropic's SDK, unmodified, over the application in this process: no server, no socket."""

from typing import Any

import anthropic
import httpx2
from starlette.testclient import TestClient

_OF_THE_CONNECTION = frozenset({"content-length", "content-encoding", "transfer-encoding", "connection", "host"})


class _InProcess(httpx2.BaseTransport):
    """Passes what the SDK sends to the application, and its whole answer back."""

    def __init__(self, client: TestClient) -> None:
        self._client = client

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        sent = {name: value for name, value in request.headers.items() if name.lower() not in _OF_THE_CONNECTION}
        answer: Any = self._client.request(request.method, str(request.url), content=request.read(), headers=sent)
        headers = [(name, value) for name, value in answer.headers.items() if name.lower() not in _OF_THE_CONNECTION]
        return httpx2.Response(answer.status_code, headers=headers, content=answer.content, request=request)


def an_sdk(client: TestClient, key: str) -> anthropic.Anthropic:
    """The SDK's client for a key; it repeats nothing by itself."""
    http = httpx2.Client(transport=_InProcess(client), base_url="http://testserver")
    return anthropic.Anthropic(base_url="http://testserver", api_key=key, http_client=http, max_retries=0)
