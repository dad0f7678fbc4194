"""Proposals of a dream that share memories are one change: every list gives its order, and one request approves it in order."""

import json
import re
from collections.abc import Callable

from click.testing import Result

from shared.all_ports import Ports
from shared.core.dream.model import ReviewState
from shared.services.operations.review import find_reviews, get_operation
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor, fields_of, send
from tests.integration.undo.test_approvals_compose import NOW_OWNER, a_night
from tests.integration.undo.undo_support import at
from tests.support.builders import write


def test_every_list_says_which_operations_are_one_change_and_in_which_order(
    ports: Ports, tenant: str, command_line: Callable[..., Result]
) -> None:
    a_night(ports, tenant, "shop/refunds.md")
    waiting = find_reviews(ports.db, tenant, limit=None)
    ids = [one.id for one in waiting]
    assert [one.operation.kind for one in waiting] == ["CORRECT", "CORRECT", "MERGE"]
    told = [(ids[0], position, 3) for position in (1, 2, 3)]
    client, signed = a_client(an_app(ports)), bearer(a_token(ports, tenant))
    listed = client.get("/api/reviews", headers=signed).json()["data"]
    alone = [client.get(f"/api/reviews/{one}", headers=signed).json() for one in ids]
    last = client.get("/api/reviews?kind=MERGE&limit=1", headers=signed).json()["data"]
    pending = json.loads(command_line("review", "pending", tenant, "--json").output)
    shown = [json.loads(command_line("review", "show", tenant, one, "--json").output) for one in ids]
    for found in (listed, alone, pending, shown):
        assert [(one["group"], one["position"], one["of"]) for one in found] == told
    assert [(one["group"], one["position"], one["of"]) for one in last] == told[2:]
    for one in ids:
        assert "first " in command_line("review", "show", tenant, one).output
    assert "3 of 3: first CORRECT, then CORRECT, then this" in command_line("review", "pending", tenant).output
    visitor, base = a_visitor(ports, tenant), f"/console/t/{tenant}"
    page = visitor.get(f"{base}/reviews").text
    assert "One change in 3 steps" in page
    assert re.findall(r"(\d of \d)</span>", page) == ["1 of 3", "2 of 3", "3 of 3"]
    assert "2 of 3 that share memories" in visitor.get(f"{base}/operations/{ids[1]}").text


def test_what_stands_alone_has_no_order(ports: Ports, tenant: str, command_line: Callable[..., Result]) -> None:
    a_night(ports, tenant, "shop/refunds.md")
    *others, last = [one.id for one in find_reviews(ports.db, tenant, limit=None)]
    command_line("review", "reject", tenant, *others)
    (found,) = json.loads(command_line("review", "pending", tenant, "--json").output)
    assert (found["id"], found["group"], found["position"], found["of"]) == (last, None, None, None)
    assert "steps" not in a_visitor(ports, tenant).get(f"/console/t/{tenant}/reviews").text


def test_one_request_approves_a_change_in_order_and_asks_again_about_what_it_changed(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"garden/well.md": "# Well\n\nThe well behind the shed holds clear water.\n"})
    a_night(ports, tenant, "shop/refunds.md")
    ids = [one.id for one in find_reviews(ports.db, tenant, limit=None)]
    visitor, base = a_visitor(ports, tenant), f"/console/t/{tenant}"
    group = visitor.get(f"{base}/reviews").text.partition('<li class="together"')[2]
    assert fields_of(group)["ops"].split() == ids
    answer = send(visitor, f"{base}/reviews/approve", ops=fields_of(group)["ops"]).text
    assert "Approved: 2 operations" in answer
    assert "Approve the changed result" in answer, answer[answer.find("<section id") :][:2500]
    send(visitor, f"{base}/reviews/approve", ops=ids[2], accept="yes")
    assert {get_operation(ports.db, tenant, one).review for one in ids} == {ReviewState.APPROVED}
    kept = at(ports, tenant, "shop/refunds.md")
    assert kept is not None
    assert NOW_OWNER in kept.content
