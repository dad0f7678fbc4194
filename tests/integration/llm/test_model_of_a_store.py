"""A store's own model, endpoint and prompts come before its tenant's, and these before the installation's.

Dreams ask real servers here, one for each level, that write down what they were asked.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import SecretStr

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.errors import BadInputError, NotFoundError
from shared.core.tenants.model_settings import SourcedValue
from shared.model_choice import choose_llm
from shared.services.tenants.configure import StoreChanges, TenantChanges, configure_store, configure_tenant
from shared.services.tenants.directives import reset_directive, set_directive
from shared.services.tenants.effective import EffectiveSettings, find_effective
from tests.support.builders import LONG_AGO, get_dream, run_chain, texts, write
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phases import CATALOG

NOTE = "# Cookies\n\nThe login page signs its cookies and sends them over secure connections only.\n"
LEVELS = ("installation", "tenant", "store")


@dataclass
class Ear:
    """A model's server that answers everything with an empty answer, and remembers model, key and prompt."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)

    def heard(self) -> set[tuple[str, str]]:
        """The models and keys that it was asked with."""
        return {(one["model"], one["key"]) for one in self.asked}


def _answer(ear: Ear) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            ear.asked.append(
                {
                    "model": body["model"],
                    "key": self.headers["x-api-key"] or self.headers["authorization"].removeprefix("Bearer "),
                    "text": json.dumps(body),
                }
            )
            message = {
                "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "stop_reason": "end_turn",
                "content": [{"type": "text", "text": "{}"}], "usage": {"input_tokens": 1, "output_tokens": 1},
            }  # fmt: skip
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(message).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


@pytest.fixture(scope="module")
def ears() -> Iterator[dict[str, Ear]]:
    """One server for each level."""
    ears = {level: Ear() for level in LEVELS}
    with ExitStack() as stack:
        for ear in ears.values():
            server = ThreadingHTTPServer(("127.0.0.1", 0), _answer(ear))
            stack.enter_context(closing(server.socket))
            stack.callback(server.shutdown)
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
            ear.url = f"http://127.0.0.1:{server.server_port}"
        yield ears


@pytest.fixture
def heard(ears: dict[str, Ear], monkeypatch: pytest.MonkeyPatch) -> dict[str, Ear]:
    """The servers, of which none was asked yet, and the keys of the workers' environment."""
    for ear in ears.values():
        ear.asked.clear()
    monkeypatch.setenv("SLOWWAVE_LLM_API_KEY_TENANT", "key-of-tenant")
    monkeypatch.setenv("SLOWWAVE_LLM_API_KEY_STORE", "key-of-store")
    return ears


@pytest.fixture
def here(ports: Ports, heard: dict[str, Ear]) -> Ports:
    """Ports of an installation with a model of its own."""
    own = {
        "llm": "anthropic",
        "llm_model": "model-of-installation",
        "llm_base_url": heard["installation"].url,
        "llm_api_key": SecretStr("key-of-installation"),
    }
    settings = ports.settings.model_copy(update=own)
    return replace(ports, settings=settings, choose_llm=lambda tenant: choose_llm(settings, tenant))


def dream(here: Ports, tenant: str, store: str) -> Dream:
    """Dream over a store with something to merge, with the model that is in force for it."""
    write(here, tenant, texts({"web/a.md": NOTE, "web/b.md": f"{NOTE}Said twice.\n"}, at=LONG_AGO), store=store)
    dispatch = RecordingDispatch()
    ports = replace(here, dispatch=dispatch)
    dream_id = begin_dream(ports, tenant, store, force=True, dream_id=None)
    assert dream_id is not None
    chain = dispatch.chains[-1]
    run_chain(ports, chain)
    finish_dream(ports, tenant, dream_id, chain.epoch)
    return get_dream(ports, tenant, dream_id)


def model_of(level: str, ear: Ear) -> dict[str, str]:
    return {
        "model": f"model-of-{level}",
        "base_url": ear.url,
        "api_key_variable": f"SLOWWAVE_LLM_API_KEY_{level.upper()}",
    }


def set_store(here: Ports, tenant: str, store: str, llm: dict[str, str]) -> None:
    configure_store(here.db, tenant, store, changes=StoreChanges(llm=llm), phases=CATALOG, actor="a test")


def effective(here: Ports, tenant: str, store: str) -> EffectiveSettings:
    return find_effective(here.db, here.settings, tenant, store, CATALOG)


def test_each_store_asks_its_own_model_or_its_tenants_or_the_installations(
    here: Ports, tenant: str, heard: dict[str, Ear]
) -> None:
    assert dream(here, tenant, "plain").model == "model-of-installation"
    assert {level: ear.heard() for level, ear in heard.items() if ear.asked} == {
        "installation": {("model-of-installation", "key-of-installation")}
    }
    heard["installation"].asked.clear()
    configure_tenant(here.db, tenant, changes=TenantChanges(llm=model_of("tenant", heard["tenant"])), actor="a test")
    set_store(here, tenant, "own", model_of("store", heard["store"]))
    assert [dream(here, tenant, name).model for name in ("plain-too", "own")] == ["model-of-tenant", "model-of-store"]
    assert {level: ear.heard() for level, ear in heard.items() if ear.asked} == {
        "tenant": {("model-of-tenant", "key-of-tenant")},
        "store": {("model-of-store", "key-of-store")},
    }


def test_a_store_may_name_another_model_only_and_go_back_to_its_tenants(
    here: Ports, tenant: str, heard: dict[str, Ear]
) -> None:
    configure_tenant(here.db, tenant, changes=TenantChanges(llm=model_of("tenant", heard["tenant"])), actor="a test")
    set_store(here, tenant, "own", {"model": "a-small-model"})
    assert dream(here, tenant, "own").state is DreamState.COMPLETED
    assert heard["tenant"].heard() == {("a-small-model", "key-of-tenant")}
    assert effective(here, tenant, "own").model["model"] == SourcedValue(value="a-small-model", source="store")
    set_store(here, tenant, "own", {"model": ""})
    assert effective(here, tenant, "own").model["model"] == SourcedValue(value="model-of-tenant", source="tenant")


def test_a_stores_settings_are_shown_with_their_origin_and_without_passwords(here: Ports, tenant: str) -> None:
    write(here, tenant, {"a.md": "# A\n"})
    configure_tenant(here.db, tenant, changes=TenantChanges(llm={"model": "model-of-tenant"}), actor="a test")
    set_store(here, tenant, "own", {"base_url": "https://ann:secret@models.example/v1"})
    set_directive(here.db, tenant, "dream.md", "Of the tenant.", phases=CATALOG, actor="a test")
    set_directive(here.db, tenant, "prune.md", "Of the store.", phases=CATALOG, actor="a test", store="own")
    changes = StoreChanges(overrides={"gates.min_hours": 4})
    configure_store(here.db, tenant, "own", changes=changes, phases=CATALOG, actor="a test")
    found = effective(here, tenant, "own")
    assert found.model == {
        "adapter": SourcedValue(value="anthropic", source="installation"),
        "model": SourcedValue(value="model-of-tenant", source="tenant"),
        "better_model": SourcedValue(value=None, source="store"),
        "base_url": SourcedValue(value="https://***@models.example/v1", source="store"),
        "region": SourcedValue(value=None, source="installation"),
        "project": SourcedValue(value=None, source="installation"),
        "api_key_variable": SourcedValue(value="SLOWWAVE_LLM_API_KEY", source="installation"),
        "batch": SourcedValue(value="off", source="installation"),
    }
    of = {name: found.directives[name].source for name in ("dream.md", "prune.md", "gather.md")}
    assert of == {"dream.md": "tenant", "prune.md": "store", "gather.md": "built-in"}
    assert found.policy["gates.min_hours"] == SourcedValue(value=4, source="store")
    assert found.policy["gates.idle_seconds"].source == "profile default"


def test_a_stores_prompt_replaces_its_tenants_and_a_reset_brings_that_back(
    here: Ports, tenant: str, heard: dict[str, Ear]
) -> None:
    write(here, tenant, {"a.md": "# A\n"}, store="own")
    set_directive(here.db, tenant, "dream.md", "House rules of the tenant.", phases=CATALOG, actor="a test")
    set_directive(here.db, tenant, "dream.md", "Rules of one store.", phases=CATALOG, actor="a test", store="own")
    asked = heard["installation"].asked
    dream(here, tenant, "own")
    assert any("Rules of one store." in one["text"] for one in asked)
    assert not any("House rules" in one["text"] for one in asked)
    asked.clear()
    dream(here, tenant, "other")
    assert any("House rules of the tenant." in one["text"] for one in asked)
    assert not any("Rules of one store." in one["text"] for one in asked)
    reset_directive(here.db, tenant, "dream.md", phases=CATALOG, actor="a test", store="own")
    with here.db.transaction(tenant) as uow:
        assert uow.directives.find_in_force("own")["dream.md"].content == "House rules of the tenant."


@pytest.mark.parametrize(
    "llm",
    [
        {"adapter": "gemini"},
        {"base_url": "file:///etc/passwd"},
        {"api_key_variable": "SLOWWAVE_DATABASE_URL"},
        {"model": "x\x00"},
        {"temperature": "1"},
        {"model.index": "m"},
    ],
)
def test_a_model_setting_that_cannot_hold_is_refused(here: Ports, tenant: str, llm: dict[str, str]) -> None:
    with pytest.raises(BadInputError):
        set_store(here, tenant, "own", llm)
    with pytest.raises(BadInputError):
        configure_tenant(here.db, tenant, changes=TenantChanges(llm=llm), actor="a test")


def test_a_prompt_for_a_store_that_does_not_exist_is_refused(here: Ports, tenant: str) -> None:
    write(here, tenant, {"a.md": "# A\n"})
    with pytest.raises(NotFoundError):
        set_directive(here.db, tenant, "dream.md", "Text.", phases=CATALOG, actor="a test", store="nowhere")
