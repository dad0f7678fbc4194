"""A person's verdict on single operations: approve, reject, and what happens to a verdict that comes too late."""

from dataclasses import replace

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.errors import ChangedProposalError, ConflictError, MootError
from shared.core.memory.model import Author, Memory, MemoryKind, kind_of
from shared.ports.memories import MemoryWrite
from shared.services.memories.edit import Expected, MemoryEdit, edit_memory
from shared.services.operations.review import approve_operation, reject_operation
from tests.integration.undo.undo_support import Dreamt, at, find_operation, undo
from tests.support.builders import get_operations, take_picture, write
from tests.support.laws import some_quick

REVERSIBLE = [
    OperationKind.MERGE,
    OperationKind.CROSS_REFERENCE,
    OperationKind.TEMPORAL_UPDATE,
    OperationKind.CREATE,
    OperationKind.ARCHIVE,
    OperationKind.KEEP,
    OperationKind.SUGGEST_MERGE,
]
#: Kinds that change no content and need no approval.
QUIET = {OperationKind.KEEP, OperationKind.SUGGEST_MERGE, OperationKind.INDEX, OperationKind.FLAG}
PROPOSED = OperationState.PROPOSED


def reject(ports: Ports, tenant: str, operation_id: str, *, force: bool = False) -> None:
    reject_operation(ports.db, tenant, operation_id, actor="a test", force=force)


def approve(ports: Ports, tenant: str, operation_id: str) -> None:
    approve_operation(ports.db, ports.ids, tenant, operation_id, actor="a test")


def _without_indexes(memories: dict[str, Memory]) -> dict[str, Memory]:
    return {i: memory for i, memory in memories.items() if kind_of(memory.path) is not MemoryKind.INDEX}


@pytest.mark.parametrize("kind", some_quick(REVERSIBLE, one_in=3))
def test_a_rejected_operation_is_taken_back_and_no_other(kind: OperationKind, ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    dreamed = take_picture(ports, tenant)
    operation_id = find_operation(ports, tenant, dream, kind)
    with ports.db.transaction(tenant) as uow:
        theirs = {effect.after.id for effect in uow.operations.get(operation_id).effects}
    reject(ports, tenant, operation_id)
    after = take_picture(ports, tenant)
    expected = {i: memory for i, memory in dreamed.memories.items() if i not in theirs}
    expected |= {i: memory for i, memory in before.memories.items() if i in theirs}
    assert _without_indexes(after.memories) == _without_indexes(expected)  # indexes follow
    assert after.books == dreamed.books
    assert after.merges == ([] if kind is OperationKind.SUGGEST_MERGE else dreamed.merges)
    states = {op.id: (op.state, op.review) for op in get_operations(ports, tenant, dream.id)}
    assert states[operation_id] == (OperationState.REJECTED, ReviewState.REJECTED)
    assert undo(ports, tenant, dream).conflicts == ()
    assert take_picture(ports, tenant) == before


def test_an_approved_operation_stays_and_needs_no_second_look(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    dreamed = take_picture(ports, tenant)
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE)
    approve(ports, tenant, operation_id)
    assert take_picture(ports, tenant) == dreamed
    with ports.db.transaction(tenant) as uow:
        assert operation_id not in {op.id for op in uow.operations.find_pending(limit=100)}
    with pytest.raises(ConflictError, match="approved already"):
        reject(ports, tenant, operation_id)


def test_rejecting_never_clobbers_an_edit_unless_forced(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    write(ports, tenant, {"web/cookies.md": "# Edited\n"})
    edited = take_picture(ports, tenant)
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE)
    with pytest.raises(ConflictError, match=r"web/cookies\.md was edited after the dream.*--force"):
        reject(ports, tenant, operation_id)
    assert take_picture(ports, tenant) == edited
    reject(ports, tenant, operation_id, force=True)
    restored = at(ports, tenant, "web/cookies.md")
    assert restored is not None
    assert restored.content == before.memories[restored.id].content


def test_a_proposing_dream_changes_no_content(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    found = {(op.operation.kind, op.state) for op in get_operations(ports, tenant, dream.id)}
    content = {k for k, _ in found} - QUIET
    assert len(content) == 7
    assert {(kind, PROPOSED) for kind in content} <= found
    assert {m.author for m in take_picture(ports, tenant).memories.values() if m.path.startswith("web/c")} == {"agent"}


@pytest.mark.parametrize("kind", some_quick(REVERSIBLE[:5], one_in=3))
def test_an_approved_proposal_is_applied_and_its_dream_can_still_be_undone(
    kind: OperationKind, ports: Ports, proposed: Dreamt
) -> None:
    tenant, dream, before = proposed.tenant, proposed.dream, proposed.before
    waiting = take_picture(ports, tenant)
    approve(ports, tenant, find_operation(ports, tenant, dream, kind, PROPOSED))
    assert take_picture(ports, tenant).memories != waiting.memories
    assert undo(ports, tenant, dream).conflicts == ()
    assert take_picture(ports, tenant) == before


def test_a_rejected_proposal_changes_nothing_and_is_decided(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    waiting = take_picture(ports, tenant)
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE, PROPOSED)
    reject(ports, tenant, operation_id)
    assert take_picture(ports, tenant) == waiting
    with pytest.raises(ConflictError, match="it is rejected"):
        approve(ports, tenant, operation_id)


def test_a_proposal_is_approved_after_a_later_dream_has_kept_its_memory(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE, PROPOSED)
    waiting = at(ports, tenant, "web/cookies.md")
    assert waiting is not None
    with ports.db.transaction(tenant) as uow:
        kept = replace(waiting, version=waiting.version + 1, touched_at=uow.now())
        memories = uow.memories(uow.stores.get("default").id)
        memories.write([MemoryWrite(memory=kept, change="keep", dream_id="drm_later", keeps_text=True)])
    approve(ports, tenant, operation_id)
    merged = at(ports, tenant, "web/cookies.md")
    assert merged is not None
    assert (merged.version, merged.content != waiting.content) == (waiting.version + 2, True)


def test_a_proposal_on_a_page_that_was_pinned_since_is_shown_again_and_the_pin_stays(
    ports: Ports, proposed: Dreamt
) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE, PROPOSED)
    waiting = at(ports, tenant, "web/cookies.md")
    assert waiting is not None
    edit_memory(
        ports.db, tenant, "default", waiting.id, MemoryEdit(pinned=True), expected=Expected(), author=Author.USER
    )
    with pytest.raises(ChangedProposalError, match="look at it again"):
        approve(ports, tenant, operation_id)
    approve(ports, tenant, operation_id)
    merged = at(ports, tenant, "web/cookies.md")
    assert merged is not None
    assert (merged.content != waiting.content, merged.signals.pinned) == (True, True)


def test_a_proposal_whose_memory_was_rewritten_is_closed_and_changes_nothing(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE, PROPOSED)
    write(ports, tenant, {"web/cookies-twin.md": "# Edited\n"})
    edited = take_picture(ports, tenant)
    with pytest.raises(MootError, match="is moot, and closed: no memory would say"):
        approve(ports, tenant, operation_id)
    assert take_picture(ports, tenant) == edited
    with ports.db.transaction(tenant) as uow:
        assert uow.operations.get(operation_id).state is OperationState.SKIPPED


def test_a_proposal_whose_path_was_taken_is_closed_and_changes_nothing(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.CREATE, PROPOSED)
    with ports.db.transaction(tenant) as uow:
        (effect,) = uow.operations.get(operation_id).effects
    write(ports, tenant, {effect.after.path: "# Another author's\n"})
    edited = take_picture(ports, tenant)
    with pytest.raises(MootError, match=effect.after.path):
        approve(ports, tenant, operation_id)
    assert take_picture(ports, tenant) == edited


def test_undoing_a_dream_rejects_its_proposals(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE, PROPOSED)
    undo(ports, tenant, dream)
    with ports.db.transaction(tenant) as uow:
        found = uow.operations.get(operation_id)
        assert (found.state, found.review) == (OperationState.REJECTED, ReviewState.REJECTED)
        assert uow.operations.find_pending(limit=100) == []
    with pytest.raises(ConflictError, match="it is rejected"):
        approve(ports, tenant, operation_id)


def test_an_undone_operation_cannot_be_reviewed_any_more(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE)
    undo(ports, tenant, dream)
    after = take_picture(ports, tenant)
    for verdict in (approve, reject):
        with pytest.raises(ConflictError, match="it is undone"):
            verdict(ports, tenant, operation_id)
    assert take_picture(ports, tenant) == after
