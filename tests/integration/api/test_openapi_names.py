"""The OpenAPI document is worth reading: stable names, every field described, and one page for people."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from gateway.api.openapi.names import name_operation, name_schema
from shared.all_ports import Ports
from tests.integration.api.api_support import a_client, a_token, an_app, bearer


@pytest.fixture(scope="module")
def document(session_ports: Ports) -> dict[str, Any]:
    return an_app(session_ports).openapi()


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for methods in document["paths"].values() for operation in methods.values()]


def test_every_operation_has_an_id_of_its_own_that_reads_as_a_call(document: dict[str, Any]) -> None:
    ids = Counter(operation["operationId"] for operation in operations(document))
    assert [name for name, number in ids.items() if number > 1] == []
    assert [name for name in ids if not re.fullmatch(r"(v1)?[a-zA-Z]{4,40}", name)] == []
    assert {"startDream", "undoDream", "createMemory", "listStores", "v1CreateDream"} <= ids.keys()


def test_no_schema_is_called_after_its_module(document: dict[str, Any]) -> None:
    names = document["components"]["schemas"].keys()
    assert [name for name in names if not re.fullmatch(r"[A-Z][A-Za-z0-9]{1,40}", name)] == []
    assert {"Dream", "Memory", "StoreInput", "DreamPage", "V1Dream", "V1StoreInput"} <= names


def test_every_reference_leads_to_a_schema_or_a_header(document: dict[str, Any]) -> None:
    known = {f"#/components/{kind}/{name}" for kind in ("schemas", "headers") for name in document["components"][kind]}
    assert set(references(document)) <= known


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (value for key, value in part.items() if key == "$ref" and isinstance(value, str))
        yield from part.get("mapping", {}).values() if "propertyName" in part else ()
    children = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for one in children:
        yield from references(one)


def test_every_field_and_every_parameter_is_described(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"].items()
    fields = {f"{name}.{field}": one for name, schema in schemas for field, one in schema.get("properties", {}).items()}
    taken = {
        f"{one['operationId']}.{at['name']}": at for one in operations(document) for at in one.get("parameters", ())
    }
    assert [name for name, one in {**fields, **taken}.items() if not one.get("description")] == []


def test_who_is_asked_to_wait_is_told_how_long(document: dict[str, Any]) -> None:
    for operation in operations(document):
        for status in {"429", "503"} & operation["responses"].keys():
            assert "Retry-After" in operation["responses"][status]["headers"]


def test_every_answer_to_a_key_says_how_many_requests_are_left(document: dict[str, Any]) -> None:
    for operation in operations(document):
        for status, answer in operation["responses"].items():
            is_counted = "security" in operation and status != "401"
            assert ({"RateLimit-Limit", "RateLimit-Remaining"} <= answer["headers"].keys()) is is_counted, status
            assert "X-Request-Id" in answer["headers"]


def test_the_headers_that_an_answer_has_are_those_of_the_document(
    session_ports: Ports, document: dict[str, Any], tenant: str
) -> None:
    path, key = "/api/stores/mine/memories", bearer(a_token(session_ports, tenant))
    again = {"Idempotency-Key": "again"}
    with a_client(an_app(session_ports)) as client:
        first = [client.post(path, json={"path": "a.md", "content": "A"}, headers=key | again) for _ in range(2)][1]
        read = client.get(f"{path}/{first.json()['id']}", headers=key)
    told = document["paths"]["/api/stores/{store}/memories"]["post"]["responses"]["201"]["headers"]
    assert {name.lower() for name in told} <= first.headers.keys()
    told = document["paths"]["/api/stores/{store}/memories/{memory_id}"]["get"]["responses"]["200"]["headers"]
    assert {name.lower() for name in told} <= read.headers.keys()
    assert "ETag" in told


def test_an_example_of_a_memory_has_the_id_of_a_memory(document: dict[str, Any]) -> None:
    answer = document["paths"]["/api/stores/{store}/memories"]["get"]["responses"]["200"]
    assert answer["content"]["application/json"]["example"]["data"][0]["id"].startswith("mem_")


@pytest.mark.parametrize(
    ("summary", "name"), [("List a dream's operations", "listDreamOperations"), ("Start a dream", "startDream")]
)
def test_an_id_is_the_summary_without_articles(summary: str, name: str) -> None:
    assert name_operation(summary, is_v1=False) == name


def test_a_schema_of_the_other_api_says_so() -> None:
    assert name_schema("gateway__api__v1__shapes__dreams__DreamOut") == "V1Dream"
    assert name_schema("gateway__api__http__paging__Page_DreamOut_") == "DreamPage"
    assert name_schema("NotedPage_EventOut_") == "EventPage"


def test_the_page_for_people_shows_every_operation_and_loads_nothing(
    session_ports: Ports, document: dict[str, Any]
) -> None:
    with a_client(an_app(session_ports)) as client:
        answer = client.get("/docs")
    assert answer.status_code == 200
    assert all(f'id="{operation["operationId"]}"' in answer.text for operation in operations(document))
    assert "<script" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
