"""A memory that a person kept from the archive is left alone by later dreams until its text changes."""

import psycopg

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.services.operations.review import reject_operation
from tests.integration.phases.change_gate_support import ARCHIVES, STALE, sweep_dream
from tests.support.builders import LONG_AGO, get_operations, texts, write


def candidates(model: ScriptedLlm) -> set[str]:
    shown = [document for request in model.requests for document in request.question.documents]
    return {document.path for document in shown if document.role == "candidate"}


def test_a_memory_that_a_person_kept_is_not_asked_about_when_another_goes_stale(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, texts(STALE, at=LONG_AGO))
    first = sweep_dream(ports, tenant, ScriptedLlm({"prune": ARCHIVES}))
    (archived,) = [o for o in get_operations(ports, tenant, first.id) if o.operation.kind is OperationKind.ARCHIVE]
    reject_operation(ports.db, tenant, archived.id, actor="a test")
    write(ports, tenant, texts({"web/z.md": "# Banner\n\nThe banner is green.\n"}, at=LONG_AGO))
    model = ScriptedLlm({"prune": ARCHIVES})
    sweep_dream(ports, tenant, model, force=True)
    assert candidates(model) == {"web/z.md"}
    write(ports, tenant, texts({"web/a.md": "# Cookies\n\nObsolete.\n"}))
    owner_connection.execute("UPDATE memories SET touched_at = %s WHERE tenant_id = %s", [LONG_AGO, tenant])
    model = ScriptedLlm({})
    sweep_dream(ports, tenant, model, force=True)
    assert candidates(model) == {"web/a.md", "web/z.md"}
