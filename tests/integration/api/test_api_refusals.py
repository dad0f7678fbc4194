"""A refused request says where it went wrong and what to do, and the operator sees it counted."""

import asyncio
import math
from typing import Any

import pytest
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from gateway.api.http.failures import failure_of
from gateway.api.server import create_server
from shared import counting
from shared.all_ports import Ports
from shared.core.errors import RateLimitedError
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import write

MEMORIES = "/api/stores/default/memories"


class Counted:
    """A sink that keeps what was counted."""

    def __init__(self) -> None:
        self.series: dict[Any, float] = {}

    def add(self, series: dict[Any, float]) -> None:
        for one, amount in series.items():
            self.series[one] = self.series.get(one, 0) + amount

    def find(self, name: str) -> dict[tuple[str, ...], float]:
        """Return the counts by the values of the labels, in the order of their names."""
        return {
            tuple(value for _, value in pairs): number
            for (counted, pairs), number in self.series.items()
            if counted == name
        }


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    found = a_client(create_server(ports))
    found.headers.update(bearer(a_token(ports, tenant, rate_per_minute=100_000)))
    return found


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (b'{"path": "a.md", "content": "a"}', "text/plain", "send one, with `Content-Type: application/json`"),
        (b"hello", "application/octet-stream", "send one, with `Content-Type: application/json`"),
        (b'{"path":', "application/json", "JSON decode error: Expecting value"),
        (b"\x1f\x8b123", "application/json", "send uncompressed JSON in UTF-8"),
        (b'{"path": "a.md", "content": "a", "importance": 500}', "application/json", "body.importance: Input should"),
    ],
    ids=["text", "bytes", "cut", "gzip", "range"],
)
def test_a_body_that_cannot_be_used_says_what_would_be(client: TestClient, body: bytes, kind: str, said: str) -> None:
    answer = client.post(MEMORIES, content=body, headers={"content-type": kind})
    assert answer.status_code in {400, 422}
    assert said in answer.json()["detail"]


def test_a_refusal_never_repeats_the_text_of_the_request(client: TestClient) -> None:
    secret = "plumbus-of-the-canary"
    for kind in ("text/plain", "application/json"):
        body = f'{{"path": "a.md", "content": "{secret}"'
        assert secret not in client.post(MEMORIES, content=body, headers={"content-type": kind}).text


def test_a_wrong_method_names_all_that_the_address_takes(client: TestClient) -> None:
    answer = client.delete("/api/dreams")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")
    assert answer.json()["detail"] == "DELETE is not allowed here; use GET, POST"


def test_an_address_that_is_none_is_told_from_a_thing_that_is_not_there(client: TestClient) -> None:
    for nowhere in ("/api/nothing", "/api/dreams/"):
        assert "There is no such route" in client.get(nowhere).text
    assert "slowwave does not serve this call" in client.get("/v1/nothing").text
    assert "Not found, or not visible to this key" in client.get("/api/dreams/drm_0").text


def test_a_failed_precondition_tells_what_the_memory_is_now(client: TestClient, ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "# A\n"})
    line = client.get(MEMORIES).json()["data"][0]
    where = f"{MEMORIES}/{line['id']}"
    now = client.get(where).json()
    for headers, extra in (({"If-Match": '"9"'}, {}), ({}, {"content_sha256": "0" * 64})):
        answer = client.patch(where, json={"content": "# B\n"} | extra, headers=headers)
        assert answer.status_code == 412
        assert now["content_sha256"] in answer.json()["detail"]
        assert f"version {now['version']}," in answer.json()["detail"]


def test_a_wrong_role_is_told_which_ones_may(client: TestClient, ports: Ports, tenant: str) -> None:
    reviewer = bearer(a_token(ports, tenant, Role.REVIEWER))
    answer = client.post(MEMORIES, json={"path": "a.md", "content": "a"}, headers=reviewer)
    assert (
        answer.json()["detail"]
        == "A key with the role reviewer may not write; this needs the role agent or admin or operator"
    )


@pytest.mark.parametrize("seconds", [0.2, 1.0, 28.4, 29.6])
def test_a_full_rate_says_the_same_seconds_as_its_header(seconds: float) -> None:
    failure = failure_of(RateLimitedError(seconds))
    assert failure.headers["Retry-After"] == str(math.ceil(max(1, seconds)))
    assert f"in {failure.headers['Retry-After']} s" in failure.detail


def test_refusals_are_counted_by_surface_and_status(client: TestClient) -> None:
    sink = Counted()
    counting.send_counts_to(sink)
    try:
        for path in ("/api/dreams/drm_0", "/api/dreams/drm_0", "/v1/dreams/drm_0", "/console/t/x/y/z", "/nowhere"):
            client.get(path)
        client.get("/api/dreams", headers={"Authorization": "Bearer nonsense"})
        client.get("/console")  # leads to the form: no refusal
        client.app.state.counts.send()  # type: ignore[attr-defined] # FastAPI's
    finally:
        counting.stop_counting(sink)
    counted = {
        (labels["surface"], labels["status"]): number
        for (name, pairs), number in sink.series.items()
        if name == "slowwave_api_refusals_total" and (labels := dict(pairs))
    }
    assert counted == {
        ("api", "404"): 2, ("v1", "404"): 1, ("console", "404"): 1, ("other", "404"): 1, ("api", "401"): 1,
    }  # fmt: skip


def test_requests_are_counted_by_route_whatever_a_client_makes_up(client: TestClient) -> None:
    sink = Counted()
    counting.send_counts_to(sink)
    try:
        for memory in ("mem_1", "mem_2"):
            client.get(f"{MEMORIES}/{memory}")
        for method, path in (("BREW", "/made/up"), ("GET", "/made/up/too"), ("GET", "/mcp/x"), ("GET", "/healthz")):
            client.request(method, path)
        client.get("/console")
        client.app.state.counts.send()  # type: ignore[attr-defined] # FastAPI's
    finally:
        counting.stop_counting(sink)
    memory = "/api/stores/{store}/memories/{memory_id}"
    assert sink.find("slowwave_requests_total") == {
        ("GET", memory, "4xx"): 2,
        ("other", "other", "4xx"): 1,
        ("GET", "other", "4xx"): 1,
        ("GET", "/mcp", "4xx"): 1,
        ("GET", "/console", "3xx"): 1,
        ("GET", "/console/sign-in", "2xx"): 1,
    }
    assert sink.find("slowwave_request_seconds_bucket")["+Inf", "GET", memory] == 2


@pytest.mark.parametrize(
    "path", ["/api/stores?cursr=3", "/api/dreams?cursor2=x&cursr=3", "/api/dreams/drm_1/events?a=1"]
)
def test_a_mistyped_parameter_is_refused_with_its_name_and_those_that_there_are(
    path: str, ports: Ports, tenant: str
) -> None:
    answer = a_client(an_app(ports)).get(path, headers=bearer(a_token(ports, tenant)))
    assert answer.status_code == 422
    assert path.partition("?")[2].partition("=")[0] in answer.json()["detail"]
    assert "this call takes" in answer.json()["detail"]


def test_v1_ignores_what_newer_sdks_add_to_an_address(ports: Ports, tenant: str) -> None:
    answer = a_client(an_app(ports)).get("/v1/dreams?beta=true&cursr=3", headers=bearer(a_token(ports, tenant)))
    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/api/stores", "/v1/dreams", "/mcp", "/console/sign-in"])
def test_a_body_that_is_cut_off_midway_is_no_fault_of_the_server(path: str, ports: Ports, tenant: str) -> None:
    app = create_server(ports)
    parts: list[dict[str, Any]] = [{"type": "http.request", "body": b'{"na', "more_body": True}]
    sent: list[Any] = []

    async def receive() -> Any:
        return parts.pop(0) if parts else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(name.lower().encode(), value.encode()) for name, value in bearer(a_token(ports, tenant)).items()]
    headers += [(b"content-type", b"application/json"), (b"content-length", b"4000"), (b"host", b"localhost")]
    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
    }
    scope |= {
        "http_version": "1.1",
        "scheme": "http",
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 1),
        "asgi": {"version": "3.0"},
    }
    with capture_logs() as log:
        asyncio.run(app(scope, receive, send))
    assert [one for one in log if one["log_level"] == "error"] == []
    assert all(message["status"] < 500 for message in sent if message["type"] == "http.response.start")
