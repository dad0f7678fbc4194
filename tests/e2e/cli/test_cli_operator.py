"""The work of an operator, as real commands: pause all tenants, defer, reconcile, redrive, read metrics, purge, delete."""

import socket
import subprocess
import urllib.request
from pathlib import Path

import psycopg

from tests.e2e.cli.cli_support import Cli
from tests.e2e.workers.worker_support import eventually
from tests.support.servers import plain_url


def a_tenant(cli: Cli, folder: Path, name: str) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "one.md").write_text("# One\n\nOnly this.\n")
    cli.run("import", folder, "--tenant", name)
    return name


def as_owner(cli: Cli, statement: str) -> None:
    assert cli.settings is not None
    with psycopg.connect(plain_url(cli.settings.owner_database_url), autocommit=True) as owner:
        owner.execute(statement.encode())


def test_an_operators_pause_stops_even_force_and_stands_in_the_log_until_and_after_it_ends(
    cli: Cli, tmp_path: Path
) -> None:
    tenant = a_tenant(cli, tmp_path / "notes", "stopped")
    assert cli.run("pause", "--all").out == "All dreaming is paused.\n"
    assert cli.run("pause", "--all").out == "All dreaming was paused already.\n"
    assert "Dreaming is paused (operator)" in cli.run("dream", tenant, "--force", expect=3).out
    assert cli.json("resume", "--all")["changed"] is True
    assert cli.json("dream", tenant, "--force", "--detach")["state"] == "queued"
    assert [entry["action"] for entry in cli.json("log")][:3] == ["resume", "pause", "pause"]
    assert "pause" in cli.run("log").out
    assert "--all" in cli.run("pause", expect=2).err


def test_a_deferred_share_is_set_shown_in_the_metrics_and_taken_back(cli: Cli, tmp_path: Path) -> None:
    a_tenant(cli, tmp_path / "notes", "late")
    assert cli.run("defer", 40).out == "40 % of all dreams are postponed.\n"
    assert "slowwave_defer_percent 40.0" in cli.run("metrics").out
    assert cli.json("defer", 0) == {"tenant": None, "defer_percent": 0}
    assert cli.run("defer", 10, "--tenant", "late").out == "10 % of late's dreams are postponed.\n"
    cli.run("defer", 101, expect=2)
    assert "'unknown'" in cli.run("defer", 10, "--tenant", "unknown", expect=4).err


def test_reconcile_sends_untaken_dreams_and_republish_those_sent_a_moment_ago(cli: Cli, tmp_path: Path) -> None:
    cli.run("reconcile", "--republish")
    tenant = a_tenant(cli, tmp_path / "notes", "waiting")
    cli.run("dream", tenant, "--force", "--detach")
    already = cli.json("reconcile")["found"]
    found = cli.json("reconcile", "--republish")
    assert found["found"] == found["sent"] > already
    assert "were sent again" in cli.run("reconcile").out


def test_a_dream_is_queued_while_the_broker_is_away_and_sent_when_it_is_back(cli: Cli, tmp_path: Path) -> None:
    tenant = a_tenant(cli, tmp_path / "notes", "patient")
    away = {"SLOWWAVE_REDIS_URL": "redis://127.0.0.1:1/0"}
    cli.run("dream", tenant, "--force", "--detach", expect=0, **away)
    assert cli.json("dreams", "list", tenant)[0]["state"] == "queued"
    assert "The broker did not accept the others" in cli.run("reconcile", "--republish", expect=6, **away).err
    done = cli.json("reconcile", "--republish")
    assert done["sent"] == done["found"] > 0


def test_a_failed_dream_is_redriven_and_anything_else_is_refused(cli: Cli, tmp_path: Path) -> None:
    tenant = a_tenant(cli, tmp_path / "notes", "failed")
    cli.run("dream", tenant, "--force", "--detach")
    as_owner(cli, "UPDATE dreams SET state = 'error', reason = 'orient failed', started_at = now(),"
                  " finished_at = now() WHERE tenant_id = 'failed'")  # fmt: skip
    failed = cli.json("dreams", "list", tenant)[0]["id"]
    done = cli.json("dreams", "redrive", tenant, failed)
    assert done[0]["failed"] == failed
    assert cli.json("dreams", "list", tenant)[0]["state"] == "queued"
    cli.run("dreams", "redrive", tenant, expect=2)
    cli.run("dreams", "redrive", tenant, "drm_nothing", expect=4)


def test_metrics_are_served_to_prometheus_until_the_process_is_told_to_stop(cli: Cli) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        cli.command("serve-metrics", "--port", port),
        cwd=Path(__file__).parents[3],
        env=cli.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        text = eventually(lambda: _get(port), "metrics are served")
        assert 'slowwave_source_up{source="database"} 1.0' in text
        assert 'slowwave_source_up{source="redis"} 1.0' in text
        assert "slowwave_due_stores" in text
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=30)
    assert f"http://127.0.0.1:{port}/metrics" in out.decode()
    assert process.returncode == 0
    assert "slowwave_rescues_total  counter" in cli.run("metrics", "--names").out
    cli.run("serve-metrics", expect=2)


def _get(port: int) -> str | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            return str(answer.read().decode())
    except OSError:
        return None


def test_retention_is_shown_set_tried_and_run(cli: Cli, tmp_path: Path) -> None:
    tenant = a_tenant(cli, tmp_path / "notes", "old")
    (tmp_path / "notes" / "one.md").write_text("# One\n\nOnly that, by now.\n")
    cli.run("import", tmp_path / "notes", "--tenant", tenant)
    assert cli.json("retention", "show", tenant)["versions"] == 180
    assert "Nothing is old enough to purge" in cli.run("retention", "run", tenant).out
    as_owner(cli, "UPDATE memory_versions SET created_at = now() - interval '100 days' WHERE tenant_id = 'old'")
    assert cli.json("retention", "set", tenant, "--days", "versions=60")["versions"] == 60
    assert cli.json("retention", "run", tenant, "--dry-run")[tenant]["versions"] == 1
    assert cli.json("retention", "run", tenant)[tenant]["versions"] == 1
    assert "versions is 3 days" in cli.run("retention", "set", tenant, "--days", "versions=3", expect=2).err
    assert "RULE=DAYS" in cli.run("retention", "set", tenant, "--days", "versions=soon", expect=2).err


def test_a_deleted_tenant_is_gone_and_its_deletion_is_on_record(cli: Cli, tmp_path: Path) -> None:
    tenant = a_tenant(cli, tmp_path / "notes", "leaving")
    assert "confirm with --yes" in cli.run("tenants", "delete", tenant, expect=2).err
    done = cli.json("tenants", "delete", tenant, "--yes")
    assert (done["tenant"], done["left"], done["rows"]["memories"], done["rows"]["tenants"]) == ("leaving", 0, 1, 1)
    cli.run("status", tenant, expect=4)
    cli.run("tenants", "delete", tenant, "--yes", expect=4)
    assert cli.json("log")[0]["detail"]["tenant"] == tenant
