"""Arms: stores that try settings out are compared, and get their earlier settings back when the dreams of an arm lose answers."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import psycopg
import pytest
from psycopg.types.json import Jsonb

from gateway.phases import get_phases
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.adapters.ulid_ids import new_id
from shared.all_ports import Ports
from shared.core.dream.recall import ProbeKind, Recall, count_recall
from shared.core.evaluation.arms import ArmStore
from shared.core.policy.policy import Autonomy
from shared.core.tenants.audit import AuditEntry
from shared.core.tenants.store import Store
from shared.ports.tenants import AuditFilter
from shared.services.evaluation.arms import judge_arm
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.settings import Settings
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.support.builders import LONG_AGO, get_store, run_chain, texts, write
from tests.support.servers import plain_url
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream

_LOST, _KEPT = -20, 0


@pytest.fixture
def dreamt(settings: Settings, ports: Ports, tenant: str) -> Callable[[str, Sequence[int]], None]:
    """Record dreams of a store, each with the number of answers that it gained of a hundred."""

    def record(store: str, gains: Sequence[int]) -> None:
        store_id = get_store(ports, tenant, store).id
        with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as owner:
            for gain in gains:
                summary = {
                    "recall": {"pair": {"asked": 100, "before": 90, "after": 90 + gain, "lost": 0}},
                    "cost_usd": 0.5,
                }
                owner.execute(
                    "INSERT INTO dreams (id, tenant_id, store_id, state, trigger, is_forced, is_dry_run, model, reason, summary)"
                    " VALUES (%s, %s, %s, 'completed', 'sweep', false, false, '', '', %s)",
                    (new_id("drm"), tenant, store_id, Jsonb(summary)),
                )

    return record


def set_store(ports: Ports, tenant: str, store: str, changes: StoreChanges) -> Store:
    write(ports, tenant, texts({"a.md": "# A\n\nOne.\n"}, at=LONG_AGO), store=store)
    return configure_store(ports.db, tenant, store, changes=changes, phases=get_phases(), actor="test")


def test_a_harmful_arm_gets_its_settings_back_to_the_last_one(
    ports: Ports, tenant: str, dreamt: Callable[..., None]
) -> None:
    earlier = StoreChanges(profile="rockbot", overrides={"gates.min_hours": 5}, llm={"model": "claude-haiku-4-5"})
    before = set_store(ports, tenant, "bot", earlier)
    tried = StoreChanges(
        profile="byterover", autonomy=Autonomy.SILENT, overrides={"phases.prune": False}, unset=["gates.min_hours"],
        llm={"model": ""}, arm="trial",
    )  # fmt: skip
    set_store(ports, tenant, "bot", tried)
    set_store(ports, tenant, "desk", StoreChanges(arm="trial"))
    other = set_store(ports, tenant, "other", StoreChanges(profile="rockbot"))
    dreamt("bot", [_LOST] * 4)
    dreamt("desk", [_LOST] * 2)
    assert not judge_arm(ports.db, tenant, "bot")
    dreamt("desk", [_LOST])
    assert judge_arm(ports.db, tenant, "desk")
    after = get_store(ports, tenant, "bot")
    assert (after.profile, after.autonomy, after.overrides, after.llm, after.arm) == (
        before.profile, before.autonomy, before.overrides, before.llm, "",
    )  # fmt: skip
    labeled = get_store(ports, tenant, "desk")
    assert (labeled.arm, labeled.autonomy) == ("", Autonomy.PROPOSE)
    assert get_store(ports, tenant, "other") == other
    assert [(one.actor, one.detail["store"]) for one in find_sent_back(ports, tenant)] == [
        ("system", "desk"),
        ("system", "bot"),
    ]


def find_sent_back(ports: Ports, tenant: str) -> list[AuditEntry]:
    with ports.db.transaction(tenant) as uow:
        return [
            one
            for one in uow.audit.find_page(AuditFilter(), start_after=None, limit=20)
            if one.action == "store.send_back"
        ]


def test_the_end_of_a_dream_that_lost_answers_sends_its_arm_back(
    ports: Ports, tenant: str, dreamt: Callable[..., None], settings: Settings
) -> None:
    set_store(ports, tenant, "bot", StoreChanges(profile="rockbot", arm="trial"))
    dreamt("bot", [_LOST] * 6)
    dispatch = RecordingDispatch()
    here = replace(ports, dispatch=dispatch, choose_llm=lambda _: ScriptedLlm())
    dream_id = begin_dream(here, tenant, "bot", force=True, dream_id=None)
    assert dream_id is not None
    chain = dispatch.chains[-1]
    run_chain(here, chain)
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as owner:
        lost = count_recall(ProbeKind.PAIR, Recall(asked=100, before=90, after=70, lost=20))
        of_phase = "UPDATE phase_runs SET counts = %s WHERE dream_id = %s AND phase = 'measure_recall'"
        assert owner.execute(of_phase, (Jsonb(lost), dream_id)).rowcount == 1
    finish_dream(here, tenant, dream_id, chain.epoch)
    assert (get_store(ports, tenant, "bot").arm, get_store(ports, tenant, "bot").profile) == ("", "default")


def test_an_arm_that_keeps_its_answers_stays(ports: Ports, tenant: str, dreamt: Callable[..., None]) -> None:
    set_store(ports, tenant, "bot", StoreChanges(profile="rockbot", arm="trial"))
    dreamt("bot", [_LOST, _KEPT] * 10)
    assert not judge_arm(ports.db, tenant, "bot")
    assert get_store(ports, tenant, "bot").arm == "trial"


def test_what_dreams_did_before_the_label_does_not_count(
    ports: Ports, tenant: str, dreamt: Callable[..., None]
) -> None:
    set_store(ports, tenant, "bot", StoreChanges())
    dreamt("bot", [_LOST] * 20)
    set_store(ports, tenant, "bot", StoreChanges(arm="trial"))
    dreamt("bot", [_KEPT])
    assert not judge_arm(ports.db, tenant, "bot")
    assert find_arms(ports, tenant)["bot"].measured == 1


def find_arms(ports: Ports, tenant: str) -> dict[str, ArmStore]:
    with ports.db.transaction(tenant) as uow:
        return {one.store: one for one in uow.evaluations.find_arms()}


def test_a_store_that_leaves_its_arm_keeps_its_settings(ports: Ports, tenant: str) -> None:
    set_store(ports, tenant, "bot", StoreChanges(profile="rockbot", arm="trial"))
    left = set_store(ports, tenant, "bot", StoreChanges(arm=""))
    assert (left.profile, left.arm, left.arm_set_at, left.arm_before) == ("rockbot", "", None, {})


def test_arms_are_compared_with_the_stores_that_have_none(
    ports: Ports, tenant: str, dreamt: Callable[..., None],
) -> None:  # fmt: skip
    set_store(ports, tenant, "usual", StoreChanges())
    set_store(ports, tenant, "bot", StoreChanges(arm="trial"))
    dreamt("usual", [_KEPT, _KEPT])
    dreamt("bot", [_LOST])
    found = find_arms(ports, tenant)
    assert (found["usual"].arm, found["usual"].dreams, found["usual"].cost_usd) == ("", 2, 1.0)
    assert (found["bot"].arm, found["bot"].fell, round(found["bot"].delta, 6)) == ("trial", 1, -0.2)


def test_arms_are_set_and_compared_over_http_and_the_console_names_them(
    ports: Ports, tenant: str, dreamt: Callable[..., None]
) -> None:
    set_store(ports, tenant, "bot", StoreChanges())
    api, admin = a_client(an_app(ports)), bearer(a_token(ports, tenant))
    changed = api.patch("/api/stores/bot", headers=admin, json={"arm": "trial", "profile": "rockbot"})
    assert (changed.status_code, changed.json()["arm"]) == (200, "trial")
    browser, page = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/bot"
    assert "No dream of it has been measured yet" in browser.get(f"{page}/evaluations").text
    dreamt("bot", [_LOST, _KEPT])

    trial = next(one for one in api.get("/api/arms", headers=admin).json()["data"] if one["arm"])

    assert (trial["arm"], trial["stores"], trial["measured"], trial["fell"]) == ("trial", 1, 2, 1)
    assert (trial["mean"], trial["cost_usd"], trial["harms"]) == (-0.1, 1.0, False)
    assert ">trial</a>" in browser.get(page).text
    assert "a dream changes what is found by -10.0 points" in browser.get(f"{page}/evaluations").text
    assert api.patch("/api/stores/bot", headers=admin, json={"arm": "no name"}).status_code == 422
    assert api.patch("/api/stores/bot", headers=admin, json={"arm": ""}).json()["arm"] == ""
    assert get_store(ports, tenant, "bot").profile == "rockbot"
    assert "in the arm" not in browser.get(f"{page}/evaluations").text
