"""Redo of a dream that was undone: it is as if it had never been undone, except where something was written since."""

from dataclasses import replace

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, OperationState, ReviewState, Trigger
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.errors import ConflictError
from shared.core.memory.model import Author
from shared.core.questions.question import Question
from shared.core.tenants.roles import Role
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryWrite
from shared.ports.tenants import AuditFilter
from shared.services.operations.preview_undo import preview_redo
from shared.services.operations.redo import RedoReport, find_last_redoable, redo_dream
from shared.services.operations.review import approve_operation, find_reviews, reject_operation
from tests.integration.console.console_support import a_visitor, send
from tests.integration.undo.undo_support import (
    STALE,
    Dreamt,
    a_rich_store,
    at,
    dream_of_everything,
    find_operation,
    undo,
)
from tests.support.builders import get_dream, get_operations, get_store, run_dream, take_picture, write
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer

EDIT = "# Edited\n\nA user wrote this.\n"
ADDED = "\nA user added this.\n"
MERGED = "web/cookies.md"
ARCHIVED = "old/attic.md"


def redo(ports: Ports, tenant: str, dream: Dream, *, force: bool = False) -> RedoReport:
    return redo_dream(ports.db, tenant, dream.id, actor="a test", force=force)


def as_recorded(ports: Ports, tenant: str, dream: Dream) -> list[RecordedOperation]:
    """The dream's operations with their effects by id. The number of a version only ever grows, and the redo is the newest decision."""
    found = []
    for one in get_operations(ports, tenant, dream.id):
        effects = (replace(effect, after=replace(effect.after, version=0)) for effect in one.effects)
        effects_by_id = tuple(sorted(effects, key=lambda effect: effect.after.id))
        found.append(replace(one, effects=effects_by_id, decided_by="", decided_at=None))
    return found


def test_a_redo_of_an_undo_leaves_everything_as_it_was_before_the_undo(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, before = dreamt.tenant, dreamt.dream, dreamt.before
    after, operations = take_picture(ports, tenant), as_recorded(ports, tenant, dream)
    undo(ports, tenant, dream)
    report = redo(ports, tenant, dream)
    assert (report.redone, report.conflicts, report.proposals) == (len(operations), (), ())
    assert take_picture(ports, tenant) == after
    assert as_recorded(ports, tenant, dream) == operations
    ended = get_dream(ports, tenant, dream.id)
    assert (ended.state, ended.reason) == (dream.state, "redone by a test")
    assert undo(ports, tenant, dream).conflicts == ()
    assert take_picture(ports, tenant) == before
    redo(ports, tenant, dream)
    assert take_picture(ports, tenant) == after
    assert get_dream(ports, tenant, dream.id).reason == "redone by a test"


def test_a_redo_and_its_conflicts_are_in_the_audit_log(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    undo(ports, tenant, dream)
    write(ports, tenant, {ARCHIVED: EDIT})
    report = redo(ports, tenant, dream)
    assert report.conflicts == (f"Undone: archived: {ARCHIVED} was edited after the undo",)
    with ports.db.transaction(tenant) as uow:
        (entry,) = uow.audit.find_page(AuditFilter(action="dream.redo"), start_after=None, limit=10)
    assert entry.actor == "a test"
    assert entry.detail["conflicts"] == list(report.conflicts)


def test_lines_that_were_added_since_the_undo_stay_beside_what_comes_back(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    dreamed = take_picture(ports, tenant).memories
    undo(ports, tenant, dream)
    undone = at(ports, tenant, MERGED)
    assert undone is not None
    write(ports, tenant, {MERGED: undone.content + ADDED}, author=Author.USER)
    report = redo(ports, tenant, dream)
    assert (report.conflicts, report.merged) == ((), (MERGED,))
    merged = at(ports, tenant, MERGED)
    assert merged is not None
    assert merged.content == dreamed[merged.id].content + ADDED


def test_a_redo_leaves_a_memory_edited_since_the_undo_and_the_sources_of_its_merge(
    ports: Ports, dreamt: Dreamt
) -> None:
    """The source of a merge is not hidden while the text that it went into is not there."""
    tenant, dream = dreamt.tenant, dreamt.dream
    dreamed = take_picture(ports, tenant).memories
    undo(ports, tenant, dream)
    write(ports, tenant, {MERGED: EDIT}, author=Author.USER)
    (conflict,) = redo(ports, tenant, dream).conflicts
    assert conflict.startswith(f"Undone: merged: {MERGED} was edited after the undo")
    assert get_dream(ports, tenant, dream.id).state is DreamState.COMPLETED
    twin = at(ports, tenant, "web/cookies-twin.md")
    assert twin is not None
    others = {i for i, memory in dreamed.items() if memory.path not in {MERGED, twin.path, "MEMORY.md"}}
    now = take_picture(ports, tenant).memories
    assert {i: now[i] for i in others} == {i: dreamed[i] for i in others}


def test_force_redoes_over_an_edit_and_proposes_the_edit_again(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    dreamed = at(ports, tenant, MERGED)
    assert dreamed is not None
    undo(ports, tenant, dream)
    write(ports, tenant, {MERGED: EDIT}, author=Author.USER)
    assert redo(ports, tenant, dream).conflicts
    report = redo(ports, tenant, dream, force=True)
    assert (report.redone, report.conflicts) == (1, ())
    again = at(ports, tenant, MERGED)
    assert again is not None
    assert again.content == dreamed.content
    (proposal,) = report.proposals
    approve_operation(ports.db, ports.ids, tenant, proposal, actor="ann")
    edited = at(ports, tenant, MERGED)
    assert edited is not None
    assert edited.content == EDIT
    with pytest.raises(ConflictError, match="Nothing to redo"):
        redo(ports, tenant, dream)


def test_an_edit_that_a_forced_undo_went_over_is_back_and_its_proposal_gone(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    write(ports, tenant, {MERGED: EDIT}, author=Author.USER)
    edited = take_picture(ports, tenant)
    waiting = find_reviews(ports.db, tenant, limit=100)
    assert undo(ports, tenant, dream, force=True).proposals
    assert redo(ports, tenant, dream).conflicts == ()
    assert take_picture(ports, tenant) == edited
    assert [one.id for one in find_reviews(ports.db, tenant, limit=100)] == [one.id for one in waiting]


def test_an_undo_with_conflicts_is_redone_whole_in_one_go(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    write(ports, tenant, {MERGED: EDIT}, author=Author.USER)
    edited, operations = take_picture(ports, tenant), as_recorded(ports, tenant, dream)
    assert undo(ports, tenant, dream).conflicts
    assert redo(ports, tenant, dream).conflicts == ()
    assert take_picture(ports, tenant) == edited
    assert as_recorded(ports, tenant, dream) == operations


def test_proposals_wait_again_but_not_those_that_a_person_rejected(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    kept, wrong, *others = [one.id for one in find_reviews(ports.db, tenant, limit=100)]
    approve_operation(ports.db, ports.ids, tenant, kept, actor="ann")
    undo(ports, tenant, dream)
    redo(ports, tenant, dream)
    assert [one.id for one in find_reviews(ports.db, tenant, limit=100)] == [wrong, *others]
    reviews = {one.id: (one.state, one.review) for one in get_operations(ports, tenant, dream.id)}
    assert reviews[kept] == (OperationState.APPLIED, ReviewState.APPROVED)
    reject_operation(ports.db, tenant, wrong, actor="ann")
    undo(ports, tenant, dream)
    redo(ports, tenant, dream)
    assert [one.id for one in find_reviews(ports.db, tenant, limit=100)] == others


def test_a_memory_that_was_pinned_since_the_undo_is_not_hidden_again(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream, store = dreamt.tenant, dreamt.dream, dreamt.store
    undo(ports, tenant, dream)
    attic = at(ports, tenant, ARCHIVED)
    assert attic is not None
    pinned = replace(attic, version=attic.version + 1, signals=replace(attic.signals, pinned=True))
    with ports.db.transaction(tenant) as uow:
        uow.memories(store.id).write([MemoryWrite(memory=pinned, change="pin")])
    for force in (False, True):
        report = redo(ports, tenant, dream, force=force)
        assert report.conflicts == (f"Undone: archived: {ARCHIVED} was pinned after the undo",)
    assert at(ports, tenant, ARCHIVED) is not None


def test_a_path_that_was_written_anew_since_the_undo_is_left_to_its_new_owner(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    created = find_operation(ports, tenant, dream, OperationKind.CREATE)
    path = next(one for one in get_operations(ports, tenant, dream.id) if one.id == created).effects[0].after.path
    undo(ports, tenant, dream)
    write(ports, tenant, {path: EDIT})
    assert redo(ports, tenant, dream, force=True).conflicts == (
        f"Undone: synthesized: {path} was written again after the undo",
    )
    held = at(ports, tenant, path)
    assert held is not None
    assert held.content == EDIT


def test_a_later_dreams_text_is_a_conflict_and_its_books_stay(ports: Ports, dreamt: Dreamt) -> None:
    tenant, first = dreamt.tenant, dreamt.dream
    undo(ports, tenant, first)
    second = dream_of_everything(ports, tenant)
    assert redo(ports, tenant, first).conflicts
    store = get_store(ports, tenant)
    assert (store.last_dream_id, store.total_dreams) == (second.id, 2)
    assert set(STALE.values()) <= {memory.content for memory in take_picture(ports, tenant).memories.values()}


def test_a_redo_is_refused_without_an_undo_and_beside_a_running_dream(ports: Ports, tenant: str) -> None:
    store = a_rich_store(ports, tenant)
    with pytest.raises(ConflictError, match="No dream to redo"):
        find_last_redoable(ports.db, tenant, "default")
    dream = dream_of_everything(ports, tenant)
    for refused in (lambda: redo(ports, tenant, dream), lambda: find_last_redoable(ports.db, tenant, "default")):
        with pytest.raises(ConflictError, match=f"Nothing to redo: {dream.id} is completed, not undone"):
            refused()
    undo(ports, tenant, dream)
    assert find_last_redoable(ports.db, tenant, "default").id == dream.id
    with ports.db.transaction(tenant) as uow:
        running = uow.dreams.add(store.id, trigger=Trigger.API, force=True, dry_run=False)
        uow.dreams.claim(running.id, budget_seconds=300, lease_seconds=60, model="scripted")
    with pytest.raises(ConflictError, match=rf"Another dream is running \({running.id}\); redo when it has ended"):
        redo(ports, tenant, dream, force=True)
    assert "Another dream is running" in preview_redo(ports.db, tenant, dream.id).refusal


def test_the_preview_of_a_redo_is_what_the_redo_does_and_changes_nothing(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    undo(ports, tenant, dream)
    write(ports, tenant, {MERGED: EDIT}, author=Author.USER)
    before = take_picture(ports, tenant)
    preview = preview_redo(ports.db, tenant, dream.id)
    assert take_picture(ports, tenant) == before
    report = redo(ports, tenant, dream)
    told = [f"Undone: {KINDS[step.recorded.operation.kind].label}: {step.conflict}" for step in preview.conflicts]
    assert told == list(report.conflicts)
    assert len(preview.steps) - len(preview.conflicts) == report.redone


def test_the_console_offers_the_redo_where_the_undo_stood_and_previews_it(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    browser, where = a_visitor(ports, tenant, Role.REVIEWER), f"/console/t/{tenant}/dreams/{dream.id}"
    assert f'href="{where}/redo"' not in browser.get(where).text
    send(browser, f"{where}/undo")
    assert f'href="{where}/redo"' in browser.get(where).text
    assert "Redo the dream" in browser.get(f"{where}/redo").text
    write(ports, tenant, {MERGED: EDIT}, author=Author.USER)
    assert f"{MERGED} was edited after the undo" in browser.get(f"{where}/redo").text
    said = browser.get(send(browser, f"{where}/redo").headers["location"]).text
    assert "are in force again; 1 left alone because of later edits" in said
    assert "Nothing to redo" not in browser.get(f"{where}/redo").text
    send(browser, f"{where}/redo", force="yes")
    assert "Nothing to redo" in browser.get(f"{where}/redo").text
    assert "Nothing to redo" in browser.get(send(browser, f"{where}/redo").headers["location"]).text


def test_dreams_that_were_all_undone_come_back_one_after_the_other(ports: Ports, dreamt: Dreamt) -> None:
    """The second one rewrites a memory into which the first one merged another: redoing the first merges it again."""
    tenant, first = dreamt.tenant, dreamt.dream
    write(ports, tenant, {"web/banner.md": "# Banner\n\nThe login page shows a banner about its cookies.\n"})
    link = ConsolidateAction(type="CROSS_REFERENCE", files=("web/banner.md", "web/cookies.md"))

    def answer(question: Question) -> BaseModel | None:
        return ConsolidateAnswer(actions=(link,)) if question.phase == "consolidate" else None

    second = run_dream(ports, tenant, ScriptedLlm(answer))
    assert find_operation(ports, tenant, second, OperationKind.CROSS_REFERENCE)
    after = take_picture(ports, tenant)
    undo(ports, tenant, second)
    undo(ports, tenant, first)
    assert redo(ports, tenant, first).conflicts == ()
    assert redo(ports, tenant, second).conflicts == ()
    assert take_picture(ports, tenant) == after
