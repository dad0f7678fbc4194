"""The preview of an undo says what the undo then does, and changes nothing."""

import re

import pytest

from shared.all_ports import Ports
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from shared.services.operations.preview_undo import preview_rejection, preview_undo
from tests.integration.access.test_api_timing_class import asked
from tests.integration.console.console_support import a_visitor, send
from tests.integration.undo.undo_support import Dreamt, find_operation, undo
from tests.support.builders import get_operations, take_picture, write


def test_a_preview_names_what_the_undo_then_takes_back_and_changes_nothing(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    before, operations = take_picture(ports, tenant), get_operations(ports, tenant, dream.id)
    preview = preview_undo(ports.db, tenant, dream.id)
    assert take_picture(ports, tenant) == before
    assert get_operations(ports, tenant, dream.id) == operations
    report = undo(ports, tenant, dream)
    assert (report.undone, report.conflicts) == (len(preview.steps), ())
    assert preview.conflicts == ()


def test_a_preview_names_the_conflicts_that_the_undo_then_runs_into(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    write(ports, tenant, {"web/cookies.md": "# Edited since\n\nBy a person.\n"}, author=Author.USER)
    preview = preview_undo(ports.db, tenant, dream.id)
    report = undo(ports, tenant, dream)
    named = tuple(
        f"{KINDS[step.recorded.operation.kind].label.capitalize()}: {step.conflict}" for step in preview.conflicts
    )
    assert named
    assert named == report.conflicts


def test_of_a_very_long_dream_a_look_names_the_same_conflicts_and_writes_nothing(
    ports: Ports, dreamt: Dreamt, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    written = {"web/cookies.md": "# Edited since\n\nBy a person.\n"}
    for edits in ({}, written):
        write(ports, tenant, edits, author=Author.USER)
        tried = preview_undo(ports.db, tenant, dream.id)
        with monkeypatch.context() as patched, asked() as statements:
            patched.setattr("shared.services.operations.preview_undo.MAX_TRIED", 0)
            looked = preview_undo(ports.db, tenant, dream.id)
        assert (looked.steps, looked.dropped) == (tried.steps, tried.dropped)
        assert bool(looked.conflicts) is bool(edits)
        assert tried.is_tried > looked.is_tried
        assert not [one for one in statements if re.search(r"\b(INSERT|UPDATE \w+ SET|SAVEPOINT)\b", one)]


def test_a_dream_that_cannot_be_undone_says_why(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    undo(ports, tenant, dream)
    assert "already undone" in preview_undo(ports.db, tenant, dream.id).refusal


def test_the_rejection_of_an_operation_is_previewed_too(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    merge = find_operation(ports, tenant, dream, OperationKind.MERGE)
    before = take_picture(ports, tenant)
    assert preview_rejection(ports.db, tenant, merge).conflict is None
    assert take_picture(ports, tenant) == before
    write(ports, tenant, {"web/cookies.md": "# Edited since\n\nBy a person.\n"}, author=Author.USER)
    assert "edited after the dream" in (preview_rejection(ports.db, tenant, merge).conflict or "")


def test_the_page_names_the_conflict_and_undoes_around_it_or_over_it(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    edited = "# Edited since\n\nBy a person.\n"
    write(ports, tenant, {"web/cookies.md": edited}, author=Author.USER)
    browser, where = a_visitor(ports, tenant, Role.REVIEWER), f"/console/t/{tenant}/dreams/{dream.id}"
    text = browser.get(f"{where}/undo").text
    assert "web/cookies.md was edited after the dream" in text
    assert "Undo, except conflicts" in text
    merge = find_operation(ports, tenant, dream, OperationKind.MERGE)
    page = browser.get(f"/console/t/{tenant}/operations/{merge}").text
    assert "Undoing it conflicts with a later edit" in page
    assert send(browser, f"{where}/undo").headers["location"] == where
    assert "left alone" in browser.get(where).text
    assert edited in [memory.content for memory in take_picture(ports, tenant).memories.values()]
    send(browser, f"{where}/undo", force="yes")
    waiting = [op.operation.kind for op in get_operations(ports, tenant, dream.id) if op.state != "undone"]
    assert waiting == [OperationKind.RESTORE_EDIT]


def test_a_verdict_that_comes_too_late_is_said_and_does_nothing(ports: Ports, dreamt: Dreamt) -> None:
    tenant, dream = dreamt.tenant, dreamt.dream
    merge = find_operation(ports, tenant, dream, OperationKind.MERGE)
    browser, where = a_visitor(ports, tenant, Role.REVIEWER), f"/console/t/{tenant}/operations/{merge}"
    undo(ports, tenant, dream)
    before = take_picture(ports, tenant)
    for verdict in ("approve", "reject"):
        assert send(browser, f"{where}/{verdict}").status_code == 303
        assert re.search(r'class="notice refused"', browser.get(where).text)
    assert take_picture(ports, tenant) == before
