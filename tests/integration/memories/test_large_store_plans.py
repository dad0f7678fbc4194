"""The console's numbers of a large store are read from indexes: its texts are not read for them."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.sql.compiler import SQLCompiler

from shared.adapters.postgres.memories.learned import _COUNT_LIVE, _COUNT_RECALLED, _RECALLED
from shared.adapters.postgres.memories.tree import _FILE_PATHS, _FOLDERS
from shared.adapters.postgres.sql.statements import Expression
from shared.adapters.postgres.tenants.days import _MOVES
from shared.adapters.postgres.tenants.statistics import _MEMORIES, _NOW, _OF_STORE
from shared.all_ports import Ports
from shared.settings import Settings
from tests.support.builders import a_store
from tests.support.servers import plain_url

_TENANT = "acme"
#: 5,000 memories in ten folders, every fiftieth recalled, each with a version of its own.
_FILL = """
    INSERT INTO memories (id, tenant_id, store_id, path, content, content_hash, title, summary, doc_type, size_chars,
      state, version, author, importance, maturity, tier, access_count, reinforcement_count, pinned, created_at,
      updated_at, touched_at, is_dirty, fold_hash)
    SELECT 'mem_' || n, %(tenant)s, %(store)s, 'd' || n %% 10 || '/' || n || '.md', repeat('Fact ', 100), md5('Fact'),
      'Memory', 'Fact', '', 500, 'live', 1, 'agent', 50, 'draft', 'working', CASE WHEN n %% 50 = 0 THEN n / 50 ELSE 0 END,
      0, false, now(), now(), now(), false, md5(n::text)
    FROM generate_series(0, 4999) n
"""
_VERSIONS = """
    INSERT INTO memory_versions (memory_id, version, tenant_id, store_id, path, content, state, author, signals, change,
      created_at)
    SELECT id, 1, tenant_id, store_id, path, content, 'live', 'agent', '{}', 'create', now() - substr(id, 5)::int * interval '1 hour'
    FROM memories
"""
_IN_A_FOLDER = {"folder": "d1/", "start": 4, "after": "", "limit": 51}
_COUNTS: dict[str, tuple[Expression, dict[str, Any]]] = {
    "folders": (_FOLDERS, _IN_A_FOLDER),
    "files": (_FILE_PATHS, _IN_A_FOLDER),
    "memories of a tenant": (_NOW, {}),
    "memories by store": (_MEMORIES, {}),
    "memories of a store": (_OF_STORE, {}),
    "live memories": (_COUNT_LIVE, {}),
}


@pytest.fixture
def explain(fresh_ports: Ports, fresh_settings: Settings) -> Iterator[Callable[..., str]]:
    """Ask the application's connection for a plan, in a database with a large store."""
    store = a_store(fresh_ports, _TENANT)
    keys = {"tenant": _TENANT, "store": store.id}
    with psycopg.connect(plain_url(fresh_settings.database_url)) as connection:
        connection.execute("SELECT set_config('slowwave.tenant_id', %s, false)", (_TENANT,))
        for statement in (_FILL, _VERSIONS):
            connection.execute(statement, keys)
        connection.commit()
        with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
            owner.execute("VACUUM ANALYZE memories, memory_versions")

        def ask(query: Expression, **values: Any) -> str:
            compiled = query.compile(dialect=dialect())  # type: ignore[no-untyped-call] # SQLAlchemy's dialects have no types
            assert isinstance(compiled, SQLCompiler)
            written = compiled.construct_expanded_state(keys | values)
            plan = connection.execute(f"EXPLAIN {written.statement}".encode(), written.parameters)
            return "\n".join(str(row[0]) for row in plan)

        yield ask


@pytest.mark.own_database
def test_counts_and_folders_of_a_large_store_are_read_from_indexes_alone(explain: Callable[..., str]) -> None:
    for name, (query, values) in _COUNTS.items():
        plan = explain(query, **values)
        assert "Index Only Scan using uq_memories_live_path" in plan, (name, plan)
        assert "Seq Scan on memories" not in plan, (name, plan)


@pytest.mark.own_database
def test_the_most_recalled_and_the_recently_changed_memories_come_from_an_index(explain: Callable[..., str]) -> None:
    for plan in (explain(_RECALLED, limit=8), explain(_COUNT_RECALLED)):
        assert "ix_memories_recalled" in plan, plan
        assert "Seq Scan on memories" not in plan, plan
    plan = explain(_MOVES, days=7)
    assert "ix_memory_versions_age" in plan, plan
    assert "Seq Scan" not in plan, plan
