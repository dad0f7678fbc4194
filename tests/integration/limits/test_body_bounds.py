"""No request makes the server parse or report more than its route needs: sizes, numbers of values, every route."""

import json
import time
import tracemalloc
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from gateway.api.http.body_bounds import MAX_VALUES, BoundedRoute, UnboundedError, bounds_of, check_values
from gateway.api.resources import ROUTERS
from gateway.api.v1 import ROUTERS as ANTHROPIC_ROUTERS
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.access.api_routes import BODIES, MISSING
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.limits.junk import junk

_MOST_SECONDS, _MOST_BYTES = 0.5, 50_000_000


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    opened = a_client(an_app(ports))
    opened.headers.update(bearer(a_token(ports, tenant, Role.OPERATOR, rate_per_minute=1_000_000)))
    assert opened.get("/v1/dreams").status_code == 200  # FastAPI puts the routes together at the first request
    return opened


def _routes() -> dict[tuple[str, str], BoundedRoute]:
    """The routes with a body, by method and path."""
    found = (route for router in (*ROUTERS, *ANTHROPIC_ROUTERS) for route in router.routes)
    bounded = [route for route in found if isinstance(route, BoundedRoute) and route.bounds is not None]
    return {(method.lower(), route.path_format): route for route in bounded for method in route.methods or ()}


def test_every_list_map_and_text_of_a_request_has_a_bound(ports: Ports) -> None:
    document = an_app(ports).openapi()
    definitions = document["components"]["schemas"]
    with_bodies = set()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for one in operation.get("parameters", ()):
                bounds_of(one["schema"], definitions, f"{method} {path} {one['name']}")
            if "requestBody" in operation:
                with_bodies.add((method, path))
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                bounds_of(schema, definitions, f"{method} {path}")
    assert with_bodies == set(_routes())
    assert len(with_bodies) > 20


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "integer"}},
        {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 3},
        {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}},
        {"type": "string"},
        {"type": "string", "pattern": "^a+$"},
        {"type": "string", "pattern": "a{1,3}"},
        {},
    ],
    ids=["list", "keys", "map", "text", "repeats", "part", "anything"],
)
def test_the_walk_finds_what_has_no_bound(schema: dict[str, Any]) -> None:
    with pytest.raises(UnboundedError):
        bounds_of(schema, {}, "here")


@pytest.mark.parametrize("path", ["/v1/dreams", "/api/stores/default/sessions/sesn_0/events"])
def test_a_million_bad_items_are_refused_before_they_are_read(client: TestClient, path: str) -> None:
    inputs = b'{"inputs": [{"type": "sessions", "session_ids": [' + b"0," * 1_300_000 + b'0]}], "model": "m"}'
    refused, seconds, size = measured(client, "post", path, inputs)
    assert refused == 413
    assert seconds < _MOST_SECONDS
    assert size < _MOST_BYTES


def measured(client: TestClient, method: str, path: str, body: bytes) -> tuple[int, float, int]:
    """Return the status of an answer, and what it took of the processor and, in the process, of memory at once."""
    tracemalloc.start()
    begun = time.process_time()
    answer = client.request(method, path, content=body, headers={"content-type": "application/json"})
    seconds = time.process_time() - begun
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(answer.content) < 100_000  # a report of mistakes is bounded, too
    return answer.status_code, seconds, peak


@pytest.mark.thorough
def test_the_largest_junk_on_every_route_costs_little(client: TestClient) -> None:
    routes = _routes()
    for place, body in BODIES.items():
        method, path = place
        for sent in junk(routes[place], body):
            status, seconds, peak = measured(client, method, path.format(**MISSING | {"store": "default"}), sent)
            assert status < 500, (place, sent[:80])
            assert seconds < _MOST_SECONDS, (place, sent[:80], seconds)
            assert peak < _MOST_BYTES, (place, sent[:80], peak)
        assert client.get("/healthz").status_code == 200


def test_commas_in_a_text_are_no_values() -> None:
    text = json.dumps({"content": '{"a": [1, 2, 3], "b": "\\\\"}, ' * 20_000}).encode()
    check_values(text, 10)
    check_values(json.dumps(["a,b", "\\", '"', "[{"]).encode(), 5)


@pytest.mark.parametrize(
    "body",
    [b"[" + b"0," * 20 + b"0]", b'{"a":[' + b"{}," * 20 + b"{}]}", b'["\\\\",' + b'"a",' * 20 + b'"b"]', b"[" * 20],
    ids=["numbers", "objects", "texts", "depth"],
)
def test_values_are_counted_wherever_they_stand(body: bytes) -> None:
    with pytest.raises(HTTPException) as refused:
        check_values(body, 20)
    assert refused.value.status_code == 413
    check_values(body, MAX_VALUES)


def test_another_encoding_hides_no_values(client: TestClient) -> None:
    body = ('["\\\\"' + ',"\\\\"' * 20_000 + "]").encode("utf-16-le")
    assert (
        client.post("/api/dreams", content=body[:60_000], headers={"content-type": "application/json"}).status_code
        == 413
    )
    with pytest.raises(HTTPException) as refused:
        check_values(body, 100)
    assert refused.value.status_code == 400
