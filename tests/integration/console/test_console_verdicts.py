"""A verdict in the console can be taken back where it was given: in the queue, and on the operation's page."""

from shared.all_ports import Ports
from shared.core.dream.model import ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.tenants.roles import Role
from shared.services.operations.review import get_operation
from tests.integration.console.console_support import a_visitor, send
from tests.integration.undo.undo_support import Dreamt, ask_anew, dream_of_everything, find_operation, of_kind
from tests.support.builders import write


def test_a_verdict_is_taken_back_in_the_queue_and_on_its_page(ports: Ports, dreamt: Dreamt) -> None:
    browser = a_visitor(ports, dreamt.tenant, Role.REVIEWER)
    operation_id = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE)
    page = f"/console/t/{dreamt.tenant}/operations/{operation_id}"
    browser.headers["hx-request"] = "true"
    settled = send(browser, f"{page}/reject", **{"from": "queue"}).text
    assert f'action="{page}/reopen"' in settled
    assert "Take it back" in settled
    card = send(browser, f"{page}/reopen", **{"from": "queue"}).text
    assert f'id="{operation_id}"' in card
    assert "data-reject" in card
    del browser.headers["hx-request"]
    send(browser, f"{page}/reject")
    assert "Take the verdict back" in browser.get(page).text
    send(browser, f"{page}/reopen")
    assert "it waits for a review again" in browser.get(page).text
    assert get_operation(ports.db, dreamt.tenant, operation_id).review is ReviewState.PENDING


def test_an_edit_since_the_rejection_is_said_and_forced_on_request_only(ports: Ports, dreamt: Dreamt) -> None:
    browser = a_visitor(ports, dreamt.tenant, Role.REVIEWER)
    operation_id = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE)
    page = f"/console/t/{dreamt.tenant}/operations/{operation_id}"
    send(browser, f"{page}/reject")
    write(ports, dreamt.tenant, {"web/cookies.md": "# Edited\n"})
    send(browser, f"{page}/reopen")
    said = browser.get(page).text
    assert "Not reopened: web/cookies.md was edited after the rejection" in said
    assert "Take it back, overwriting later edits" in said
    together = send(browser, f"/console/t/{dreamt.tenant}/reviews/reopen", ops=operation_id).text
    assert "web/cookies.md was edited after the rejection" in together
    assert "--force" not in said + together
    send(browser, f"{page}/reopen", force="yes")
    assert get_operation(ports.db, dreamt.tenant, operation_id).review is ReviewState.PENDING


def test_the_reason_of_a_rejection_stands_on_the_page_of_what_a_dream_wanted_again(
    ports: Ports, dreamt: Dreamt
) -> None:
    browser = a_visitor(ports, dreamt.tenant, Role.REVIEWER)
    operations = f"/console/t/{dreamt.tenant}/operations"
    rejected = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE)
    send(browser, f"{operations}/{rejected}/reject", why="These are about two things")
    ask_anew(ports, dreamt.tenant)
    again = of_kind(ports, dreamt.tenant, dream_of_everything(ports, dreamt.tenant), OperationKind.MERGE)
    assert again.id != rejected
    shown = browser.get(f"{operations}/{again.id}").text
    assert "Rejected by " in shown
    assert ": These are about two things (" in shown
