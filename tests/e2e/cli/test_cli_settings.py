"""`slowwave tenants`, `stores`, `pause`, and what is refused: a sentence, an exit code, never a traceback."""

import re
from pathlib import Path

import pytest

from shared.adapters.embedded.servers import running_servers
from tests.e2e.cli.cli_support import Cli, a_cli
from tests.integration.operations.embedded_support import connect


@pytest.fixture(scope="module")
def tenant(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "one.md").write_text("# One\n\nOnly this.\n")
    cli.run("import", folder, "--tenant", "acme")
    return "acme"


def test_a_pause_blocks_even_force_until_it_is_resumed(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# One\n\nOnly this.\n")
    cli.run("import", tmp_path, "--tenant", "tired")
    assert cli.run("pause", "tired").out == "tired is paused.\n"
    assert "Dreaming is paused" in cli.run("dream", "tired", "--force", expect=3).out
    assert cli.json("status", "tired")[0]["gate"] == "paused"
    assert cli.json("resume", "tired") == {"tenant": "tired", "store": None, "paused": False, "changed": True}
    assert cli.json("dream", "tired", "--force", "--detach")["state"] == "queued"


def test_an_unknown_setting_of_a_store_is_refused_with_those_there_are(cli: Cli, tenant: str) -> None:
    ran = cli.run("stores", "set", tenant, "--set", "gates.min_hoors=4", expect=2)
    assert "gates.min_hoors" in ran.err
    assert "did you mean gates.min_hours?" in " ".join(ran.err.split())
    assert "budget.*" in ran.err


def test_a_setting_of_a_store_is_kept(cli: Cli, tenant: str) -> None:
    assert "stores create" in cli.run("stores", "set", f"{tenant}/second", expect=4).err
    assert cli.json("stores", "create", f"{tenant}/second")["created"]
    cli.run("stores", "set", f"{tenant}/second", "--model", "a-small-model")
    assert cli.json("stores", "show", f"{tenant}/second")["model"]["model"] == {
        "value": "a-small-model", "source": "store",
    }  # fmt: skip
    assert re.search(r"model +a-small-model +store", cli.run("stores", "show", f"{tenant}/second").out)
    cli.run("stores", "set", f"{tenant}/second", "--model", "")
    assert cli.json("stores", "show", f"{tenant}/second")["model"]["model"]["source"] == "installation"
    changed = cli.json("stores", "set", f"{tenant}/second", "--set", "gates.min_hours=4", "--autonomy", "propose")
    assert changed["overrides"] == {"gates.min_hours": 4}
    assert {"default", "second"} <= {store["name"] for store in cli.json("stores", "list", tenant)}


def test_a_phase_is_given_a_model_and_an_unknown_price_is_said(cli: Cli, tenant: str) -> None:
    store = f"{tenant}/by-phase"
    cli.run("stores", "create", store)
    given = (
        "--model",
        "consolidate=claude-sonnet-5-5",
        "--model",
        "prune=own-model",
        "--better-model",
        "claude-opus-5-5",
    )
    ran = cli.run("stores", "set", store, *given)
    assert "own-model is in no list of prices" in ran.err
    assert "claude-sonnet" not in ran.err
    assert re.search(r"model\.consolidate +claude-sonnet-5-5 +store", cli.run("stores", "show", store).out)
    cli.run("stores", "set", store, "--model", "consolidate=")
    assert "model.consolidate" not in cli.json("stores", "show", store)["model"]
    assert "choose one of gather, " in cli.run("stores", "set", store, "--model", "index=x", expect=2).err


def test_a_wrong_variable_is_named_without_its_value(cli: Cli) -> None:
    ran = cli.run("status", "acme", expect=2, SLOWWAVE_LLM="oracle", SLOWWAVE_DATABASE_URL="mysql://u:secret@h/d")
    assert "SLOWWAVE_LLM" in ran.err
    assert "SLOWWAVE_DATABASE_URL" in ran.err
    assert "secret" not in ran.err


def test_tenants_are_listed(cli: Cli, tenant: str) -> None:
    listed = {found["tenant"]["id"]: found for found in cli.json("tenants", "list")}
    assert listed[tenant]["stores"] >= 1
    assert tenant in cli.run("tenants", "list").out


def test_an_unknown_tenant_is_not_found(cli: Cli) -> None:
    assert "'unknown'" in cli.run("status", "unknown", expect=4).err


def test_a_name_that_is_no_name_is_bad_input(cli: Cli, tmp_path: Path) -> None:
    assert "tenant name" in cli.run("import", tmp_path, "--tenant", "a b", expect=2).err


def test_a_database_that_does_not_answer_is_said_in_a_sentence(cli: Cli) -> None:
    nowhere = {
        "SLOWWAVE_DATABASE_URL": "postgresql+psycopg://u:secret@127.0.0.1:1/d",
        "SLOWWAVE_REDIS_URL": "redis://127.0.0.1:1/0",
    }
    ran = cli.run("status", "acme", expect=6, **nowhere)
    assert "database" in ran.err.lower()
    assert "secret" not in ran.err


def test_help_tells_the_exit_codes(cli: Cli) -> None:
    assert "3 a gate is shut" in " ".join(cli.run("--help").out.split())


def test_data_of_an_older_checkout_is_named_with_what_to_do() -> None:
    with a_cli(servers=False) as older:
        with running_servers(older.data_dir, durable=False) as endpoints, connect(endpoints) as connection:
            connection.execute("CREATE TABLE alembic_version (version_num varchar(32) NOT NULL)")
            connection.execute("INSERT INTO alembic_version VALUES ('0035')")
        told = " ".join(older.run("status", "acme", expect=5).err.split())
        assert str(older.data_dir.resolve()) in told
        assert "before the first release" in told
        assert "move the data directory" in told
