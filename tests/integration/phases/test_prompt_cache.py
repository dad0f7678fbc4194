"""The prompt cache: calls of one phase begin with the same bytes, and the log says what was read from the cache."""

import json
from typing import Any

from gateway.cli.dreams.as_json import calls_line, dream_json
from shared.adapters.llm.anthropic.client import AnthropicLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.services.dreams.read import get_dream_view
from tests.integration.undo.undo_support import a_rich_store
from tests.support.builders import run_dream
from tests.support.session_builders import tell
from workers.phases.prune.answer import PruneAnswer

_EMPTY = "{}"


def test_all_calls_of_a_dream_share_their_rules_and_those_of_a_phase_their_instructions(
    ports: Ports, tenant: str, llmock: Any
) -> None:
    a_rich_store(ports, tenant)
    tell(ports, tenant, "s1", "Remember that the staging cluster runs in eu-north-1.")
    llmock.reply(_EMPTY, times=40)
    run_dream(ports, tenant, AnthropicLlm(model="claude-haiku-4-5", api_key="k", base_url=llmock.base_url("anthropic")))
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
    assert "4,096 read from the prompt cache (38% of the prompts)" in calls_line(view)
    assert dream_json(view)["calls"].cached_tokens == 4_096
