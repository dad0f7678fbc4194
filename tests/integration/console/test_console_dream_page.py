"""The page of a dream: where its time went, what it did by kind, and each diff in its place."""

import re
from dataclasses import replace

import psycopg
import pytest
from psycopg.types.json import Jsonb
from starlette.testclient import TestClient

from gateway.cli.dreams.as_json import losing_lines
from gateway.console.views.prompt_view import fold_documents
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.operations import KINDS, OperationKind
from shared.core.dream.recall import ProbeKind, Recall, count_recall
from shared.core.dream.summary import render_summary
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.services.dreams.read import find_calls, get_call, get_dream_view
from tests.integration.console.console_support import a_visitor
from tests.integration.undo.undo_support import Dreamt, find_operation
from tests.support.builders import get_operations, run_dream, write


@pytest.fixture
def visitor(ports: Ports, dreamt: Dreamt) -> TestClient:
    return a_visitor(ports, dreamt.tenant)


@pytest.fixture
def address(dreamt: Dreamt) -> str:
    return f"/console/t/{dreamt.tenant}/dreams/{dreamt.dream.id}"


def shown(text: str) -> list[str]:
    """The kinds of the operations on a page, as it names them."""
    return re.findall(r'<h4><a href="[^"]+">([^<]+)</a></h4>', text)


def test_a_failed_call_stands_below_its_phase_with_what_the_models_server_said(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    failed = LlmReply(
        outcome=LlmOutcome.OVERLOADED, model="m-1", detail="Overloaded <now>", usage=LlmUsage(input_tokens=7)
    )
    with ports.db.transaction(dreamt.tenant) as uow:
        uow.calls.record(dreamt.dream.id, "prune", "k", failed, latency_ms=1500)
    text = visitor.get(address).text
    prune = text[text.index('aria-label="Calls of prune"') :].partition("</table>")[0]
    assert "Overloaded &lt;now&gt;" in prune
    assert "1.5 s" in prune
    assert 'class="call bad"' in text


def test_an_operation_that_lost_answers_is_named_where_it_can_be_undone(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str, owner_connection: psycopg.Connection
) -> None:
    merged = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE)
    found = Recall(asked=20, before=18, after=16, lost=2, lost_by={merged: 2})
    with ports.db.transaction(dreamt.tenant) as uow:
        uow.dreams.add_recall(dreamt.dream.id, ProbeKind.PAIR, found)
    of_phase = "UPDATE phase_runs SET counts = %s WHERE dream_id = %s AND phase = 'measure_recall'"
    counts = Jsonb(count_recall(ProbeKind.PAIR, found))
    assert owner_connection.execute(of_phase, [counts, dreamt.dream.id]).rowcount == 1

    text = visitor.get(address).text
    link = f"/console/t/{dreamt.tenant}/operations/{merged}"
    assert f'2 answers lost by <a href="{link}">an operation</a>' in text
    assert "facts of the memories: <b>16 of 20</b> found, 18 before" in text
    assert visitor.get(link).status_code == 200
    (said,) = losing_lines(get_dream_view(ports.db, dreamt.tenant, dreamt.dream.id))
    assert said.startswith("2 answers are no longer found")
    assert said.endswith(f"review reject {dreamt.tenant} {merged}")


def test_answers_in_an_archived_note_are_said_to_be_there_with_the_command_that_brings_it_back(
    ports: Ports, dreamt: Dreamt
) -> None:
    archived = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.ARCHIVE)
    found = Recall(asked=9, before=9, after=8, lost=1, lost_by={archived: 1})
    with ports.db.transaction(dreamt.tenant) as uow:
        uow.dreams.add_recall(dreamt.dream.id, ProbeKind.PAIR, found)
    (said,) = losing_lines(get_dream_view(ports.db, dreamt.tenant, dreamt.dream.id))
    assert said.startswith(f"1 answer is in a note that {archived} archived; to bring it back: ")
    assert said.endswith(f"review reject {dreamt.tenant} {archived}")


def test_operations_are_chosen_by_kind_or_by_what_waits_for_a_review(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    operations = get_operations(ports, dreamt.tenant, dreamt.dream.id)
    waiting = [one for one in operations if one.review == "pending"]
    every = visitor.get(address).text
    assert len(shown(every)) == len(operations)
    assert f'?waiting=yes">to review {len(waiting)}<' in every
    kinds = sorted(one.operation.kind for one in waiting)
    first = [KINDS[kind].label.capitalize() for kind in kinds]
    assert shown(every)[: len(first)] == first, "what waits for a review comes first"
    assert shown(visitor.get(f"{address}?waiting=yes").text) == first
    assert shown(visitor.get(f"{address}?kind=KEEP").text) == ["Kept"]
    assert shown(visitor.get(f"{address}?kind=NOTHING").text) == shown(every)
    assert "No operation matches." in visitor.get(f"{address}?kind=DIGEST").text


def test_filters_of_state_and_confidence_stand_in_the_address_and_stay_when_a_kind_is_chosen(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    operations = get_operations(ports, dreamt.tenant, dreamt.dream.id)
    sure = [one for one in operations if one.operation.confidence == 0.9]
    assert sure
    text = visitor.get(f"{address}?state=applied&confidence=high").text
    assert len(shown(text)) == len(sure)
    assert "90 % sure" in text
    assert f'href="{address}?kind=KEEP&amp;state=applied&amp;confidence=high"' in text
    assert "No operation matches." in visitor.get(f"{address}?confidence=low").text
    unsaid = shown(visitor.get(f"{address}?confidence=unsaid").text)
    assert len(unsaid) == len([one for one in operations if one.operation.confidence is None])
    assert len(shown(visitor.get(f"{address}?state=odd&confidence=odd").text)) == len(operations)


def test_the_page_says_what_came_of_the_dream_in_the_words_of_the_command_line(
    dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    text = visitor.get(address).text
    for line in render_summary(dreamt.dream).splitlines()[1:]:
        assert f'<p class="told">{line}</p>' in text


def test_the_whole_id_can_be_copied_and_counters_are_named_in_words(
    dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    text = visitor.get(address).text
    assert f'data-copy="{dreamt.dream.id}"' in text
    assert "<span>merged <b>1</b></span>" in text
    assert "temporal update" not in text


def test_a_diff_unfolds_in_the_page_of_its_own_dream_only(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    merge = find_operation(ports, dreamt.tenant, dreamt.dream, OperationKind.MERGE)
    assert f'hx-get="{address}/diffs/{merge}"' in visitor.get(address).text
    unfolded = visitor.get(f"{address}/diffs/{merge}")
    assert unfolded.status_code == 200
    assert "<html" not in unfolded.text
    assert all(path in unfolded.text for path in ("web/cookies.md", "web/cookies-twin.md"))
    assert "superseded" in unfolded.text
    assert visitor.get(f"{address[:-1]}x/diffs/{merge}").status_code == 404


def test_a_call_shows_what_was_sent_with_its_documents_folded_and_what_came_back(
    ports: Ports, dreamt: Dreamt, visitor: TestClient, address: str
) -> None:
    calls = find_calls(ports.db, dreamt.tenant, dreamt.dream.id, limit=50)
    asked = next(call for call in calls if call.phase == "prune")
    assert f'href="{address}/calls/{asked.id}"' in visitor.get(address).text
    text = visitor.get(f"{address}/calls/{asked.id}").text
    prompt = text[text.index("<h2>Prompt</h2>") :]
    assert "<summary><code>old/attic.md</code>" in prompt
    assert "had a plotter in the attic" in prompt
    assert "Rules and instructions" in prompt
    answer = text[text.index("<h2>Answer</h2>") : text.index("<h2>Prompt</h2>")]
    assert "ARCHIVE" in answer
    assert visitor.get(f"{address[:-1]}x/calls/{asked.id}").status_code == 404


def test_a_prompt_is_not_kept_where_the_installation_wants_none(ports: Ports, tenant: str) -> None:
    mine = replace(ports, settings=ports.settings.model_copy(update={"keep_prompts": "off"}))
    write(mine, tenant, {"web/a.md": "# A\n\nOne.\n", "web/b.md": "# A\n\nOne, too.\n"})
    dream = run_dream(mine, tenant, ScriptedLlm())
    call = find_calls(ports.db, tenant, dream.id, limit=1)[0]
    assert get_call(ports.db, tenant, dream.id, call.id).prompt is None
    page = a_visitor(ports, tenant).get(f"/console/t/{tenant}/dreams/{dream.id}/calls/{call.id}").text
    assert "this installation kept no prompts" in page
    assert "SLOWWAVE" not in page


@pytest.mark.parametrize(
    "text",
    ["", "no marker", "Framed by ===ab12===\n===ab12=== {broken\nx", "===ab12===\n===ab12=== " + "[" * 5_000 + "\nx"],
    ids=["empty", "bare", "broken", "deep"],
)
def test_a_question_that_cannot_be_folded_is_shown_as_it_is(text: str) -> None:
    shown = fold_documents(text)
    assert not [piece for piece in shown if piece.title]
    assert all(
        line.removeprefix("===ab12=== ") in "\n".join(piece.text for piece in shown) for line in text.split("\n")
    )
