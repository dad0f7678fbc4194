"""Dreams leave alone what other systems' dreams touch: tools, another project's memory, acts of their own."""

import json
from typing import Any

import pytest

from shared.adapters.llm.anthropic.client import AnthropicLlm
from shared.all_ports import Ports
from shared.core.policy.policy import Autonomy
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.support.builders import run_dream, take_picture, write
from tests.support.model.provider import provider_at

_ELSEWHERE = (
    "# Staging of another project\n\nThe word there is xylophone-4711, and login pages sign their cookies with it.\n"
)


def test_the_model_gets_our_own_words_no_tool_and_nothing_of_another_project(
    ports: Ports, tenant: str, llmock: Any
) -> None:
    a_rich_store(ports, tenant)
    write(ports, tenant, {"web/cookies.md": _ELSEWHERE}, store="another-project")
    llmock.reply("{}", times=40)
    run_dream(ports, tenant, AnthropicLlm(model="claude-haiku-4-5", provider=provider_at(llmock.base_url("anthropic"))))
    sent = [request.body for request in llmock.requests]
    assert len(sent) > 3
    for body in sent:
        assert not {"tools", "tool_choice", "mcp_servers", "container"} & set(body)
        assert body["system"][0]["text"].startswith("You consolidate the long-term memory of an AI agent")
        assert "You are performing a dream" not in json.dumps(body)
        assert "xylophone" not in json.dumps(body)


def test_a_dream_changes_the_memories_of_one_store_and_those_of_no_other_project(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    write(ports, tenant, {"web/cookies.md": _ELSEWHERE, "web/twin.md": _ELSEWHERE}, store="another-project")
    mine, theirs = take_picture(ports, tenant), take_picture(ports, tenant, "another-project")
    dream_of_everything(ports, tenant)
    assert take_picture(ports, tenant) != mine
    assert take_picture(ports, tenant, "another-project") == theirs


@pytest.mark.parametrize("level", ["corrective", "execute"])
def test_there_is_no_level_of_autonomy_that_acts_beyond_memory(ports: Ports, tenant: str, level: str) -> None:
    assert set(Autonomy) == {"silent", "flag", "propose"}
    client = a_client(an_app(ports))
    write(ports, tenant, {"a.md": "# A\n"})
    answer = client.patch("/api/stores/default", json={"autonomy": level}, headers=bearer(a_token(ports, tenant)))
    assert answer.status_code == 422
    assert "silent" in answer.text
