"""Before a dream it is known what it would ask and cost, with each model, and the estimate writes nothing and calls no model."""

import re

import pytest

from gateway.phases import estimate_dream, get_phases
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.errors import NotFoundError, ServiceUnavailableError
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.integration.phases.change_gate_support import ROSES, TWINS, sweep_dream
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import LONG_AGO, a_store, run_dream, take_picture, texts, write
from workers.phases import CATALOG


@pytest.fixture
def known(ports: Ports, tenant: str) -> str:
    """A tenant whose store has something to ask about."""
    write(ports, tenant, texts(TWINS | ROSES, at=LONG_AGO))
    return tenant


def test_the_prompts_of_an_estimate_are_those_of_the_dream_behind_it(ports: Ports, known: str) -> None:
    before = take_picture(ports, known)
    found = estimate_dream(ports, known, "default", force=True)
    assert take_picture(ports, known) == before
    llm = ScriptedLlm()
    run_dream(ports, known, llm)
    asked = {
        phase: sorted(llm.count_tokens(one) for one in llm.requests if one.question.phase == phase)
        for phase in {one.question.phase for one in llm.requests}
    }
    assert asked
    assert {one.phase: sorted(one.prompts) for one in found.phases} == asked  # those of a phase are asked side by side


def test_an_estimate_names_the_models_that_are_set_without_their_keys_and_prices_every_known_one(
    ports: Ports, known: str
) -> None:
    llm = {"adapter": "anthropic", "model": "claude-haiku-4-5", "model.synthesize": "mine"}
    configure_store(ports.db, known, "default", changes=StoreChanges(llm=llm), phases=CATALOG, actor="a test")
    found = estimate_dream(ports, known, "default", force=True)
    assert {one.phase: one.model for one in found.phases}["consolidate"] == "claude-haiku-4-5"
    if any(one.phase == "synthesize" for one in found.phases):
        assert found.configured.cost_usd is None
    haiku = next(one for one in found.models if one.model == "claude-haiku-4-5")
    assert haiku.cost_usd is not None
    assert haiku.batch_usd == pytest.approx(haiku.cost_usd / 2)


def test_an_estimate_behind_a_region_of_vertex_costs_a_tenth_more_than_behind_its_global_endpoint(
    ports: Ports, known: str
) -> None:
    def estimate(region: str) -> float:
        llm = {"adapter": "vertex", "region": region, "project": "acme-1", "model": "claude-haiku-4-5@20251001"}
        configure_store(ports.db, known, "default", changes=StoreChanges(llm=llm), phases=CATALOG, actor="a test")
        return estimate_dream(ports, known, "default", force=True).configured.cost_usd or 0.0

    assert estimate("europe-west1") == pytest.approx(1.1 * estimate("global"))
    assert estimate("global") > 0


def test_answers_of_earlier_dreams_tell_how_long_the_next_ones_are(ports: Ports, known: str) -> None:
    assert not any(one.has_history for one in estimate_dream(ports, known, "default", force=True).phases)
    run_dream(ports, known)
    write(ports, known, {"web/a.md": f"{TWINS['web/a.md']}Since May they are short-lived.\n"})
    found = {one.phase: one for one in estimate_dream(ports, known, "default", force=True).phases}
    assert found["consolidate"].has_history
    # The scripted model answers with hardly anything, and so it is expected to again.
    assert found["consolidate"].output_tokens < sum(found["consolidate"].prompts) / 10


def test_questions_that_read_as_they_did_last_time_are_left_out_unless_the_dream_is_forced(
    ports: Ports, known: str
) -> None:
    llm = {"adapter": "anthropic", "model": ScriptedLlm().model}
    configure_store(ports.db, known, "default", changes=StoreChanges(llm=llm), phases=CATALOG, actor="a test")
    sweep_dream(ports, known, ScriptedLlm())
    with ports.db.transaction(known) as uow:
        memories = uow.memories(uow.stores.get("default").id)
        memories.set_dirty([(head.id, head.version) for head in memories.find_heads()], is_dirty=True)
    forced, usual = (estimate_dream(ports, known, "default", force=force) for force in (True, False))
    assert "consolidate" in {one.phase for one in forced.phases}
    assert "consolidate" not in {one.phase for one in usual.phases}
    assert usual.idle["consolidate"] == "every question reads as it did last time"


def test_phases_that_would_ask_nothing_say_why(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    found = estimate_dream(ports, tenant, "default")
    assert found.phases == ()
    assert "no memory changed" in found.idle["consolidate"]
    with pytest.raises(NotFoundError):
        estimate_dream(ports, tenant, "another")


def test_every_phase_of_a_rich_store_can_be_read_without_a_write(ports: Ports, dreamt: Dreamt) -> None:
    found = estimate_dream(ports, dreamt.tenant, "default", force=True)
    asking = {entry.name for entry in CATALOG.entries if entry.asks_model} - {"digest", "compact"}
    assert {one.phase for one in found.phases} | found.idle.keys() == asking


def test_the_server_refuses_a_write_in_a_transaction_that_only_reads(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)

    def write_all_the_same() -> None:
        with ports.db.transaction(tenant, read_only=True) as uow:
            uow.record_audit("a test", "test.write")

    with pytest.raises(ServiceUnavailableError, match="takes no writes"):
        write_all_the_same()
    write(ports, tenant, ROSES)  # the next transaction of the same connection writes again


def test_an_admin_reads_the_estimate_over_the_api(ports: Ports, known: str) -> None:
    client, headers = a_client(an_app(ports)), bearer(a_token(ports, known))
    body = client.get("/api/stores/default/estimate", params={"force": True}, headers=headers).json()
    found = estimate_dream(ports, known, "default", force=True)
    assert [one["prompt_tokens"] for one in body["phases"]] == [one.prompt_tokens for one in found.phases]
    assert [(one["model"], one["cost_usd"]) for one in body["models"]] == [
        (one.model, pytest.approx(one.cost_usd)) for one in found.models
    ]
    assert body["configured"] == {"model": "offline", "cost_usd": 0.0, "batch_usd": 0.0}
    assert client.get("/api/stores/another/estimate", headers=headers).status_code == 404


def test_the_console_shows_the_same_estimate_and_changes_nothing(ports: Ports, known: str) -> None:
    before = take_picture(ports, known)
    browser, where = a_visitor(ports, known), f"/console/t/{known}/stores/default"
    assert f"{where}/estimate" in browser.get(where).text
    shell = browser.get(f"{where}/estimate", params={"forced": "true"}).text
    asked_for = re.search(r'hx-get="([^"]+)"', shell)
    assert asked_for
    page = browser.get(asked_for[1], headers={"HX-Request": "true"}).text
    assert "<!doctype html>" not in page
    found = estimate_dream(ports, known, "default", force=True)
    assert all(f">{get_phases().label_of(one.phase)}</td>" in page for one in found.phases)
    assert all(f"{one.prompt_tokens:,}" in page for one in found.phases)
    assert all(one.model in page for one in found.models)
    assert take_picture(ports, known) == before


def test_the_console_says_when_a_dream_would_ask_nothing(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    page = a_visitor(ports, tenant).get(f"/console/t/{tenant}/stores/default/estimate?now=true").text
    assert "would ask no model now" in page
