"""A copied store dreams as the original does: every column that a rule reads is copied."""

import psycopg

from shared.all_ports import Ports
from shared.core.memory.model import Author
from tests.support.builders import a_store, write

#: What makes a copy another memory.
_OWN = {"id", "store_id", "version", "superseded_by", "written_by"}
_EXEMPT = "---\ncategory: preference\n---\n# Doors\n\nThe doors are blue.\n"


def test_a_copy_keeps_category_duplicates_and_what_was_imported(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, {"a/doors.md": _EXEMPT}, author=Author.IMPORT)
    source = a_store(ports, tenant)
    target = a_store(ports, tenant, "copy")
    with ports.db.transaction(tenant) as uow:
        ids = {memory_id: ports.ids.new("mem") for memory_id in uow.store_listing.find_memory_ids(source.id)}
        uow.store_listing.copy_memories(source.id, target.id, ids)
    owner_connection.execute("SELECT set_config('slowwave.tenant_id', %s, false)", (tenant,))
    found = owner_connection.execute("SELECT to_jsonb(m) FROM memories m WHERE m.tenant_id = %s", (tenant,)).fetchall()
    rows = {row["store_id"]: {name: value for name, value in row.items() if name not in _OWN} for (row,) in found}
    assert rows[source.id]["category"]
    assert rows[source.id]["fold_hash"]
    assert rows[source.id]["imported_hash"]
    assert rows[target.id] == rows[source.id]
