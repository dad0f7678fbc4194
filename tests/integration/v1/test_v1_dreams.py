"""Dreams over `/v1` do what Anthropic publishes: the rows of docs/conformance.md, with the official SDK."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import anthropic
import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.ports.llm import LlmOutcome
from tests.integration.api.api_support import a_client, a_token, an_app
from tests.support.builders import run_dream
from tests.support.sdk import an_sdk

Order = dict[str, Any]


@pytest.fixture
def sdk(ports: Ports, tenant: str) -> anthropic.Anthropic:
    return an_sdk(a_client(an_app(ports)), a_token(ports, tenant, rate_per_minute=10_000))


@pytest.fixture
def inputs(sdk: anthropic.Anthropic) -> list[Any]:
    """A store with a memory, and a session."""
    store = sdk.beta.memory_stores.create(name="Vault").id
    sdk.beta.memory_stores.memories.create(store, path="/a.md", content="# A\n\nTokens are signed.\n")
    session = sdk.beta.sessions.create(agent="a", environment_id="e").id
    return [{"type": "memory_store", "memory_store_id": store}, {"type": "sessions", "session_ids": [session]}]


def run(ports: Ports, tenant: str, dream_id: str, llm: Any = None) -> None:
    with ports.db.transaction(tenant) as uow:
        store = uow.dreams.get(dream_id).store
    run_dream(ports, tenant, llm or OfflineLlm(), store=store, dream_id=dream_id)


def in_place(inputs: list[Any]) -> Order:
    behavior = {"type": "update_existing", "memory_store_id": inputs[0]["memory_store_id"]}
    return {"inputs": inputs, "model": "any", "output_behavior": behavior}


def _named(session_ids: list[str]) -> Callable[[list[Any]], list[Any]]:
    return lambda inputs: [inputs[0], {"type": "sessions", "session_ids": session_ids}]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda inputs: inputs[1:],
        lambda inputs: [*inputs, inputs[0]],
        lambda inputs: [*inputs, inputs[1]],
        lambda inputs: [inputs[0], {"type": "sessions", "session_ids": inputs[1]["session_ids"] * 2}],
        _named(["sesn_0"]),
        _named([f"sesn_{number}" for number in range(101)]),
    ],
    ids=["no store", "two stores", "two lists", "a session twice", "an unknown session", "101 sessions"],
)
def test_inputs_are_one_store_and_up_to_100_sessions_each_named_once(
    spoil: Callable[[list[Any]], list[Any]], sdk: anthropic.Anthropic, inputs: list[Any]
) -> None:
    with pytest.raises(anthropic.BadRequestError):
        sdk.beta.dreams.create(inputs=spoil(inputs), model="any")


def test_the_sessions_of_a_dream_are_listed_in_order_of_their_ids(sdk: anthropic.Anthropic, inputs: list[Any]) -> None:
    more = [sdk.beta.sessions.create(agent="a", environment_id="e").id for _ in range(2)]
    named = [more[1], *inputs[1]["session_ids"], more[0]]
    dream = sdk.beta.dreams.create(inputs=_named(named)(inputs), model="any")
    assert dream.inputs[1].to_dict()["session_ids"] == sorted(named)


def test_the_model_is_shown_as_an_object_and_the_operator_chooses_which_one_runs(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str, inputs: list[Any]
) -> None:
    dream = sdk.beta.dreams.create(inputs=inputs, model="claude-opus-4-8")
    assert (dream.model.id, dream.model.speed) == ("claude-opus-4-8", "standard")
    run(ports, tenant, dream.id)
    with ports.db.transaction(tenant) as uow:
        assert uow.dreams.get(dream.id).model != "claude-opus-4-8"
    models: list[Any] = [{"id": "claude-opus-4-8", "speed": "fast"}, "", "x" * 257]
    for model in models:
        with pytest.raises(anthropic.BadRequestError):
            sdk.beta.dreams.create(inputs=inputs, model=model)


@pytest.mark.parametrize("instructions", ["", "x" * 4_097])
def test_instructions_have_1_to_4096_characters(instructions: str, sdk: anthropic.Anthropic, inputs: list[Any]) -> None:
    with pytest.raises(anthropic.BadRequestError):
        sdk.beta.dreams.create(inputs=inputs, model="any", instructions=instructions)


def test_outputs_and_usage_are_empty_while_a_dream_is_pending_and_there_when_it_has_completed(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str, inputs: list[Any]
) -> None:
    pending = sdk.beta.dreams.create(inputs=inputs, model="any")
    assert (pending.status, pending.outputs, pending.error, pending.ended_at) == ("pending", [], None, None)
    assert (pending.usage.input_tokens, pending.usage.output_tokens, pending.session_id) == (0, 0, None)
    run(ports, tenant, pending.id)
    done = sdk.beta.dreams.retrieve(pending.id)
    assert (done.status, done.error) == ("completed", None)
    assert [output.memory_store_id != inputs[0]["memory_store_id"] for output in done.outputs] == [True]
    assert done.ended_at is not None
    assert done.ended_at >= done.created_at


def test_update_existing_writes_into_the_input_store_and_names_it(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str, inputs: list[Any]
) -> None:
    dream = sdk.beta.dreams.create(**in_place(inputs))
    with pytest.raises(anthropic.ConflictError):
        sdk.beta.dreams.create(**in_place(inputs))
    run(ports, tenant, dream.id)
    done = sdk.beta.dreams.retrieve(dream.id)
    assert [one.memory_store_id for one in done.outputs] == [inputs[0]["memory_store_id"]]
    other = sdk.beta.memory_stores.create(name="Other").id
    wrong = in_place(inputs) | {"output_behavior": {"type": "update_existing", "memory_store_id": other}}
    with pytest.raises(anthropic.BadRequestError):
        sdk.beta.dreams.create(**wrong)


def test_a_key_that_may_not_write_orders_no_dream(ports: Ports, tenant: str, inputs: list[Any]) -> None:
    reviewer = an_sdk(a_client(an_app(ports)), a_token(ports, tenant, Role.REVIEWER, rate_per_minute=10_000))
    with pytest.raises(anthropic.PermissionDeniedError):
        reviewer.beta.dreams.create(**in_place(inputs))


def test_a_cancel_ends_a_pending_dream_again_changes_nothing_and_an_ended_one_is_refused(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str, inputs: list[Any]
) -> None:
    dream = sdk.beta.dreams.create(inputs=inputs, model="any")
    canceled = sdk.beta.dreams.cancel(dream.id)
    assert (canceled.status, canceled.outputs) == ("canceled", [])
    assert sdk.beta.dreams.cancel(dream.id).to_dict() == canceled.to_dict()
    done = sdk.beta.dreams.create(inputs=inputs, model="any")
    run(ports, tenant, done.id)
    with pytest.raises(anthropic.BadRequestError):
        sdk.beta.dreams.cancel(done.id)


def test_only_an_ended_dream_is_archived_for_good_and_hidden(sdk: anthropic.Anthropic, inputs: list[Any]) -> None:
    dream = sdk.beta.dreams.create(inputs=inputs, model="any")
    with pytest.raises(anthropic.BadRequestError):
        sdk.beta.dreams.archive(dream.id)
    sdk.beta.dreams.cancel(dream.id)
    archived = sdk.beta.dreams.archive(dream.id)
    assert archived.archived_at is not None
    assert sdk.beta.dreams.archive(dream.id).archived_at == archived.archived_at
    assert sdk.beta.dreams.retrieve(dream.id).archived_at == archived.archived_at
    assert [one.id for one in sdk.beta.dreams.list()] == []
    assert [one.id for one in sdk.beta.dreams.list(include_archived=True)] == [dream.id]


def test_dreams_are_listed_newest_first_by_state_by_time_and_page_by_page(
    sdk: anthropic.Anthropic, inputs: list[Any]
) -> None:
    made = [sdk.beta.dreams.create(inputs=inputs, model="any") for _ in range(3)]
    sdk.beta.dreams.cancel(made[1].id)
    ids = [one.id for one in made]
    listed = sdk.beta.dreams.list
    assert [one.id for one in listed(limit=1)] == ids[::-1]
    assert [one.id for one in listed(statuses=["canceled"])] == [ids[1]]
    assert [one.id for one in listed(created_at_gt=made[0].created_at)] == [ids[2], ids[1]]
    assert [one.id for one in listed(created_at_lt=made[0].created_at + timedelta(microseconds=1))] == [ids[0]]


def test_a_dream_whose_model_is_never_heard_has_failed_with_an_internal_error(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str, inputs: list[Any]
) -> None:
    memories = sdk.beta.memory_stores.memories
    for name in ("b", "c"):
        text = "# Limits\n\nThe API allows 600 calls a minute per key and answers 429 above it.\n"
        memories.create(inputs[0]["memory_store_id"], path=f"/api/{name}.md", content=f"{text}See {name}.\n")

    dream = sdk.beta.dreams.create(inputs=inputs, model="any")
    run(ports, tenant, dream.id, ScriptedLlm(lambda _: LlmOutcome.FAILED))
    failed = sdk.beta.dreams.retrieve(dream.id)
    assert failed.status == "failed"
    assert failed.error is not None
    assert failed.error.type == "internal_error"
    assert len(failed.outputs) == 1  # what it did stays there


def test_usage_counts_the_tokens_of_every_call(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str, inputs: list[Any]
) -> None:
    text = "# Limits\n\nThe API allows 600 calls a minute per key and answers 429 above it.\n"
    for name in ("b", "c"):
        store = inputs[0]["memory_store_id"]
        sdk.beta.memory_stores.memories.create(store, path=f"/api/{name}.md", content=f"{text}See {name}.\n")
    dream = sdk.beta.dreams.create(inputs=inputs, model="any")
    llm = ScriptedLlm()
    run(ports, tenant, dream.id, llm)
    usage = sdk.beta.dreams.retrieve(dream.id).usage
    assert usage.input_tokens == sum(llm.count_tokens(request) for request in llm.requests) > 0
    assert usage.output_tokens > 0
    assert (usage.cache_creation_input_tokens, usage.cache_read_input_tokens) == (0, 0)


def test_an_error_has_a_type_a_sentence_and_the_id_of_its_request(sdk: anthropic.Anthropic) -> None:
    with pytest.raises(anthropic.NotFoundError) as refused:
        sdk.beta.dreams.retrieve("drm_0")
    body: Any = refused.value.body
    assert (body["type"], body["error"]["type"]) == ("error", "not_found_error")
    assert body["error"]["message"]
    assert body["request_id"] == refused.value.request_id
