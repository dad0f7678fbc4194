"""A verdict can be taken back: the operation and its memories are as they were before the verdict."""

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.errors import ConflictError
from shared.core.memory.model import MemoryState
from shared.ports.tenants import AuditFilter
from shared.services.operations.review import approve_operation, reject_operation, reopen_operation
from tests.integration.undo.undo_support import Dreamt, at, find_operation, undo
from tests.support.builders import get_operations, take_picture, write
from tests.support.laws import some_quick

PENDING = ReviewState.PENDING
KINDS_OF_DREAM = [
    OperationKind.MERGE,
    OperationKind.CROSS_REFERENCE,
    OperationKind.TEMPORAL_UPDATE,
    OperationKind.CREATE,
    OperationKind.ARCHIVE,
    OperationKind.SUGGEST_MERGE,
]


def reject(ports: Ports, tenant: str, operation_id: str, *, force: bool = False) -> None:
    reject_operation(ports.db, tenant, operation_id, actor="a test", force=force)


def reopen(ports: Ports, tenant: str, operation_id: str, *, force: bool = False) -> tuple[OperationState, ReviewState]:
    again = reopen_operation(ports.db, tenant, operation_id, actor="a test", force=force)
    return again.state, again.review


def texts_of(ports: Ports, tenant: str) -> dict[str, tuple[str, str, str]]:
    return {i: (one.path, one.content, one.state) for i, one in take_picture(ports, tenant).memories.items()}


def live_texts_of(ports: Ports, tenant: str) -> dict[str, str]:
    return {path: content for path, content, state in texts_of(ports, tenant).values() if state == MemoryState.LIVE}


@pytest.mark.parametrize("kind", some_quick(KINDS_OF_DREAM, one_in=3))
def test_a_rejection_that_is_taken_back_leaves_what_the_dream_had_written(
    kind: OperationKind, ports: Ports, dreamt: Dreamt
) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    dreamed, merges = texts_of(ports, tenant), take_picture(ports, tenant).merges
    operation_id = find_operation(ports, tenant, dream, kind)
    reject(ports, tenant, operation_id)
    assert reopen(ports, tenant, operation_id) == (OperationState.APPLIED, PENDING)
    assert texts_of(ports, tenant) == dreamed
    assert take_picture(ports, tenant).merges == merges
    with ports.db.transaction(tenant) as uow:
        assert operation_id in {one.id for one in uow.operations.find_pending(limit=100)}
    reject(ports, tenant, operation_id)
    reopen(ports, tenant, operation_id)
    # What came into force again is newer than the rest of its dream, so a first undo may find the rest held by it.
    assert undo(ports, tenant, dream).conflicts == () or undo(ports, tenant, dream).conflicts == ()
    assert texts_of(ports, tenant) == {i: (m.path, m.content, m.state) for i, m in before.memories.items()}


@pytest.mark.parametrize("kind", some_quick(KINDS_OF_DREAM[:5], one_in=5))
def test_a_dropped_proposal_is_a_proposal_again_and_can_be_applied(
    kind: OperationKind, ports: Ports, proposed: Dreamt
) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    waiting = texts_of(ports, tenant)
    operation_id = find_operation(ports, tenant, dream, kind, OperationState.PROPOSED)
    reject(ports, tenant, operation_id)
    assert reopen(ports, tenant, operation_id) == (OperationState.PROPOSED, PENDING)
    assert texts_of(ports, tenant) == waiting
    approve_operation(ports.db, ports.ids, tenant, operation_id, actor="a test")
    assert texts_of(ports, tenant) != waiting


@pytest.mark.parametrize("kind", some_quick(KINDS_OF_DREAM[:5], one_in=5))
def test_an_approved_proposal_that_is_taken_back_waits_again_and_nothing_of_it_stays(
    kind: OperationKind, ports: Ports, proposed: Dreamt
) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    waiting = live_texts_of(ports, tenant)
    operation_id = find_operation(ports, tenant, dream, kind, OperationState.PROPOSED)
    approve_operation(ports.db, ports.ids, tenant, operation_id, actor="a test")
    approved = live_texts_of(ports, tenant)
    assert reopen(ports, tenant, operation_id) == (OperationState.PROPOSED, PENDING)
    assert live_texts_of(ports, tenant) == waiting
    approve_operation(ports.db, ports.ids, tenant, operation_id, actor="a test")
    assert live_texts_of(ports, tenant) == approved
    reopen(ports, tenant, operation_id)
    reject(ports, tenant, operation_id)
    assert live_texts_of(ports, tenant) == waiting


def test_an_approval_is_not_taken_back_over_a_later_edit_unless_forced(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    waiting = at(ports, tenant, "web/cookies.md")
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE, OperationState.PROPOSED)
    approve_operation(ports.db, ports.ids, tenant, operation_id, actor="a test")
    write(ports, tenant, {"web/cookies.md": "# Edited\n"})
    with pytest.raises(ConflictError, match=r"web/cookies\.md was edited after the approval.*--force"):
        reopen(ports, tenant, operation_id)
    assert reopen(ports, tenant, operation_id, force=True) == (OperationState.PROPOSED, PENDING)
    found = at(ports, tenant, "web/cookies.md")
    assert waiting is not None
    assert found is not None
    assert found.content == waiting.content
    kept = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.RESTORE_EDIT]
    assert [one.effects[0].after.content for one in kept] == ["# Edited\n"]


def test_an_approval_of_a_change_in_force_that_is_taken_back_in_force_and_can_be_rejected(
    ports: Ports, dreamt: Dreamt
) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE)
    dreamed = texts_of(ports, tenant)
    approve_operation(ports.db, ports.ids, tenant, operation_id, actor="a test")
    with pytest.raises(ConflictError, match="reopen it to take that back"):
        reject(ports, tenant, operation_id)
    assert reopen(ports, tenant, operation_id) == (OperationState.APPLIED, PENDING)
    assert texts_of(ports, tenant) == dreamed
    reject(ports, tenant, operation_id)
    assert texts_of(ports, tenant) != dreamed


def test_taking_a_rejection_back_never_clobbers_an_edit_unless_forced(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE)
    dreamed = at(ports, tenant, "web/cookies.md")
    reject(ports, tenant, operation_id)
    write(ports, tenant, {"web/cookies.md": "# Edited\n"})
    edited = take_picture(ports, tenant)
    with pytest.raises(ConflictError, match=r"web/cookies\.md was edited after the rejection.*--force"):
        reopen(ports, tenant, operation_id)
    assert take_picture(ports, tenant) == edited
    reopen(ports, tenant, operation_id, force=True)
    found = at(ports, tenant, "web/cookies.md")
    assert dreamed is not None
    assert found is not None
    assert found.content == dreamed.content
    kept = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is OperationKind.RESTORE_EDIT]
    assert [one.effects[0].after.content for one in kept] == ["# Edited\n"]


def test_without_a_verdict_or_after_an_undo_there_is_nothing_to_take_back(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    open_one = next(one for one in get_operations(ports, tenant, dream.id) if one.review is ReviewState.NONE)
    with pytest.raises(ConflictError, match="no verdict to take back"):
        reopen(ports, tenant, open_one.id)
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE)
    reject(ports, tenant, operation_id)
    undo(ports, tenant, dream)
    with pytest.raises(ConflictError, match="redo the dream first"):
        reopen(ports, tenant, operation_id)


def test_an_edit_that_an_undo_put_aside_and_that_was_approved_is_taken_back_although_its_dream_is_undone(
    ports: Ports, dreamt: Dreamt
) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    write(ports, tenant, {"web/cookies.md": "# Edited\n"})
    (edit,) = undo(ports, tenant, dream, force=True).proposals
    without = texts_of(ports, tenant)
    approve_operation(ports.db, ports.ids, tenant, edit, actor="a test")
    assert texts_of(ports, tenant) != without
    assert reopen(ports, tenant, edit) == (OperationState.PROPOSED, PENDING)
    assert texts_of(ports, tenant) == without


def test_the_approval_of_what_an_undo_left_in_force_for_an_edit_can_be_taken_back(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    write(ports, tenant, {"web/cookies.md": "# Edited\n"})
    assert undo(ports, tenant, dream).conflicts
    left = find_operation(ports, tenant, dream, OperationKind.MERGE)
    edited = texts_of(ports, tenant)
    approve_operation(ports.db, ports.ids, tenant, left, actor="a test")
    assert reopen(ports, tenant, left) == (OperationState.APPLIED, PENDING)
    assert texts_of(ports, tenant) == edited


def test_both_verdicts_stand_in_the_audit_log(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.MERGE)
    reject(ports, tenant, operation_id)
    reopen(ports, tenant, operation_id)
    with ports.db.transaction(tenant) as uow:
        found = uow.audit.find_page(AuditFilter(), start_after=None, limit=10)
    entries = [one for one in found if one.detail.get("operation_id") == operation_id]
    assert [one.action for one in entries] == ["review.reopen", "review.reject"]
    assert entries[0].detail["review"] == {"from": "rejected", "to": "pending"}
