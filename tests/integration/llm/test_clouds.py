"""Amazon Bedrock and Google Vertex AI through the real SDK, against a server that speaks their paths and errors."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pydantic import SecretStr, ValidationError

from gateway.model_keys import examine_model_keys
from shared.adapters.llm.anthropic import providers
from shared.adapters.llm.anthropic.prompt_cache import least_tokens
from shared.adapters.llm.health import KeyInUse, examine_keys
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, Trigger
from shared.core.errors import BadInputError
from shared.core.health import Health
from shared.core.questions.prices import cost_usd, find_price
from shared.core.questions.question import Document, Question
from shared.core.tenants.model_settings import lay_over
from shared.core.tenants.store import DEFAULT_STORE, Tenant
from shared.model_choice import choose_batches, choose_llm
from shared.model_endpoint import find_endpoint
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest
from shared.prices.price_list import find_prices
from shared.services.tenants.configure import StoreChanges, TenantChanges, configure_store, configure_tenant
from shared.settings import Settings
from tests.support.builders import a_store, get_dream
from workers.dream.begin import begin_dream
from workers.phases import CATALOG
from workers.phases.prune.answer import PruneAnswer, PruneDecision

ARCHIVE = PruneAnswer(decisions=(PruneDecision(file="a.md", decision="ARCHIVE", confidence=0.9),))
MODEL = {"bedrock": "us.anthropic.claude-haiku-4-5-20251001-v1:0", "vertex": "claude-haiku-4-5@20251001"}
#: An id of Bedrock without the word `global`, and a region of Vertex that is not `global`, cost a tenth more.
FACTOR = {"bedrock": 1.1, "vertex": 1.1}
PATH = {
    "bedrock": "/model/us.anthropic.claude-haiku-4-5-20251001-v1:0/invoke",
    "vertex": "/projects/acme-1/locations/europe-west1/publishers/anthropic/models/claude-haiku-4-5@20251001:rawPredict",
}
ACCOUNT = "AKIAEXAMPLE:secret/of+aws"
CLOUDS = tuple(MODEL)


@dataclass
class Cloud:
    """A server that answers what it is told to, and remembers what it was asked."""

    url: str = ""
    status: int = 200
    said: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)  # path, authorization, body

    def answer(self, status: int, said: Mapping[str, Any], **headers: str) -> None:
        self.status, self.said, self.headers = status, said, headers


MESSAGE = {
    "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5", "stop_reason": "end_turn",
    "content": [{"type": "text", "text": ARCHIVE.model_dump_json(by_alias=True)}],
    "usage": {"input_tokens": 1_000, "output_tokens": 100},
}  # fmt: skip


def _handler(cloud: Cloud) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["content-length"]))
            if self.path == "/token":
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.end_headers()
                self.wfile.write(b'{"access_token": "minted", "expires_in": 3600, "token_type": "Bearer"}')
                return
            cloud.asked.append((self.path, self.headers.get("authorization", ""), json.loads(sent)))
            self.send_response(cloud.status)
            for name, value in cloud.headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(json.dumps(cloud.said).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


@pytest.fixture(scope="module")
def server() -> Iterator[Cloud]:
    cloud = Cloud()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(cloud)) as listening:
        threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        cloud.url = f"http://127.0.0.1:{listening.server_port}"
        yield cloud
        listening.shutdown()


@pytest.fixture
def cloud(server: Cloud, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    """A server that answers well, and an environment that names no cloud."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_BEARER_TOKEN_BEDROCK", "CLOUD_ML_REGION"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_VERTEX_PROJECT_ID", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    server.answer(200, MESSAGE)
    server.asked.clear()
    return server


def settings_of(cloud: Cloud, adapter: str, **changes: object) -> Settings:
    values = {
        "llm": adapter, "llm_model": MODEL[adapter], "llm_base_url": cloud.url, "llm_region": "europe-west1",
        "llm_project": "acme-1", "llm_api_key": SecretStr("a-very-secret-key"),
    }  # fmt: skip
    return Settings().model_copy(update=values | changes)


def ask(settings: Settings, seconds: float = 30.0, **own: str) -> LlmReply:
    document = Document(path="a.md", text="# A\n\nOld.\n", role="candidate")
    request = LlmRequest(
        question=Question(phase="prune", key="one", documents=(document,), answer_type=PruneAnswer),
        prefix="You tidy the memory of an agent.",
        instructions="Decide about each candidate.",
        max_output_tokens=1_000,
        timeout_seconds=seconds,
    )
    return choose_llm(settings, Tenant(id="acme", llm=own)).decide(request)


@pytest.mark.parametrize("adapter", CLOUDS)
def test_a_question_goes_to_the_clouds_path_with_its_key_and_has_its_price(cloud: Cloud, adapter: str) -> None:
    reply = ask(settings_of(cloud, adapter))
    assert (reply.outcome, reply.answer, reply.model) == (LlmOutcome.OK, ARCHIVE, MODEL[adapter])
    ((path, authorization, body),) = cloud.asked
    assert path == PATH[adapter]
    assert authorization == "Bearer a-very-secret-key"
    assert "model" not in body
    assert body["anthropic_version"]
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert reply.usage.cost_usd == pytest.approx((1_000 * 1 + 100 * 5) / 1_000_000 * FACTOR[adapter])


def _of_bedrock(message: str) -> dict[str, Any]:
    return {"message": message}


def _of_vertex(message: str) -> dict[str, Any]:
    return {"error": {"code": 0, "message": message, "status": "X"}}


@pytest.mark.parametrize(("adapter", "says"), [("bedrock", _of_bedrock), ("vertex", _of_vertex)])
@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (400, LlmOutcome.FAILED),
        (403, LlmOutcome.FAILED),
        (408, LlmOutcome.TIMED_OUT),
        (429, LlmOutcome.RATE_LIMITED),
        (503, LlmOutcome.OVERLOADED),
        (529, LlmOutcome.OVERLOADED),
    ],
)
def test_an_error_of_a_cloud_is_the_same_as_anthropics(
    cloud: Cloud, adapter: str, says: Callable[[str], dict[str, Any]], status: int, outcome: LlmOutcome
) -> None:
    cloud.answer(status, says("Input is too long for a-very-secret-key."), retry_after="7")
    reply = ask(settings_of(cloud, adapter))
    assert reply.outcome is outcome
    assert len(cloud.asked) == 1, "the dream decides about a retry"
    if outcome is not LlmOutcome.TIMED_OUT:
        assert "Input is too long for [key]" in reply.detail
        assert reply.retry_after_seconds == 7


@pytest.mark.parametrize("adapter", CLOUDS)
@pytest.mark.parametrize(("reason", "outcome"), [("refusal", LlmOutcome.REFUSED), ("max_tokens", LlmOutcome.TRUNCATED)])
def test_an_answer_that_stops_early_is_told_as_anthropics(
    cloud: Cloud, adapter: str, reason: str, outcome: LlmOutcome
) -> None:
    cloud.answer(200, MESSAGE | {"stop_reason": reason})
    assert ask(settings_of(cloud, adapter)).outcome is outcome


def test_a_tenants_own_provider_takes_no_key_model_or_endpoint_of_another_one(cloud: Cloud) -> None:
    at_anthropic = settings_of(cloud, "bedrock", llm="anthropic", llm_model="claude-haiku-4-5")
    own = {"adapter": "bedrock", "model": MODEL["bedrock"]}
    found = find_endpoint(at_anthropic, own, "It")
    assert (found.key, found.base_url, found.is_identity) == (None, None, True)
    with pytest.raises(BadInputError, match="needs a model, by the id that it has there"):
        find_endpoint(at_anthropic, {"adapter": "bedrock"}, "It")
    back = find_endpoint(settings_of(cloud, "bedrock"), {"adapter": "anthropic"}, "It")
    assert (back.key, back.base_url, back.is_identity) == (None, None, False)
    of_tenant = {"adapter": "bedrock", "model": "m", "api_key_variable": "SLOWWAVE_LLM_API_KEY_AWS", "batch": "off"}
    assert lay_over(of_tenant, {"adapter": "anthropic"}) == {"adapter": "anthropic", "batch": "off"}
    of_usual_provider = {"model": "m", "api_key_variable": "SLOWWAVE_LLM_API_KEY_AWS", "batch": "off"}
    assert lay_over(of_usual_provider, {"adapter": "anthropic"}, "bedrock") == {"adapter": "anthropic", "batch": "off"}
    assert lay_over(of_usual_provider, {"adapter": "anthropic"}, "anthropic") == {
        **of_usual_provider,
        "adapter": "anthropic",
    }


@pytest.mark.parametrize(
    ("adapter", "missing", "lacks"),
    [
        ("bedrock", "llm_region", "a region"),
        ("vertex", "llm_region", "a region"),
        ("vertex", "llm_project", "a project"),
    ],
)
def test_a_cloud_without_a_place_is_refused(cloud: Cloud, adapter: str, missing: str, lacks: str) -> None:
    with pytest.raises(BadInputError, match=f"needs {lacks}"):
        ask(settings_of(cloud, adapter, **{missing: None}))


def test_a_key_that_a_tenant_names_and_that_is_not_set_never_falls_back_to_an_identity(cloud: Cloud) -> None:
    with pytest.raises(BadInputError, match="set SLOWWAVE_LLM_API_KEY_NOWHERE"):
        ask(settings_of(cloud, "bedrock"), api_key_variable="SLOWWAVE_LLM_API_KEY_NOWHERE")


@pytest.mark.parametrize("adapter", CLOUDS)
def test_batches_are_refused_where_they_are_configured(ports: Ports, tenant: str, cloud: Cloud, adapter: str) -> None:
    refused = f"Message Batches are not offered by {adapter}"
    a_store(ports, tenant)
    both = TenantChanges(llm={"adapter": adapter, "batch": "on"})
    with pytest.raises(BadInputError, match=refused):
        configure_tenant(ports.db, tenant, changes=both, actor="a test")
    configure_tenant(ports.db, tenant, changes=TenantChanges(llm={"adapter": adapter}), actor="a test")
    on = StoreChanges(llm={"batch": "on"})
    with pytest.raises(BadInputError, match=refused):
        configure_store(ports.db, tenant, DEFAULT_STORE, changes=on, phases=CATALOG, actor="a test")
    with pytest.raises(BadInputError, match=refused):
        choose_batches(settings_of(cloud, adapter), Tenant(id="acme"))
    with pytest.raises(ValidationError, match="not offered by bedrock and vertex"):
        Settings(llm=adapter, llm_batch="on")


def test_a_dream_that_was_ordered_in_a_batch_is_canceled_where_the_provider_has_none(
    ports: Ports, tenant: str, cloud: Cloud
) -> None:
    settings = settings_of(cloud, "bedrock")
    here = replace(
        ports,
        settings=settings,
        choose_llm=lambda one: choose_llm(settings, one),
        choose_batches=lambda one: choose_batches(settings, one),
    )
    a_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get(DEFAULT_STORE)
        dream = uow.dreams.add(store.id, trigger=Trigger.CLI, force=True, dry_run=False, batch=True)
    begin_dream(here, tenant, DEFAULT_STORE, force=True, dream_id=dream.id)
    ended = get_dream(ports, tenant, dream.id)
    assert ended.state is DreamState.CANCELED
    assert "Message Batches are not offered by bedrock" in ended.reason
    assert cloud.asked == []


def test_the_doctor_names_a_model_of_a_phase_that_asks_none(cloud: Cloud) -> None:
    cloud.answer(200, {"input_tokens": 8})
    found = examine_model_keys(settings_of(cloud, "vertex", llm_models="consolidate=a,index=b"), None)
    assert [one.health for one in found] == [Health.OK, Health.FAIL]
    assert "There is no phase 'index' that asks a model" in found[1].found


@pytest.mark.parametrize(
    ("model", "known", "factor"),
    [
        ("anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5", 1.1),
        ("anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1", 1.0),
        ("global.anthropic.claude-sonnet-5-5", "claude-sonnet-5-5", 1.0),
        ("arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1", "claude-opus-4-6", 1.1),
        ("claude-opus-5-5@20260901", "claude-opus-5-5", 1.0),
        ("arn:aws:bedrock:us-east-1:1:application-inference-profile/abc", None, 1.0),
    ],
)
def test_a_model_has_its_price_under_the_ids_of_the_clouds_and_more_at_one_place(
    model: str, known: str | None, factor: float
) -> None:
    tokens = {"input_tokens": 1_000, "output_tokens": 100, "cached_tokens": 10, "cache_write_tokens": 5}
    prices = find_prices()
    assert (find_price(model, prices) is None) == (known is None)
    usual = cost_usd(known or "another", **tokens, prices=prices)
    assert cost_usd(model, **tokens, prices=prices) == pytest.approx(usual * factor)
    assert least_tokens(model) == (least_tokens(known) if known else 4_096)


def examined(cloud: Cloud, adapter: str, key: str = "a-very-secret-key") -> tuple[Health, str]:
    in_use = KeyInUse(
        name="SLOWWAVE_LLM_API_KEY", users="the installation", key=SecretStr(key), base_url=cloud.url,
        model=MODEL[adapter], adapter=adapter, region="europe-west1", project="acme-1",
    )  # fmt: skip
    (found,) = examine_keys([in_use])
    return found.health, found.found


def test_the_doctor_asks_a_cloud_what_costs_nothing(cloud: Cloud) -> None:
    cloud.answer(200, {"input_tokens": 8})
    assert examined(cloud, "vertex")[0] is Health.OK
    assert cloud.asked[-1][0].endswith("/models/count-tokens:rawPredict")
    cloud.answer(400, {"message": "max_tokens: must be greater than or equal to 1"})
    assert examined(cloud, "bedrock")[0] is Health.OK
    assert cloud.asked[-1][2]["max_tokens"] == 0
    cloud.answer(400, {"message": "The provided model identifier is invalid."})
    health, said = examined(cloud, "bedrock")
    assert health is Health.WARN
    assert "model identifier is invalid" in said
    cloud.answer(403, {"message": "The token a-very-secret-key is invalid."})
    health, said = examined(cloud, "bedrock")
    assert health is Health.FAIL
    assert "The token [key] is invalid" in said


def test_a_pair_of_aws_keys_signs_the_request_whatever_the_environment_holds(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "of-another-one")
    reply = ask(settings_of(cloud, "bedrock", llm_api_key=SecretStr(ACCOUNT)))
    assert reply.outcome is LlmOutcome.OK, reply.detail
    assert cloud.asked[-1][1].startswith("AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/")
    assert "/europe-west1/bedrock/aws4_request" in cloud.asked[-1][1]


def test_a_process_that_the_cloud_does_not_know_has_a_call_that_failed_with_the_reason(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    reply = ask(settings_of(cloud, "bedrock", llm_api_key=None))
    assert reply.outcome is LlmOutcome.FAILED
    assert "There are no credentials for bedrock" in reply.detail


def test_a_service_account_gets_a_token_that_is_kept(cloud: Cloud) -> None:
    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    written = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    account = {
        "type": "service_account",
        "client_email": "a@b.c",
        "private_key": written,
        "token_uri": f"{cloud.url}/token",
    }
    settings = settings_of(cloud, "vertex", llm_api_key=SecretStr(json.dumps(account)))
    assert [ask(settings).outcome for _ in range(2)] == [LlmOutcome.OK] * 2
    assert [authorization for _, authorization, _ in cloud.asked] == ["Bearer minted"] * 2
    reply = ask(settings_of(cloud, "vertex", llm_api_key=SecretStr("{0x}")))
    assert "the key is not the JSON of a service account" in reply.detail


def test_without_the_extra_an_identity_is_refused_with_the_command_that_installs_it(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(providers, "find_spec", lambda _: None)
    with pytest.raises(BadInputError, match=r"pip install --require-hashes -r requirements-bedrock\.lock"):
        ask(settings_of(cloud, "bedrock", llm_api_key=SecretStr(f"{ACCOUNT}:of-no-other-test")))
