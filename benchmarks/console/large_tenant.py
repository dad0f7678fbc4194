"""Fill a tenant with many memories, and with a dream of many operations and calls."""

from pathlib import Path

import psycopg

from benchmarks.console.history import fill_history
from benchmarks.maintain import fill_memories
from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.services.dreams.read import find_calls, get_dream_page
from shared.services.memories.read import find_memory_page
from shared.services.memories.write import NewText, ensure_store, write_memories
from shared.services.tenants.stores import get_store
from shared.services.webhooks.endpoints import NewEndpoint, create_endpoint
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase

TENANT, STORE = "large", "default"
#: Tenants besides it, which an operator sees in one list with it.
_OTHERS = 200
_NOTES = Path(__file__).parents[2] / "gateway" / "demo_tenant"
#: Operations and calls are copies of what a real dream has left, so that their diffs and prompts are real, too.
_COPY_OPERATIONS = """
    INSERT INTO operations (id, tenant_id, store_id, dream_id, phase, position, kind, state, review, reason, confidence,
      note, changes, effects, undone, fingerprint, created_at, decided_by)
    SELECT 'op_copy' || lpad(n::text, 8, '0'), tenant_id, store_id, dream_id, phase, 1000 + n, kind, 'proposed', 'pending',
      reason, confidence, note, changes, effects, undone, '', created_at, ''
    FROM generate_series(1, %(copies)s) n
    JOIN LATERAL (SELECT * FROM operations WHERE dream_id = %(dream)s AND effects <> '[]' AND position < 1000
                  ORDER BY id OFFSET n %% %(kept)s LIMIT 1) one ON true
"""
_COPY_CALLS = """
    INSERT INTO llm_calls (id, tenant_id, dream_id, phase, key, model, outcome, detail, answer, prompt, input_tokens,
      output_tokens, cached_tokens, cache_write_tokens, cost_usd, latency_ms, created_at)
    SELECT 'call_copy' || lpad(n::text, 8, '0'), tenant_id, dream_id, phase, key || n, model, outcome, detail, answer, prompt,
      input_tokens, output_tokens, cached_tokens, cache_write_tokens, cost_usd, latency_ms, created_at
    FROM generate_series(1, %(copies)s) n
    JOIN LATERAL (SELECT * FROM llm_calls WHERE dream_id = %(dream)s ORDER BY id LIMIT 1) one ON true
"""
#: Of each memory three links, as the three ways of writing them become rows: by a path from its own folder, by one from the
#: top, as dreams list related memories, and by a name alone. Half of them stay in their folder, every tenth is dead.
_LINK = """
    INSERT INTO memory_links (tenant_id, memory_id, place, rank, store_id, target)
    SELECT tenant_id, 'mem_' || tenant_id || n, place, rank, store_id, target
    FROM (SELECT tenant_id, store_id, n, 'd' || n %% 10 AS home, CASE WHEN n %% 10 = 7 THEN 'gone' ELSE '' END AS lost,
            'd' || near %% 10 || '/' || near AS near, 'd' || far %% 10 || '/' || far AS far, far AS name
          FROM (SELECT id AS store_id, tenant_id, n, (n + 10 * (1 + n %% 400)) %% %(size)s AS near, n * 7 / 3 %% %(size)s AS far
                FROM stores, generate_series(0, %(size)s - 1) n WHERE tenant_id = %(tenant)s AND name = %(store)s) made) named,
      LATERAL (VALUES (0, 0, near || lost || '.md'), (1, 0, home || '/' || far || '.md'), (1, 1, far || lost || '.md'),
                      (2, 0, home || '/' || name || lost || '.md'), (2, 1, name || lost || '.md'), (2, 2, '/' || name || lost || '.md')
              ) rows (place, rank, target)
"""


def fill(ports: Ports, application: psycopg.Connection, memories: int, operations: int) -> dict[str, str]:
    """Fill the tenant; return the ids that stand in the addresses of its pages."""
    ensure_store(ports.db, TENANT, STORE)
    notes = {str(path.relative_to(_NOTES)): path.read_text() for path in sorted(_NOTES.rglob("*.md"))}
    texts = [NewText(path=path, content=text) for path, text in notes.items()]
    write_memories(ports.db, ports.ids, TENANT, STORE, texts, Author.AGENT)
    dream_id = _dream(ports)
    fill_memories(application, TENANT, get_store(ports.db, TENANT, STORE).id, memories)
    application.execute(_LINK, {"tenant": TENANT, "store": STORE, "size": memories})
    made = get_dream_page(ports.db, TENANT, dream_id, after=None, limit=100).operations
    kept = sum(bool(one.effects) for one in made)
    values = {"dream": dream_id, "kept": kept, "copies": operations}
    application.execute(_COPY_OPERATIONS, values)
    application.execute(_COPY_CALLS, values)
    fill_history(application, dream_id, tenant=TENANT, store=STORE)
    application.commit()
    for number in range(_OTHERS):
        ensure_store(ports.db, f"other{number:03d}", STORE)
    endpoint = create_endpoint(ports, TENANT, NewEndpoint(url="https://hooks.example.com/slowwave"), actor="benchmark")
    return {
        "tenant": TENANT,
        "store": STORE,
        "dream_id": dream_id,
        "operation_id": "op_copy00000001",
        "call_id": find_calls(ports.db, TENANT, dream_id, limit=1)[0].id,
        "session_id": "sesn_old0000",
        "memory_id": find_memory_page(ports.db, TENANT, STORE, prefix="", after_path="", limit=1)[0].id,
        "endpoint_id": endpoint.endpoint.id,
        "directive": "dream.md",
    }


def _dream(ports: Ports) -> str:
    dream_id = begin_dream(ports, TENANT, STORE, force=True, dream_id=None)
    assert dream_id is not None
    for phase in PHASES:
        run_phase(ports, phase, PhaseKey(tenant_id=TENANT, dream_id=dream_id, epoch=1, phase=phase.name))
    finish_dream(ports, TENANT, dream_id, 1)
    return dream_id
