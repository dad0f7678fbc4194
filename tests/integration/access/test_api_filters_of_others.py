"""A filter or cursor that names another tenant's resource finds what one that names nothing finds."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from gateway.api.http.paging import encode_cursor, place_of
from gateway.api.resources import ROUTERS
from gateway.api.server import create_server
from gateway.api.v1 import ROUTERS as ANTHROPIC
from gateway.console.routers import ROUTERS as CONSOLE
from shared.all_ports import Ports
from shared.core.tenants.roles import Permission, Role
from tests.integration.access.api_routes import MISSING, NEEDS
from tests.integration.api.api_support import Everything, a_client, a_tenant_with_everything, a_token, an_app, bearer
from tests.support.builders import get_dream, get_store
from tests.support.laws import some_quick

LISTS = [path for (method, path), need in NEEDS.items() if method == "get" and need not in {None, Permission.OPERATE}]
#: Filters by an id or a name, and which of a tenant's things they mean.
MEANT = {
    "store": "store", "agentId": "store", "memory_id": "memory_id", "session_id": "dream_id", "api_key_id": "key_id",
    "service_account_id": "key_id", "memory_store_id": "memory_store_id", "actor": "key_id", "assigned_to": "key_id", "dream": "dream_id",
}  # fmt: skip
CURSORS = {"cursor", "page"}
#: Parameters that filter by something other than an id.
OTHERS = {
    "week", "person", "limit", "state", "since", "until", "prefix", "q", "max_chars", "action", "include_archived", "statuses[]", "depth",
    "path_prefix", "view", "operation", "order", "types[]", "agent_id", "agent_version", "deployment_id",
    "as_of", "kind", "phase", "confidence", "reviewed", "by", "day", "days", "force", "created_at[gt]", "created_at[gte]", "created_at[lt]", "created_at[lte]", "event_deltas[]",
}  # fmt: skip

#: The quick tier tries one of this many places where a page may begin.
_STRIDE = 5
#: Lists by name begin after any name, existing or not.
_NAMES = {"tenant", "store", "skill", "directive"}


@pytest.fixture(scope="module")
def client(session_ports: Ports) -> TestClient:
    opened = a_client(an_app(session_ports))
    opened.headers.update(bearer(a_token(session_ports, "filters-of-others", Role.ADMIN, rate_per_minute=100_000)))
    return opened


@pytest.fixture(scope="module")
def theirs(session_ports: Ports) -> Everything:
    return a_tenant_with_everything(session_ports)


def test_no_address_is_served_that_no_walk_goes_by(session_ports: Ports) -> None:
    served = create_server(session_ports).routes
    of_routers = {id(route) for router in (*ROUTERS, *ANTHROPIC, *CONSOLE) for route in router.routes}
    plain = [route for route in served if id(route) not in of_routers]
    assert len(served) - len(plain) == len(of_routers)
    # Two are the same for every caller, the third has walks of its own.
    assert {getattr(route, "path", route) for route in plain} == {"/openapi.json", "/docs", "/mcp"}
    hidden = [route for router in (*ROUTERS, *ANTHROPIC) for route in router.routes if not _is_documented(route)]
    assert hidden == []


def _is_documented(route: Any) -> bool:
    return bool(route.include_in_schema)


@pytest.mark.parametrize("first", some_quick(range(_STRIDE), one_in=_STRIDE))
@pytest.mark.parametrize("path", LISTS)
def test_a_filter_by_anothers_id_finds_what_a_filter_by_none_finds(
    path: str, first: int, client: TestClient, theirs: Everything, session_ports: Ports
) -> None:
    operation = an_app(session_ports).openapi()["paths"][path]["get"]  # built once for this worker
    names = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
    assert names <= set(MEANT) | CURSORS | OTHERS, "a filter that this test does not know"
    own = {"store": "mine", "memory_store_id": get_store(session_ports, "filters-of-others", "mine").id}
    address = path.format(**MISSING | own)
    query = {"q": "words"} if "/search" in path else {"person": "Mara"} if "/known-of" in path else {}
    for name in names & set(MEANT):
        meant = MEANT[name]
        foreign = theirs.tenant if meant == "store" else getattr(theirs, meant)
        prefix = "key:" if name == "actor" else ""
        answers = [client.get(address, params=query | {name: prefix + one}) for one in (foreign, MISSING[meant])]
        assert _said(answers[0], foreign) == _said(answers[1], MISSING[meant]), name
    for name in names & CURSORS:
        for foreign, missing in _places(session_ports, theirs)[first::_STRIDE]:
            answers = [client.get(address, params=query | {name: encode_cursor(one)}) for one in (foreign, missing)]
            assert _said(answers[0], "-") == _said(answers[1], "-"), (name, foreign)


def _places(ports: Ports, theirs: Everything) -> list[tuple[str, str]]:
    """Return pairs of positions for a cursor: one of the other tenant's rows, and one that does not exist."""
    made = get_dream(ports, theirs.tenant, theirs.dream_id).created_at
    known = [name for name in theirs._fields if name in MISSING and name not in _NAMES]
    pairs = [(getattr(theirs, name), MISSING[name]) for name in known]
    return pairs + [(place_of(made, one), place_of(made, other)) for one, other in pairs]


def _said(answer: Any, named: str) -> tuple[int, str]:
    assert answer.status_code < 500
    return answer.status_code, answer.text.replace(answer.headers["x-request-id"], "").replace(named, "-")
