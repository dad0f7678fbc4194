"""Undo of whole dreams: what comes back, what is left alone, and when it is refused."""

from dataclasses import replace

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, OperationState, ReviewState, Trigger
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.errors import ConflictError
from shared.core.questions.question import Question
from shared.ports.llm import LlmOutcome
from shared.services.operations.undo import find_last_undoable
from tests.integration.undo.undo_support import (
    Dreamt,
    a_rich_store,
    at,
    dream_of_everything,
    find_operation,
    undo,
    want_everything,
)
from tests.support.builders import get_dream, get_operations, get_store, run_dream, take_picture, write

#: Need feedback and workflow runs; their undo is in test_infer_and_learn.
LEARNT = {OperationKind.INFER, OperationKind.UNRATIFY, OperationKind.ANNOTATE, OperationKind.PROMOTE}
#: Undone by the tests of their own phases.
SKILLS = {kind for kind in OperationKind if "SKILL" in kind}
#: Needs a memory that is too large; its undo is in test_split_large.
SPLITS = {OperationKind.SPLIT}
#: Wanted by small dreams of their own; their undo is in test_daily_digest and test_compaction.
UPKEEP = {OperationKind.DIGEST, OperationKind.COMPACT}


def test_a_dream_and_its_undo_leave_the_store_as_it_was(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    operations = get_operations(ports, tenant, dream.id)
    kinds = {op.operation.kind for op in operations if op.state is OperationState.APPLIED}
    assert kinds == {kind for kind in OperationKind if not KINDS[kind].is_bulk} - {
        OperationKind.PUT_BACK,
        OperationKind.RESTORE_EDIT,
        OperationKind.RETIRE,  # a person's: tests/integration/phases/test_contradictions.py undoes it
        OperationKind.FORGET,  # a person's, too: tests/integration/mcp/test_mcp_for_agents.py
        OperationKind.UPDATE,  # tests/integration/exams/test_what_follows.py undoes it
        *LEARNT,
        *SKILLS,
        *SPLITS,
        *UPKEEP,
    }
    assert take_picture(ports, tenant) != before
    report = undo(ports, tenant, dream)
    assert (report.undone, report.conflicts) == (len(operations), ())
    assert take_picture(ports, tenant) == before


def test_an_undone_dream_says_so_with_all_its_reviews_rejected(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    undo(ports, tenant, dream)
    assert get_dream(ports, tenant, dream.id).state is DreamState.UNDONE
    operations = get_operations(ports, tenant, dream.id)
    assert {(op.state, op.review) for op in operations} == {(OperationState.UNDONE, ReviewState.REJECTED)}
    with ports.db.transaction(tenant) as uow:
        assert uow.operations.find_pending(limit=100) == []


def test_an_undo_is_in_the_history_of_each_memory(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, store = dreamt.tenant, dreamt.dream, dreamt.store
    undo(ports, tenant, dream)
    cookies = at(ports, tenant, "web/cookies.md")
    assert cookies is not None
    with ports.db.transaction(tenant) as uow:
        history = uow.memories(store.id).find_history(cookies.id)
    assert [(version.change, version.dream_id) for version in history] == [
        ("restore", dream.id),
        ("update", dream.id),
        ("create", None),
    ]


def test_a_partial_dream_is_undone_like_any_other(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    before = take_picture(ports, tenant)

    def answer(question: Question) -> object:
        return LlmOutcome.REFUSED if question.phase == "prune" else want_everything(question)

    dream = run_dream(ports, tenant, ScriptedLlm(answer))  # type: ignore[arg-type] # a script of two kinds of line
    assert dream.state is DreamState.PARTIAL
    assert undo(ports, tenant, dream).conflicts == ()
    assert take_picture(ports, tenant) == before


def test_undoing_twice_says_so(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    undo(ports, tenant, dream)
    after = take_picture(ports, tenant)
    for force in (False, True):
        with pytest.raises(ConflictError, match=f"Dream already undone: {dream.id}"):
            undo(ports, tenant, dream, force=force)
    with pytest.raises(ConflictError, match=f"Dream already undone: {dream.id}"):
        find_last_undoable(ports.db, tenant, "default")
    assert take_picture(ports, tenant) == after


def test_the_last_dream_is_found_behind_dry_runs(ports: Ports, tenant: str) -> None:
    store = a_rich_store(ports, tenant)
    with pytest.raises(ConflictError, match="No dream to undo"):
        find_last_undoable(ports.db, tenant, "default")
    dream = dream_of_everything(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        dry = uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=True)
    run_dream(ports, tenant, dream_id=dry.id)
    assert find_last_undoable(ports.db, tenant, "default").id == dream.id


def test_a_dry_run_has_nothing_to_undo(ports: Ports, tenant: str) -> None:
    store = a_rich_store(ports, tenant)
    before = take_picture(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        dry = uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=True)
    dream = run_dream(ports, tenant, ScriptedLlm(want_everything), dream_id=dry.id)
    assert take_picture(ports, tenant) == before
    with pytest.raises(ConflictError, match="dry run"):
        undo(ports, tenant, dream)
    assert take_picture(ports, tenant) == before


def test_a_dream_that_has_not_ended_well_cannot_be_undone(ports: Ports, tenant: str) -> None:
    store = a_rich_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=False)
    with pytest.raises(ConflictError, match="Cannot undo dream with status: queued"):
        undo(ports, tenant, dream)
    with ports.db.transaction(tenant) as uow:
        uow.dreams.finish(dream.id, DreamState.CANCELED, reason="a test")
    with pytest.raises(ConflictError, match="Cannot undo dream with status: canceled"):
        undo(ports, tenant, dream)


def test_undo_is_refused_while_another_dream_runs(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, store = dreamt.tenant, dreamt.dream, dreamt.store
    with ports.db.transaction(tenant) as uow:
        running = uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=False)
        uow.dreams.claim(running.id, budget_seconds=300, lease_seconds=60, model="scripted")
    after = take_picture(ports, tenant)
    with pytest.raises(ConflictError, match=rf"Another dream is running \({running.id}\)"):
        undo(ports, tenant, dream, force=True)
    assert take_picture(ports, tenant) == after


def test_activity_that_came_after_the_dream_is_kept_beside_what_it_gives_back(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.store
    write(ports, tenant, {"web/new.md": "# New\n\nWritten after the dream.\n"})
    undo(ports, tenant, dream)
    assert get_store(ports, tenant).curations == before.curations + 1


def test_a_store_is_looked_at_again_after_an_undo_but_not_at_once(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    with ports.db.transaction(tenant) as uow:
        uow.stores.save(replace(uow.stores.get("default"), next_check_at=None))
    undo(ports, tenant, dream)
    store = get_store(ports, tenant)
    assert store.curations > 0
    assert store.next_check_at is not None
    with ports.db.transaction(tenant) as uow:
        assert (store.next_check_at - uow.now()).total_seconds() > (store.policy.gates.min_hours - 1) * 3600


def test_the_dreams_of_a_store_can_be_undone_last_first(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    first_before = take_picture(ports, tenant)
    first = dream_of_everything(ports, tenant)
    second_before = take_picture(ports, tenant)
    second = run_dream(ports, tenant, ScriptedLlm(want_everything))
    undo(ports, tenant, second)
    assert take_picture(ports, tenant) == second_before
    undo(ports, tenant, first)
    assert take_picture(ports, tenant) == first_before


def test_an_older_dream_can_be_undone_under_a_later_one(ports: Ports, dreamt: Dreamt) -> None:
    """The later dream's work stays; when it is undone too, nothing is left of either, the books included."""
    tenant, older, before = dreamt.tenant, dreamt.dream, dreamt.before
    write(ports, tenant, {"web/later.md": "# Later\n\nSomething that the gardener said about the roses.\n"})
    later = run_dream(ports, tenant)
    assert {op.operation.kind for op in get_operations(ports, tenant, later.id)} == {OperationKind.INDEX}
    report = undo(ports, tenant, older)
    assert [conflict.partition(":")[0] for conflict in report.conflicts] == ["Indexed"]
    store = get_store(ports, tenant)
    assert (store.last_dream_id, store.last_dream_at) == (later.id, later.finished_at)
    assert store.total_dreams == 1
    undo(ports, tenant, later)
    store = get_store(ports, tenant)
    assert (store.last_dream_id, store.last_dream_at, store.total_dreams) == (None, None, 0)
    undo(ports, tenant, older, force=True)
    after = take_picture(ports, tenant)
    assert {id_: after.memories[id_] for id_ in before.memories} == before.memories
    assert {m.path for m in after.memories.values()} - {m.path for m in before.memories.values()} == {"web/later.md"}
    assert after.merges == before.merges


def test_a_suggestion_of_an_undone_dream_does_not_come_back(ports: Ports, dreamt: Dreamt) -> None:
    tenant, older = dreamt.tenant, dreamt.dream
    suggested = take_picture(ports, tenant).merges
    assert [merge.suggested_by for merge in suggested] == [older.id]
    later = run_dream(ports, tenant)
    assert take_picture(ports, tenant).merges == []
    undo(ports, tenant, older)
    undo(ports, tenant, later)
    assert [merge.suggested_by for merge in take_picture(ports, tenant).merges] == ["drm_before"]


def test_memories_that_a_dream_examined_and_kept_leave_the_changed_set(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    assert find_operation(ports, tenant, dream, OperationKind.KEEP)
    assert [m.path for m in take_picture(ports, tenant).memories.values() if m.is_dirty and m.state == "live"] == []
