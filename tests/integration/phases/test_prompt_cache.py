"""The prompt cache: calls of one phase begin with the same bytes, and the log says what was read from the cache."""

import json
from typing import Any

from gateway.cli.dreams.as_json import calls_line, dream_json
from shared.adapters.llm.anthropic.client import AnthropicLlm
from shared.adapters.llm.anthropic.prompt_cache import PromptCache
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from shared.services.dreams.read import get_dream_view
from tests.integration.undo.undo_support import a_rich_store
from tests.support.builders import a_store, run_dream, write
from tests.support.model.provider import provider_at
from tests.support.session_builders import tell
from workers.ask.prompts import get_prompt
from workers.phases.prune.answer import PruneAnswer

_EMPTY = "{}"


def test_all_calls_of_a_dream_share_their_rules_and_those_of_a_phase_their_instructions(
    ports: Ports, tenant: str, llmock: Any
) -> None:
    a_rich_store(ports, tenant)
    tell(ports, tenant, "s1", "Remember that the staging cluster runs in eu-north-1.")
    llmock.reply(_EMPTY, times=40)
    run_dream(ports, tenant, AnthropicLlm(model="claude-haiku-4-5", provider=provider_at(llmock.base_url("anthropic"))))
    sent = [request.body for request in llmock.requests]
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.find_recent(limit=1)[0]
        phases = {p for p in ("gather", "consolidate", "synthesize", "prune") if uow.calls.find_answers(dream.id, p)}
    assert phases == {"gather", "consolidate", "synthesize", "prune"}
    rules = {json.dumps([body.get("tools"), body["model"], body["system"][0]], ensure_ascii=False) for body in sent}
    assert len(rules) == 1
    tasks = {body["system"][1]["text"] for body in sent}
    assert len(phases) <= len(tasks) <= len(sent)
    assert not [block for body in sent for block in body["system"] if "cache_control" in block], "too short for Haiku"
    assert len({json.dumps(body["messages"]) for body in sent}) == len(sent)


def test_the_log_shows_what_was_read_from_the_cache(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    usage = LlmUsage(input_tokens=100, output_tokens=10, cached_tokens=4_096)
    cached = LlmReply(outcome=LlmOutcome.OK, model="scripted", usage=usage, answer=PruneAnswer())
    dream = run_dream(ports, tenant, ScriptedLlm({"prune": cached}))
    view = get_dream_view(ports.db, tenant, dream.id)
    calls = dream_json(view)["calls"]
    assert calls.cached_tokens == 4_096
    share = f"{4_096 / calls.input_tokens:.0%}"
    assert f"4,096 read from the prompt cache ({share} of the prompts)" in calls_line(view)


#: Three sessions do not fit into one call beside the memory that all of them are about.
_SMALL_CALLS = {"gather.payload_cap_chars": 7_200}
_ABOUT = "the staging cluster, its gateway, its certificates and its nightly backup"


def three_sessions_about_one_memory(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides=_SMALL_CALLS)
    write(ports, tenant, {"ops/staging.md": f"# Staging\n\nNotes about {_ABOUT}. \n" * 60})
    for number in range(1, 4):
        said = (
            f"Remember that {_ABOUT} moved to zone {number}. " + f"It was agreed in round {number} of the review. " * 20
        )
        tell(ports, tenant, f"s{number}", said)


def sent_by_gather(ports: Ports, tenant: str, llmock: Any, model: str) -> list[dict[str, Any]]:
    """Run a dream, and return the bodies of its calls of gather in the order in which they came."""
    llmock.reply(_EMPTY, times=40)
    url = llmock.base_url("anthropic")
    run_dream(ports, tenant, AnthropicLlm(model=model, provider=provider_at(url), prompt_cache=PromptCache()))
    sent = [request.body for request in llmock.requests]
    return [body for body in sent if body["system"][1]["text"] == get_prompt("gather")]


def test_questions_of_a_phase_begin_with_the_survey_and_the_memories_that_they_share(
    ports: Ports, tenant: str, llmock: Any
) -> None:
    three_sessions_about_one_memory(ports, tenant)
    write(ports, tenant, {"web/colours.md": "# Colours\n\nLinks are blue.\n"})
    sent = sent_by_gather(ports, tenant, llmock, "claude-sonnet-4-6")
    assert len(sent) > 1
    begun = {json.dumps([body["system"], strip_marks(body)[0]], ensure_ascii=False) for body in sent}
    assert len(begun) == 1, "the same bytes"
    for body in sent:
        shared, own = (block["text"] for block in body["messages"][0]["content"])
        assert shared.index('{"survey": "most memories are in ops, web"}') < shared.index('"path": "ops/staging.md"')
        assert "Notes about" not in own, "what is shared is not repeated"
        assert "moved to zone" in own
        assert "moved to zone" not in shared
    marked = [[*map(has_mark, body["messages"][0]["content"])] for body in sent]
    # The mock server's usage names no cache, so that the calls after the first one are not marked.
    assert marked == [[True, False], *[[False, False]] * (len(sent) - 1)]


def test_a_beginning_that_the_model_would_not_cache_is_not_marked(ports: Ports, tenant: str, llmock: Any) -> None:
    three_sessions_about_one_memory(ports, tenant)
    sent = sent_by_gather(ports, tenant, llmock, "claude-haiku-4-5")
    assert len(sent) > 1
    assert not [body for body in sent if any(map(has_mark, [*body["system"], *body["messages"][0]["content"]]))]


def has_mark(block: dict[str, Any]) -> bool:
    return "cache_control" in block


def strip_marks(body: dict[str, Any]) -> list[str]:
    return [block["text"] for block in body["messages"][0]["content"]]


class KeepsBeginnings(ScriptedLlm):
    """A model whose server keeps the beginning of each phase's questions once a call with it is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[tuple[str, str]] = []

    def find_unwritten(self, request: LlmRequest) -> frozenset[int]:
        beginning = request.question.beginning
        return frozenset({1}) if beginning is not None and beginning.parts else frozenset()

    def decide(self, request: LlmRequest) -> LlmReply:
        self.log.append(("asked", request.question.phase))
        reply = super().decide(request)
        self.log.append(("answered", request.question.phase))
        return reply


def test_one_call_is_answered_before_the_others_that_read_what_it_wrote_into_the_cache(
    ports: Ports, tenant: str
) -> None:
    three_sessions_about_one_memory(ports, tenant)
    llm = KeepsBeginnings()
    run_dream(ports, tenant, llm)
    of_gather = [what for what, phase in llm.log if phase == "gather"]
    assert len(of_gather) > 2
    assert of_gather[:2] == ["asked", "answered"]
