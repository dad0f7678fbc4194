"""Reviews between people: who is asked to decide, what they wrote about it, who decided, and all that waits on one memory together."""

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from starlette.testclient import TestClient
from typer.testing import Result

from shared.all_ports import Ports
from shared.core.errors import BadInputError, ConflictError
from shared.core.tenants.roles import Role
from shared.services.forgetting.forget import forget
from shared.services.forgetting.known_of import find_known
from shared.services.forgetting.wanted import Kind, Target
from shared.services.operations.review import (
    assign_review,
    comment_review,
    find_reviews,
    get_operation,
    reject_operation,
)
from tests.integration.api.api_support import a_client, a_token, an_app, bearer, id_of
from tests.integration.console.console_support import a_visitor, send
from tests.integration.undo.undo_support import Dreamt

CommandLine = Callable[..., Result]
_CARD = re.compile(r'<li class="card review" id="(op_\w+)"')
KEY = "AKIA" + "IOSFODNN7QWERTYU"


def said(page: str) -> str:
    """The text that a person reads, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.fixture
def waiting(ports: Ports, dreamt: Dreamt) -> list[str]:
    return [one.id for one in find_reviews(ports.db, dreamt.tenant, limit=100)]


@pytest.fixture
def reviewer(ports: Ports, dreamt: Dreamt) -> TestClient:
    return a_visitor(ports, dreamt.tenant, Role.REVIEWER)


def test_a_review_is_assigned_to_a_member_who_finds_it_among_their_own(
    ports: Ports, dreamt: Dreamt, reviewer: TestClient, waiting: list[str], command_line: CommandLine
) -> None:
    base = f"/console/t/{dreamt.tenant}"
    mine = re.search(r'value="(key:key_\w+)">you', reviewer.get(f"{base}/operations/{waiting[0]}").text)
    assert mine
    send(reviewer, f"{base}/operations/{waiting[0]}/assign", to=mine[1])
    assert _CARD.findall(reviewer.get(f"{base}/reviews", params={"assigned": mine[1]}).text) == [waiting[0]]
    assert "Assigned to you" in said(reviewer.get(f"{base}/reviews").text)
    command_line("review", "assign", dreamt.tenant, waiting[0], "none")
    assert "Nothing that matches" in reviewer.get(f"{base}/reviews", params={"assigned": mine[1]}).text
    command_line("review", "assign", dreamt.tenant, waiting[1], "me")
    assert get_operation(ports.db, dreamt.tenant, waiting[1]).assigned_to.startswith("cli:")


def test_the_shell_lists_what_is_assigned_to_who_asks_and_nothing_else(
    dreamt: Dreamt, waiting: list[str], command_line: CommandLine
) -> None:
    nothing = command_line("review", "pending", dreamt.tenant, "--mine").stdout
    assert "Nothing that matches is waiting for review." in nothing
    command_line("review", "assign", dreamt.tenant, waiting[1], "me")
    listed = json.loads(command_line("review", "pending", dreamt.tenant, "--mine", "--json").stdout)
    assert [one["id"] for one in listed] == [waiting[1]]
    assert f"1 change of {dreamt.tenant} to review" in command_line("review", "pending", dreamt.tenant, "--mine").stdout


def test_only_a_member_who_may_review_is_asked_and_only_while_it_waits(
    ports: Ports, dreamt: Dreamt, waiting: list[str]
) -> None:
    agent = id_of(a_token(ports, dreamt.tenant, Role.AGENT))
    for stranger in (agent, "Mallory", "oidc:never@seen.example"):
        with pytest.raises(BadInputError, match="has no reviewer"):
            assign_review(ports.db, dreamt.tenant, waiting[0], stranger, actor="a test")
    reject_operation(ports.db, dreamt.tenant, waiting[0], actor="a test")
    with pytest.raises(ConflictError, match="does not wait"):
        assign_review(ports.db, dreamt.tenant, waiting[0], "me", actor="a test")


def test_a_comment_is_stored_without_secrets_and_stands_on_the_card_and_in_the_shell(
    ports: Ports, dreamt: Dreamt, reviewer: TestClient, waiting: list[str], command_line: CommandLine
) -> None:
    base = f"/console/t/{dreamt.tenant}"
    send(reviewer, f"{base}/operations/{waiting[0]}/comment", text=f"Mara knows the key {KEY}")
    told = get_operation(ports.db, dreamt.tenant, waiting[0]).comments[0].text
    assert told.startswith("Mara knows the key")
    assert KEY not in told
    assert "you: Mara knows the key" in said(reviewer.get(f"{base}/reviews").text)
    assert "Mara knows the key" in command_line("review", "show", dreamt.tenant, waiting[0]).stdout
    with pytest.raises(BadInputError, match="1 to 2,000 characters"):
        comment_review(ports.db, dreamt.tenant, waiting[0], " ", actor="a test")


def test_what_is_forgotten_is_gone_from_comments_and_known_of_a_person_lists_them(
    ports: Ports, dreamt: Dreamt, waiting: list[str]
) -> None:
    comment_review(ports.db, dreamt.tenant, waiting[0], "Zorblax Quux knows more.", actor="a test")
    known = find_known(ports.db, dreamt.tenant, "default", "Zorblax Quux")
    assert "Zorblax Quux knows more." in str(known)
    forget(ports.db, dreamt.tenant, "default", Target(Kind.TEXT, "Zorblax Quux"), actor="a test")
    assert "Zorblax" not in get_operation(ports.db, dreamt.tenant, waiting[0]).comments[0].text
    comment_review(ports.db, dreamt.tenant, waiting[0], "Ask Zorblax Quux again.", actor="a test")
    assert "Zorblax" not in get_operation(ports.db, dreamt.tenant, waiting[0]).comments[1].text


def test_who_decided_what_when_and_through_what_is_listed_for_all_and_for_oneself(
    dreamt: Dreamt, reviewer: TestClient, waiting: list[str], command_line: CommandLine
) -> None:
    base = f"/console/t/{dreamt.tenant}"
    assert "You have decided nothing yet." in reviewer.get(f"{base}/reviews/decided?by=me").text
    send(reviewer, f"{base}/operations/{waiting[0]}/reject", why="It is wrong")
    command_line("review", "reject", dreamt.tenant, waiting[1], "--why", "It loses something")
    every = said(reviewer.get(f"{base}/reviews/decided").text)
    assert "rejected It is wrong you, by a key" in every
    assert re.search(r"rejected It loses something \w+, on the command line", every)
    own = said(reviewer.get(f"{base}/reviews/decided?by=me").text)
    assert "It is wrong" in own
    assert "It loses something" not in own
    assert "Rejected by you, by a key" in said(reviewer.get(f"{base}/operations/{waiting[0]}").text)
    mine = json.loads(command_line("review", "decided", dreamt.tenant, "--by", "me", "--json").stdout)
    assert [one["id"] for one in mine] == [waiting[1]]


def test_all_that_waits_on_one_memory_stands_together_and_each_change_once(
    dreamt: Dreamt, reviewer: TestClient, waiting: list[str]
) -> None:
    base = f"/console/t/{dreamt.tenant}"
    page = reviewer.get(f"{base}/reviews?by=memory").text
    assert sorted(_CARD.findall(page)) == sorted(waiting)
    numbers = [int(one) for one in re.findall(r"(\d+) changes? waiting", page)]
    assert numbers[: len(numbers) - 1] == sorted(numbers[: len(numbers) - 1], reverse=True)
    assert sum(numbers) == len(waiting)
    assert "office/door.md" in page


def test_the_api_assigns_comments_and_lists_by_assignee(ports: Ports, dreamt: Dreamt, waiting: list[str]) -> None:
    token = a_token(ports, dreamt.tenant, Role.REVIEWER)
    client = a_client(an_app(ports))
    client.headers.update(bearer(token))
    assert (
        client.post(f"/api/reviews/{waiting[0]}/assign", json={"to": "me"}).json()["assigned_to"]
        == f"key:{id_of(token)}"
    )
    assert client.post(f"/api/reviews/{waiting[0]}/assign", json={"to": "Mallory"}).status_code == 422
    noted = client.post(f"/api/reviews/{waiting[0]}/comment", json={"text": "Ask Mara."}).json()
    assert [one["text"] for one in noted["comments"]] == ["Ask Mara."]
    found = client.get("/api/reviews", params={"assigned_to": f"key:{id_of(token)}"}).json()["data"]
    assert [one["id"] for one in found] == [waiting[0]]


def test_what_waits_again_is_shown_without_a_verdict(
    dreamt: Dreamt, waiting: list[str], command_line: CommandLine
) -> None:
    tenant, one = dreamt.tenant, waiting[0]
    command_line("review", "reject", tenant, one, "--why", "It is wrong")
    assert "rejected by" in command_line("review", "show", tenant, one).output
    command_line("review", "reopen", tenant, one)
    shown = command_line("review", "show", tenant, one).output
    assert one in shown
    assert "on the command line" not in shown
