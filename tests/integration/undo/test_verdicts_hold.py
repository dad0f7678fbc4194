"""A person's verdict holds: what was rejected or undone is not done again until one of its texts changes, or on purpose."""

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import ROOT_INDEX
from shared.services.memories.write import NewText
from shared.services.operations.clear_verdicts import clear_verdicts
from shared.services.operations.review import approve_operation, get_operation, reject_operation, reopen_operation
from tests.integration.undo.undo_support import (
    COOKIES,
    DATED,
    PAGES,
    Dreamt,
    a_rich_store,
    ask_anew,
    at,
    dream_of_everything,
    of_kind,
    undo,
)
from tests.support.builders import run_dream, write

MERGE = OperationKind.MERGE
COOKIE_FILES = ("web/cookies.md", "web/cookies-twin.md")


@pytest.mark.parametrize(
    "kind",
    [
        MERGE,
        OperationKind.TEMPORAL_UPDATE,
        OperationKind.CROSS_REFERENCE,
        OperationKind.SUGGEST_MERGE,
        OperationKind.KEEP,
    ],
)
def test_a_rejected_operation_is_not_repeated_by_the_next_dream(
    ports: Ports, dreamt: Dreamt, kind: OperationKind
) -> None:
    tenant, first = dreamt.tenant, of_kind(ports, dreamt.tenant, dreamt.dream, kind)
    assert first.state is OperationState.APPLIED
    reject_operation(ports.db, tenant, first.id, actor="ada")
    ask_anew(ports, tenant)
    again = of_kind(ports, tenant, dream_of_everything(ports, tenant), kind)
    assert again.state is OperationState.SKIPPED
    assert again.note.startswith("rejected by ada on ")
    assert first.id in again.note


def test_a_rejected_index_is_taken_back_and_not_made_again_until_there_is_something_else_to_point_to(
    ports: Ports, tenant: str
) -> None:
    index = OperationKind.INDEX
    write(ports, tenant, {"web/cookies.md": COOKIES})
    run_dream(ports, tenant)
    old = at(ports, tenant, ROOT_INDEX)
    write(ports, tenant, {"web/pages.md": PAGES})
    first = of_kind(ports, tenant, run_dream(ports, tenant), index)
    assert first.state is OperationState.APPLIED
    reject_operation(ports.db, tenant, first.id, actor="ada")
    rejected = at(ports, tenant, ROOT_INDEX)
    assert old is not None
    assert rejected is not None
    assert rejected.content == old.content
    ask_anew(ports, tenant)
    again = of_kind(ports, tenant, run_dream(ports, tenant), index)
    assert (again.state, again.note[:16]) == (OperationState.SKIPPED, "rejected by ada ")
    assert at(ports, tenant, ROOT_INDEX) == rejected
    write(ports, tenant, {"api/rollout.md": DATED})
    assert of_kind(ports, tenant, run_dream(ports, tenant), index).state is OperationState.APPLIED


def test_the_reason_of_a_rejection_is_told_when_a_dream_wants_it_again_and_forgotten_when_it_is_taken_back(
    ports: Ports, dreamt: Dreamt
) -> None:
    tenant, first = dreamt.tenant, of_kind(ports, dreamt.tenant, dreamt.dream, MERGE)
    reject_operation(ports.db, tenant, first.id, actor="ada", why="These are\x00 about\n two things")
    assert get_operation(ports.db, tenant, first.id).decided_why == "These are about two things"
    ask_anew(ports, tenant)
    again = of_kind(ports, tenant, dream_of_everything(ports, tenant), MERGE)
    assert ": These are about two things (" in again.note
    reopen_operation(ports.db, tenant, first.id, actor="ada")
    assert get_operation(ports.db, tenant, first.id).decided_why == ""


def test_an_operation_undone_with_its_dream_is_not_repeated_either(ports: Ports, dreamt: Dreamt) -> None:
    tenant, undone = dreamt.tenant, dreamt.dream
    undo(ports, tenant, undone)
    ask_anew(ports, tenant)
    again = of_kind(ports, tenant, dream_of_everything(ports, tenant), MERGE)
    assert again.state is OperationState.SKIPPED
    assert again.note.startswith("undone by a test on ")


def test_a_verdict_is_over_when_one_of_the_texts_changes(ports: Ports, dreamt: Dreamt) -> None:
    tenant, first = dreamt.tenant, of_kind(ports, dreamt.tenant, dreamt.dream, MERGE)
    reject_operation(ports.db, tenant, first.id, actor="ada")
    changed = COOKIES.replace("signs its cookies", "signs all its cookies")
    write(ports, tenant, [NewText(path=COOKIE_FILES[0], content=changed)])
    ask_anew(ports, tenant)
    assert "rejected by" not in of_kind(ports, tenant, dream_of_everything(ports, tenant), MERGE).note


def test_a_verdict_is_forgotten_on_purpose(ports: Ports, dreamt: Dreamt) -> None:
    tenant, first = dreamt.tenant, of_kind(ports, dreamt.tenant, dreamt.dream, MERGE)
    reject_operation(ports.db, tenant, first.id, actor="ada")
    assert clear_verdicts(ports.db, tenant, "default", actor="ada") > 0
    ask_anew(ports, tenant)
    assert of_kind(ports, tenant, dream_of_everything(ports, tenant), MERGE).state is OperationState.APPLIED


def test_an_operation_that_waits_for_a_review_is_not_proposed_twice(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant, autonomy="propose")
    first = of_kind(ports, tenant, dream_of_everything(ports, tenant), MERGE)
    assert first.state is OperationState.PROPOSED
    ask_anew(ports, tenant)
    again = of_kind(ports, tenant, dream_of_everything(ports, tenant), MERGE)
    assert again.state is OperationState.SKIPPED
    assert first.id in again.note


def _propose_again_after_an_edit(ports: Ports, tenant: str) -> tuple[str, str]:
    """Two dreams that want one merge; one of its notes is edited between them."""
    a_rich_store(ports, tenant, autonomy="propose")
    first = of_kind(ports, tenant, dream_of_everything(ports, tenant), MERGE)
    write(ports, tenant, [NewText(path=COOKIE_FILES[0], content=COOKIES.replace("signs its", "signs all its"))])
    ask_anew(ports, tenant)
    return first.id, of_kind(ports, tenant, dream_of_everything(ports, tenant), MERGE).id


def test_a_newer_proposal_replaces_the_older_one_for_the_same_memories(ports: Ports, tenant: str) -> None:
    older, newer = (get_operation(ports.db, tenant, one) for one in _propose_again_after_an_edit(ports, tenant))
    assert (newer.state, newer.review) == (OperationState.PROPOSED, ReviewState.PENDING)
    assert (older.state, older.review) == (OperationState.SKIPPED, ReviewState.NONE)
    assert older.note == f"replaced by a newer proposal: {newer.id}"


@pytest.mark.parametrize("verdict", ["approved", "rejected"])
def test_a_verdict_ends_every_proposal_for_the_same_memories(ports: Ports, tenant: str, verdict: str) -> None:
    older, newer = _propose_again_after_an_edit(ports, tenant)
    with ports.db.transaction(tenant) as uow:  # as before a newer one replaced it
        uow.operations.decide(older, state=OperationState.PROPOSED, review=ReviewState.PENDING, by="")
    if verdict == "approved":
        approve_operation(ports.db, ports.ids, tenant, newer, actor="ada")
    else:
        reject_operation(ports.db, tenant, newer, actor="ada")
    ended = get_operation(ports.db, tenant, older)
    assert (ended.state, ended.review) == (OperationState.SKIPPED, ReviewState.NONE)
    assert ended.note == f"{verdict} as {newer}"
