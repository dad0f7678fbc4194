"""`MEMORY.md` and each `_index.md` lead to what is there after a verdict, and after one that is taken back, undone or redone."""

import re

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind
from shared.core.memory.index_text import by_hand
from shared.core.memory.model import MemoryKind, MemoryState, kind_of
from shared.services.operations.preview_undo import preview_undo
from shared.services.operations.redo import redo_dream
from shared.services.operations.review import approve_operation, reject_operation, reopen_operation
from tests.integration.undo.test_reopen import live_texts_of
from tests.integration.undo.undo_support import Dreamt, ask_anew, at, dream_of_everything, find_operation, undo
from tests.support.builders import get_operations, run_dream, write

TWIN = "web/cookies-twin.md"
BY_HAND = "\nRead first: [the twin](web/cookies-twin.md) is mine.\n"


def indexes(ports: Ports, tenant: str) -> dict[str, str]:
    live = live_texts_of(ports, tenant)
    return {path: text for path, text in live.items() if kind_of(path) is MemoryKind.INDEX}


def broken_pointers(ports: Ports, tenant: str) -> set[str]:
    live = live_texts_of(ports, tenant)
    found = {
        f"{path.rpartition('/')[0]}/{target}".lstrip("/")
        for path, text in indexes(ports, tenant).items()
        for target in re.findall(r"\]\(([^)]+\.md)\)", text)
    }
    return found - live.keys()


def approve(ports: Ports, tenant: str, operation_id: str) -> None:
    approve_operation(ports.db, ports.ids, tenant, operation_id, actor="a test", accepts_change=True)


def proposed_merge(ports: Ports, dreamt: Dreamt) -> str:
    return find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE, OperationState.PROPOSED)


def approve_all(ports: Ports, dreamt: Dreamt) -> list[str]:
    operations = get_operations(ports, dreamt.tenant, dreamt.dream.id)
    ids = [one.id for one in operations if one.state is OperationState.PROPOSED]
    for one in ids:
        approve(ports, dreamt.tenant, one)
    return ids


def test_after_an_approved_merge_no_pointer_of_an_index_leads_to_a_memory_that_is_gone(
    ports: Ports, proposed: Dreamt
) -> None:
    before = indexes(ports, proposed.tenant)
    assert TWIN in before["MEMORY.md"]
    assert "cookies-twin.md" in before["web/_index.md"]
    approve(ports, proposed.tenant, proposed_merge(ports, proposed))
    after = indexes(ports, proposed.tenant)
    assert at(ports, proposed.tenant, TWIN) is None
    assert broken_pointers(ports, proposed.tenant) == set()
    gone = [line for line in before["MEMORY.md"].splitlines() if line not in after["MEMORY.md"].splitlines()]
    assert [line for line in gone if TWIN not in line] == []


def test_reopening_verdicts_brings_the_indexes_back_to_the_byte(ports: Ports, proposed: Dreamt) -> None:
    before = indexes(ports, proposed.tenant)
    ids = approve_all(ports, proposed)
    assert indexes(ports, proposed.tenant) != before
    assert broken_pointers(ports, proposed.tenant) == set()
    for one in reversed(ids):
        reopen_operation(ports.db, proposed.tenant, one, actor="a test")
    assert indexes(ports, proposed.tenant) == before


def test_undo_after_approvals_restores_the_store_and_a_redo_leaves_no_pointer_astray(
    ports: Ports, proposed: Dreamt, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = proposed.tenant
    approve_all(ports, proposed)
    followed = indexes(ports, tenant)
    for most_tried in (200, 0):
        monkeypatch.setattr("shared.services.operations.preview_undo.MAX_TRIED", most_tried)
        assert preview_undo(ports.db, tenant, proposed.dream.id).conflicts == ()
    assert undo(ports, tenant, proposed.dream).conflicts == ()
    live = (one for one in proposed.before.memories.values() if one.state is MemoryState.LIVE)
    assert live_texts_of(ports, tenant) == {one.path: one.content for one in live}
    redo_dream(ports.db, tenant, proposed.dream.id, actor="a test")
    assert broken_pointers(ports, tenant) == set()
    assert indexes(ports, tenant) == followed


def test_a_rejected_synthesis_leaves_the_indexes_and_comes_back_where_it_stood(ports: Ports, dreamt: Dreamt) -> None:
    before = indexes(ports, dreamt.tenant)
    created = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.CREATE)
    reject_operation(ports.db, dreamt.tenant, created, actor="a test")
    assert broken_pointers(ports, dreamt.tenant) == set()
    assert indexes(ports, dreamt.tenant) != before
    reopen_operation(ports.db, dreamt.tenant, created, actor="a test")
    assert indexes(ports, dreamt.tenant) == before


@pytest.mark.parametrize("place", ["before", "inside", "after"])
def test_what_stands_in_an_index_by_hand_stays_when_a_pointer_beside_it_goes(
    place: str, ports: Ports, proposed: Dreamt
) -> None:
    tenant = proposed.tenant
    text = indexes(ports, tenant)["MEMORY.md"]
    line = next(line for line in text.splitlines(keepends=True) if TWIN in line)
    own = {"before": BY_HAND + text, "inside": text.replace(line, line + BY_HAND), "after": text + BY_HAND}[place]
    write(ports, tenant, {"MEMORY.md": own})
    merge = proposed_merge(ports, proposed)
    approve(ports, tenant, merge)
    assert indexes(ports, tenant)["MEMORY.md"] == own.replace(line, "", 1)
    reopen_operation(ports.db, tenant, merge, actor="a test")
    assert indexes(ports, tenant)["MEMORY.md"] == own


def test_a_later_dream_writes_its_indexes_over_what_followed_a_verdict_and_can_be_undone(
    ports: Ports, proposed: Dreamt
) -> None:
    tenant = proposed.tenant
    approve(ports, tenant, proposed_merge(ports, proposed))
    write(ports, tenant, {"web/new.md": "# A new page\n\nThe imprint moved to the footer.\n"})
    ask_anew(ports, tenant)
    later = dream_of_everything(ports, tenant)
    (index,) = [one for one in get_operations(ports, tenant, later.id) if one.operation.kind is OperationKind.INDEX]
    assert index.state is OperationState.APPLIED
    assert "web/new.md" in indexes(ports, tenant)["MEMORY.md"]
    approve_all(ports, proposed)
    assert broken_pointers(ports, tenant) == set()
    assert undo(ports, tenant, later).conflicts == ()
    assert broken_pointers(ports, tenant) == set()


def test_a_redo_of_a_dream_points_to_nothing_that_a_person_has_rejected_of_it(ports: Ports, dreamt: Dreamt) -> None:
    reject_operation(
        ports.db,
        dreamt.tenant,
        find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.CREATE),
        actor="a test",
    )
    before = indexes(ports, dreamt.tenant)
    undo(ports, dreamt.tenant, dreamt.dream)
    assert redo_dream(ports.db, dreamt.tenant, dreamt.dream.id, actor="a test").conflicts == ()
    assert broken_pointers(ports, dreamt.tenant) == set()
    assert indexes(ports, dreamt.tenant) == before


def test_the_approval_of_what_is_in_force_leaves_a_rejected_index_as_it_is(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    reject_operation(ports.db, tenant, find_operation(ports, tenant, dream, OperationKind.INDEX), actor="a test")
    before = indexes(ports, tenant)
    approve(ports, tenant, find_operation(ports, tenant, dream, OperationKind.CREATE))
    assert indexes(ports, tenant) == before


def created_path(ports: Ports, dreamt: Dreamt, operation_id: str) -> str:
    operations = get_operations(ports, dreamt.tenant, dreamt.dream.id)
    (effect,) = next(one for one in operations if one.id == operation_id).effects
    return effect.after.path


def test_an_approved_new_memory_is_pointed_to_at_once_as_the_next_dream_would(ports: Ports, proposed: Dreamt) -> None:
    tenant = proposed.tenant
    create = find_operation(ports, tenant, proposed.dream, OperationKind.CREATE, OperationState.PROPOSED)
    path = created_path(ports, proposed, create)
    before = indexes(ports, tenant)
    assert path not in before["MEMORY.md"]
    approve(ports, tenant, create)
    after = indexes(ports, tenant)
    assert f"({path})" in after["MEMORY.md"]
    assert broken_pointers(ports, tenant) == set()
    run_dream(ports, tenant)
    dreamt = indexes(ports, tenant)
    assert {name: dreamt[name] for name in after} == after


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_reopened_new_memory_leaves_no_pointer_also_after_an_edit_of_the_index(
    is_edited: bool, ports: Ports, proposed: Dreamt
) -> None:
    tenant = proposed.tenant
    create = find_operation(ports, tenant, proposed.dream, OperationKind.CREATE, OperationState.PROPOSED)
    path = created_path(ports, proposed, create)
    if is_edited:
        write(ports, tenant, {"MEMORY.md": BY_HAND + indexes(ports, tenant)["MEMORY.md"]})
    before = indexes(ports, tenant)
    approve(ports, tenant, create)
    assert f"({path})" in indexes(ports, tenant)["MEMORY.md"]
    write(ports, tenant, {"MEMORY.md": indexes(ports, tenant)["MEMORY.md"] + BY_HAND})
    reopen_operation(ports.db, tenant, create, actor="a test")
    assert indexes(ports, tenant) == {**before, "MEMORY.md": before["MEMORY.md"] + BY_HAND}


def test_the_next_dream_keeps_no_pointer_of_a_verdict_as_one_by_hand(ports: Ports, proposed: Dreamt) -> None:
    tenant = proposed.tenant
    write(ports, tenant, {"MEMORY.md": BY_HAND + indexes(ports, tenant)["MEMORY.md"]})
    create = find_operation(ports, tenant, proposed.dream, OperationKind.CREATE, OperationState.PROPOSED)
    path = created_path(ports, proposed, create)
    approve(ports, tenant, create)
    write(ports, tenant, {"web/new.md": "# A new page\n\nThe imprint moved to the footer.\n"})
    run_dream(ports, tenant)
    text = indexes(ports, tenant)["MEMORY.md"]
    assert "web/new.md" in text
    assert path not in by_hand(text)
    assert text.count(f"({path})") == 1


@pytest.mark.parametrize("is_edited", [False, True])
@pytest.mark.parametrize("is_reopened", [False, True])
def test_a_reopened_index_leads_to_what_is_there_after_other_verdicts(
    is_reopened: bool, is_edited: bool, ports: Ports, dreamt: Dreamt
) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    create = find_operation(ports, tenant, dream, OperationKind.CREATE)
    reject_operation(ports.db, tenant, create, actor="a test")
    if is_edited:
        write(ports, tenant, {"MEMORY.md": indexes(ports, tenant)["MEMORY.md"] + BY_HAND.replace(TWIN, "web/pages.md")})
    if is_reopened:
        reopen_operation(ports.db, tenant, create, actor="a test")
    before = indexes(ports, tenant)
    index = find_operation(ports, tenant, dream, OperationKind.INDEX)
    reject_operation(ports.db, tenant, index, actor="a test")
    assert indexes(ports, tenant) != before
    reopen_operation(ports.db, tenant, index, actor="a test")
    assert broken_pointers(ports, tenant) == set()
    assert indexes(ports, tenant) == before


def test_a_reopened_index_leads_to_a_new_memory_that_was_approved_before(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    approve(ports, tenant, find_operation(ports, tenant, dream, OperationKind.CREATE, OperationState.PROPOSED))
    before = indexes(ports, tenant)
    index = find_operation(ports, tenant, dream, OperationKind.INDEX)
    reject_operation(ports.db, tenant, index, actor="a test")
    reopen_operation(ports.db, tenant, index, actor="a test")
    assert indexes(ports, tenant) == before
