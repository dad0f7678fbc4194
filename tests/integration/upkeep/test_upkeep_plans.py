"""The queries of a digest and of upkeep use an index: a large store is not scanned for them."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.sql.compiler import SQLCompiler

from shared.adapters.postgres.memories.maintenance import _FIND_DUPLICATES, _FIND_FRESH, _count_decayed
from shared.adapters.postgres.memories.store import _FIND_LARGE_HEADS
from shared.adapters.postgres.sql.statements import Expression
from shared.all_ports import Ports
from shared.settings import Settings
from tests.support.builders import a_store
from tests.support.servers import plain_url

_TENANT = "acme"
#: 5,000 memories: 10 of today, one more each hour before; 5 of them are large.
_FILL = """
    INSERT INTO memories (id, tenant_id, store_id, path, content, content_hash, title, summary, doc_type, size_chars,
      state, version, author, importance, maturity, tier, access_count, reinforcement_count, pinned, created_at,
      updated_at, touched_at, is_dirty, fold_hash)
    SELECT 'mem_' || n, %(tenant)s, %(store)s, 'd/' || n || '.md', 'Fact', md5('Fact'), 'Memory', 'Fact', '',
      CASE WHEN n < 5 THEN 9000 ELSE 4 END, 'live', 1,
      'agent', 50, 'draft', 'working', 0, 0, false, at, at, at, false, md5(n::text)
    FROM (SELECT n, now() - interval '1 hour' * CASE WHEN n < 10 THEN 0 ELSE n + 24 END AS at
          FROM generate_series(0, 4999) n) made
"""


@pytest.fixture
def application(fresh_ports: Ports, fresh_settings: Settings) -> Iterator[psycopg.Connection]:
    """The application's connection, as the tenant, to a database with a large store."""
    store = a_store(fresh_ports, _TENANT)
    values = {"tenant": _TENANT, "store": store.id}
    with psycopg.connect(plain_url(fresh_settings.database_url)) as connection:
        connection.execute("SELECT set_config('slowwave.tenant_id', %s, false)", (_TENANT,))
        connection.execute(_FILL, values)
        connection.commit()
        with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
            owner.execute("VACUUM ANALYZE memories")
        yield connection


def _explain(application: psycopg.Connection, ports: Ports, query: Expression, **values: Any) -> str:
    with ports.db.transaction(_TENANT) as uow:
        keys = {"tenant": _TENANT, "store": uow.stores.get("default").id}
    compiled = query.compile(dialect=dialect())  # type: ignore[no-untyped-call] # SQLAlchemy's dialects have no types
    assert isinstance(compiled, SQLCompiler)
    written = compiled.construct_expanded_state(keys | values)
    plan = application.execute(f"EXPLAIN {written.statement}".encode(), written.parameters)
    return "\n".join(str(row[0]) for row in plan)


@pytest.mark.own_database
def test_the_memories_of_a_day_are_looked_up(application: psycopg.Connection, fresh_ports: Ports) -> None:
    with fresh_ports.db.transaction(_TENANT) as uow:
        since = uow.now() - timedelta(days=1)
        store = uow.stores.get("default")
        assert len(uow.maintenance(store.id).find_fresh(since)) == 10
    plan = _explain(application, fresh_ports, _FIND_FRESH, since=since)
    assert "ix_memories_fresh" in plan, plan
    assert "Seq Scan" not in plan, plan


@pytest.mark.own_database
def test_memories_that_began_to_fade_since_the_last_dream_come_from_an_index(
    application: psycopg.Connection, fresh_ports: Ports
) -> None:
    query = _count_decayed(by_last_seen=False, has_since=True, only_unused=False)
    with fresh_ports.db.transaction(_TENANT) as uow:
        upto = uow.now() - timedelta(days=30)
    plan = _explain(
        application, fresh_ports, query, upto=upto, since=upto - timedelta(days=1), floor_importance=0.0
    )  # fmt: skip
    assert "ix_memories_touched" in plan, plan
    assert "Seq Scan" not in plan, plan


@pytest.mark.own_database
def test_memories_that_may_be_too_large_are_looked_up(application: psycopg.Connection, fresh_ports: Ports) -> None:
    with fresh_ports.db.transaction(_TENANT) as uow:
        heads = uow.memories(uow.stores.get("default").id).find_heads(over_chars=8_000)
    assert [head.path for head in heads] == [f"d/{n}.md" for n in range(5)]
    plan = _explain(application, fresh_ports, _FIND_LARGE_HEADS, over_chars=8_000)
    assert "ix_memories_large" in plan, plan
    assert "Seq Scan" not in plan, plan


@pytest.mark.own_database
def test_copies_are_counted_without_reading_a_memory(application: psycopg.Connection, fresh_ports: Ports) -> None:
    plan = _explain(application, fresh_ports, _FIND_DUPLICATES, limit=100, rows=200)
    assert "Index Only Scan using ix_memories_fold_hash" in plan, plan
    assert "Seq Scan on memories" not in plan, plan
