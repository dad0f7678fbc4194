"""A question that no answer comes to in time is asked again by the next dream, with all that was new to it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pydantic import BaseModel

from shared.adapters.llm.anthropic.client import AnthropicLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseState
from shared.core.questions.question import Question
from shared.ports.llm import LlmOutcome
from shared.services.operations.redo import redo_dream
from shared.services.operations.undo import undo_dream
from tests.support.builders import a_store, run_dream, take_picture, texts, write
from tests.support.model.provider import provider_at
from tests.support.session_builders import tell
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.gather.answer import GatherAnswer
from workers.phases.revise.answer import UpdateAnswer

NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
}
SAID = "The stand-up is at ten now, for the whole team."
#: A name that the answer of `revise` alone has, and so the questions that ask for it.
OF_REVISE = '"conflicts"'


class SlowServer:
    """A server of the Messages API that answers with nothing to do, and while `is_slow` never in time what `revise` asks."""

    def __init__(self) -> None:
        self.url = ""
        self.is_slow = True
        self.asked: list[str] = []
        self.gone = threading.Event()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["content-length"])).decode()
        if OF_REVISE in body:
            self.asked.append(body)
            if self.is_slow:
                self.gone.wait(20)
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5",
            "content": [{"type": "text", "text": "{}"}], "stop_reason": "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip
        handler.send_response(200)
        handler.send_header("content-type", "application/json")
        handler.end_headers()
        handler.wfile.write(json.dumps(message).encode())


@pytest.fixture
def server() -> Iterator[SlowServer]:
    slow = SlowServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            try:
                slow.answer(self)
            except ConnectionError:
                self.close_connection = True  # the client has left

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        slow.url = f"http://127.0.0.1:{server.server_port}"
        yield slow
        slow.gone.set()
        server.shutdown()
        thread.join()


def test_a_question_that_timed_out_leaves_the_dream_partial_and_is_asked_again_by_the_next_one(
    ports: Ports, tenant: str, server: SlowServer
) -> None:
    a_store(ports, tenant, overrides={"budget.call_timeout_seconds": 1.0})
    write(ports, tenant, texts(NOTES))
    model = AnthropicLlm(model="claude-haiku-4-5", provider=provider_at(server.url))

    cut = run_dream(ports, tenant, model)

    assert cut.state is DreamState.PARTIAL
    with ports.db.transaction(tenant) as uow:
        runs = {run.phase: run for run in uow.phases.find_all(cut.id)}
    assert runs["revise"].state is PhaseState.FAILED
    assert runs["revise"].reason == "no answer from the model (model_timed_out 1; the next dream asks again)"
    assert runs["consolidate"].state is PhaseState.DONE
    assert cut.summary is not None
    assert cut.summary.reasons["model_timed_out"] == 1

    server.is_slow = False
    run_dream(ports, tenant, model)

    again = server.asked[-1]
    assert len(server.asked) == 2
    assert all(path in again for path in NOTES)
    run_dream(ports, tenant, model)
    assert len(server.asked) == 2, "what was answered is asked no third time"


def say(question: Question) -> BaseModel | LlmOutcome | None:
    """Gather what was said; no answer of `revise` comes in time."""
    if question.answer_type is GatherAnswer:
        found = {"kind": "fact", "window": question.documents[0].path, "quote": SAID, "statement": "The stand-up is at ten.", "title": "Time of the stand-up", "confidence": 0.9}  # fmt: skip
        return GatherAnswer.model_validate({"memories": [found]})
    return LlmOutcome.TIMED_OUT if question.answer_type is UpdateAnswer else None


def say_nothing_after_gathering(question: Question) -> BaseModel | LlmOutcome | None:
    """Gather what was said; no later question has an answer."""
    return LlmOutcome.TIMED_OUT if question.answer_type is ConsolidateAnswer else say(question)


@pytest.mark.parametrize("answer", [say, say_nothing_after_gathering], ids=["one phase", "both phases"])
def test_what_a_dream_gathered_and_no_later_phase_got_an_answer_about_is_shown_to_the_next_one_as_changed(
    ports: Ports, tenant: str, answer: object
) -> None:
    _gather(ports, tenant, answer)
    shown: list[str] = []

    def look(question: Question) -> BaseModel | None:
        if question.answer_type is UpdateAnswer:
            shown.extend(one.text for one in question.documents if one.role == "changed")
        return None

    run_dream(ports, tenant, ScriptedLlm(look))
    assert any("at ten" in text for text in shown)
    shown.clear()
    run_dream(ports, tenant, ScriptedLlm(look))
    assert shown == []


def test_undo_and_redo_keep_the_marks_of_a_dream_that_got_no_answer(ports: Ports, tenant: str) -> None:
    dream = _gather(ports, tenant, say)
    marks = _marks(ports, tenant)
    assert any("at ten" in text and is_changed for text, is_changed in marks)
    undo_dream(ports.db, tenant, dream.id, actor="bo")
    assert all("at ten" not in text for text, _ in _marks(ports, tenant))
    redo_dream(ports.db, tenant, dream.id, actor="bo")
    assert _marks(ports, tenant) == marks


def _gather(ports: Ports, tenant: str, answer: object) -> Dream:
    """Dream over a session of a store that is known."""
    a_store(ports, tenant)
    write(ports, tenant, texts({"team/meetings.md": "# Team\n\nThe stand-up is at nine. Ana leads the team.\n"}))
    run_dream(ports, tenant, ScriptedLlm(lambda _: None))
    tell(ports, tenant, "s1", SAID)
    return run_dream(ports, tenant, ScriptedLlm(answer))  # type: ignore[arg-type] # one of the answers above


def _marks(ports: Ports, tenant: str) -> set[tuple[str, bool]]:
    """Return the texts that are there, each with whether it counts as changed."""
    found = take_picture(ports, tenant).memories.values()
    return {(one.content, one.is_dirty) for one in found if one.state == "live"}
