"""OpenAPI is complete: every route says what goes in, what comes out and what can go wrong, each with an example."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it has no types

from gateway.api.openapi.examples import UNKNOWN
from shared.all_ports import Ports
from tests.integration.access.api_routes import NEEDS
from tests.integration.api.api_support import an_app

ROUTES = [route for route in NEEDS if route[1] not in {"/healthz", "/readyz"}]


@pytest.fixture(scope="module")
def document(session_ports: Ports) -> dict[str, Any]:
    return an_app(session_ports).openapi()


def bodies(operation: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the place, the kind and the content of each body."""
    told = {"request": operation.get("requestBody", {}), **operation["responses"]}
    return [(where, kind, part) for where, one in told.items() for kind, part in one.get("content", {}).items()]


@pytest.mark.parametrize("route", ROUTES, ids=" ".join)
def test_every_body_has_an_example_that_is_valid(route: tuple[str, str], document: dict[str, Any]) -> None:
    method, path = route
    operation = document["paths"][path][method]
    assert operation["summary"]
    assert operation["description"]
    for where, kind, part in bodies(operation):
        assert "example" in part, where
        assert UNKNOWN not in _leaves(part["example"]), (where, part["example"])
        if "json" in kind:
            schema = {**part["schema"], "components": document["components"]}
            Draft202012Validator(schema).validate(part["example"])


@pytest.mark.parametrize("route", [one for one in ROUTES if one[1].startswith("/api")], ids=" ".join)
def test_whatever_goes_wrong_under_api_is_a_problem(route: tuple[str, str], document: dict[str, Any]) -> None:
    method, path = route
    errors = [
        (where, kind)
        for where, kind, _ in bodies(document["paths"][path][method])
        if where >= "4" and where != "request"
    ]
    assert {where for where, _ in errors} >= {"400", "401", "403", "404", "413", "422", "429", "500", "503"}
    assert {kind for _, kind in errors} == {"application/problem+json"}


@pytest.mark.parametrize(
    "route", [one for one in ROUTES if one[0] == "get" and one[1].startswith("/api")], ids=" ".join
)
def test_every_list_is_followed_by_a_cursor(route: tuple[str, str], document: dict[str, Any]) -> None:
    operation = document["paths"][route[1]][route[0]]
    taken = {one["name"] for one in operation.get("parameters", ())}
    assert ("limit" in taken) <= ("cursor" in taken or "/search" in route[1])


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [value]
