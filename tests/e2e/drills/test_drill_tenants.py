"""Drills: one tenant's matter, and a key."""

import json
import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest

from shared.all_ports import Ports
from shared.settings import Settings
from tests.e2e.cli.cli_support import DEMO_NOTES, files_of
from tests.e2e.drills.drill import POSTGRES_TOOLS, Drill, a_drill
from tests.e2e.workers.worker_support import ROOT
from tests.integration.budgets.budget_support import set_budget, spend
from tests.support.builders import write

#: One drill is quick (test_drill_dreams.py); tests/architecture checks every page.
pytestmark = pytest.mark.thorough

DRILLED = ("memory-looks-wrong", "cost-runaway", "budget-nearly-spent", "rotate-model-key", "delete-tenant")
#: No dream but those that the tests ask for.
_CALM = {"SLOWWAVE_SWEEP_SECONDS": "1", "SLOWWAVE_LLM": "offline"}


def dream(drill: Drill, tenant: str) -> Any:
    """Run a dream over the tenant's example notes in the running worker."""
    assert drill.run(f"slowwave import {DEMO_NOTES} --tenant {tenant}")[0] == 0
    code, said = drill.run(f"slowwave dream {tenant} --force --json 2>/dev/null")
    assert code == 0, said
    return json.loads(said)


def test_a_wrong_merge_is_rejected_and_its_dream_taken_back(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    with a_drill(fresh_settings, tmp_path, "slowwave-worker", variables=_CALM) as drill:
        found = dream(drill, tenant)
        merge = next(each for each in found["operations"] if each["kind"] == "MERGE" and each["review"] == "pending")
        values = {"DREAM": found["id"], "OPERATION": merge["id"], "PATH": merge["paths"][0]}
        drill.follow("memory-looks-wrong", TENANT=tenant, STORE="default", **values)
        assert drill.run(f"slowwave export {tmp_path / 'after'} --tenant {tenant}")[0] == 0
    assert set(files_of(DEMO_NOTES).values()) <= set(files_of(tmp_path / "after").values())


def test_a_tenant_that_costs_too_much_is_bounded(fresh_settings: Settings, tmp_path: Path, tenant: str) -> None:
    with a_drill(fresh_settings, tmp_path) as drill:
        assert drill.run(f"slowwave import {DEMO_NOTES} --tenant {tenant}")[0] == 0
        drill.follow("cost-runaway", TENANT=tenant)


def test_a_budget_that_is_nearly_spent_is_found_and_raised(
    fresh_ports: Ports, fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    write(fresh_ports, tenant, {"api/limits.md": "# Limits\n\n600 calls a minute.\n"})
    set_budget(fresh_ports, tenant, usd_per_day=1)
    spend(fresh_ports, tenant, 0.9)
    with a_drill(fresh_settings, tmp_path) as drill:
        assert "slowwave_budget_share_used 0.9" in drill.run("slowwave metrics")[1]
        assert f"{tenant}: 90% of $1.00 a day" in drill.run("slowwave doctor")[1]
        drill.follow("budget-nearly-spent", TENANT=tenant)
        assert "slowwave_budget_share_used 0.18" in drill.run("slowwave metrics")[1]


def test_a_worker_takes_up_a_new_key(fresh_settings: Settings, tmp_path: Path, llmock: Any) -> None:
    model = {
        "SLOWWAVE_LLM": "anthropic",
        "SLOWWAVE_LLM_API_KEY": "sk-the-old-one",
        "SLOWWAVE_LLM_BASE_URL": llmock.base_url("anthropic"),
    }
    with a_drill(fresh_settings, tmp_path, "slowwave-worker", "slowwave-beat", variables=model) as drill:
        drill.environment["SLOWWAVE_LLM_API_KEY"] = "sk-the-new-one"
        drill.follow("rotate-model-key")


def test_a_tenant_is_deleted_with_everything(fresh_settings: Settings, tmp_path: Path, tenant: str) -> None:
    with a_drill(fresh_settings, tmp_path) as drill:
        assert drill.run(f"slowwave import {DEMO_NOTES} --tenant {tenant}")[0] == 0
        drill.follow("delete-tenant", TENANT=tenant, FOLDER=str(tmp_path / "theirs"))
        assert files_of(tmp_path / "theirs")
        assert tenant in drill.run("slowwave log")[1]


def test_the_role_of_a_new_postgres_is_made_with_its_password(
    owner_connection: psycopg.Connection, tmp_path: Path
) -> None:
    if not (POSTGRES_TOOLS / "psql").exists():
        pytest.skip("psql is not at hand")
    script = tmp_path / "init.sh"
    role = f"made_{tmp_path.name.replace('-', '_')}"[:60].lower()
    script.write_text((ROOT / "deploy" / "postgres" / "init.sh").read_text().replace("slowwave_app", role))
    url = owner_connection.info
    environment = {
        "PATH": f"{POSTGRES_TOOLS}:/usr/bin:/bin",
        "POSTGRES_USER": url.user,
        "POSTGRES_DB": url.dbname,
        "PGHOST": url.host,
        "PGPASSWORD": url.password,
        "PGPORT": str(url.port),
        "APP_PASSWORD": "it's invented",
    }
    try:
        done = subprocess.run(["sh", script], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        found = owner_connection.execute(
            "SELECT rolcanlogin, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = %s", [role]
        ).fetchall()
        assert found == [(True, False, False)]
    finally:
        owner_connection.execute(f"DROP ROLE IF EXISTS {role}".encode())
