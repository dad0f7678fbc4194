"""Drill: the database's server is lost, and a backup of it is restored on a new one whose owner is not a superuser."""

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from shared.adapters.postgres import migrate
from shared.adapters.postgres.backup.archive import chunks_of, open_backup, write_backup
from shared.adapters.postgres.backup.restore import restore_backup
from shared.core.errors import PermanentError
from shared.settings import Settings
from tests.e2e.drills.drill import Drill, a_drill
from tests.e2e.drills.own_postgres import OwnPostgres, an_own_postgres
from tests.e2e.drills.test_drill_tenants import dream
from tests.e2e.workers.worker_support import eventually

pytestmark = pytest.mark.thorough

DRILLED = ("restore-from-backup",)
_CALM = {"SLOWWAVE_SWEEP_SECONDS": "1", "SLOWWAVE_RECONCILE_SECONDS": "1", "SLOWWAVE_LLM": "offline"}
_KNOWLEDGE = ("memories", "memory_versions", "operations", "dreams", "phase_runs", "llm_calls", "audit_log", "tenants")


def settings_of(server: OwnPostgres, settings: Settings) -> Settings:
    urls = {
        "database_url": SecretStr(server.url("slowwave_app")),
        "owner_database_url": SecretStr(server.url(server.owner)),
    }
    return settings.model_copy(update=urls)


def rows(server: OwnPostgres) -> dict[str, list[tuple[object, ...]]]:
    with server.admin() as admin:
        return {
            name: admin.execute(f"SELECT to_jsonb(t)::text FROM {name} t ORDER BY 1".encode()).fetchall()
            for name in _KNOWLEDGE
        }


def point_to(drill: Drill, server: OwnPostgres) -> None:
    drill.environment["SLOWWAVE_DATABASE_URL"] = server.url("slowwave_app")
    drill.environment["SLOWWAVE_OWNER_DATABASE_URL"] = server.url(server.owner)


def test_a_lost_server_is_restored_on_a_new_one_and_a_dream_from_before_is_undone(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    backup = tmp_path / "slowwave.tar"
    with an_own_postgres("keeper", "old") as old, an_own_postgres("another", "new") as new:
        migrate.upgrade(old.url(old.owner))
        units = ("slowwave-worker", "slowwave-beat")
        with a_drill(settings_of(old, fresh_settings), tmp_path, *units, variables=_CALM) as drill:
            dreamt = dream(drill, tenant)
            assert drill.run(f"slowwave pause {tenant}")[0] == 0
            code, said = drill.run(f"slowwave backup {backup}")
            assert code == 0, said
            before = rows(old)
            point_to(drill, new)
            drill.follow("restore-from-backup", TENANT=tenant, STORE="default", BACKUP=str(backup))
            assert rows(new) == before
            migrate.check(new.url(new.owner))
            assert drill.run(f"slowwave resume {tenant}")[0] == 0
            undone = drill.run(f"slowwave dream {tenant} {dreamt['id']} --undo")
            assert undone[0] == 0, "what was restored can still be undone"
            dream(drill, tenant)
            eventually(lambda: drill.run("slowwave doctor")[0] == 0, "the doctor finds roles and isolation in order")
            assert "installation.restore" in drill.run("slowwave log")[1]
            refused = drill.run(f"slowwave restore {backup}")
            assert refused[0] == 5, "it holds a tenant"
            assert "not empty" in refused[1]


def test_a_restore_that_lost_rows_leaves_no_schema_that_looks_healthy(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    with an_own_postgres("keeper", "old") as server, a_drill(settings_of(server, fresh_settings), tmp_path) as drill:
        assert drill.run("slowwave backup before.tar")[0] == 5, "there is no schema yet"
        migrate.upgrade(server.url(server.owner))
        assert drill.run(f"slowwave tenants create {tenant}")[0] == 0
        backup = tmp_path / "one.tar"
        assert drill.run(f"slowwave backup {backup}")[0] == 0
        with server.admin() as admin:
            admin.execute("CREATE DATABASE second OWNER keeper")
        second = OwnPostgres(host=server.host, owner="keeper", database="second")
        lying = tmp_path / "lying.tar"
        with open_backup(backup) as (manifest, dump):
            claims_more = replace(manifest, tables=manifest.tables | {"memories": 7})
            write_backup(lying, chunks_of(dump), lambda _size, _digest: claims_more)
        with pytest.raises(PermanentError, match="memories has 0 of 7 rows"):
            restore_backup(second.url("keeper"), lying, actor="cli:test")
        with second.admin() as admin:
            assert admin.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
            assert admin.execute("SELECT count(*) FROM pg_proc WHERE proname LIKE 'slowwave%'").fetchone() == (0,)
        point_to(drill, second)
        code, said = drill.run("slowwave doctor")
        assert code == 1
        assert "migrations" in said
