"""The reviewed export: of what dreams did it gives only what a person approved, and the older text of the rest."""

from collections.abc import Mapping

from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Author
from shared.services.memories.export import find_export_files, find_reviewed_files
from shared.services.operations.review import approve_operation, reject_operation
from tests.integration.undo.undo_support import (
    COOKIES,
    DATED,
    DATED_SINCE,
    a_rich_store,
    at,
    dream_of_everything,
    find_operation,
)
from tests.support.builders import write

ADDED = "\nA user added this.\n"


def export(ports: Ports, tenant: str) -> dict[str, str]:
    with ports.db.transaction(tenant) as uow:
        files = find_export_files(uow, uow.stores.get("default").id, archived=False)
    return {file.path: file.content for file in files}


def export_reviewed(ports: Ports, tenant: str, *, archived: bool = False) -> tuple[dict[str, str], Mapping[str, str]]:
    with ports.db.transaction(tenant) as uow:
        files, left_out = find_reviewed_files(uow, uow.stores.get("default").id, archived=archived)
    return {file.path: file.content for file in files}, left_out


def test_before_any_verdict_a_reviewed_export_is_the_store_as_it_was_before_the_dream(
    ports: Ports, tenant: str
) -> None:
    a_rich_store(ports, tenant)
    before = export(ports, tenant)
    assert export_reviewed(ports, tenant) == (before, {})
    dream_of_everything(ports, tenant)
    assert export(ports, tenant) != before
    assert export_reviewed(ports, tenant) == (before, {})
    assert export_reviewed(ports, tenant, archived=True) == (before, {})


def test_a_reviewed_export_holds_approved_operations_and_no_rejected_ones(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    before = export(ports, tenant)
    dream = dream_of_everything(ports, tenant)
    merged = find_operation(ports, tenant, dream, OperationKind.MERGE)
    archived = find_operation(ports, tenant, dream, OperationKind.ARCHIVE)
    dated = find_operation(ports, tenant, dream, OperationKind.TEMPORAL_UPDATE)
    for operation_id in (merged, archived):
        approve_operation(ports.db, ports.ids, tenant, operation_id, actor="ann")
    reject_operation(ports.db, tenant, dated, actor="ann")
    now, (found, left_out) = export(ports, tenant), export_reviewed(ports, tenant)
    assert left_out == {}
    assert found["web/cookies.md"] == now["web/cookies.md"] != COOKIES
    assert set(before) - set(found) == {"web/cookies-twin.md", "old/attic.md"}
    assert set(found) <= set(before)
    assert {path: text for path, text in found.items() if path != "web/cookies.md"}.items() <= before.items()
    assert "_archived/old/attic.full.md" in export_reviewed(ports, tenant, archived=True)[0]


def test_a_persons_own_line_is_in_it_beside_the_text_from_before_the_dream(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    dream_of_everything(ports, tenant)
    dreamt = at(ports, tenant, "api/rollout.md")
    assert dreamt is not None
    assert dreamt.content == DATED_SINCE
    write(ports, tenant, {"api/rollout.md": DATED_SINCE + ADDED}, author=Author.USER)
    assert export_reviewed(ports, tenant)[0]["api/rollout.md"] == DATED + ADDED


def test_a_reviewed_export_leaves_out_a_later_edit_of_an_unapproved_text_with_the_reason(
    ports: Ports, tenant: str
) -> None:
    a_rich_store(ports, tenant)
    dream_of_everything(ports, tenant)
    write(ports, tenant, {"api/rollout.md": "# Rollout\n\nYesterday, or so they say, it was rolled out.\n"})
    found, left_out = export_reviewed(ports, tenant)
    assert "api/rollout.md" not in found
    assert left_out == {"api/rollout.md": "It holds a change that no person has approved, and a later one over it"}


def test_a_path_that_was_written_anew_is_its_new_owners(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    dream_of_everything(ports, tenant)
    anew = "# Attic\n\nThe attic was cleared.\n"
    write(ports, tenant, {"old/attic.md": anew})
    found, left_out = export_reviewed(ports, tenant)
    assert (found["old/attic.md"], left_out) == (anew, {})
