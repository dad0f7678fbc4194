"""Evaluations over the API and MCP: ordered by an admin, once for a key, listed in pages, read, canceled."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.evaluation.evaluations import get_evaluation
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import a_store
from tests.support.evaluation.reports import a_harmful_report, a_report, store_evaluation

PATH = "/api/stores/bot/evaluations"


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


@pytest.fixture
def admin(ports: Ports, tenant: str) -> dict[str, str]:
    a_store(ports, tenant, "bot")
    return bearer(a_token(ports, tenant))


def test_an_order_is_accepted_and_repeated_with_its_key_it_starts_nothing_new(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    body = {
        "without": ["prune"],
        "dreams": 2,
        "max_usd": 0.5,
        "probes": [{"question": "Which port?", "evidence": ["port 8080"], "group": "ops"}],
    }
    first, again = (client.post(PATH, headers=admin | {"Idempotency-Key": "e1"}, json=body) for _ in range(2))

    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert (first.json()["state"], first.json()["verdict"], first.json()["own_probes"]) == ("queued", None, 1)
    order = get_evaluation(ports.db, tenant, first.json()["id"]).order
    assert (order.without, order.dreams, order.max_usd) == (("prune",), 2, 0.5)
    assert order.own == ({"question": "Which port?", "evidence": ["port 8080"], "group": "ops"},)
    assert order.actor.startswith("key:")
    assert client.post(PATH, headers=admin, json={}).status_code == 409


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"without": ["index"]}, "'index' is no phase that can be left out"),
        ({"ablate": True, "dreams": 2}, "two evaluations"),
        ({"profile": "nightly"}, "no profile 'nightly'"),
        ({"probes": [{"question": "Which port?", "evidence": []}]}, "Probe 1 needs a question and its evidence"),
        ({"dreams": 11}, "dreams"),
        ({"store": "bot"}, "store"),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_refused_with_the_reason(
    client: TestClient, admin: dict[str, str], body: dict[str, Any], said: str
) -> None:
    answer = client.post(PATH, headers=admin, json=body)

    assert answer.status_code == 422
    assert said in answer.text
    assert client.get(PATH, headers=admin).json()["data"] == []


def test_only_an_admin_may_spend_money_on_it(client: TestClient, ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, "bot")
    for role in (Role.AGENT, Role.REVIEWER):
        key = bearer(a_token(ports, tenant, role))
        assert client.post(PATH, headers=key, json={}).status_code == 403
        assert client.get(PATH, headers=key).status_code == 200


def test_a_done_evaluation_has_its_report_and_lists_have_its_sentence(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    report = a_report()
    done = [store_evaluation(ports, tenant, "bot", report).id for _ in range(3)]

    found = client.get(f"{PATH}/{done[0]}", headers=admin).json()
    page = client.get(PATH, headers=admin, params={"limit": 2}).json()
    rest = client.get(PATH, headers=admin, params={"limit": 2, "cursor": page["next_cursor"]}).json()

    assert (found["state"], found["verdict"], found["report"]) == ("done", "no difference", report)
    assert [one["id"] for one in (*page["data"], *rest["data"])] == done[::-1]
    assert {one["sentence"] for one in page["data"]} == {report["sentence"]}
    assert "report" not in page["data"][0]


def test_an_evaluation_is_found_below_its_own_store_only(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, "another")
    done = store_evaluation(ports, tenant, "bot", a_report())

    assert client.get(f"/api/stores/another/evaluations/{done.id}", headers=admin).status_code == 404
    assert client.post(f"/api/stores/another/evaluations/{done.id}/cancel", headers=admin).status_code == 404


def test_an_evaluation_is_canceled_and_one_that_is_done_is_not(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    done, queued = store_evaluation(ports, tenant, "bot", a_report()), store_evaluation(ports, tenant, "bot")

    assert client.post(f"{PATH}/{queued.id}/cancel", headers=admin).json()["state"] == "canceled"
    refused = client.post(f"{PATH}/{done.id}/cancel", headers=admin)
    assert (refused.status_code, "has ended already" in refused.text) == (409, True)


def test_an_agent_asks_what_the_last_evaluation_found(ports: Ports, tenant: str) -> None:
    app = a_server(ports)
    a_store(ports, tenant, "bot")
    agent = bearer(a_token(ports, tenant, Role.AGENT))
    assert call(app, agent, "last_evaluation", store="bot") == {"evaluation": None}
    done = store_evaluation(ports, tenant, "bot", a_report())
    store_evaluation(ports, tenant, "bot")

    found = call(app, agent, "last_evaluation", store="bot")["evaluation"]

    assert (found["id"], found["verdict"]) == (done.id, "no difference")
    assert found["sentence"].startswith("Dreaming makes no difference to this store")


def test_an_earlier_report_without_ranks_and_notes_is_still_read(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    since_then = {"ranks": {}, "notes": [], "probes": 0, "reworded": []}
    earlier = {name: value for name, value in a_harmful_report().items() if name not in since_then}
    done = store_evaluation(ports, tenant, "bot", earlier)

    found = client.get(f"{PATH}/{done.id}", headers=admin).json()["report"]

    assert found == earlier | since_then


def test_a_stores_own_questions_are_set_by_admins_read_by_people_and_asked_by_evaluations(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    where, rows = "/api/stores/bot/probes", [{"question": "Which port?", "evidence": "port 8080", "group": "ops"}]
    kept = {"probes": [{"question": "Which port?", "evidence": ["port 8080"], "group": "ops"}]}

    assert client.get(where, headers=admin).json() == {"probes": []}
    assert client.put(where, headers=admin, json={"probes": rows}).json() == kept
    reviewer, agent = (bearer(a_token(ports, tenant, role)) for role in (Role.REVIEWER, Role.AGENT))
    assert client.get(where, headers=reviewer).json() == kept
    assert client.get(where, headers=agent).status_code == 403, "an agent would learn what it is measured by"
    assert client.post(PATH, headers=admin, json={}).json()["own_probes"] == 1
    wrong = client.put(where, headers=admin, json={"probes": [*rows, {"question": " ", "evidence": "port"}]})
    assert (wrong.status_code, "Probe 2 needs a question" in wrong.text) == (422, True)
    assert client.put(where, headers=admin, json={"probes": rows * 201}).status_code == 422
    assert client.get(where, headers=admin).json() == kept, "what is refused changes nothing"
    assert client.put(where, headers=admin, json={"probes": []}).json() == {"probes": []}
