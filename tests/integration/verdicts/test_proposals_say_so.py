"""Proposals do not read as done, wherever their reasons stand."""

import re

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import OperationState
from shared.core.dream.operations import KINDS, OperationKind, say_deed
from shared.services.operations.undo import undo_dream
from tests.integration.console.console_support import a_visitor, csrf_of, fields_of
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import get_operations


def test_the_reason_of_a_proposal_says_what_it_would_do_and_not_that_it_was_done(
    ports: Ports, proposed: Dreamt
) -> None:
    operations = get_operations(ports, proposed.tenant, proposed.dream.id)
    waiting = [one.operation for one in operations if one.state is OperationState.PROPOSED]
    assert waiting
    done = [one.reason for one in waiting if one.reason.lower().startswith((f"{KINDS[one.kind].label} ", "generated "))]
    assert done == []


def read(page: str) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_a_list_for_one_verdict_says_what_is_proposed_and_then_what_was_rejected(
    ports: Ports, proposed: Dreamt
) -> None:
    tenant = proposed.tenant
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/reviews"
    asked = browser.get(f"{where}/all").text
    assert "Proposed: merged" in read(asked)
    assert "Merged " not in read(asked)
    form = {"csrf": csrf_of(asked), "ops": fields_of(asked)["ops"], "why": "It loses something"}
    answered = read(browser.post(f"{where}/reject", data=form).text)
    assert "Rejected: merged" in answered
    assert "Merged " not in answered


def test_what_was_undone_says_so_in_the_dream_and_in_the_history_of_its_memory(ports: Ports, dreamt: Dreamt) -> None:
    tenant = dreamt.tenant
    (merge, *_) = [
        one for one in get_operations(ports, tenant, dreamt.dream.id) if one.operation.kind is OperationKind.MERGE
    ]
    undo_dream(ports.db, tenant, dreamt.dream.id, actor="test")
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}"
    written = merge.effects[0].after.id
    for place in (f"dreams/{dreamt.dream.id}", f"operations/{merge.id}", f"stores/default/memories/{written}"):
        shown = read(browser.get(f"{where}/{place}").text)
        assert "Undone: merged" in shown, place
        assert "Merged " not in shown, place


@pytest.mark.parametrize("state", [one for one in OperationState if one is not OperationState.APPLIED])
@pytest.mark.parametrize("kind", OperationKind)
def test_only_what_is_applied_reads_as_done(kind: OperationKind, state: OperationState) -> None:
    assert say_deed(kind, OperationState.APPLIED) == KINDS[kind].label
    assert say_deed(kind, state) == f"{state}: {KINDS[kind].label}"
