"""Every route with every role, without a key and with another tenant's: who gets in, and what a stranger learns."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from gateway.api.app import create_app
from shared.all_ports import Ports
from shared.core.tenants.roles import GRANTS, Permission, Role
from tests.integration.access.api_routes import BODIES, COMMON, ENDING, MISSING, NAMES, NEEDS
from tests.integration.api.api_support import Everything, a_client, a_tenant_with_everything, a_token, an_app, bearer
from tests.support.builders import get_store

LOCKED = [route for route, need in NEEDS.items() if need is not None]
NAMED = [route for route in LOCKED if set(NAMES.findall(route[1])) - COMMON and NEEDS[route] is not Permission.OPERATE]


@pytest.fixture(scope="module")
def client(session_ports: Ports) -> TestClient:
    return a_client(an_app(session_ports))


@pytest.fixture(scope="module")
def theirs(session_ports: Ports) -> Everything:
    return a_tenant_with_everything(session_ports)


@pytest.fixture(scope="module")
def tokens(session_ports: Ports) -> dict[Role, str]:
    return {role: a_token(session_ports, "access-matrix", role, rate_per_minute=100_000) for role in Role}


@pytest.fixture(scope="module")
def own_store(session_ports: Ports, tokens: dict[Role, str]) -> str:
    assert tokens
    return get_store(session_ports, "access-matrix", "mine").id


def ask(client: TestClient, route: tuple[str, str], ids: dict[str, str], headers: dict[str, str]) -> Any:
    method, path = route
    query = {"q": "words"} if "/search" in path else {"person": "Mara"} if "/known-of" in path else None
    return client.request(method, path.format(**ids), json=BODIES.get(route), params=query, headers=headers)


def test_no_route_is_without_a_line_in_the_table(session_ports: Ports) -> None:
    paths = create_app(session_ports).openapi()["paths"]
    assert {(method, path) for path, methods in paths.items() for method in methods} == set(NEEDS)


@pytest.mark.parametrize("route", LOCKED, ids=" ".join)
def test_without_a_valid_key_nothing_opens_and_every_refusal_is_the_same(
    route: tuple[str, str], client: TestClient, tokens: dict[Role, str]
) -> None:
    wrong = tokens[Role.ADMIN][:-4] + "AAAA"
    given = [{}, bearer("nonsense"), bearer("swk_0_x"), bearer(wrong), {"Authorization": "Basic YTpi"}]
    answers = [ask(client, route, MISSING, headers) for headers in given]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.text.replace(answer.headers["x-request-id"], "") for answer in answers}) == 1


@pytest.mark.parametrize("route", LOCKED, ids=" ".join)
@pytest.mark.parametrize("role", list(Role))
def test_a_role_opens_what_it_is_for_and_nothing_else(
    role: Role, route: tuple[str, str], client: TestClient, tokens: dict[Role, str]
) -> None:
    need = NEEDS[route]
    assert need is not None
    status = ask(client, route, MISSING, bearer(tokens[role])).status_code
    if role in GRANTS[need]:
        assert status not in {401, 403}
        assert status < 500
    else:
        assert status == 403


@pytest.mark.parametrize("route", [one for one in LOCKED if one[1].startswith("/api")], ids=" ".join)
def test_a_parameter_that_a_route_does_not_take_is_refused_by_name(
    route: tuple[str, str], client: TestClient, tokens: dict[Role, str]
) -> None:
    need, (method, path) = NEEDS[route], route
    assert need is not None
    key = next(tokens[role] for role in Role if role in GRANTS[need])
    answer = client.request(
        method, path.format(**MISSING), json=BODIES.get(route), params={"limt": "3"}, headers=bearer(key)
    )
    assert answer.status_code == 422
    assert "There is no parameter limt here" in answer.json()["detail"]


@pytest.mark.parametrize("route", NAMED, ids=" ".join)
def test_another_tenants_data_is_answered_like_data_that_does_not_exist(
    route: tuple[str, str], client: TestClient, tokens: dict[Role, str], theirs: Everything, own_store: str
) -> None:
    headers = bearer(tokens[Role.ADMIN])
    foreign = {name: getattr(theirs, name, "") for name in MISSING}
    own = {"store": "mine", "memory_store_id": own_store}
    for mine in ({}, own):  # also with a store of one's own in front of another's memory
        if mine and (route[0] == "put" or route in ENDING):
            continue  # a put makes what is missing, even if another tenant has one of that name
        answers = [ask(client, route, ids | mine, headers) for ids in (foreign, MISSING)]
        if mine and not any(
            name in route[1] for name in ("{memory_id}", "{session_id}", "{memory_version_id}", "{skill}")
        ):
            continue
        # A refusal of the request itself (422) is alike, too.
        assert [answer.status_code for answer in answers] in ([404, 404], [422, 422])
        seen = [(_plain(answer.text, answer), sorted(_headers(answer).items())) for answer in answers]
        assert seen[0] == seen[1]


def test_lists_hold_nothing_of_anothers(client: TestClient, tokens: dict[Role, str], theirs: Everything) -> None:
    lists = [
        route
        for route in LOCKED
        if route[0] == "get" and "{" not in route[1] and NEEDS[route] is not Permission.OPERATE
    ]
    for route in lists:
        text = ask(client, route, {}, bearer(tokens[Role.ADMIN])).text
        assert not [value for value in theirs if value not in {"default", "dream.md"} and value in text], route


def test_naming_another_tenant_is_refused_alike_whether_it_exists_or_not(
    client: TestClient, tokens: dict[Role, str], theirs: Everything
) -> None:
    answers = [
        client.get("/api/stores", headers=bearer(tokens[Role.ADMIN]) | {"Slowwave-Tenant": tenant})
        for tenant in (theirs.tenant, "no-such-tenant")
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert _plain(answers[0].text, answers[0]) == _plain(answers[1].text, answers[1])


def test_an_operator_reaches_a_tenant_by_naming_it(
    client: TestClient, tokens: dict[Role, str], theirs: Everything
) -> None:
    headers = bearer(tokens[Role.OPERATOR])
    found = client.get("/api/dreams", headers=headers | {"Slowwave-Tenant": theirs.tenant}).json()
    assert [dream["id"] for dream in found["data"]] == [theirs.dream_id]
    assert client.get("/api/dreams", headers=headers | {"Slowwave-Tenant": "unknown"}).status_code == 404


def test_reviews_in_bulk_tell_nothing_about_anothers_operations(
    client: TestClient, tokens: dict[Role, str], theirs: Everything
) -> None:
    body = {"ids": [theirs.operation_id, "op_0"]}
    lines = client.post("/api/reviews/reject", json=body, headers=bearer(tokens[Role.ADMIN])).json()["results"]
    assert lines[0] | {"id": ""} == lines[1] | {"id": ""}


def test_a_dream_over_anothers_store_or_sessions_tells_nothing_about_them(
    client: TestClient, tokens: dict[Role, str], theirs: Everything, own_store: str
) -> None:
    headers = bearer(tokens[Role.ADMIN])
    for store in (theirs.memory_store_id, "memstore_0"), (own_store, own_store):
        bodies = [
            {
                "inputs": [
                    {"type": "memory_store", "memory_store_id": one},
                    {"type": "sessions", "session_ids": [session]},
                ],
                "model": "any",
            }
            for one, session in zip(store, (theirs.session_id, "sesn_0"), strict=True)
        ]
        answers = [client.post("/v1/dreams", json=body, headers=headers) for body in bodies]
        assert len({answer.status_code for answer in answers}) == 1
        assert answers[0].status_code in {400, 404}
        plain = [_plain(answer.text, answer).replace(theirs.session_id, "sesn_0") for answer in answers]
        assert plain[0] == plain[1]


def _plain(text: str, answer: Any) -> str:
    return text.replace(answer.headers["x-request-id"], "")


def _headers(answer: Any) -> dict[str, str]:
    return {
        k: v
        for k, v in answer.headers.items()
        if k not in {"x-request-id", "request-id", "ratelimit-remaining", "date"}
    }
