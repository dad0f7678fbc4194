"""Settings over the API: a tenant's clock, retention and prompts by its admins, limits and switches by operators."""

from dataclasses import fields
from datetime import datetime

import pytest
from starlette.testclient import TestClient

from shared.adapters.redis.worker_pulse import WorkerFacts, WorkerPulse
from shared.all_ports import Ports
from shared.bootstrap import redis_url
from shared.core.dream.model import DreamSummary
from shared.core.policy.retention import RetentionPolicy
from shared.core.tenants.roles import Role
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.gates.gate_support import start_and_claim
from tests.support.builders import a_store, get_dream, run_dream, write


@pytest.fixture
def client(ports: Ports) -> TestClient:
    return a_client(an_app(ports))


@pytest.fixture
def admin(ports: Ports, tenant: str) -> dict[str, str]:
    a_store(ports, tenant)
    return bearer(a_token(ports, tenant))


@pytest.fixture
def operator(ports: Ports) -> dict[str, str]:
    return bearer(a_token(ports, "the-operators", Role.OPERATOR))


def test_an_admin_sets_the_clock_and_not_the_limits(client: TestClient, admin: dict[str, str]) -> None:
    wanted = {"time_zone": "Europe/Berlin", "quiet_hours": "22:00-06:00", "locale": "de"}
    assert wanted.items() <= client.patch("/api/settings", headers=admin, json=wanted).json().items()
    assert client.patch("/api/settings", headers=admin, json={"max_concurrent_dreams": 9}).status_code == 422


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"time_zone": "Atlantis/Capital"}, "time zone"),
        ({"quiet_hours": "all day"}, "22:00-06:00"),
        ({"locale": "'; drop"}, "language"),
    ],
)
def test_a_wild_setting_is_refused_with_what_would_do(
    client: TestClient, admin: dict[str, str], body: dict[str, str], why: str
) -> None:
    before = client.get("/api/settings", headers=admin).json()
    answer = client.patch("/api/settings", headers=admin, json=body)
    assert (answer.status_code, why in answer.json()["detail"]) == (422, True)
    assert client.get("/api/settings", headers=admin).json() == before


def test_an_operator_sets_every_limit_of_a_tenant(
    client: TestClient, admin: dict[str, str], operator: dict[str, str], tenant: str
) -> None:
    wanted = {
        "max_concurrent_dreams": 3, "tokens_per_day": 9, "model_calls_per_minute": 7, "model_calls_at_once": 2,
        "defer_percent": 40, "time_zone": "Asia/Tokyo", "quiet_hours": "", "locale": "ja",
    }  # fmt: skip
    assert wanted.items() <= client.patch(f"/api/tenants/{tenant}", headers=operator, json=wanted).json().items()
    assert wanted.items() <= client.get("/api/settings", headers=admin).json().items()
    assert client.patch(f"/api/tenants/{tenant}", headers=operator, json={"defer_percent": 101}).status_code == 422


def test_a_new_tenant_has_a_store_to_write_to(client: TestClient, operator: dict[str, str]) -> None:
    assert client.post("/api/tenants", headers=operator, json={"id": "made-by-api"}).status_code == 201
    found = client.get("/api/stores", headers=operator | {"Slowwave-Tenant": "made-by-api"}).json()["data"]
    assert [store["name"] for store in found] == ["default"]


def test_tenants_are_listed_page_by_page(client: TestClient, operator: dict[str, str], ports: Ports) -> None:
    made = {f"paged-{number}" for number in range(3)}
    for one in made:
        a_store(ports, one)
    listed: list[str] = []
    cursor: str | None = None
    while cursor is not None or not listed:
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = client.get("/api/tenants", headers=operator, params=query).json()
        listed += [one["id"] for one in page["data"]]
        cursor = page["next_cursor"]
    assert made <= set(listed)
    assert len(listed) == len(set(listed))


def test_days_are_a_tenants_own_until_they_are_given_back(client: TestClient, admin: dict[str, str]) -> None:
    own = client.patch("/api/retention", headers=admin, json={"days": {"versions": 90}}).json()["rules"]["versions"]
    assert own == {"days": 90, "own": True}
    back = client.patch("/api/retention", headers=admin, json={"days": {"versions": None}}).json()["rules"]["versions"]
    assert back == {"days": RetentionPolicy().versions, "own": False}
    for days in ({"versions": 1}, {"nonsense": 5}, {"undo": 10**12}):
        assert client.patch("/api/retention", headers=admin, json={"days": days}).status_code == 422


def test_a_prompt_is_set_read_and_taken_back_with_every_version_kept(client: TestClient, admin: dict[str, str]) -> None:
    where = "/api/directives/dream.md"
    assert client.get(where, headers=admin).json()["own"] is False
    for text in ("First.", "Second.", "Second."):
        client.put(where, headers=admin, json={"content": text})
    assert client.get(where, headers=admin).json()["content"] == "Second."
    assert client.delete(where, headers=admin).json()["own"] is False
    versions = client.get(f"{where}/versions", headers=admin).json()["data"]
    assert [one["content"] for one in versions] == [None, "Second.", "First."]
    assert versions[0]["changed_by"].startswith("key:")
    lines = client.get("/api/directives", headers=admin).json()["data"]
    assert [line["version"] for line in lines if line["name"] == "dream.md"] == [3]


def test_only_an_operator_gives_a_store_a_model_and_an_admin_sees_where_each_setting_comes_from(
    client: TestClient, admin: dict[str, str], operator: dict[str, str], tenant: str
) -> None:
    by_phase = {"models": {"consolidate": "a-better-model"}, "better_model": "the-best-model"}
    wanted = {"llm": {"model": "a-small-model", "base_url": "https://ann:secret@models.example", **by_phase}}
    where = "/api/stores/default"
    assert client.patch(where, headers=admin, json=wanted).status_code == 403
    assert client.patch(where, headers=operator | {"Slowwave-Tenant": tenant}, json=wanted).status_code == 200
    client.patch(where, headers=admin, json={"overrides": {"gates.min_hours": 4}})
    text = {"content": "Only here."}
    assert client.put("/api/directives/dream.md?store=default", headers=admin, json=text).json()["version"] == 1
    assert client.put("/api/directives/dream.md?store=nowhere", headers=admin, json=text).status_code == 404
    assert client.get("/api/directives/dream.md", headers=admin).json()["own"] is False
    found = client.get(f"{where}/settings", headers=admin).json()
    assert found["model"]["model"] == {"value": "a-small-model", "source": "store"}
    assert found["model"]["model.consolidate"] == {"value": "a-better-model", "source": "store"}
    assert found["model"]["better_model"] == {"value": "the-best-model", "source": "store"}
    assert found["model"]["base_url"] == {"value": "https://***@models.example", "source": "store"}
    assert found["model"]["adapter"]["source"] == "installation"
    assert found["directives"]["dream.md"] == {"value": 1, "source": "store"}
    assert found["policy"]["gates.min_hours"] == {"value": 4, "source": "store"}
    assert "secret" not in client.get("/api/audit", headers=admin).text


def test_settings_that_are_words_are_set_like_numbers_and_by_the_same_rules(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant, "words")
    words = {"recall.least_rank": "user", "sessions.exclude": "cron*,branch=wip/*"}
    changed = client.patch("/api/stores/words", headers=admin, json={"overrides": words})
    assert (changed.status_code, changed.json()["overrides"]) == (200, words)
    refused = client.patch("/api/stores/words", headers=admin, json={"overrides": {"recall.least_rank": "robot"}})
    assert (refused.status_code, "recall.least_rank takes one of" in refused.text) == (422, True)
    for wrong in ({"gates.min_hours": "4"}, {"gates.enabled": "true"}, {"sessions.exclude": "x" * 1_001}):
        assert client.patch("/api/stores/words", headers=admin, json={"overrides": wrong}).status_code == 422
    assert client.get("/api/stores/words", headers=admin).json()["overrides"] == words


def test_the_kill_switch_stops_every_tenant_and_says_who_threw_it(
    client: TestClient, admin: dict[str, str], operator: dict[str, str], ports: Ports
) -> None:
    try:
        thrown = client.patch("/api/installation", headers=operator, json={"paused": True, "defer_percent": 5}).json()
        assert thrown["paused_at"]
        assert thrown["defer_percent"] == 5
        refused = client.post("/api/dreams", headers=admin, json={"force": True})
        assert (refused.status_code, "paused" in refused.json()["detail"]) == (409, True)
        assert ports.db.installation.find_log(1)[0].actor.startswith("key:")
    finally:
        client.patch("/api/installation", headers=operator, json={"paused": False, "defer_percent": 0})


def test_workers_are_listed_with_what_they_do(client: TestClient, operator: dict[str, str], ports: Ports) -> None:
    pulse = WorkerPulse(redis_url(ports.settings))
    pulse.beat("worker-of-a-test", lambda: WorkerFacts(pid=7, pool="threads", concurrency=4, dreams=("drm_1",)))
    try:
        shown = {one["name"]: one for one in client.get("/api/workers", headers=operator).json()["data"]}
    finally:
        pulse.end("worker-of-a-test")
    assert (shown["worker-of-a-test"]["pid"], shown["worker-of-a-test"]["dreams"]) == (7, ["drm_1"])


def test_a_running_dream_says_its_age_and_lease_and_an_operator_also_who_has_it(
    client: TestClient, admin: dict[str, str], operator: dict[str, str], ports: Ports, tenant: str
) -> None:
    a_store(ports, tenant)
    dream = start_and_claim(ports, tenant)
    pulse = WorkerPulse(redis_url(ports.settings))
    pulse.beat("worker-of-a-dream", lambda: WorkerFacts(pid=7, pool="threads", concurrency=4, dreams=(dream.id,)))
    try:
        for_operator = operator | {"Slowwave-Tenant": tenant}
        told, seen = (
            client.get(f"/api/dreams/{dream.id}", headers=who).json()["progress"] for who in (admin, for_operator)
        )
    finally:
        pulse.end("worker-of-a-dream")
    assert (told["worker"], seen["worker"]) == (None, "worker-of-a-dream"), "its name reveals the host"
    for one in (told, seen):
        assert one["age_seconds"] >= 0
        assert datetime.fromisoformat(one["lease_until"]) == get_dream(ports, tenant, dream.id).lease_until
        assert (one["has_lost_worker"], one["rescues"], one["wakes_at"]) == (False, 0, None)


def test_a_dream_says_what_every_phase_came_to(
    client: TestClient, admin: dict[str, str], ports: Ports, tenant: str
) -> None:
    note = "# Same\n\nThe same words twice.\n"
    write(ports, tenant, {"a/one.md": note, "a/one-copy.md": note})
    dream = run_dream(ports, tenant)
    summary = client.get(f"/api/dreams/{dream.id}", headers=admin).json()["summary"]
    assert summary["folded"] == 1
    assert set(summary) == {counter.name for counter in fields(DreamSummary)}
