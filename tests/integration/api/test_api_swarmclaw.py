"""SwarmClaw's routes: a host that speaks its document finds the same shapes, and its settings mean what they say."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import Result

from gateway.api.shapes.cycles import cycle_out
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseRun, PhaseState, Trigger
from shared.core.dream.summary import sum_up
from shared.core.policy.policy import Policy
from shared.core.policy.profiles import get_policy
from shared.ports.database import Database
from shared.ports.llm import LlmOutcome
from shared.services.dreams.read import Reflected
from shared.services.sessions.activity import mark_activity
from shared.services.tenants.configure import TenantChanges, configure_tenant
from shared.services.tenants.pause import set_paused
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import a_store, get_store, run_dream, texts, write
from workers.phase.shape import ask_nothing
from workers.phases import CATALOG, PHASES
from workers.phases.synthesize.answer import ReflectAnswer, Reflection

WHERE = "/api/agents/default/dream"


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


@pytest.fixture
def admin(ports: Ports, tenant: str) -> dict[str, str]:
    a_store(ports, tenant, profile="swarmclaw")
    return bearer(a_token(ports, tenant))


def phases_on(policy: Policy) -> set[str]:
    return {phase.name for phase in CATALOG.entries if phase.runs_by(policy)}


def test_an_agent_of_the_profile_has_the_defaults_of_the_document(client: TestClient, admin: dict[str, str]) -> None:
    shown = client.get(WHERE, headers=admin).json()
    assert shown["dreamEnabled"] is False
    assert shown["dreamConfig"] == {
        "cooldownMinutes": 360, "decayAgeDays": 30, "pruneThresholdDays": 90, "tier2Enabled": True,
        "tier2MaxMemories": 50,
    }  # fmt: skip


def test_every_setting_of_the_document_reaches_the_dream(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    wanted = {
        "cooldownMinutes": 90, "decayAgeDays": 7, "pruneThresholdDays": 14, "tier2Enabled": False,
        "tier2MaxMemories": 20,
    }  # fmt: skip
    changed = client.patch(WHERE, headers=admin, json={"dreamEnabled": True, "dreamConfig": wanted}).json()
    assert (changed["dreamEnabled"], changed["dreamConfig"]) == (True, wanted)
    policy = get_store(ports, tenant).policy
    assert policy.gates.enabled
    assert policy.gates.min_hours == 1.5
    assert policy.decay.grace_days == 7
    assert policy.maintain.archive_after_days == 14
    assert policy.reflect.max_memories == policy.consolidate.max_changed_per_call == 20
    assert {phase.name for phase in PHASES if phase.ask is not ask_nothing}.isdisjoint(phases_on(policy))
    assert {"maintain", "digest", "compact"} <= phases_on(policy)


def test_tier_two_comes_back_as_the_profile_has_it(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    for enabled in (False, True):
        client.patch(WHERE, headers=admin, json={"dreamConfig": {"tier2Enabled": enabled}})
    policy = get_store(ports, tenant).policy
    as_published = get_policy("swarmclaw", {}, policy.autonomy)
    assert {"consolidate", "synthesize"} <= phases_on(policy)
    assert phases_on(policy) == phases_on(as_published)
    whole = {phase.name for phase in CATALOG.entries if phase.runs_whole_by(policy)}
    assert not {"gather", "prune"} & whole, "of gather, the corrections alone"


def test_without_tier_two_a_dream_asks_no_model(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    client.patch(WHERE, headers=admin, json={"dreamEnabled": True, "dreamConfig": {"tier2Enabled": False}})
    write(ports, tenant, texts({"a/one.md": "# One\n\nThe shop opens at nine.\n", "a/two.md": "# Two\n\nIt closes.\n"}))
    dream = run_dream(ports, tenant)
    assert dream.summary is not None
    assert dream.summary.model_calls == 0


def test_switched_off_nothing_starts_not_even_by_hand(client: TestClient, admin: dict[str, str]) -> None:
    client.patch(WHERE, headers=admin, json={"dreamEnabled": True})
    client.patch(WHERE, headers=admin, json={"dreamEnabled": False})
    refused = client.post("/api/memory/dream", headers=admin, json={"agentId": "default"})
    assert (refused.status_code, refused.headers["content-type"]) == (409, "application/problem+json")
    assert client.post("/api/dreams", headers=admin, json={"force": True}).status_code == 409


def test_switching_on_ends_a_pause_too(client: TestClient, admin: dict[str, str]) -> None:
    client.patch(WHERE, headers=admin, json={"dreamEnabled": True})
    client.post("/api/stores/default/pause", headers=admin)
    assert client.get(WHERE, headers=admin).json()["dreamEnabled"] is False
    assert client.patch(WHERE, headers=admin, json={"dreamEnabled": True}).json()["dreamEnabled"] is True


@pytest.mark.parametrize(
    ("config", "allowed"),
    [
        ({"cooldownMinutes": 525_601}, "from 0 to 525,600"),
        ({"cooldownMinutes": -1}, "from 0 to 525,600"),
        ({"decayAgeDays": 1e308}, "from 0 to 36,500"),
        ({"pruneThresholdDays": 36_501}, "from 0 to 36,500"),
        ({"tier2MaxMemories": 0}, "from 1 to 1,000,000"),
    ],
)
def test_a_wild_value_is_refused_with_the_range_that_is_allowed(
    client: TestClient, admin: dict[str, str], config: dict[str, Any], allowed: str
) -> None:
    before = client.get(WHERE, headers=admin).json()
    answer = client.patch(WHERE, headers=admin, json={"dreamEnabled": True, "dreamConfig": config})
    assert answer.status_code == 422
    assert allowed in answer.json()["detail"]
    assert client.get(WHERE, headers=admin).json() == before


def test_no_number_that_is_none_gets_in(client: TestClient, admin: dict[str, str]) -> None:
    for raw in ("NaN", "Infinity", "true", '"7"'):
        body = f'{{"dreamConfig": {{"decayAgeDays": {raw}}}}}'
        headers = {**admin, "Content-Type": "application/json"}
        assert client.patch(WHERE, headers=headers, content=body).status_code == 422, raw


def test_a_cooldown_is_a_409_with_the_reason(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    client.patch(WHERE, headers=admin, json={"dreamEnabled": True})
    write(ports, tenant, texts({"a/one.md": "# One\n\nThe shop opens at nine.\n"}))
    run_dream(ports, tenant)
    refused = client.post("/api/memory/dream", headers=admin, json={"agentId": "default"})
    assert (refused.status_code, "Too recent" in refused.json()["detail"]) == (409, True)


def test_cycles_are_followed_page_by_page(client: TestClient, admin: dict[str, str], ports: Ports, tenant: str) -> None:
    client.patch(WHERE, headers=admin, json={"dreamEnabled": True})
    made = [run_dream(ports, tenant).id for _ in range(3)]
    first = client.get("/api/memory/dream", headers=admin, params={"limit": 2}).json()
    query = {"limit": 2, "cursor": first["nextCursor"]}
    rest = client.get("/api/memory/dream", headers=admin, params=query).json()
    assert [one["id"] for one in first["cycles"] + rest["cycles"]] == made[::-1]
    assert rest["nextCursor"] is None
    one = client.get(f"/api/memory/dream/{made[0]}", headers=admin).json()
    assert (one["ok"], one["cycle"]["status"]) == (True, "completed")


def test_a_cycle_counts_an_insight_as_consolidated_and_names_only_reflections(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    client.patch(WHERE, headers=admin, json={"dreamEnabled": True})
    notes = {
        "shop/fonts.md": "# Fonts\n\nThe shop loads its fonts from the content network.\n",
        "shop/images.md": "# Images\n\nPictures are resized by a worker at night.\n",
        "office/plant.md": "# Plant\n\nThe plant in the hall needs water on Mondays.\n",
    }
    write(ports, tenant, texts(notes))
    answer = ReflectAnswer(
        insights=(Reflection(title="What is elsewhere", content="Fonts come from the network.", sources=tuple(notes)),),
        reflections=(Reflection(title="Who waters it", content="Mondays are for water.", sources=tuple(notes)),),
    )
    dream = run_dream(ports, tenant, ScriptedLlm(lambda one: answer if one.answer_type is ReflectAnswer else None))
    result = client.get(f"/api/memory/dream/{dream.id}", headers=admin).json()["cycle"]["result"]
    assert (result["consolidated"], result["reflections"]) == (1, ["Who waters it"])


def test_a_cycle_in_which_every_call_failed_is_failed(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    client.patch(WHERE, headers=admin, json={"dreamEnabled": True})
    notes = {f"a/{n}.md": f"# Visit {n}\n\nThe gardener cut the apple tree on visit {n}.\n" for n in range(3)}
    write(ports, tenant, texts(notes))
    run_dream(ports, tenant, ScriptedLlm(lambda _: LlmOutcome.FAILED))
    (cycle,) = client.get("/api/memory/dream", headers=admin, params={"agentId": "default"}).json()["cycles"]
    assert cycle["status"] == "failed"


def test_memories_that_prune_kept_are_not_counted_as_pruned() -> None:
    counts = {"KEEP": 3, "SUGGEST_MERGE": 1, "ARCHIVE": 2}
    pruned = PhaseRun(dream_id="drm_1", phase="prune", state=PhaseState.DONE, counts=counts)
    dream = Dream(
        id="drm_1", tenant_id="acme", store_id="sto_1", store="default", state=DreamState.COMPLETED,
        trigger=Trigger.SWEEP, epoch=1, is_forced=False, is_dry_run=False, created_at=datetime.now(UTC),
        summary=sum_up([pruned]),
    )  # fmt: skip
    result = cycle_out(dream, Reflected()).result
    assert result is not None
    assert result.pruned == 2


def _around_now() -> str:
    now = datetime.now(UTC)
    return f"{now - timedelta(hours=2):%H:%M}-{now + timedelta(hours=2):%H:%M}"


def make_active(client: TestClient, admin: dict[str, str], ports: Ports, tenant: str) -> None:
    client.patch(WHERE, headers=admin, json={"dreamEnabled": True})
    write(ports, tenant, texts({"a/one.md": "# One\n\nThe shop opens at nine.\n"}))
    mark_activity(ports.db, tenant, "default", busy_seconds=3600, pending_tasks=0)


def test_a_cycle_that_a_person_triggers_runs_although_the_agent_is_active(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    make_active(client, admin, ports, tenant)
    assert client.post("/api/dreams", headers=admin, json={}).status_code == 409, "other dreams wait for the agent"

    started = client.post("/api/memory/dream", headers=admin, json={"agentId": "default"})

    assert (started.status_code, started.json()["cycle"]["trigger"]) == (202, "manual")
    assert run_dream(ports, tenant, dream_id=started.json()["cycle"]["id"]).state is DreamState.COMPLETED


@pytest.mark.parametrize(
    ("forbid", "reason"),
    [
        (lambda db, tenant: set_paused(db, tenant, "default", paused=True, actor="test"), "paused"),
        (
            lambda db, tenant: configure_tenant(
                db, tenant, changes=TenantChanges(quiet_hours=_around_now()), actor="test"
            ),
            "Quiet",
        ),
        (
            lambda db, tenant: configure_tenant(db, tenant, changes=TenantChanges(tokens_per_day=0), actor="test"),
            "budget",
        ),
    ],
)
def test_a_gate_of_an_operator_forbids_a_triggered_cycle(
    client: TestClient,
    admin: dict[str, str],
    ports: Ports,
    tenant: str,
    forbid: Callable[[Database, str], object],
    reason: str,
) -> None:
    make_active(client, admin, ports, tenant)
    forbid(ports.db, tenant)
    refused = client.post("/api/memory/dream", headers=admin, json={"agentId": "default"})
    assert (refused.status_code, reason in refused.json()["detail"]) == (409, True), refused.text


def test_settings_are_changed_under_the_name_under_which_they_are_shown(
    client: TestClient, admin: dict[str, str]
) -> None:
    shown = client.get(WHERE, headers=admin).json()
    sent = {"dreamEnabled": shown["dreamEnabled"], "dreamConfig": shown["dreamConfig"] | {"decayAgeDays": 7}}
    assert client.patch(WHERE, headers=admin, json=sent).json()["dreamConfig"] == sent["dreamConfig"]


def test_the_published_commands_trigger_list_and_show_a_cycle(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str, command_line: Callable[..., Result]
) -> None:
    make_active(client, admin, ports, tenant)
    triggered = command_line("memory", "dream-trigger", "--tenant", tenant, "--data", '{"agentId":"default"}', "--json")
    cycle_id = json.loads(triggered.output)["id"]
    run_dream(ports, tenant, dream_id=cycle_id)

    listed = command_line("memory", "dream", "--query", "agentId=default", "--tenant", tenant, "--json")
    got = command_line("memory", "dream-get", cycle_id, "--tenant", tenant, "--json")

    served = client.get(f"/api/memory/dream/{cycle_id}", headers=admin).json()["cycle"]
    assert [one["id"] for one in json.loads(listed.output)] == [cycle_id]
    assert json.loads(got.output).keys() == served.keys()
    assert (json.loads(got.output)["status"], json.loads(got.output)["trigger"]) == ("completed", "manual")
    assert cycle_id in command_line("memory", "dream", "--tenant", tenant).output
    assert "completed, manual" in command_line("memory", "dream-get", cycle_id, "--tenant", tenant).output


@pytest.mark.parametrize(
    "arguments",
    [("dream", "--query", "agent=a"), ("dream-trigger", "--data", "{"), ("dream-trigger", "--data", '{"agentId": 1}')],
)
def test_a_command_names_the_form_that_it_takes(
    tenant: str, admin: dict[str, str], command_line: Callable[..., Result], arguments: tuple[str, ...]
) -> None:
    assert admin
    refused = command_line("memory", *arguments, "--tenant", tenant)
    assert refused.exit_code != 0
    assert "agentId" in str(refused.exception)
