"""A model reads what people said plainly or in a language without cues, once, on real servers."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.memory.provenance import read_sources
from shared.core.questions.question import Question, render_question
from shared.core.sessions.model import EventKind
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.sessions.test_gather import LIMITS, live, the_new_one
from tests.support.builders import get_store, run_dream, write
from tests.support.session_builders import SAID_AT, get_session, tell
from workers.phases import CATALOG
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.preview.estimate import estimate_dream

PORT = "Od dziś bramka nasłuchuje na porcie 3007."


def listening(asked: list[str], answer: Callable[[Question], BaseModel | None] = lambda _: None) -> ScriptedLlm:
    """A model that keeps what gather asks it."""

    def listen(question: Question) -> BaseModel | None:
        if question.phase != "gather":
            return None
        asked.append(render_question(question))
        return answer(question)

    return ScriptedLlm(listen)


def remember(question: Question, quote: str, **values: str) -> GatherAnswer:
    """The answer that keeps a sentence of the one piece that has it."""
    (window,) = [one.path for one in question.documents if one.role == "session" and quote in one.text]
    item = {"window": window, "quote": quote, "statement": quote, "title": "Bramka", "confidence": 0.9, **values}
    return GatherAnswer(memories=(GatheredMemory.model_validate(item),))


def test_a_polish_statement_becomes_a_memory_with_its_source_and_is_not_asked_about_again(
    ports: Ports, tenant: str
) -> None:
    asked: list[str] = []
    model = listening(asked, lambda question: remember(question, PORT))
    tell(ports, tenant, "s1", "dzień dobry", (EventKind.ASSISTANT, "Cześć."), PORT)
    run_dream(ports, tenant, model)
    assert len(asked) == 1
    (source,) = read_sources(the_new_one(ports, tenant))
    assert (source.event_id, source.quote) == ("e3", PORT)
    run_dream(ports, tenant, model)
    assert len(asked) == 1


def test_without_a_model_a_polish_statement_is_passed_over(ports: Ports, tenant: str) -> None:
    session = tell(ports, tenant, "s1", PORT)
    dream = run_dream(ports, tenant, OfflineLlm())
    assert live(ports, tenant) == {}
    assert dream.summary is not None
    assert dream.summary.reasons.get("no_cues") == 1
    assert "not_shown" not in dream.summary.reasons
    assert get_session(ports, tenant, "s1").gathered_position == session.last_position


def test_a_session_without_a_cue_makes_a_store_due_and_its_estimate_counts_the_question(
    ports: Ports, tenant: str
) -> None:
    tell(ports, tenant, "s1", PORT)
    assert get_store(ports, tenant).sessions == 1
    estimate = estimate_dream(replace(ports, choose_llm=lambda _: ScriptedLlm()), tenant, "default")
    assert [len(phase.prompts) for phase in estimate.phases if phase.phase == "gather"] == [1]


def test_a_plain_statement_changes_what_a_memory_says_and_the_old_words_are_superseded(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, {"api/limits.md": LIMITS})
    later = get_store(ports, tenant).last_activity_at
    assert later is not None
    said = "The public API has 900 requests a minute for each key by now."
    tell(ports, tenant, "s1", said, at=later + timedelta(days=1))
    replaced = {"target": "api/limits.md", "replaces": "The public API allows 300 requests a minute for each key."}
    run_dream(ports, tenant, listening([], lambda question: remember(question, said, **replaced)))
    current, _, superseded = live(ports, tenant)["api/limits.md"].partition("## Superseded")
    assert "900 requests" in current
    assert "300 requests" in superseded


def test_a_dream_says_how_many_messages_its_budget_left_out(ports: Ports, tenant: str) -> None:
    for number in range(3):
        words = [f"{PORT} {line}" for line in range(20)]
        tell(ports, tenant, f"s{number}", *words, at=SAID_AT + timedelta(days=number))
    changes = StoreChanges(overrides={"show.session_tokens": 500})
    configure_store(ports.db, tenant, "default", changes=changes, phases=CATALOG, actor="a test")
    asked: list[str] = []
    dream = run_dream(ports, tenant, listening(asked))
    assert "porcie 3007. 19" in "".join(asked)
    assert dream.summary is not None
    assert dream.summary.reasons.get("not_shown") == 1
    assert [get_session(ports, tenant, f"s{number}").waiting for number in range(3)] == [0, 0, 0]
