"""The change gate survives a dying worker, a redacted text, retention and deletion."""

from collections.abc import Callable
from datetime import timedelta

import psycopg
import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState, PhaseState, Trigger
from shared.core.dream.operations import OperationKind
from shared.core.policy.retention import RetentionPolicy
from shared.ports.llm import LlmReply, LlmRequest
from shared.services.memories.redact import redact_version
from shared.services.tenants.delete import delete_tenant
from shared.services.tenants.purge import purge_expired
from tests.integration.failures.crash_support import Crash, let_lapse
from tests.integration.phases.change_gate_support import ARCHIVES, MERGES, STALE, TWINS, Days, phase_of, sweep_dream
from tests.support.builders import LONG_AGO, a_store, get_operations, get_store, run_dream, take_picture, texts, write
from workers.phases.prune.answer import PruneAnswer


@pytest.fixture
def days(owner_connection: psycopg.Connection, tenant: str) -> Days:
    return Days(owner=owner_connection, tenant=tenant)


@pytest.fixture
def count(owner_connection: psycopg.Connection, tenant: str) -> Callable[[], int]:
    """Return the numbers of stored questions and clusters of the tenant."""

    def find() -> int:
        query = "SELECT count(*) FROM asked_questions WHERE tenant_id = %s"
        (number,) = owner_connection.execute(query, [tenant]).fetchone() or (0,)
        return int(number)

    return find


def test_an_answer_that_was_paid_for_is_used_although_the_gate_would_spare_the_question_by_now(
    ports: Ports, tenant: str, days: Days
) -> None:
    write(ports, tenant, texts(STALE, at=LONG_AGO))
    sweep_dream(ports, tenant, ScriptedLlm())
    days.go_by(8)
    dream_id = _die_after_the_answer(ports, tenant)
    days.go_by(-8)  # what the earlier dream has asked holds again
    let_lapse(days.owner, dream_id)
    model = ScriptedLlm({"prune": ARCHIVES})
    dream = run_dream(ports, tenant, model, dream_id=dream_id)
    (archived,) = [o for o in get_operations(ports, tenant, dream.id) if o.operation.kind is OperationKind.ARCHIVE]
    assert archived.state is OperationState.APPLIED
    assert not [request for request in model.requests if request.question.phase == "prune"]


def _die_after_the_answer(ports: Ports, tenant: str) -> str:
    """Run a dream whose worker dies when prune's answer is stored and its plan is not; return the dream's id."""
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.add(uow.stores.get("default").id, trigger=Trigger.SWEEP, force=False, dry_run=False)

    class Settled(ScriptedLlm):
        def decide(self, request: LlmRequest) -> LlmReply:
            reply = super().decide(request)
            if request.question.phase == "prune":
                with ports.db.transaction(tenant) as uow:
                    uow.calls.record(dream.id, "prune", request.question.key, reply, latency_ms=1)
                raise Crash
            return reply

    with pytest.raises(Crash):
        run_dream(ports, tenant, Settled({"prune": ARCHIVES}), dream_id=dream.id)
    return dream.id


def test_a_dream_whose_worker_dies_keeps_nothing_until_it_ends(
    ports: Ports, tenant: str, days: Days, count: Callable[[], int]
) -> None:
    write(ports, tenant, texts(STALE, at=LONG_AGO))
    a_store(ports, tenant, overrides={"phases.revise": False})
    dream_id = _die_after_the_answer(ports, tenant)
    assert count() == 0
    let_lapse(days.owner, dream_id)
    run_dream(ports, tenant, ScriptedLlm(), dream_id=dream_id)
    assert count() == 1


def test_a_phase_that_breaks_over_an_answer_asks_again(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The red case: an answer came and nothing could be made of it."""
    write(ports, tenant, texts(STALE, at=LONG_AGO))
    with monkeypatch.context() as patch:
        patch.setattr("workers.phases.prune.phase.plan_pruning", lambda *_: 1 / 0)
        broken = sweep_dream(ports, tenant, ScriptedLlm({"prune": PruneAnswer()}))
    assert phase_of(ports, tenant, broken, "prune").state is PhaseState.FAILED
    model = ScriptedLlm()
    sweep_dream(ports, tenant, model)
    assert [request.question.phase for request in model.requests] == ["prune"]


def test_a_merge_whose_text_lost_a_number_keeps_the_statement(ports: Ports, tenant: str) -> None:
    numbered = {path: f"{text}Sessions end after 30 minutes.\n" for path, text in TWINS.items()}
    write(ports, tenant, texts(numbered, at=LONG_AGO))
    dream = sweep_dream(ports, tenant, ScriptedLlm({"consolidate": MERGES}))
    assert OperationKind.MERGE in {recorded.operation.kind for recorded in get_operations(ports, tenant, dream.id)}
    with ports.db.transaction(tenant) as uow:
        live = uow.memories(uow.stores.get("default").id).find_live()
    assert any("Sessions end after 30 minutes." in memory.content for memory in live)


def test_a_redaction_leaves_no_fingerprint_that_would_prove_the_text(
    ports: Ports, tenant: str, count: Callable[[], int]
) -> None:
    write(ports, tenant, texts(TWINS, at=LONG_AGO))
    sweep_dream(ports, tenant, ScriptedLlm())
    write(ports, tenant, texts({"web/b.md": "# Login\n\nNothing to see.\n"}, at=LONG_AGO))
    assert count() > 0
    (memory_id,) = [one.id for one in take_picture(ports, tenant).memories.values() if one.path == "web/b.md"]
    redact_version(ports.db, tenant, get_store(ports, tenant).id, memory_id, 1, actor="a test")
    assert count() == 0


def test_fingerprints_are_deleted_with_their_dream_and_their_tenant(
    ports: Ports, tenant: str, days: Days, count: Callable[[], int]
) -> None:
    write(ports, tenant, texts(STALE, at=LONG_AGO))
    a_store(ports, tenant, overrides={"phases.revise": False})
    old = sweep_dream(ports, tenant, ScriptedLlm(), force=True)
    sweep_dream(ports, tenant, ScriptedLlm(), force=True)
    assert count() == 2
    moved = "finished_at = now() - interval '400 days', created_at = now() - interval '400 days', before = '{}'"
    days.owner.execute(f"UPDATE dreams SET {moved} WHERE id = %s".encode(), [old.id])
    days.owner.execute("UPDATE dreams SET before = '{}' WHERE tenant_id = %s", [tenant])
    purge_expired(ports.db, tenant, RetentionPolicy())
    assert count() == 1
    erasure = delete_tenant(ports.db, ports.lock, tenant, actor="a test")
    assert (erasure.rows["asked_questions"], count()) == (1, 0)


def test_expired_fingerprints_are_deleted_when_a_dream_ends(
    ports: Ports, tenant: str, days: Days, count: Callable[[], int]
) -> None:
    write(ports, tenant, texts(STALE, at=LONG_AGO))
    for _ in range(3):
        sweep_dream(ports, tenant, ScriptedLlm())
        days.go_by(timedelta(weeks=20).days)
    assert count() == 1
