"""`config show`, `tenants show` and `stores show`: what holds, and where each value comes from."""

import json
from pathlib import Path

import pytest

from tests.e2e.cli.cli_support import Cli

TENANT = "shown"


@pytest.fixture(scope="module")
def made(cli: Cli) -> str:
    cli.run("tenants", "create", TENANT)
    cli.run("stores", "create", f"{TENANT}/bot")
    cli.run("tenants", "set", TENANT, "--tokens-per-day", 9000, "--model", "a-model", "--quiet-hours", "22:00-06:00")
    cli.run("stores", "set", f"{TENANT}/bot", "--set", "gates.min_hours=5", "--model", "another")
    return TENANT


def said(value: object, source: str) -> dict[str, object]:
    return {"value": value, "source": source}


def test_a_tenant_shows_its_limits_its_model_and_its_stores(cli: Cli, made: str) -> None:
    found = cli.json("tenants", "show", made)
    assert found["stores"] == ["bot", "default"]
    assert (found["paused"], found["defer_percent"]) == (False, 0)
    assert found["budget"]["tokens_per_day"] == said(9000, "tenant")
    assert found["budget"]["tokens_today"]["value"] == 0
    assert found["budget"]["model_calls_per_minute"] == said(None, "no limit")
    assert found["model"]["model"] == said("a-model", "tenant")
    assert found["clock"]["quiet_hours"] == said("22:00-06:00", "tenant")
    assert found["clock"]["time_zone"] == said("UTC", "default")
    assert found["retention"]["versions"]["source"] == "installation"
    shown = cli.run("tenants", "show", "--tenant", made).out
    assert all(word in shown for word in ("bot", "9,000", "a-model", "22:00-06:00"))


def test_a_store_shows_its_policy_its_budget_and_its_model(cli: Cli, made: str) -> None:
    found = cli.json("stores", "show", f"{made}/bot")
    assert found["policy"]["gates.min_hours"] == said(5, "store")
    assert found["policy"]["gates.idle_seconds"]["source"] == "profile default"
    assert found["budget"]["tokens_per_day"] == said(9000, "tenant")
    assert found["model"]["model"] == said("another", "store")


def test_without_a_tenants_number_the_day_is_the_profiles(cli: Cli) -> None:
    cli.run("tenants", "create", "shown-plain")
    budget = cli.json("stores", "show", "shown-plain")["budget"]
    assert budget["tokens_per_day"] == said(2_000_000, "profile default")
    assert cli.json("tenants", "show", "shown-plain")["budget"]["tokens_per_day"]["value"] is None


def test_the_settings_say_where_each_comes_from_and_never_what_is_secret(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "slowwave.env"
    file.write_text("SLOWWAVE_SWEEP_SECONDS=7\nSLOWWAVE_LLM_API_KEY=sk-very-secret\n")
    variables = {"SLOWWAVE_ENV_FILE": str(file), "SLOWWAVE_API_PORT": "8411", "SLOWWAVE_SWEEP_SECOND": "1"}
    variables["SLOWWAVE_LLM_BASE_URL"] = "https://me:very-secret@model.example.com"
    ran = cli.run("config", "show", "--json", expect=0, **variables)
    found = {row["name"]: row for row in json.loads(ran.out)}
    assert (found["SLOWWAVE_SWEEP_SECONDS"]["value"], found["SLOWWAVE_SWEEP_SECONDS"]["source"]) == (7.0, str(file))
    assert (found["SLOWWAVE_API_PORT"]["value"], found["SLOWWAVE_API_PORT"]["source"]) == (8411, "the environment")
    assert found["SLOWWAVE_LOG_LEVEL"] == {"name": "SLOWWAVE_LOG_LEVEL", "value": "INFO", "source": "default"}
    assert found["SLOWWAVE_LLM_API_KEY"]["value"] == "set; not shown"
    assert "did you mean SLOWWAVE_SWEEP_SECONDS?" in ran.err
    plain = cli.run("config", "show", "--changed", expect=0, **variables).out
    assert "SLOWWAVE_API_PORT" in plain
    assert "SLOWWAVE_LOG_LEVEL" not in plain
    assert "very-secret" not in ran.out + ran.err + plain
