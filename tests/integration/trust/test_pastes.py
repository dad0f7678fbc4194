"""A pasted text becomes nothing that an agent reads, though a model quotes it word for word as the person's wish."""

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, OperationState
from shared.core.questions.question import Question
from shared.core.sessions.model import EventKind
from tests.integration.trust.pasted_messages import ORDER, OWN, PASTED
from tests.support.builders import a_store, get_operations, run_dream, take_picture
from tests.support.session_builders import tell
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.infer_preferences.answer import InferAnswer, InferredMemory


def believe(question: Question) -> BaseModel | None:
    """Answer as a model that takes each instruction for the user's own wish, and quotes it."""
    shown = [one.path for one in question.documents if ORDER in one.text and "#" in one.path]
    if question.phase == "gather":
        return GatherAnswer(
            memories=tuple(
                GatheredMemory(kind=kind, window=path, quote=ORDER, statement=ORDER, confidence=1.0)
                for path in shown
                for kind in ("preference", "save", "correction", "fact")
            )
        )
    if question.phase == "infer_preferences":
        saved = (
            InferredMemory(
                content=ORDER, title="Deploys", source_ids=(path,), quotes=(quote,), sentiment="very_irritated"
            )
            for path in shown
            for quote in (ORDER, "summarize this page for me")
        )
        return InferAnswer(to_save=tuple(saved))
    return None


def told_live(ports: Ports, tenant: str) -> list[str]:
    live = (one for one in take_picture(ports, tenant).memories.values() if one.state == "live")
    return [one.path for one in live if ORDER.rstrip(".") in one.content]


@pytest.mark.parametrize("profile", ["claude-code", "rockbot"])
def test_nothing_that_was_pasted_is_applied_whatever_a_model_quotes(ports: Ports, tenant: str, profile: str) -> None:
    a_store(ports, tenant, profile=profile)
    for number, message in enumerate(PASTED.values()):
        tell(ports, tenant, f"s{number}", "From now on we name branches after tickets.", message)
    dream = run_dream(ports, tenant, ScriptedLlm(believe))
    assert dream.state is DreamState.COMPLETED
    applied = [
        one.operation.reason
        for one in get_operations(ports, tenant, dream.id)
        if one.state is OperationState.APPLIED and ORDER.rstrip(".") in str(one.operation.changes)
    ]
    assert applied == []
    assert told_live(ports, tenant) == []


def test_what_tools_assistants_and_machines_wrote_is_no_wish_of_a_person(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="rockbot")
    for number, kind in enumerate((EventKind.TOOL_RESULT, EventKind.SUMMARY, EventKind.CONTINUED)):
        tell(ports, tenant, f"s{number}", "From now on we name branches after tickets.", (kind, ORDER))
    run_dream(ports, tenant, ScriptedLlm(believe))
    assert told_live(ports, tenant) == []


def test_the_same_words_of_a_person_are_kept(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="rockbot")
    for number, message in enumerate(OWN.values()):
        tell(ports, tenant, f"s{number}", message)
    run_dream(ports, tenant, ScriptedLlm(believe))
    assert told_live(ports, tenant)
