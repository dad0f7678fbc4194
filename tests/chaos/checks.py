"""Invariants that hold after every fault, checked on the rows as the owner of the tables."""

from collections.abc import Mapping, Sequence
from typing import LiteralString

import psycopg

_QUERIES: Mapping[str, LiteralString] = {
    "two dreams of one store at the same time": """
        SELECT a.id, b.id FROM dreams a JOIN dreams b ON a.store_id = b.store_id AND a.id < b.id
        WHERE a.started_at < coalesce(b.finished_at, 'infinity') AND b.started_at < coalesce(a.finished_at, 'infinity')
    """,
    "more dreams of a tenant at once than its cap": """
        SELECT a.id, count(*) FROM dreams a JOIN dreams b ON a.tenant_id = b.tenant_id
          AND b.started_at <= a.started_at AND coalesce(b.finished_at, 'infinity') > a.started_at
        JOIN tenants t ON t.id = a.tenant_id
        GROUP BY a.id, t.max_concurrent_dreams HAVING count(*) > t.max_concurrent_dreams
    """,
    "a dream that has not ended": "SELECT id, state FROM dreams WHERE state IN ('queued', 'running')",
    "a gap in a memory's versions": """
        SELECT v.memory_id, count(*), max(v.version) FROM memory_versions v
        GROUP BY v.memory_id HAVING count(*) <> max(v.version) OR min(v.version) <> 1
    """,
    "a head that is not its newest version": """
        SELECT m.id FROM memories m JOIN memory_versions v ON v.memory_id = m.id AND v.version = m.version
        WHERE v.content <> m.content OR v.state <> m.state OR v.path <> m.path
    """,
    "a version without its memory": """
        SELECT v.memory_id FROM memory_versions v LEFT JOIN memories m ON m.id = v.memory_id WHERE m.id IS NULL
    """,
    "an operation that was written twice": """
        -- Once, and once more for each time that it was taken back: a redo, or a person who rejects a putting back.
        SELECT operation_id, memory_id, count(*) FROM memory_versions WHERE operation_id IS NOT NULL
        GROUP BY operation_id, memory_id
        HAVING count(*) FILTER (WHERE change NOT IN ('restore', 'remove'))
            > 1 + count(*) FILTER (WHERE change IN ('restore', 'remove'))
    """,
    "a write of an operation that is not in the log": """
        SELECT v.memory_id, v.operation_id FROM memory_versions v LEFT JOIN operations o ON o.id = v.operation_id
        WHERE v.operation_id IS NOT NULL AND (o.id IS NULL OR o.state NOT IN ('applied', 'undone', 'rejected'))
    """,
    "a memory that its operation left as it should not": """
        SELECT o.id, o.kind, o.state, v.memory_id, v.state FROM operations o, jsonb_array_elements(o.effects) e
        JOIN LATERAL (SELECT w.memory_id, w.state FROM memory_versions w
                      WHERE w.operation_id = o.id AND w.memory_id = e #>> '{after,id}'
                      ORDER BY w.version DESC LIMIT 1) v ON true
        WHERE v.state <> CASE WHEN o.state = 'applied' THEN e #>> '{after,state}'
                         ELSE coalesce(e #>> '{before,state}', 'removed') END
          -- What changed a clock or a tier only is taken back wherever the memory is by now.
          AND NOT (o.state <> 'applied' AND e #>> '{before,content}' = e #>> '{after,content}'
                   AND e #>> '{before,state}' = e #>> '{after,state}')
    """,
    "an applied operation without its writes": """
        SELECT o.id, o.kind FROM operations o, jsonb_array_elements(o.effects) e WHERE o.state = 'applied'
        AND NOT EXISTS (SELECT 1 FROM memory_versions v
                        WHERE v.operation_id = o.id AND v.memory_id = e #>> '{after,id}')
    """,
    "a superseded memory without a successor": """
        SELECT m.id FROM memories m LEFT JOIN memories s ON s.id = m.superseded_by
        WHERE m.state = 'superseded' AND s.id IS NULL
    """,
    "a question that was asked again after its answer was stored": """
        SELECT again.dream_id, again.phase, again.key FROM llm_calls again
        JOIN llm_calls first USING (dream_id, phase, key)
        WHERE again.outcome = 'duplicate' AND first.outcome = 'ok'
        AND again.created_at - make_interval(secs => again.latency_ms / 1000.0) > first.created_at
    """,
    "a suggested merge that is neither answered nor kept": """
        SELECT o.dream_id, c ->> 'source_path', c ->> 'target_path'
        FROM operations o, jsonb_path_query(o.changes, '$[*] ? (@.type == "suggest_merge")') c
        WHERE o.state = 'applied'
        AND NOT EXISTS (SELECT 1 FROM pending_merges p WHERE p.store_id = o.store_id
                        AND p.source_path = c ->> 'source_path' AND p.target_path = c ->> 'target_path')
        AND NOT EXISTS (SELECT 1 FROM dreams d, jsonb_path_query(d.before, '$.hints[*]') h
                        WHERE d.store_id = o.store_id AND d.state IN ('completed', 'partial')
                        AND h ->> 'source_path' = c ->> 'source_path' AND h ->> 'target_path' = c ->> 'target_path')
    """,
    "a dream that ended long after its time": """
        SELECT id, finished_at - deadline_at FROM dreams WHERE finished_at > deadline_at + interval '1 minute'
    """,
    "activity that does not add up": """
        SELECT s.id, s.curations, w.writes, d.consumed FROM stores s
        JOIN LATERAL (SELECT count(*) AS writes FROM memory_versions v
                      WHERE v.store_id = s.id AND v.dream_id IS NULL) w ON true
        JOIN LATERAL (SELECT coalesce(sum((x.before ->> 'curations')::int), 0) AS consumed FROM dreams x
                      WHERE x.store_id = s.id AND x.state IN ('completed', 'partial')) d ON true
        WHERE s.curations <> w.writes - d.consumed
    """,
}


def find_violations(owner: psycopg.Connection, marks: Mapping[str, Sequence[str]]) -> list[str]:
    """Return every invariant that does not hold, with its rows; empty when all is well."""
    found: list[str] = []
    for name, query in _QUERIES.items():
        rows = owner.execute(query).fetchmany(5)
        found.extend(f"{name}: {row}" for row in rows)
    for tenant, written in marks.items():
        lost = [mark for mark in written if not _is_kept(owner, tenant, mark)]
        found.extend(f"a text of {tenant} is in no memory: {mark}" for mark in lost[:5])
    return found


def _is_kept(owner: psycopg.Connection, tenant: str, mark: str) -> bool:
    """Tell whether a text that an agent wrote still stands in a live or restorable memory."""
    row = owner.execute(
        "SELECT 1 FROM memories WHERE tenant_id = %s AND state <> 'removed' AND content LIKE %s", (tenant, f"%{mark}%")
    ).fetchone()
    return row is not None
