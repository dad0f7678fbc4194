"""A forgotten text is in no column of any table, no key of Redis, no search, no file and no log, whatever door it came in by."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
import redis
from pydantic import BaseModel
from starlette.testclient import TestClient
from typer.testing import Result

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState, Trigger
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Author, Signals
from shared.core.policy.policy import Autonomy
from shared.core.questions.question import Question
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent
from shared.services.dreams.start import start_dream
from shared.services.forgetting.forget import Forgotten, forget
from shared.services.forgetting.wanted import Kind, Target
from shared.services.memories.read import search_memories
from shared.services.operations.review import reject_operation
from shared.services.sessions.ingest import ImportCounts, ImportTarget, import_session_items
from shared.services.webhooks.endpoints import NewEndpoint, create_endpoint, queue_test
from shared.settings import Settings
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.mcp.mcp_support import a_server, call
from tests.integration.undo.undo_support import undo
from tests.support.builders import a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.database.columns import find_columns_holding
from tests.support.model.over import OVER, archive
from tests.support.session_builders import tell
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer, PruneDecision

WORD = "zq4711xx"
LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
COOKIES = f"# Cookies\n\nThe login page signs its cookies with {WORD} and sends them over secure connections only.\n"
TWIN = f"# Cookies\n\n{COOKIES.splitlines()[-1]} Old ones are deleted at midnight.\n"
ATTIC = f"# Attic\n\nThe old office had a plotter in the attic behind door {WORD} that was never repaired. {OVER}\n"
DOUBTED = {
    "web/warm.md": f"# Cookies\n\nThe login page keeps cookies of {WORD} warm for thirty days.\n",
    "web/cold.md": f"# Cookies\n\nThe login page keeps cookies of {WORD} cold for ninety days.\n",
}
#: Tables in which the word stands before it is forgotten.
HOLDING = {
    "api_requests", "feedback", "llm_calls", "memories", "memory_versions", "operations", "phase_runs", "session_events",
    "session_terms", "sessions", "webhook_deliveries", "workflow_runs",
}  # fmt: skip
STAYS = "Old ones are deleted at midnight."


def _want(question: Question) -> BaseModel | None:
    offered = {document.path for document in question.documents}
    why = f"because of {WORD}"
    if question.phase == "consolidate":
        wanted = (("web/cookies.md", "web/twin.md"), tuple(DOUBTED))
        merged = "# Cookies and their rules\n\n" + COOKIES.split("\n\n")[1]
        actions = tuple(
            ConsolidateAction(type="MERGE", files=files, output_file=files[0], merged_content=merged, reason=why)
            for files in wanted
            if set(files) <= offered
        )
        return ConsolidateAnswer(actions=actions)
    if question.phase == "prune":
        cue = f"A plotter in the attic behind {WORD}"
        hinted = PruneDecision(file="web/warm.md", decision="MERGE_INTO", reason=why, merge_target="web/cold.md")
        decisions = (archive("old/attic.md", stub=cue), hinted)
        return PruneAnswer(decisions=tuple(one for one in decisions if one.file in offered))
    return None


@pytest.fixture
def find_places(tenant: str, owner_connection: psycopg.Connection) -> Callable[[], list[str]]:
    """Every table and column of the tenant that holds the word."""
    return lambda: find_columns_holding(owner_connection, tenant, WORD)


@pytest.fixture
def client(ports: Ports, tenant: str) -> TestClient:
    made = a_client(an_app(ports))
    made.headers.update(bearer(a_token(ports, tenant, rate_per_minute=10_000)))
    return made


def _forget(
    ports: Ports, tenant: str, kind: Kind = Kind.TEXT, value: str = WORD, *, dry_run: bool = False
) -> Forgotten:
    return forget(ports.db, tenant, "default", Target(kind, value), actor="ada", dry_run=dry_run)


def _say(ports: Ports, tenant: str, session: str, text: str) -> ImportCounts:
    """Import a session as a file's."""
    target = ImportTarget(tenant_id=tenant, store="default", source="plain")
    event = FoundEvent(line=1, session=session, event_id="e1", kind=EventKind.USER, role="user", text=text, at=None)
    return import_session_items(ports.db, target, [event])


def _enter_by_every_door(ports: Ports, tenant: str, client: TestClient) -> None:
    a_store(ports, tenant, autonomy=Autonomy.FLAG, overrides={"safety.loss_cap_floor": 5})
    api = "/api/stores/default"
    keyed = {"Idempotency-Key": "once"}
    made = client.post(
        f"{api}/memories", json={"path": f"people/{WORD}.md", "content": f"# {WORD}\n\nLikes tea.\n"}, headers=keyed
    )
    assert made.status_code == 201, made.text
    assert (
        client.post(
            f"{api}/memories", json={"path": "notes/tea.md", "content": f"# Tea\n\n- Green.\n- {WORD} pours it.\n"}
        ).status_code
        == 201
    )
    called = call(
        a_server(ports), dict(client.headers), "write_memory", path="mcp/note.md", content=f"# Note\n\nAsk {WORD}.\n"
    )
    assert "id" in called, called
    _enter_by_other_doors(ports, tenant, client)


def _enter_by_other_doors(ports: Ports, tenant: str, client: TestClient) -> None:
    api, store = "/api/stores/default", a_store(ports, tenant).id
    front = f"---\ntags: [{WORD}, tea]\nowner: {WORD}\n---\n"
    over_v1 = {"path": "/v1.md", "content": f"{front}# V1\n\nBy {WORD}. By others.\n"}
    assert client.post(f"/v1/memory_stores/{store}/memories", json=over_v1).is_success
    write(ports, tenant, {"imported.md": f"# Imported\n\nFrom {WORD}.\n"}, author=Author.IMPORT)
    skill = f"---\nname: pour\ndescription: Pour tea as {WORD} does.\n---\n# Pour\n\n1. Ask {WORD}.\n2. Pour.\n"
    write(ports, tenant, {"skills/pour/SKILL.md": skill})
    said = (f"Remember that {WORD} likes green tea.", "Remember that the gate opens at seven.")
    tell(ports, tenant, f"session-{WORD}", *said)
    correction = {"kind": "correction", "text": f"No, {WORD} is wrong.", "about": f"people/{WORD}.md"}
    given = {"feedback": [correction | {"external_id": f"f-{WORD}"}]}
    assert client.post(f"{api}/feedback", json=given).is_success
    run = {"description": f"Call {WORD}", "steps": [f"dial {WORD}"], "outcome": "failure", "error": f"{WORD} is away"}
    assert client.post(f"{api}/workflow-runs", json={"runs": [run]}).is_success


def _dream_of_it(ports: Ports, tenant: str) -> None:
    """Merge, archive, hint, gather, reject and undo, so that every table of dreams holds the word."""
    write(ports, tenant, texts({"old/attic.md": ATTIC}, signals=Signals(importance=10), at=LONG_AGO))
    yesterday = datetime.now(UTC) - timedelta(days=1)
    write(ports, tenant, texts({"web/cookies.md": COOKIES, "web/twin.md": TWIN, **DOUBTED}, at=yesterday))
    first = run_dream(ports, tenant, ScriptedLlm(_want))
    undo(ports, tenant, first, force=True)
    write(ports, tenant, texts({"web/cookies.md": COOKIES + "\n", "web/twin.md": TWIN + "\n"}, at=yesterday))
    second = run_dream(ports, tenant, ScriptedLlm(_want))
    merges = [one for one in get_operations(ports, tenant, second.id) if one.operation.kind is OperationKind.MERGE]
    applied = next(one for one in merges if one.state is OperationState.APPLIED)
    reject_operation(ports.db, tenant, applied.id, actor="ada", why=f"{WORD} is not for cookies")
    undo(ports, tenant, run_dream(ports, tenant, OfflineLlm()), force=True)


def test_a_text_that_came_in_by_every_door_is_nowhere_once_it_is_forgotten(
    ports: Ports,
    tenant: str,
    client: TestClient,
    settings: Settings,
    find_places: Callable[[], list[str]],
    owner_connection: psycopg.Connection,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _enter_by_every_door(ports, tenant, client)
    _dream_of_it(ports, tenant)
    _queue_a_message(ports, tenant, owner_connection)
    tables = _tables(find_places())
    assert tables >= HOLDING
    preview = _forget(ports, tenant, dry_run=True)
    assert _tables(find_places()) == tables, "a preview changes nothing"
    assert preview.quotes
    capsys.readouterr()
    done = _forget(ports, tenant)
    said = capsys.readouterr()
    assert WORD not in said.out + said.err
    assert find_places() == []
    assert _find_in_redis(settings) == []
    assert replace(done, is_preview=True, quotes=preview.quotes) == preview
    assert not [one for one in search_memories(ports.db, ports.search, tenant, "default", WORD, 10) if WORD in one.path]
    live = {one.path: one.content for one in take_picture(ports, tenant).memories.values() if one.state == "live"}
    assert live["notes/tea.md"] == "# Tea\n\n- Green.\n"
    assert "By others." in live["v1.md"]
    assert STAYS in str(live)


def _tables(places: list[str]) -> set[str]:
    return {place.partition(".")[0] for place in places}


def _queue_a_message(ports: Ports, tenant: str, owner: psycopg.Connection) -> None:
    hook = create_endpoint(ports, tenant, NewEndpoint(url="https://example.com"), actor="a test").endpoint
    sent = queue_test(ports, tenant, hook.id, actor="a test")
    owner.execute("UPDATE webhook_deliveries SET body = %s WHERE id = %s", (f'{{"said": "{WORD}"}}', sent.id))


def _find_in_redis(settings: Settings) -> list[bytes]:
    assert settings.redis_url is not None
    kept = redis.Redis.from_url(settings.redis_url.get_secret_value())
    return [key for key in kept.scan_iter("*") if WORD.encode() in key + (kept.dump(key) or b"")]


def test_what_is_forgotten_does_not_come_back_by_any_door(
    ports: Ports, tenant: str, client: TestClient, find_places: Callable[[], list[str]]
) -> None:
    a_store(ports, tenant)
    write(ports, tenant, {"notes/tea.md": f"# Tea\n\n- Green.\n- {WORD} pours it.\n"})
    _forget(ports, tenant)
    write(ports, tenant, {"notes/tea.md": f"# Tea\n\n- Green.\n- {WORD.upper()} pours it.\n"})
    told = client.post(
        "/api/stores/default/memories", json={"path": "again.md", "content": f"# Again\n\nAsk {WORD}.\n"}
    ).json()
    assert "forgotten text" in str(told)
    refused = client.post("/api/stores/default/memories", json={"path": f"{WORD}.md", "content": "# Again\n"})
    assert refused.status_code == 422, refused.text
    assert "forgotten" in refused.text
    counts = write(ports, tenant, {f"folder/{WORD}.md": "# A\n", "folder/b.md": f"# {WORD}\n"}, author=Author.IMPORT)
    assert (counts.created, counts.masked) == (1, 2)
    _say(ports, tenant, "s1", f"Remember that {WORD} likes green tea.")
    _say(ports, tenant, f"s-{WORD}", "Remember that the gate opens at seven.")
    api = "/api/stores/default"
    client.post(f"{api}/feedback", json={"feedback": [{"kind": "correction", "text": f"No, {WORD} is wrong."}]})
    client.post(f"{api}/workflow-runs", json={"runs": [{"description": f"Call {WORD}", "outcome": "failure"}]})
    undo(ports, tenant, run_dream(ports, tenant, OfflineLlm()), force=True)
    assert [place for place in find_places() if place != "api_requests.body"] == []


def test_an_undo_says_why_it_does_not_bring_back_what_was_forgotten(
    ports: Ports, tenant: str, find_places: Callable[[], list[str]]
) -> None:
    a_store(ports, tenant, autonomy=Autonomy.FLAG, overrides={"safety.loss_cap_floor": 5})
    yesterday = datetime.now(UTC) - timedelta(days=1)
    write(ports, tenant, texts({"web/cookies.md": COOKIES, "web/twin.md": TWIN}, at=yesterday))
    dream = run_dream(ports, tenant, ScriptedLlm(_want))
    _forget(ports, tenant)
    report = undo(ports, tenant, dream, force=True)
    assert any("redacted" in conflict for conflict in report.conflicts)
    assert find_places() == []


def test_a_memory_is_forgotten_with_its_versions_its_path_and_every_copy_of_what_it_said(
    ports: Ports, tenant: str, find_places: Callable[[], list[str]]
) -> None:
    write(ports, tenant, {f"people/{WORD}.md": f"# Mara\n\nThe code of Mara's house is {WORD} and it is new.\n"})
    write(ports, tenant, {"list.md": f"# List\n\n- Tea.\n- The code of Mara's house is {WORD} and it is new.\n"})
    write(ports, tenant, {f"people/{WORD}.md": f"# Mara\n\nThe code of Mara's house was {WORD} until May.\n"})
    done = _forget(ports, tenant, Kind.MEMORY, f"people/{WORD}.md")
    assert len(done.archived) == 1
    assert find_places() == []
    live = {one.path: one.content for one in take_picture(ports, tenant).memories.values() if one.state == "live"}
    assert live == {"list.md": "# List\n\n- Tea.\n"}


def test_a_session_is_forgotten_with_what_came_from_it_and_is_not_imported_again(
    ports: Ports, tenant: str, find_places: Callable[[], list[str]]
) -> None:
    session = tell(ports, tenant, "s1", f"Remember that the code of the office door is {WORD} from today on.")
    tell(ports, tenant, "s2", "Remember that the garden gate opens at seven.")
    run_dream(ports, tenant, OfflineLlm())
    assert "memories.content" in find_places()
    done = _forget(ports, tenant, Kind.SESSION, session.id)
    assert done.events == 1
    assert find_places() == []
    live = [one.content for one in take_picture(ports, tenant).memories.values() if one.state == "live"]
    assert any("opens at seven" in text for text in live)
    assert _say(ports, tenant, "s1", f"Remember that the code of the office door is {WORD}.").added == 0
    assert "memories.content" not in find_places()


def test_nothing_is_forgotten_while_a_dream_runs_and_nothing_by_too_few_letters(
    ports: Ports, tenant: str, client: TestClient
) -> None:
    a_store(ports, tenant)
    assert client.post("/api/stores/default/forget", json={"what": "text", "value": "a-b"}).status_code == 422
    write(ports, tenant, {"a.md": f"# A\n\n{WORD}\n"})
    preview = client.post("/api/stores/default/forget", json={"what": "text", "value": WORD, "dry_run": True})
    assert preview.json()["is_preview"]
    assert preview.json()["archived"] == ["a.md"]
    started = start_dream(ports.db, tenant, "default", trigger=Trigger.API, force=True).dream
    assert started is not None
    assert client.post("/api/stores/default/forget", json={"what": "text", "value": WORD}).status_code == 409


def test_the_command_shows_what_it_would_forget_and_asks(
    ports: Ports, tenant: str, command_line: Callable[..., Result], find_places: Callable[[], list[str]]
) -> None:
    write(ports, tenant, {"a.md": f"# A\n\nTea. {WORD} pours.\n"})
    shown = command_line("memory", "forget", f"{tenant}/default", "--text", WORD, "--dry-run")
    assert shown.exit_code == 0, shown.output
    assert "a.md goes on without it" in shown.output
    assert "backups" in shown.output
    assert find_places() != []
    assert command_line("memory", "forget", f"{tenant}/default", "--text", WORD).exit_code != 0
    done = command_line("memory", "forget", f"{tenant}/default", "--text", WORD, "--yes")
    assert done.exit_code == 0, done.output
    assert find_places() == []
