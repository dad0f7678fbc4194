"""`slowwave models`, the API, `stores show` and `doctor` tell which models have passed, and a person may decide otherwise."""

import json
from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest
from typer.testing import Result

from gateway.exams import examine_exams
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.exam.draws import DRAWS, ExamDraw
from shared.core.health import Health
from shared.core.tenants.roles import Role
from shared.services.tenants.configure import TenantChanges, configure_tenant
from tests.integration.api.api_support import a_client, a_token, an_app
from tests.integration.console.console_support import a_visitor
from tests.integration.exams.exam_support import Examinee, change_something, joins_all, record_draws, with_exams
from tests.support.builders import a_store
from workers.preview import exams
from workers.preview.estimate import estimate_dream

Call = Callable[..., Result]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[ExamDraw]:
    """Everything that is drawn, for models that know the answers."""
    return record_draws(monkeypatch, exams)


@pytest.fixture
def name(ports: Ports, tenant: str) -> str:
    """A model that no other test has examined, at the tenant's own endpoint."""
    name = f"m{uuid4().hex}"
    a_store(ports, tenant)
    own = {"adapter": "anthropic", "model": name, "base_url": "https://models.example.com"}
    configure_tenant(ports.db, tenant, changes=TenantChanges(llm=own), actor="a test")
    return name


@pytest.fixture
def call(ports: Ports, command_line: Call, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call a command whose models take exams; the first argument is the model that answers."""
    monkeypatch.setenv("SLOWWAVE_LLM_EXAM", "on")

    def run(model: Examinee | None, *arguments: str, typed: str = "") -> Result:
        here = replace(with_exams(ports), close=lambda: None)
        if model is not None:
            here = replace(here, choose_llm=lambda _: model)
        monkeypatch.setattr("gateway.cli.console.session.make_ports", lambda *_, **__: here)
        return command_line(*arguments, typed=typed)

    return run


def test_an_exam_says_its_price_is_confirmed_and_its_result_is_shown_everywhere(
    tenant: str, name: str, call: Call, drawn: list[ExamDraw]
) -> None:
    (listed,) = json.loads(call(None, "models", "list", tenant, "--json").output)
    assert (listed["model"], listed["has_passed"], listed["stores"]) == (name, False, ["default"])
    assert listed["standing"] == "not passed: its next dream examines it"

    model = Examinee(drawn, name)
    refused = call(model, "models", "exam", tenant)
    assert refused.exit_code != 0, "no person has confirmed the price"
    assert model.heard == []

    told = call(model, "models", "exam", tenant, "--yes")
    assert told.exit_code == 0, told.output
    assert "tokens of questions" in told.output
    assert "has passed" in told.output
    assert len(model.exams) == DRAWS

    (listed,) = json.loads(call(None, "models", "list", tenant, "--json").output)
    assert (listed["has_passed"], listed["result"]["grade"]["duplicates_found"]) == (True, 15)
    assert "passed" in call(None, "stores", "show", tenant).output
    assert json.loads(call(None, "stores", "show", tenant, "--json").output)["exams"] == {name: "passed"}
    (row,) = [
        one for one in json.loads(call(None, "models", "history", tenant, "--json").output) if one["model"] == name
    ]
    assert row["passed"]
    assert row["tokens"] > 1_000


def test_the_api_shows_a_tenant_its_models_and_why_one_has_not_passed(
    ports: Ports, tenant: str, name: str, call: Call, drawn: list[ExamDraw]
) -> None:
    assert call(joins_all(drawn, name), "models", "exam", tenant, "--yes").exit_code == 0
    here = with_exams(ports)
    answer = a_client(an_app(here)).get("/api/models", headers={"authorization": f"Bearer {a_token(here, tenant)}"})
    (found,) = answer.json()["data"]
    assert (found["model"], found["has_passed"], found["is_own"]) == (name, False, True)
    assert found["server"] == "anthropic https://models.example.com"
    assert found["standing"] == "not passed: it followed 3 orders that stood in a note"
    assert found["exam"]["orders_followed"] == 3


def test_a_person_sets_a_result_by_hand_and_it_is_shown_as_such(
    tenant: str, name: str, call: Call, drawn: list[ExamDraw]
) -> None:
    assert call(joins_all(drawn, name), "models", "exam", tenant, "--yes").exit_code == 0
    done = call(None, "models", "set", tenant, name, "passed", "--why", "tried it for a week")
    assert done.exit_code == 0, done.output
    (listed,) = json.loads(call(None, "models", "list", tenant, "--json").output)
    assert listed["standing"] == "passed: set by hand (tried it for a week)"
    assert listed["result"]["set_by"].startswith("cli:")
    assert "set by" in call(None, "models", "history", tenant).output

    assert call(None, "models", "set", tenant, name, "maybe", "--why", "x").exit_code != 0
    assert call(None, "models", "set", tenant, "another", "passed", "--why", "x").exit_code != 0
    assert call(None, "models", "set", tenant, name, "failed", "--why", " ").exit_code != 0


def test_with_rules_alone_there_is_nothing_to_examine(ports: Ports, tenant: str, call: Call) -> None:
    a_store(ports, tenant)
    assert "take no exam" in call(None, "models", "list", tenant).output
    assert call(None, "models", "exam", tenant, "--yes").exit_code != 0


def test_doctor_warns_of_a_model_that_has_failed_and_not_of_one_that_is_examined_next(
    fresh_ports: Ports,
) -> None:
    here = with_exams(fresh_ports)
    assert examine_exams(here.settings, here.db).found == "no dream asks a model"
    a_store(here, "acme")
    own = TenantChanges(llm={"adapter": "anthropic", "model": "m1"})
    configure_tenant(here.db, "acme", changes=own, actor="a test")
    found = examine_exams(here.settings, here.db)
    assert (found.health, found.found) == (
        Health.OK,
        "0 of 1 models passed: m1 (anthropic) not passed: its next dream examines it",
    )
    failing = replace(here, choose_llm=lambda _: ScriptedLlm())
    exams.take_exam(failing, "acme", "default", actor="a test")
    assert examine_exams(here.settings, here.db).health is Health.WARN


def test_the_estimate_of_a_dream_includes_the_exam_that_it_takes(
    ports: Ports, tenant: str, name: str, call: Call, drawn: list[ExamDraw]
) -> None:
    change_something(ports, tenant, 1)
    here = with_exams(ports)

    def estimate() -> list[str]:
        return [one.phase for one in estimate_dream(here, tenant, "default").phases]

    assert estimate()[0] == "exam"
    assert call(Examinee(drawn, name), "models", "exam", tenant, "--yes").exit_code == 0
    assert "exam" not in estimate()
    assert "exam" not in [one.phase for one in estimate_dream(ports, tenant, "default").phases], "exams are off"


def test_the_console_shows_the_exams_of_a_tenant_also_where_its_settings_name_no_endpoint(
    ports: Ports, tenant: str, name: str
) -> None:
    here = with_exams(ports)
    administrator, where = a_visitor(here, tenant, Role.ADMIN), f"/console/t/{tenant}/settings/model"
    assert "not passed: its next dream examines it" in administrator.get(where).text
    broken = TenantChanges(llm={"adapter": "vertex", "model": name, "base_url": ""})
    configure_tenant(ports.db, tenant, changes=broken, actor="a test")
    assert administrator.get(where).status_code == 200
