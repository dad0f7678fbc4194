"""The table of docs/anthropic-dreams-api.md: which calls of the official SDK slowwave serves, and the answer to the others."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import anthropic
import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_client, a_token, an_app, bearer

_PAGE = Path(__file__).parents[3] / "docs" / "anthropic-dreams-api.md"
_CALL = re.compile(r'self\._(get_api_list|get|post|delete|put|patch)\(\s*(?:path_template\(\s*)?"(/v1/[^"?]+)')
_ROW = re.compile(r"^\| `beta\.([\w.]+)` \|([^|]*)\|([^|]*)\|$", re.MULTILINE)
#: What dreams need; of the SDK's other resources slowwave serves nothing.
_RESOURCES = ("dreams", "memory_stores", "sessions")


def calls_of(resource: object, name: str) -> Iterator[tuple[str, str, str]]:
    """Every method of a resource of the SDK, and of those below it: its name, its HTTP method, its path."""
    for method in sorted(dir(type(resource))):
        found = inspect.getattr_static(type(resource), method)
        if method.startswith(("_", "with_")):
            continue
        if inspect.isfunction(found):
            for verb, path in _CALL.findall(inspect.getsource(found)):
                yield f"{name}.{method}", "get" if verb == "get_api_list" else verb, path
        else:
            yield from calls_of(getattr(resource, method), f"{name}.{method}")


_BETA = anthropic.Anthropic(api_key="unused").beta
CALLS = [call for name in _RESOURCES for call in calls_of(getattr(_BETA, name), name)]
OTHERS = [name for name in dir(_BETA) if not name.startswith(("_", "with_", "webhooks")) and name not in _RESOURCES]


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    made = a_client(an_app(ports))
    made.headers.update(bearer(a_token(ports, tenant, Role.ADMIN, rate_per_minute=100_000)))
    return made


def is_supported(client: TestClient, verb: str, path: str) -> bool:
    answer = client.request(verb, re.sub(r"\{\w+\}", "absent", path), json={})
    return bool(answer.json().get("error", {}).get("type") != "not_supported")


def test_the_table_lists_what_is_served_and_what_is_not(client: TestClient) -> None:
    wanted: dict[str, tuple[list[str], list[str]]] = {}
    for name, verb, path in CALLS:
        resource, _, method = name.rpartition(".")
        wanted.setdefault(resource, ([], []))[not is_supported(client, verb, path)].append(method)
    listed = {
        resource: tuple(re.findall(r"`(\w+)`", cell) for cell in cells)
        for resource, *cells in _ROW.findall(_PAGE.read_text(encoding="utf-8"))
    }
    assert listed == wanted


def test_resources_that_are_not_served_are_named_and_answer_so(client: TestClient) -> None:
    page = _PAGE.read_text(encoding="utf-8")
    for name in OTHERS:
        assert f"`{name}`" in page
        for _, verb, path in calls_of(getattr(_BETA, name), name):
            answer = client.request(verb, re.sub(r"\{\w+\}", "absent", path), json={})
            assert answer.status_code in {404, 405}
            assert answer.json()["error"]["type"] == "not_supported", path
