"""The change gate on a real database: what was answered is not asked again, until it changes or a week has passed."""

from typing import Any

import psycopg
import pytest
from pydantic import BaseModel

from gateway.cli.dreams.watch import describe_run
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState, OperationState, PhaseState
from shared.core.dream.operations import OperationKind
from shared.core.learning.feedback import FeedbackKind, NewFeedback
from shared.counting import send_counts_to, stop_counting
from shared.ports.llm import LlmOutcome
from shared.services.operations.review import reject_operation
from shared.services.operations.undo import undo_dream
from shared.services.tenants.directives import set_directive
from tests.integration.phases.change_gate_support import ARCHIVES, ROSES, STALE, TWINS, Days, phase_of, sweep_dream
from tests.support.builders import LONG_AGO, a_store, get_operations, take_picture, texts, write
from workers.phases import CATALOG


@pytest.fixture
def days(owner_connection: psycopg.Connection, tenant: str) -> Days:
    return Days(owner=owner_connection, tenant=tenant)


@pytest.fixture
def stale(ports: Ports, tenant: str) -> Ports:
    """A store with one stale memory, which prune asks about in every dream."""
    write(ports, tenant, texts(STALE, at=LONG_AGO))
    return ports


class Model(ScriptedLlm):
    """A scripted model that tells which phases have asked it."""

    def __init__(self, **script: BaseModel | LlmOutcome) -> None:
        super().__init__(script)

    def count(self, phase: str) -> int:
        return sum(request.question.phase == phase for request in self.requests)


def test_a_second_dream_over_an_unchanged_store_asks_nothing_and_names_the_dream_that_did(
    stale: Ports, tenant: str
) -> None:
    first = sweep_dream(stale, tenant, Model())
    model = Model()
    second = sweep_dream(stale, tenant, model)
    run = phase_of(stale, tenant, second, "prune")
    assert model.requests == ()
    assert (run.state, run.reason) == (PhaseState.SKIPPED, f"nothing new (same inputs as {first.id})")
    assert second.state is DreamState.COMPLETED
    assert second.summary is not None
    assert second.summary.reasons["same_inputs"] == 1


def test_a_changed_text_is_asked_about_at_once(stale: Ports, tenant: str) -> None:
    sweep_dream(stale, tenant, Model())
    write(stale, tenant, texts({"web/a.md": "# Cookies\n\nThe login page encrypts its cookies.\n"}, at=LONG_AGO))
    model = Model()
    sweep_dream(stale, tenant, model)
    assert model.count("prune") == 1


def test_the_same_text_written_once_more_is_not_asked_about(stale: Ports, tenant: str) -> None:
    sweep_dream(stale, tenant, Model())
    write(stale, tenant, texts(STALE, at=LONG_AGO))
    model = Model()
    sweep_dream(stale, tenant, model)
    assert model.count("prune") == 0


@pytest.mark.parametrize(("days_later", "calls"), [(6.9, 0), (7.1, 1)])
def test_an_unchanged_question_is_asked_again_after_seven_days(
    stale: Ports, tenant: str, days: Days, days_later: float, calls: int
) -> None:
    sweep_dream(stale, tenant, Model())
    days.go_by(days_later)
    model = Model()
    sweep_dream(stale, tenant, model)
    assert model.count("prune") == calls


def test_a_question_that_was_forced_after_a_week_holds_for_another_week(stale: Ports, tenant: str, days: Days) -> None:
    sweep_dream(stale, tenant, Model())
    days.go_by(8)
    forced = sweep_dream(stale, tenant, Model())
    days.go_by(3)
    reason = phase_of(stale, tenant, sweep_dream(stale, tenant, Model()), "prune").reason
    assert reason == f"nothing new (same inputs as {forced.id})"


def test_after_an_undo_the_next_dream_asks_again(stale: Ports, tenant: str) -> None:
    first = sweep_dream(stale, tenant, Model())
    undo_dream(stale.db, tenant, first.id, actor="a test")
    model = Model()
    sweep_dream(stale, tenant, model)
    assert model.count("prune") == 1


def test_an_undo_brings_back_what_an_earlier_dream_had_asked(stale: Ports, tenant: str, days: Days) -> None:
    first = sweep_dream(stale, tenant, Model())
    days.go_by(5)
    forced = sweep_dream(stale, tenant, Model(), force=True)
    undo_dream(stale.db, tenant, forced.id, actor="a test")
    reason = phase_of(stale, tenant, sweep_dream(stale, tenant, Model()), "prune").reason
    assert reason == f"nothing new (same inputs as {first.id})"


def test_a_dream_that_a_person_forces_asks_again(stale: Ports, tenant: str) -> None:
    sweep_dream(stale, tenant, Model())
    model = Model()
    sweep_dream(stale, tenant, model, force=True)
    assert model.count("prune") == 1


def test_a_dry_run_asks_for_itself_and_leaves_nothing_for_others_to_skip(stale: Ports, tenant: str) -> None:
    asked: list[int] = []
    for dry_run in (True, False, True):
        model = Model()
        sweep_dream(stale, tenant, model, dry_run=dry_run)
        asked.append(model.count("prune"))
    assert asked == [1, 1, 1]


@pytest.mark.parametrize("outcome", [LlmOutcome.UNPARSABLE, LlmOutcome.REFUSED])
def test_a_question_without_a_good_answer_is_asked_again(stale: Ports, tenant: str, outcome: LlmOutcome) -> None:
    sweep_dream(stale, tenant, Model(prune=outcome))
    model = Model()
    sweep_dream(stale, tenant, model)
    assert model.count("prune") == 1


def test_a_rejected_operation_is_not_proposed_again_the_next_day(stale: Ports, tenant: str) -> None:
    first = sweep_dream(stale, tenant, Model(prune=ARCHIVES))
    (archived,) = [o for o in get_operations(stale, tenant, first.id) if o.operation.kind is OperationKind.ARCHIVE]
    assert archived.state is OperationState.APPLIED
    reject_operation(stale.db, tenant, archived.id, actor="a test")
    model = Model(prune=ARCHIVES)
    sweep_dream(stale, tenant, model)
    assert model.count("prune") == 0


def change_directive(ports: Ports, tenant: str) -> None:
    set_directive(ports.db, tenant, "pref-dream.md", "Only what was said twice.", phases=CATALOG, actor="a test")


def change_setting(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"preferences.min_mild": 3})


@pytest.mark.parametrize("change", [change_directive, change_setting])
def test_a_changed_prompt_or_setting_shows_its_effect(ports: Ports, tenant: str, change: Any) -> None:
    write(ports, tenant, texts({"web/a.md": "# Cookies\n\nSigned.\n"}))
    with ports.db.transaction(tenant) as uow:
        said = NewFeedback(kind=FeedbackKind.CORRECTION, text="No tables, please")
        uow.feedback(uow.stores.get("default").id).add([said])
    counts = []
    for act in (None, None, change):
        if act is not None:
            act(ports, tenant)
        model = Model()
        sweep_dream(ports, tenant, model)
        counts.append(model.count("infer_preferences"))
    assert counts == [1, 0, 1]


def test_another_model_is_asked_again(stale: Ports, tenant: str) -> None:
    class Newer(Model):
        @property
        def model(self) -> str:
            return "newer"

    sweep_dream(stale, tenant, Model())
    model = Newer()
    sweep_dream(stale, tenant, model)
    assert model.count("prune") == 1


def test_a_store_whose_gate_is_off_asks_in_every_dream(stale: Ports, tenant: str) -> None:
    a_store(stale, tenant, overrides={"change_gate.forced_days": 0})
    asked = []
    for _ in range(2):
        model = Model()
        sweep_dream(stale, tenant, model)
        asked.append(model.count("prune"))
    assert asked == [1, 1]


def test_one_store_spares_no_question_of_another(stale: Ports, tenant: str) -> None:
    write(stale, f"{tenant}-b", texts(STALE, at=LONG_AGO))
    sweep_dream(stale, tenant, Model())
    model = Model()
    sweep_dream(stale, f"{tenant}-b", model)
    assert model.count("prune") == 1


def test_the_calls_that_were_spared_are_counted(stale: Ports, tenant: str) -> None:
    seen: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}

    class Sink:
        def add(self, series: dict[tuple[str, tuple[tuple[str, str], ...]], float]) -> None:
            seen.update(series)

    sweep_dream(stale, tenant, Model())
    sink = Sink()
    send_counts_to(sink)
    try:
        sweep_dream(stale, tenant, Model())
    finally:
        stop_counting(sink)
    assert seen["slowwave_model_calls_spared_total", (("phase", "prune"),)] == 1


def test_of_several_questions_only_those_that_changed_are_asked_and_all_memories_count_as_read(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, tenant, overrides={"consolidate.shared_call_chars": 0})
    write(ports, tenant, texts({**TWINS, **ROSES}, at=LONG_AGO))
    sweep_dream(ports, tenant, Model())
    owner_connection.execute("UPDATE memories SET is_dirty = true WHERE tenant_id = %s", [tenant])
    write(ports, tenant, texts({"garden/d.md": f"{ROSES['garden/d.md']}Not in winter.\n"}, at=LONG_AGO))
    model = Model()
    dream = sweep_dream(ports, tenant, model)
    run = phase_of(ports, tenant, dream, "consolidate")
    assert [r.question.key for r in model.requests if r.question.phase == "consolidate"] == ["garden#1"]
    assert run.state is PhaseState.DONE
    assert "1 not asked again" in describe_run(run)
    assert not [one for one in take_picture(ports, tenant).memories.values() if one.is_dirty]
