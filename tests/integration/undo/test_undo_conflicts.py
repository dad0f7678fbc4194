"""Undo against what happened since: later edits win and are reported, and the rest still comes back."""

from dataclasses import replace

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import DreamState, OperationState
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.errors import ConflictError
from shared.core.memory import importance as scoring
from shared.core.memory.model import Author, Memory, MemoryState
from shared.ports.memories import MemoryWrite
from shared.services.operations.review import approve_operation, find_reviews
from tests.integration.undo.undo_support import STALE, Dreamt, at, undo
from tests.support.builders import get_dream, get_operations, get_store, take_picture, write
from tests.support.laws import some_quick

#: One path that each kind of operation left changed, to be edited afterwards.
EDITED = {
    OperationKind.MERGE: "web/cookies.md",
    OperationKind.CROSS_REFERENCE: "web/pages-more.md",
    OperationKind.TEMPORAL_UPDATE: "api/rollout.md",
    OperationKind.CREATE: "web/old-rooms-and-new-pages.md",
    OperationKind.KEEP: "old/radio.md",
    OperationKind.INDEX: "MEMORY.md",
}
#: Those that write lines again which a rewritten text has lost.
CONFLICTING = [OperationKind.MERGE, OperationKind.TEMPORAL_UPDATE]
EDIT = "# Edited\n\nA user wrote this after the dream.\n"
ADDED = "\nA user added this after the dream.\n"


def rewrite(ports: Ports, tenant: str, memory: Memory, change: str) -> None:
    """Write a memory as a part of slowwave other than a dream would."""
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("default")
        again = replace(memory, version=memory.version + 1)
        uow.memories(store.id).write([MemoryWrite(memory=again, change=change)])


def append(ports: Ports, tenant: str, path: str) -> Memory:
    """Add a line to a memory as a person does; return it as it was before that."""
    memory = at(ports, tenant, path)
    assert memory is not None
    write(ports, tenant, {path: memory.content + ADDED}, author=Author.USER)
    return memory


@pytest.mark.parametrize("kind", CONFLICTING)
def test_a_rewritten_memory_stays_and_all_others_come_back(kind: OperationKind, ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    write(ports, tenant, {EDITED[kind]: EDIT}, author=Author.USER)
    report = undo(ports, tenant, dream)
    assert [conflict.partition(":")[0] for conflict in report.conflicts] == [KINDS[kind].label.capitalize()]
    assert EDITED[kind] in report.conflicts[0]
    assert get_dream(ports, tenant, dream.id).state is DreamState.UNDONE
    (kept,) = [op for op in get_operations(ports, tenant, dream.id) if op.state is OperationState.APPLIED]
    assert kept.note == f"not undone: {report.conflicts[0].partition(': ')[2]}"
    edited = at(ports, tenant, EDITED[kind])
    assert edited is not None
    assert edited.content == EDIT
    assert [effect.after.id for effect in kept.effects] == [edited.id]
    others = {i: memory for i, memory in before.memories.items() if i != edited.id}
    assert {i: m for i, m in take_picture(ports, tenant).memories.items() if i != edited.id} == others


@pytest.mark.parametrize("kind", some_quick(EDITED, one_in=3))
def test_a_line_that_was_added_stays_and_the_whole_dream_is_taken_back(
    kind: OperationKind, ports: Ports, dreamt: Dreamt
) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    edited = append(ports, tenant, EDITED[kind])
    report = undo(ports, tenant, dream)
    assert report.conflicts == ()
    after = take_picture(ports, tenant).memories
    was = before.memories[edited.id].content if edited.id in before.memories else ""
    assert after[edited.id].content == (was + ADDED if was else ADDED.lstrip("\n"))
    assert {i: m for i, m in after.items() if i != edited.id} == {
        i: m for i, m in before.memories.items() if i != edited.id
    }
    assert {op.state for op in get_operations(ports, tenant, dream.id)} == {OperationState.UNDONE}
    assert report.merged == (EDITED[kind],)


@pytest.mark.parametrize("kind", some_quick([kind for kind in EDITED if kind not in CONFLICTING], one_in=2))
def test_a_text_without_a_line_of_the_dream_is_nothing_to_take_back(
    kind: OperationKind, ports: Ports, dreamt: Dreamt
) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    write(ports, tenant, {EDITED[kind]: EDIT})
    assert undo(ports, tenant, dream).conflicts == ()
    edited = at(ports, tenant, EDITED[kind])
    assert edited is not None
    assert edited.content == EDIT


@pytest.mark.parametrize("kind", CONFLICTING)
def test_force_restores_over_an_edit_and_proposes_the_edit_again(
    kind: OperationKind, ports: Ports, dreamt: Dreamt
) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    write(ports, tenant, {EDITED[kind]: EDIT})
    report = undo(ports, tenant, dream, force=True)
    assert report.conflicts == ()
    after = take_picture(ports, tenant)
    assert {i: (m.path, m.content, m.state) for i, m in after.memories.items()} == {
        i: (m.path, m.content, m.state) for i, m in before.memories.items()
    }
    (proposal,) = report.proposals
    assert [one.id for one in find_reviews(ports.db, tenant, limit=10)] == [proposal]
    approve_operation(ports.db, ports.ids, tenant, proposal, actor="ann")
    edited = at(ports, tenant, EDITED[kind])
    assert edited is not None
    assert edited.content == EDIT
    with pytest.raises(ConflictError, match="already undone"):
        undo(ports, tenant, dream, force=True)


def test_an_edit_that_is_approved_again_is_still_its_writers(ports: Ports, dreamt: Dreamt) -> None:
    tenant, path = dreamt.tenant, EDITED[OperationKind.MERGE]
    write(ports, tenant, {path: EDIT}, author=Author.USER)
    edited = at(ports, tenant, path)
    assert edited is not None
    (proposal,) = undo(ports, tenant, dreamt.dream, force=True).proposals
    approve_operation(ports.db, ports.ids, tenant, proposal, actor="bo")
    approved = at(ports, tenant, path)
    assert approved is not None
    assert (approved.content, approved.writers) == (EDIT, edited.writers)


def test_an_edit_of_what_a_dream_created_is_proposed_again_too(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    path = EDITED[OperationKind.CREATE]
    created = at(ports, tenant, path)
    assert created is not None
    edit = created.content.replace("Both", "Some of both")
    assert edit != created.content
    write(ports, tenant, {path: edit})
    assert [one.partition(":")[0] for one in undo(ports, tenant, dream).conflicts] == ["Synthesized"]
    (proposal,) = undo(ports, tenant, dream, force=True).proposals
    assert at(ports, tenant, path) is None
    approve_operation(ports.db, ports.ids, tenant, proposal, actor="ann")
    edited = at(ports, tenant, path)
    assert edited is not None
    assert edited.content == edit


def test_an_operation_that_an_undo_left_alone_can_be_undone_later_and_activity_counts_once(
    ports: Ports, dreamt: Dreamt
) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    write(ports, tenant, {"web/cookies.md": EDIT})
    conflicts = undo(ports, tenant, dream).conflicts
    curations = get_store(ports, tenant).curations
    assert undo(ports, tenant, dream).conflicts == tuple(one.partition(" (")[0] for one in conflicts)
    report = undo(ports, tenant, dream, force=True)
    assert (report.undone, report.conflicts) == (1, ())
    after = take_picture(ports, tenant)
    assert {i: m.content for i, m in after.memories.items()} == {i: m.content for i, m in before.memories.items()}
    store = get_store(ports, tenant)
    assert (store.curations, store.total_dreams) == (curations, 0)


def test_an_edit_is_in_the_history_even_when_undo_was_forced_over_it(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, store = dreamt.tenant, dreamt.dream, dreamt.store
    write(ports, tenant, {"web/cookies.md": EDIT})
    edited = at(ports, tenant, "web/cookies.md")
    assert edited is not None
    undo(ports, tenant, dream, force=True)
    with ports.db.transaction(tenant) as uow:
        assert EDIT in [version.content for version in uow.memories(store.id).find_history(edited.id)]


@pytest.mark.parametrize("force", [False, True])
def test_a_path_that_was_written_anew_is_left_to_its_new_owner(force: bool, ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    write(ports, tenant, {"old/attic.md": EDIT})
    report = undo(ports, tenant, dream, force=force)
    assert report.conflicts == ("Archived: old/attic.md was written again after the dream",)
    held = at(ports, tenant, "old/attic.md")
    assert held is not None
    assert held.content == EDIT
    archived = [m for m in take_picture(ports, tenant).memories.values() if m.state is MemoryState.ARCHIVED]
    assert [memory.content for memory in archived] == [STALE["old/attic.md"]]


def test_accesses_after_the_dream_are_kept(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    merged, kept = at(ports, tenant, "web/cookies.md"), at(ports, tenant, "old/radio.md")
    assert merged is not None
    assert kept is not None
    with ports.db.transaction(tenant) as uow:
        now = uow.now()
    for memory in (merged, kept):
        signals = scoring.accessed(scoring.accessed(memory.signals, now), now)
        rewrite(ports, tenant, replace(memory, signals=signals), "access")
    assert undo(ports, tenant, dream).conflicts == ()
    after = take_picture(ports, tenant)
    for memory in (merged, kept):
        was, now_is = before.memories[memory.id], after.memories[memory.id]
        assert now_is.signals.access_count == was.signals.access_count + 2
        assert now_is.signals.importance == was.signals.importance + 2 * scoring.ACCESS_BONUS
        assert now_is.signals.last_seen_at == now
        assert replace(now_is, signals=was.signals) == was


def test_a_pin_set_after_the_dream_stays(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    merged = at(ports, tenant, "web/cookies.md")
    assert merged is not None
    rewrite(ports, tenant, replace(merged, signals=replace(merged.signals, pinned=True)), "pin")
    undo(ports, tenant, dream)
    restored = at(ports, tenant, "web/cookies.md")
    assert restored is not None
    assert restored.signals.pinned
    assert restored.content != merged.content


def test_an_edit_that_was_taken_back_is_no_conflict(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    merged = at(ports, tenant, "web/cookies.md")
    assert merged is not None
    write(ports, tenant, {"web/cookies.md": EDIT})
    write(ports, tenant, {"web/cookies.md": merged.content})
    assert undo(ports, tenant, dream).conflicts == ()
