"""Evaluations from their order to their report, and what is left of them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import psycopg
import pytest

from scheduler.sweeps import evaluations as sweep
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.errors import ConflictError
from shared.core.evaluation.model import Evaluation, EvaluationState
from shared.core.webhooks.endpoint import WebhookEndpoint
from shared.ports.evidence.search_log import Searched, WasRead
from shared.ports.webhooks import DeliveryFilter
from shared.services.dreams.cancel import cancel_dream
from shared.services.evaluation.evaluations import cancel_evaluation, get_evaluation
from shared.services.forgetting.forget import forget
from shared.services.forgetting.wanted import Kind, Target
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.delete_store import delete_store
from shared.settings import Settings
from tests.integration.budgets.budget_support import PRICED, PricedLlm, set_budget, uses, with_questions
from tests.integration.evaluation.evaluation_support import all_rows, begin, dream_queued, drive, fill, rows_of
from tests.integration.failures.crash_support import Crash, CrashingDatabase
from tests.support.builders import LONG_AGO, texts, write
from tests.support.session_builders import tell
from workers.evaluation.advance import advance_evaluation
from workers.phases import CATALOG

#: What it has cost, and what it has bought, stays.
_LEAVES = ("evaluations", "evaluation_answers", "llm_calls", "audit_log")


@pytest.fixture
def tenant(ports: Ports) -> str:
    tenant = f"t{uuid4().hex}"
    fill(ports, tenant)
    return tenant


@pytest.fixture
def everything(settings: Settings) -> Iterator[psycopg.Connection]:
    with all_rows(settings) as connection:
        yield connection


def test_an_evaluation_ends_with_a_report_and_leaves_the_store_byte_for_byte_as_it_was(
    ports: Ports, tenant: str, everything: psycopg.Connection
) -> None:
    before = rows_of(everything, tenant, without=_LEAVES)
    begun = begin(ports, tenant, own=({"question": "Which port has service 3?", "evidence": "port 9003"},))

    ended = drive(ports, tenant, begun.id)

    assert (ended.state, ended.reason) == (EvaluationState.DONE, "")
    assert ended.report is not None
    assert ended.report["verdict"]["word"] == "too little data", "a handful of questions decides nothing"
    assert {one["kind"] for one in ended.report["comparisons"]} == {"pair", "own"}
    assert ended.report["gone"] == []
    assert ended.terms
    assert ended.cost_usd == 0.0
    assert rows_of(everything, tenant, without=_LEAVES) == before


@pytest.mark.parametrize("is_logged", [True, False])
def test_what_agents_searched_for_and_then_read_is_asked_again_while_searches_are_logged(
    ports: Ports, tenant: str, *, is_logged: bool
) -> None:
    at = datetime.now(UTC)
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get("bot")
        memory = uow.memories(store.id).find_by_path("ops/service-2.md")
        assert memory is not None
        searched = Searched(key_id="key_1", surface="mcp", query="port of Ariane2", shown=(memory.id,), at=at)
        read = WasRead(key_id="key_1", memory_id=memory.id, at=at)
        uow.search_log(store.id).write([("srch_1" + tenant, searched)], [read], [])
    off = StoreChanges(overrides={"evidence.log_searches": is_logged})
    configure_store(ports.db, tenant, "bot", changes=off, phases=CATALOG, actor="bo")

    ended = drive(ports, tenant, begin(ports, tenant).id)

    assert ended.report is not None
    found = [one for one in ended.report["comparisons"] if one["kind"] == "asked" and one["reader"] == "search"]
    assert [(one["before"]["n"], one["before"]["at"]["10"]) for one in found] == ([(1, 1.0)] if is_logged else [])


def test_what_a_correction_superseded_is_listed_beside_what_is_said_now_and_not_lost(ports: Ports, tenant: str) -> None:
    door = {"office/door.md": "# Door\n\nThe code of the office door is 1234.\n"}
    write(ports, tenant, texts(door, at=LONG_AGO), store="bot")
    tell(ports, tenant, "monday", "No, the code of the office door is 5678.", store="bot")

    report = drive(ports, tenant, begin(ports, tenant).id, OfflineLlm()).report

    assert report is not None
    assert report["superseded"] == [
        ["office/door.md", "The code of the office door is 1234.", "The code of the office door is 5678."]
    ]
    assert report["gone_count"] == 0
    assert not any("1234" in one["answer"] for one in report["worst"])


def test_the_terms_are_stored_before_anything_is_measured(ports: Ports, tenant: str) -> None:
    begun = begin(ports, tenant)
    crashing = CrashingDatabase(ports.db, crash_at=3, after_commit=True)  # the first transaction that writes

    with pytest.raises(Crash):
        advance_evaluation(replace(ports, db=crashing), tenant, begun.id)

    kept = get_evaluation(ports.db, tenant, begun.id)
    assert kept.terms
    assert kept.work["before"] is None


@pytest.mark.parametrize("crash_at", [2, 4, 6, 9, 12, 15, 18])
@pytest.mark.parametrize("after_commit", [False, True])
def test_an_evaluation_that_was_killed_at_any_point_ends_as_another(
    ports: Ports, tenant: str, everything: psycopg.Connection, crash_at: int, after_commit: bool
) -> None:
    before = rows_of(everything, tenant, without=_LEAVES)
    begun = begin(ports, tenant)
    crashing = CrashingDatabase(ports.db, crash_at=crash_at, after_commit=after_commit)
    with pytest.raises(Crash):
        _drive_until_a_crash(replace(ports, db=crashing), ports, tenant, begun)

    ended = _drive_after_a_crash(ports, tenant, begun.id)

    assert (ended.state, ended.reason) == (EvaluationState.DONE, "")
    assert rows_of(everything, tenant, without=_LEAVES) == before


def _drive_until_a_crash(crashing: Ports, ports: Ports, tenant: str, begun: Evaluation) -> None:
    dispatch = RecordingDispatch()
    while True:
        advance_evaluation(replace(crashing, dispatch=dispatch), tenant, begun.id)
        dream_queued(ports, tenant, dispatch)


def _drive_after_a_crash(ports: Ports, tenant: str, evaluation_id: str) -> Evaluation:
    """Send the dream again whose message may be lost, as the reconciler does, and go on."""
    with ports.db.with_shadows().transaction(tenant) as uow:
        queued = [one for one in uow.dreams.find_recent(limit=10) if one.started_at is None]
    dream_queued(ports, tenant, RecordingDispatch(dreams=[(tenant, one.store, one.id) for one in queued]))
    return drive(ports, tenant, evaluation_id)


def test_a_message_twice_changes_nothing(ports: Ports, tenant: str) -> None:
    begun = begin(ports, tenant)
    here = replace(ports, dispatch=RecordingDispatch())
    advance_evaluation(here, tenant, begun.id)
    waiting = get_evaluation(ports.db, tenant, begun.id)

    advance_evaluation(here, tenant, begun.id)

    assert get_evaluation(ports.db, tenant, begun.id) == waiting
    assert waiting.progress == "dreams over copy 1 of 1"


def test_a_canceled_evaluation_leaves_nothing(ports: Ports, tenant: str, everything: psycopg.Connection) -> None:
    before = rows_of(everything, tenant, without=_LEAVES)
    begun = begin(ports, tenant)
    advance_evaluation(replace(ports, dispatch=RecordingDispatch()), tenant, begun.id)
    assert len(rows_of(everything, tenant)["stores"]) == 3

    ended = cancel_evaluation(ports, tenant, begun.id, actor="a test")

    assert ended.state is EvaluationState.CANCELED
    assert rows_of(everything, tenant, without=_LEAVES) == before


def test_the_sweep_finds_what_lost_its_message_and_what_left_copies_behind(
    ports: Ports, tenant: str, everything: psycopg.Connection
) -> None:
    begun = begin(ports, tenant)
    at_once = replace(ports, settings=ports.settings.model_copy(update={"reconcile_seconds": 0.0}))
    assert begun.id in {one.evaluation_id for one in sweep.find(at_once)}
    assert begun.id not in {one.evaluation_id for one in sweep.find(ports)}, "its message is on its way"
    advance_evaluation(replace(ports, dispatch=RecordingDispatch()), tenant, begun.id)

    delete_store(ports.db, tenant, begun.store_id, actor="a test")

    (left,) = [one for one in sweep.find(ports) if one.tenant_id == tenant]
    dispatch = RecordingDispatch()
    sweep.act(replace(ports, dispatch=dispatch), left)
    assert dispatch.evaluations == [(tenant, begun.id)]
    advance_evaluation(ports, tenant, begun.id)
    assert rows_of(everything, tenant, without=("audit_log",)) == {}


def test_each_optional_phase_is_left_out_once(ports: Ports, tenant: str) -> None:
    begun = begin(ports, tenant, ablate=True, without=("synthesize",))

    ended = drive(ports, tenant, begun.id)

    assert ended.report is not None
    named = {one["phase"] for one in ended.report["phases"]}
    assert "prune" in named
    assert not named & {"synthesize", "index", "measure_recall"}


def test_dreams_in_a_row_are_measured_one_by_one(ports: Ports, tenant: str) -> None:
    ended = drive(ports, tenant, begin(ports, tenant, dreams=3).id)

    assert ended.report is not None
    assert len(ended.report["drift"]) == 3


def test_dreams_cost_no_more_than_was_allowed_and_count_in_the_budget(ports: Ports, tenant: str) -> None:
    with_questions(ports, tenant, "bot")
    set_budget(ports, tenant, usd_per_day=10.0)
    begun = begin(ports, tenant, model=PRICED, max_usd=0.1, repeats=2)

    ended = drive(ports, tenant, begun.id, PricedLlm())

    assert ended.state is EvaluationState.DONE
    assert 0.0 < ended.cost_usd <= 0.1
    assert ended.report is not None
    assert ended.report["notes"] != [], "the page says that money was short"
    assert uses(ports, tenant)["tenant_usd_per_day"].spent_usd == pytest.approx(ended.cost_usd)


def test_a_dream_that_cannot_run_fails_the_evaluation_with_the_reason(
    ports: Ports, tenant: str, everything: psycopg.Connection
) -> None:
    before = rows_of(everything, tenant, without=_LEAVES)
    begun = begin(ports, tenant)
    dispatch = RecordingDispatch()
    advance_evaluation(replace(ports, dispatch=dispatch), tenant, begun.id)
    ((_, _, dream_id),) = dispatch.dreams
    cancel_dream(ports.db.with_shadows(), tenant, dream_id, actor="a test")

    ended = drive(ports, tenant, begun.id)

    assert ended.state is EvaluationState.FAILED
    assert "The dream over copy 1 of 1 ended as canceled" in ended.reason
    assert rows_of(everything, tenant, without=_LEAVES) == before


def test_an_evaluation_that_is_not_done_after_a_day_fails_and_leaves_nothing(
    ports: Ports, tenant: str, everything: psycopg.Connection, owner_connection: psycopg.Connection
) -> None:
    before = rows_of(everything, tenant, without=_LEAVES)
    begun = begin(ports, tenant)
    advance_evaluation(replace(ports, dispatch=RecordingDispatch()), tenant, begun.id)
    assert rows_of(everything, tenant, without=_LEAVES) != before
    owner_connection.execute(
        "UPDATE evaluations SET created_at = created_at - interval '25 hours' WHERE id = %s", [begun.id]
    )

    advance_evaluation(ports, tenant, begun.id)

    ended = get_evaluation(ports.db, tenant, begun.id)
    assert (ended.state, ended.reason) == (EvaluationState.FAILED, "It was not done after 24 hours")
    assert rows_of(everything, tenant, without=_LEAVES) == before


def test_an_end_is_told_to_those_who_subscribe(ports: Ports, tenant: str) -> None:
    with ports.db.transaction(tenant) as uow:
        uow.webhooks.add(WebhookEndpoint(id=f"hook_{tenant}", tenant_id=tenant, url="https://example.com"))

    drive(ports, tenant, begin(ports, tenant).id)

    with ports.db.transaction(tenant) as uow:
        told = uow.deliveries.find_page(DeliveryFilter(), start_after=None, limit=10)
    assert [one.message.event for one in told] == ["evaluation.finished"], "the dreams of copies tell nothing"


def test_nothing_is_forgotten_while_copies_hold_it(ports: Ports, tenant: str) -> None:
    begun = begin(ports, tenant)

    with pytest.raises(ConflictError, match=f"bot is being evaluated \\({begun.id}\\)"):
        forget(ports.db, tenant, "bot", Target(Kind.TEXT, "Service Ariane1 listens"), actor="a test")


def test_an_evaluation_reserves_what_it_may_spend_in_the_budget_of_its_store(ports: Ports, tenant: str) -> None:
    with_questions(ports, tenant, "bot")
    configure_store(
        ports.db, tenant, "bot", changes=StoreChanges(overrides={"budget.usd_per_day": 1.0}), phases=CATALOG, actor="bo"
    )
    begun = begin(ports, tenant, model=PRICED, max_usd=0.8, repeats=2)
    advance_evaluation(replace(ports, dispatch=RecordingDispatch()), tenant, begun.id)
    assert uses(ports, tenant, "bot")["store_usd_per_day"].reserved_usd == pytest.approx(0.8)

    with ports.db.with_shadows().transaction(tenant) as uow:
        queued = [one for one in uow.dreams.find_recent(limit=10) if one.started_at is None]
    dream_queued(ports, tenant, RecordingDispatch(dreams=[(tenant, one.store, one.id) for one in queued]), PricedLlm())
    of_first = uses(ports, tenant, "bot")["store_usd_per_day"]
    assert (of_first.spent_usd, of_first.reserved_usd) == (0.0, 0.8), "a copy spends what is reserved"
    ended = drive(ports, tenant, begun.id, PricedLlm())

    after = uses(ports, tenant, "bot")["store_usd_per_day"]
    assert after.reserved_usd == 0.0
    assert after.spent_usd == pytest.approx(ended.cost_usd)
    assert ended.cost_usd > 0


def test_a_canceled_evaluation_gives_back_what_it_had_reserved(ports: Ports, tenant: str) -> None:
    configure_store(
        ports.db, tenant, "bot", changes=StoreChanges(overrides={"budget.usd_per_day": 1.0}), phases=CATALOG, actor="bo"
    )
    begun = begin(ports, tenant, model=PRICED, max_usd=0.8)
    advance_evaluation(replace(ports, dispatch=RecordingDispatch()), tenant, begun.id)

    cancel_evaluation(ports, tenant, begun.id, actor="a test")

    assert uses(ports, tenant, "bot")["store_usd_per_day"].reserved_usd == 0.0
