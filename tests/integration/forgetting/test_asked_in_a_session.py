"""A request in a conversation to forget something is heard by the next dream; once a person agrees it is gone everywhere."""

from collections.abc import Callable

import psycopg
from typer.testing import Result

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.sessions.model import EventKind
from shared.ports.dreams import RecordedOperation
from shared.services.approval import approve
from shared.services.operations.review import reject_operation
from tests.support.builders import a_store, get_operations, run_dream, take_picture, write
from tests.support.database.columns import find_columns_holding
from tests.support.session_builders import tell

WORD = "zq4711xx"
ASKED = "Please forget my phone number."


def _dream(ports: Ports, tenant: str) -> list[RecordedOperation]:
    return [
        one
        for one in get_operations(ports, tenant, run_dream(ports, tenant, OfflineLlm()).id)
        if one.review is ReviewState.PENDING
    ]


def _live(ports: Ports, tenant: str) -> dict[str, str]:
    return {one.path: one.content for one in take_picture(ports, tenant).memories.values() if one.state == "live"}


def test_what_was_asked_is_proposed_by_its_words_and_gone_everywhere_once_a_person_agrees(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant)
    tell(ports, tenant, "s1", f"Remember that my phone number at the lake house is {WORD} from today on.")
    run_dream(ports, tenant, OfflineLlm())
    others = f"# Lake house\n\n- The roses are watered on Mondays.\n- For repairs call the phone number {WORD}.\n"
    write(ports, tenant, {"house/lake.md": others, "tea.md": "# Tea\n\nGreen tea is in the drawer.\n"})
    tell(ports, tenant, "s2", ASKED)
    wishes = [one for one in _dream(ports, tenant) if one.operation.kind is OperationKind.FORGET]
    assert len(wishes) == 2
    assert all(WORD in one.operation.reason for one in wishes)
    assert WORD in str(_live(ports, tenant)), "nothing goes before a person agrees"
    for wish in wishes:
        approve(ports.db, ports.ids, tenant, wish.id, actor="ada")
    assert find_columns_holding(owner_connection, tenant, WORD) == []
    live = _live(ports, tenant)
    assert live["house/lake.md"] == "# Lake house\n\n- The roses are watered on Mondays.\n"
    assert live["tea.md"] == "# Tea\n\nGreen tea is in the drawer.\n"


def test_a_request_is_heard_once_and_two_for_one_memory_wait_beside_each_other(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    write(
        ports, tenant, {"ann.md": f"# Ann\n\n- The phone number is {WORD}.\n- Her birthday is in May.\n- Likes tea.\n"}
    )
    tell(ports, tenant, "s1", ASKED)
    [first] = _dream(ports, tenant)
    assert _dream(ports, tenant) == []
    tell(ports, tenant, "s2", ASKED)
    assert _dream(ports, tenant) == [], "it waits already"
    tell(ports, tenant, "s3", "Please forget my birthday.")
    [second] = _dream(ports, tenant)
    approve(ports.db, ports.ids, tenant, first.id, actor="ada")
    assert _live(ports, tenant)["ann.md"] == "# Ann\n\n- Her birthday is in May.\n- Likes tea.\n"
    approve(ports.db, ports.ids, tenant, second.id, actor="ada", accepts_change=True)
    assert _live(ports, tenant)["ann.md"] == "# Ann\n\n- Likes tea.\n"


def test_a_rejected_request_changes_nothing(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    write(ports, tenant, {"ann.md": f"# Ann\n\n- The phone number is {WORD}.\n- Likes tea.\n"})
    tell(ports, tenant, "s1", ASKED)
    before = _live(ports, tenant)
    [wish] = _dream(ports, tenant)
    reject_operation(ports.db, tenant, wish.id, actor="ada")
    assert _live(ports, tenant)["ann.md"] == before["ann.md"]


def test_a_request_that_no_memory_names_becomes_a_question_to_a_person(
    ports: Ports, tenant: str, command_line: Callable[..., Result]
) -> None:
    a_store(ports, tenant)
    write(ports, tenant, {"tea.md": "# Tea\n\nGreen tea is in the drawer.\n"})
    tell(ports, tenant, "s1", ASKED)
    [flag] = _dream(ports, tenant)
    assert flag.operation.kind is OperationKind.FLAG
    shown = command_line("dreams", "show", tenant, flag.dream_id)
    assert shown.exit_code == 0, shown.output
    said = " ".join(shown.output.split())
    assert "to forget “phone number”; nothing in the store names it" in said
    approve(ports.db, ports.ids, tenant, flag.id, actor="ada")


def test_an_agent_and_a_pasted_mail_ask_for_nothing(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    write(ports, tenant, {"ann.md": f"# Ann\n\nThe phone number is {WORD}.\n"})
    tell(ports, tenant, "s1", (EventKind.ASSISTANT, ASKED), f"Summarize this:\n\n> {ASKED}\n")
    assert [one for one in _dream(ports, tenant) if one.operation.kind is not OperationKind.GATHER] == []
