"""The real SDK of OpenAI against llmock and servers of other makes: what is sent, and how a call can end."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from llmock.scenarios import Reply
from pydantic import SecretStr

from shared.adapters.llm.health import KeyInUse, examine_keys
from shared.adapters.llm.openai.client import OpenAiLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.core.errors import BadInputError
from shared.core.health import Health
from shared.core.questions.question import render_question
from shared.core.tenants.store import Tenant
from shared.model_choice import choose_llm
from shared.model_endpoint import find_endpoint
from shared.ports.llm import LlmOutcome, LlmUsage
from shared.settings import Settings
from tests.integration.llm.openai_support import ARCHIVE, KEY, WRITTEN, question, request
from tests.support.builders import run_dream, write

MODEL = "gpt-4o-mini"


@pytest.fixture
def llm(llmock: Any) -> OpenAiLlm:
    return OpenAiLlm(model=MODEL, key=SecretStr(KEY), base_url=llmock.base_url("openai"))


@dataclass
class Server:
    """A server that answers with one completion, and refuses requests with `response_format` if it does not know that."""

    url: str = ""
    knows_schema: bool = True
    body: str = ""
    status: int = 200
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            found.asked.append(body)
            found.headers.append({name.lower(): value for name, value in self.headers.items()})
            if "response_format" in body and not found.knows_schema:
                self.say(400, json.dumps({"error": {"message": "unknown field response_format"}}))
            else:
                self.say(found.status, found.body or completion(WRITTEN))

        def do_GET(self) -> None:
            is_known = self.headers.get("authorization") in {None, f"Bearer {KEY}"}
            self.say(200 if is_known else 401, '{"data": []}')

        def say(self, status: int, text: str) -> None:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        found.url = f"http://127.0.0.1:{http.server_port}/v1"
        yield found
        http.shutdown()
        thread.join()


def completion(text: str, **usage: Any) -> str:
    message = {"role": "assistant", "content": text}
    told = {"prompt_tokens": 100, "completion_tokens": 10} | usage
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], "usage": told})


def test_an_answer_is_validated_and_priced(llmock: Any, llm: OpenAiLlm) -> None:
    llmock.reply(WRITTEN)
    reply = llm.decide(request())
    assert (reply.outcome, reply.answer, reply.detail, reply.model) == (LlmOutcome.OK, ARCHIVE, "", MODEL)
    assert reply.usage.output_tokens > 0


def test_rules_documents_and_schema_are_sent_and_no_mark_of_another_api(llmock: Any, llm: OpenAiLlm) -> None:
    llmock.reply(WRITTEN)
    llm.decide(request())
    sent = llmock.last_request.body
    system, user = sent["messages"]
    assert system["content"] == f"{request().prefix}\n\n{request().instructions}"
    assert user["content"].startswith(render_question(question()))
    assert "mergeTarget" in user["content"]
    assert sent["response_format"]["json_schema"]["schema"]["type"] == "object"
    assert sent["max_tokens"] == 1000
    assert not {"output_config", "reasoning_effort"} & sent.keys()


def test_a_server_that_does_not_know_schemas_is_asked_without_one_and_then_never_with_one(server: Server) -> None:
    server.knows_schema = False
    llm = OpenAiLlm(model="qwen3", key=None, base_url=server.url)
    assert [llm.decide(request(name)).answer for name in ("one", "two")] == [ARCHIVE, ARCHIVE]
    assert ["response_format" in asked for asked in server.asked] == [True, False, False]


def test_what_a_small_model_writes_around_its_answer_is_left_out(server: Server) -> None:
    server.body = completion(f"<think>hmm</think> Here you are:\n```json\n{WRITTEN}\n```\nDone.")
    assert OpenAiLlm(model="qwen3", key=None, base_url=server.url).decide(request()).answer == ARCHIVE


def test_tokens_that_the_server_cached_are_not_counted_twice(server: Server) -> None:
    server.body = completion(WRITTEN, prompt_tokens_details={"cached_tokens": 60})
    usage = OpenAiLlm(model="qwen3", key=None, base_url=server.url).decide(request()).usage
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (40, 60, 10)


def test_only_the_given_key_is_sent_and_nothing_of_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "from-the-environment")
    OpenAiLlm(model="qwen3", key=None, base_url=server.url).decide(request())
    OpenAiLlm(model="qwen3", key=SecretStr(KEY), base_url=server.url).decide(request())
    assert [sent["authorization"] for sent in server.headers] == ["Bearer none", f"Bearer {KEY}"]
    assert "from-the-environment" not in str(server.headers)


@pytest.mark.parametrize(
    ("finish_reason", "outcome"), [("content_filter", LlmOutcome.REFUSED), ("length", LlmOutcome.TRUNCATED)]
)
def test_an_answer_that_stopped_early_is_not_read_even_if_it_would_parse(
    llmock: Any, llm: OpenAiLlm, finish_reason: str, outcome: LlmOutcome
) -> None:
    llmock.add(Reply(text=WRITTEN, finish_reason=finish_reason))
    reply = llm.decide(request())
    assert (reply.outcome, reply.answer) == (outcome, None)


def test_a_rate_limit_says_how_long_to_wait_and_is_not_retried(llmock: Any, llm: OpenAiLlm) -> None:
    llmock.rate_limit(times=1, retry_after=7)
    reply = llm.decide(request())
    assert (reply.outcome, reply.retry_after_seconds) == (LlmOutcome.RATE_LIMITED, 7.0)
    assert len(llmock.requests) == 1


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (401, LlmOutcome.FAILED),
        (404, LlmOutcome.FAILED),
        (408, LlmOutcome.TIMED_OUT),
        (500, LlmOutcome.OVERLOADED),
        (503, LlmOutcome.OVERLOADED),
    ],
)
def test_every_status_has_its_outcome_is_not_retried_and_hides_the_key(
    llmock: Any, llm: OpenAiLlm, status: int, outcome: LlmOutcome
) -> None:
    llmock.fail(status, message=f"no: {KEY} is not good enough")
    reply = llm.decide(request())
    assert (reply.outcome, reply.answer, reply.usage) == (outcome, None, LlmUsage())
    assert KEY not in reply.detail
    assert len(llmock.requests) == 1


def test_an_empty_account_is_no_limit_that_passes(server: Server) -> None:
    server.status, server.body = 429, json.dumps({"error": {"message": "pay", "code": "insufficient_quota"}})
    assert (
        OpenAiLlm(model=MODEL, key=SecretStr(KEY), base_url=server.url).decide(request()).outcome is LlmOutcome.FAILED
    )


def test_a_slow_server_times_out_and_what_it_may_bill_is_counted(llmock: Any, llm: OpenAiLlm) -> None:
    llmock.delay(1.0).reply(WRITTEN)
    reply = llm.decide(request(timeout_seconds=0.3))
    assert reply.outcome is LlmOutcome.TIMED_OUT
    assert reply.usage.input_tokens == llm.count_tokens(request()) > 0


@pytest.mark.parametrize("body", ["{}", '{"choices": []}', '"hello"', "<html>", '{"choices": [{"message": null}]}'])
def test_a_server_that_is_something_else_is_named_as_such(server: Server, body: str) -> None:
    server.body = body
    reply = OpenAiLlm(model="qwen3", key=None, base_url=server.url).decide(request())
    assert reply.outcome is LlmOutcome.FAILED
    assert reply.detail


def test_a_server_that_does_not_run_is_unreachable() -> None:
    llm = OpenAiLlm(model="qwen3", key=None, base_url="http://127.0.0.1:9/v1")
    assert llm.decide(request()).outcome is LlmOutcome.UNREACHABLE


def test_the_key_is_in_no_representation_and_a_broken_one_is_refused_at_once() -> None:
    llm = OpenAiLlm(model=MODEL, key=SecretStr(KEY), base_url=None)
    assert KEY not in repr(llm) + repr(vars(llm))
    with pytest.raises(BadInputError):
        OpenAiLlm(model=MODEL, key=SecretStr("sk-é"), base_url=None)


def test_doctor_says_whether_a_key_is_accepted_and_a_server_without_keys_answers(server: Server) -> None:
    asked = [
        KeyInUse(name=name, users="all", key=key, base_url=server.url, model="qwen3", adapter="openai")
        for name, key in (("no key", None), ("good", SecretStr(KEY)), ("bad", SecretStr("sk-other")))
    ]
    assert [found.health for found in examine_keys(asked)] == [Health.OK, Health.OK, Health.FAIL]


def settings_at(server: Server, **more: Any) -> Settings:
    return Settings(llm="openai", llm_base_url=server.url, llm_model="qwen3", **more)


def test_the_installation_may_ask_a_server_of_its_own_without_a_key(server: Server) -> None:
    reply = choose_llm(settings_at(server), Tenant(id="acme")).decide(request())
    assert (reply.answer, server.asked[0]["model"]) == (ARCHIVE, "qwen3")


def test_a_tenant_with_this_adapter_takes_no_key_model_or_address_of_another_provider(server: Server) -> None:
    anthropics = Settings(llm="anthropic", llm_api_key=SecretStr("sk-ant"), llm_base_url=server.url)
    found = find_endpoint(anthropics, {"adapter": "openai", "model": "gpt-5-mini"}, "It")
    assert (found.key, found.base_url, found.is_keyless) == (None, None, False)
    with pytest.raises(BadInputError, match="needs a model"):
        find_endpoint(anthropics, {"adapter": "openai"}, "It")
    back = find_endpoint(settings_at(server, llm_api_key=SecretStr(KEY)), {"adapter": "anthropic"}, "It")
    assert (back.key, back.base_url) == (None, None)


def test_openai_itself_and_a_key_that_is_named_but_not_set_are_refused(server: Server) -> None:
    with pytest.raises(BadInputError, match="needs an API key: set SLOWWAVE_LLM_API_KEY,"):
        choose_llm(Settings(llm="openai", llm_model="gpt-5-mini"), Tenant(id="acme"))
    named = Tenant(id="acme", llm={"api_key_variable": "SLOWWAVE_LLM_API_KEY_NOWHERE"})
    with pytest.raises(BadInputError, match="set SLOWWAVE_LLM_API_KEY_NOWHERE"):
        choose_llm(settings_at(server), named)


def test_a_dream_asks_it_as_any_other_model(ports: Ports, tenant: str, server: Server) -> None:
    server.body = completion("{}")
    write(ports, tenant, {"a.md": "# Rates\n\nLive keys get 600 calls a minute.\n"})
    dream = run_dream(ports, tenant, choose_llm(settings_at(server), Tenant(id=tenant)))
    assert dream.state is DreamState.COMPLETED
    assert {asked["model"] for asked in server.asked} == {"qwen3"}
