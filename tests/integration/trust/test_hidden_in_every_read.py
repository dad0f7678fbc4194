"""A word of an agent that a store hides from agents' keys is in no answer to one, by whatever route or tool it asks; a person reads it."""

from collections.abc import Iterator, Mapping
from itertools import product

import psycopg
import pytest
from fastapi.testclient import TestClient
from psycopg.types.json import Jsonb
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.postgres import database
from shared.all_ports import Ports
from shared.core.evaluation.model import EvaluationOrder
from shared.core.memory.model import Author
from shared.core.policy.policy import Autonomy
from shared.core.questions.question import Question
from shared.core.sessions.model import EventKind
from shared.core.tenants.roles import Permission, Role
from tests.integration.access.api_routes import NAMES
from tests.integration.access.api_routes import NEEDS as ROUTES
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.mcp.mcp_support import NEEDS as TOOLS
from tests.integration.mcp.mcp_support import a_server, call
from tests.support.builders import a_store, run_dream, texts, write
from tests.support.database.columns import find_columns_holding
from tests.support.session_builders import tell
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer

WORD = "zq4711xx"
LINE = f"The login page signs its cookies with {WORD} and sends them over secure connections only."
#: What an agent reads that was said by whom it is shown.
SHOWN = "The plumbus ships on Mondays."
#: Where the word stands, in what agents have a way to.
HOLDING = {
    "evaluations.reason", "feedback.text", "memories.content", "memories.path", "memory_versions.content", "operations.changes",
    "operations.effects", "operations.reason", "session_events.text", "sessions.title", "workflow_runs.description",
}  # fmt: skip
STORE, API = "default", "/api/stores/default"


def _want(question: Question) -> BaseModel | None:
    offered = {document.path for document in question.documents}
    files = tuple(sorted(path for path in offered if path.startswith("web/")))
    if question.phase != "consolidate" or len(files) < 2:
        return None
    merged = f"# Cookies and their rules\n\n{LINE}\n"
    action = ConsolidateAction(
        type="MERGE", files=files, output_file=files[0], merged_content=merged, reason=f"of {WORD}"
    )
    return ConsolidateAnswer(actions=(action,))


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read at once what a process remembers for two seconds."""
    monkeypatch.setattr(database, "_REMEMBERED_SECONDS", 0.0)


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


@pytest.fixture
def person(ports: Ports, tenant: str) -> dict[str, str]:
    return bearer(a_token(ports, tenant, rate_per_minute=100_000))


@pytest.fixture
def agent(ports: Ports, tenant: str, client: TestClient, owner_connection: psycopg.Connection) -> dict[str, str]:
    """An agent's key in a store in which the word stands in all that agents have written, and that shows users' words only."""
    a_store(ports, tenant, autonomy=Autonomy.PROPOSE)
    key = bearer(a_token(ports, tenant, Role.AGENT, rate_per_minute=100_000))
    write(ports, tenant, texts({"ops/plumbus.md": f"# Deploy\n\n{SHOWN}\n"}), author=Author.USER)
    agents = {
        f"notes/{WORD}.md": f"# {WORD}\n\nSee [more]({WORD}-gone.md) and [deploy](../ops/plumbus.md).\n",
        "web/cookies.md": f"# Cookies\n\n{LINE}\n",
        "web/twin.md": f"# Cookies\n\n{LINE} Old ones are deleted at midnight.\n",
        f"skills/{WORD}/SKILL.md": f"---\nname: {WORD}\ndescription: Pour {WORD}.\n---\n# Pour\n\n1. Pour {WORD}.\n",
    }
    write(ports, tenant, texts(agents), author=Author.AGENT)
    said = ((EventKind.ASSISTANT, f"Noted: {WORD}."), (EventKind.TOOL_RESULT, f"{WORD} is up."))
    session = tell(ports, tenant, "s-1", SHOWN, *said, "Thanks, that is all.")
    sdk = client.post(f"/v1/sessions/{session.id}", headers=key, json={"title": f"About {WORD}"})
    assert sdk.is_success, sdk.text
    given = {"feedback": [{"kind": "correction", "text": f"No, {WORD} helps."}]}
    assert client.post(f"{API}/feedback", headers=key, json=given).is_success
    runs = {"runs": [{"description": f"Call {WORD}", "outcome": "success"}]}
    assert client.post(f"{API}/workflow-runs", headers=key, json=runs).is_success
    run_dream(ports, tenant, ScriptedLlm(_want))
    owner_connection.execute(
        "INSERT INTO evaluations (id, tenant_id, store_id, state, request, reason, finished_at) SELECT 'eval_' || %s, tenant_id, id,"
        " 'failed', %s, %s, now() FROM stores WHERE tenant_id = %s AND name = %s",
        (tenant, Jsonb(EvaluationOrder(store=STORE, actor="ada").to_json()), WORD, tenant, STORE),
    )
    assert set(find_columns_holding(owner_connection, tenant, WORD)) >= HOLDING
    return key


def _hide(ports: Ports, tenant: str) -> None:
    """Hide what is not a user's; the next dream leaves it out of the index."""
    a_store(ports, tenant, overrides={"recall.least_rank": "user"})
    run_dream(ports, tenant)


def _ids(owner: psycopg.Connection, tenant: str) -> dict[str, list[str]]:
    """Everything that a route may name."""

    def find(query: str) -> list[str]:
        return [str(row[0]) for row in owner.execute(query.encode(), (tenant,)).fetchall()]

    return {
        "store": [STORE],
        "memory_store_id": find("SELECT id FROM stores WHERE tenant_id = %s"),
        "memory_id": find("SELECT id FROM memories WHERE tenant_id = %s"),
        "memory_version_id": find(
            "SELECT replace(memory_id, 'mem_', 'memver_') || 'v' || version FROM memory_versions WHERE tenant_id = %s"
        ),
        "dream_id": find("SELECT id FROM dreams WHERE tenant_id = %s"),
        "operation_id": find("SELECT id FROM operations WHERE tenant_id = %s"),
        "session_id": find("SELECT id FROM sessions WHERE tenant_id = %s"),
        "evaluation_id": find("SELECT id FROM evaluations WHERE tenant_id = %s"),
        "skill": [WORD],
        "resource_id": ["sesrsc_0"],
    }


def _asked(ids: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Every route that reads and that a key of an agent may ask, with its addresses."""
    for (method, path), needed in ROUTES.items():
        if method != "get" or needed is not Permission.READ:
            continue
        names = NAMES.findall(path)
        for values in product(*(ids[name] for name in names)):
            address = path
            for name, value in zip(names, values, strict=True):
                address = address.replace(f"{{{name}}}", value)
            for view in ("?view=full", f"?q={WORD}+plumbus", ""):
                if ("q=" in view) == ("/search" in path) and ("view" not in view or path.startswith("/v1/memory_st")):
                    yield path, address + view


def _answers(
    client: TestClient, key: Mapping[str, str], owner: psycopg.Connection, tenant: str
) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for path, address in _asked(_ids(owner, tenant)):
        found.setdefault(path, []).append((address, client.get(address, headers=dict(key)).text))
    return found


def test_no_route_answers_an_agent_with_what_its_store_hides(
    ports: Ports,
    client: TestClient,
    agent: dict[str, str],
    person: dict[str, str],
    owner_connection: psycopg.Connection,
    tenant: str,
) -> None:
    owner_connection.execute(
        "UPDATE sessions SET archived_at = now() WHERE tenant_id = %s", (tenant,)
    )  # ends its stream
    before = _answers(client, agent, owner_connection, tenant)
    _hide(ports, tenant)
    persons = _answers(client, person, owner_connection, tenant)
    agents = _answers(client, agent, owner_connection, tenant)
    assert [address for asked in agents.values() for address, text in asked if WORD in _without(text, address)] == []
    for name, answers in (("an agent, where nothing is hidden", before), ("a person", persons)):
        telling = {path for path, asked in answers.items() if any(WORD in _without(text, at) for at, text in asked)}
        assert len(telling) > 20, (name, telling)
    assert any(SHOWN in text for asked in agents.values() for _, text in asked)


def _without(text: str, address: str) -> str:
    """The answer without what was asked, which it may repeat."""
    return text.replace(f"skills/{WORD}", "") if f"skills/{WORD}" in address and "Not found" in text else text


def test_no_tool_answers_an_agent_with_what_its_store_hides(
    ports: Ports,
    agent: dict[str, str],
    person: dict[str, str],
    owner_connection: psycopg.Connection,
    tenant: str,
) -> None:
    _hide(ports, tenant)
    server, ids = a_server(ports), _ids(owner_connection, tenant)
    asked: dict[str, list[dict[str, str]]] = {
        "list_stores": [{}],
        "list_memories": [{"folder": folder} for folder in ("", "notes/", "web/", "skills/")],
        "search_memory": [{"query": f"{WORD} plumbus"}],
        "search_everything": [{"query": f"{WORD} plumbus"}],
        **{
            tool: [{"memory": one} for one in ids["memory_id"]]
            for tool in ("read_memory", "why_remembered", "linked_memories")
        },
        "get_dream": [{"dream_id": one} for one in ids["dream_id"]],
        "last_evaluation": [{}],
        "list_reviews": [{}, {"store": STORE}],
    }
    assert asked.keys() == {tool for tool, needed in TOOLS.items() if needed is Permission.READ}
    told = {
        who: {tool: [str(call(server, key, tool, **one)) for one in given] for tool, given in asked.items()}
        for who, key in (("agent", agent), ("person", person))
    }
    assert [tool for tool, answers in told["agent"].items() if WORD in str(answers)] == []
    telling = {tool for tool, answers in told["person"].items() if WORD in str(answers)}
    assert telling == asked.keys() - {"list_stores", "get_dream"}


def test_an_agent_is_told_how_much_is_hidden_where_a_count_says_more(
    ports: Ports,
    client: TestClient,
    agent: dict[str, str],
    person: dict[str, str],
    owner_connection: psycopg.Connection,
    tenant: str,
) -> None:
    ids = _ids(owner_connection, tenant)
    session, dream = ids["session_id"][0], ids["dream_id"][0]
    reviews, operations = "/api/reviews", f"/api/dreams/{dream}/operations"
    events = f"{API}/sessions/{session}/events"

    def note_of(address: str, key: dict[str, str]) -> str | None:
        note: str | None = client.get(address, headers=key).json()["note"]
        return note

    waiting = len(client.get(reviews, headers=agent).json()["data"])
    recorded = len(client.get(operations, headers=agent).json()["data"])
    assert [note_of(one, agent) for one in (reviews, operations, events)] == [None] * 3
    _hide(ports, tenant)
    assert [note_of(one, person) for one in (reviews, operations, events)] == [None] * 3
    why = "hidden: recall.least_rank is user"
    assert note_of(reviews, agent) == f"{waiting} operation{'s are' if waiting > 1 else ' is'} {why}"
    assert note_of(operations, agent) == f"{recorded} operations are {why}"
    assert note_of(events, agent) == f"2 events are {why}"
    few = client.get(events, headers=agent, params={"limit": 1}).json()
    then = client.get(events, headers=agent, params={"limit": 1, "cursor": few["next_cursor"]}).json()
    assert [one["position"] for one in (*few["data"], *then["data"])] == [1, 4]


def test_what_another_store_hides_is_hidden_where_stores_are_read_together(
    ports: Ports, client: TestClient, agent: dict[str, str], tenant: str
) -> None:
    a_store(ports, tenant, "plain")
    write(ports, tenant, texts({"a.md": "# Note\n\nThe gate opens at seven.\n"}), store="plain", author=Author.AGENT)
    _hide(ports, tenant)
    listed = client.get("/api/stores/plain/export", headers=agent).json()["data"]
    assert [one["path"] for one in listed] == ["a.md"]
    assert WORD not in client.get("/api/insight", headers=agent).text
