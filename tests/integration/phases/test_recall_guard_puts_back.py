"""The recall guard on a real store: what a careless model lost comes back, is flagged, and stays undoable."""

from dataclasses import replace

import psycopg
import pytest
from pydantic import BaseModel

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, OperationState, ReviewState, Trigger
from shared.core.dream.operations import OperationKind
from shared.core.dream.summary import render_summary
from shared.core.errors import ConflictError
from shared.core.memory.model import Signals
from shared.core.questions.question import Question
from shared.ports.dreams import RecordedOperation
from shared.services.dreams.start import start_dream
from shared.services.operations.review import approve_operation, reject_operation
from shared.services.operations.undo import undo_dream
from tests.integration.failures.crash_support import STRIDE, Crash, CrashingDatabase, in_strides, let_lapse
from tests.support.builders import LONG_AGO, get_operations, run_dream, take_picture, texts, write
from tests.support.model.over import archive
from workers.phases.prune.answer import PruneAnswer

ONLY = "# Pump\n\nthe pump restarts with `reset_zx_pump` after a fault. This note is obsolete.\n"
#: The cue for the pump leads to nothing, and its path neither.
STUBS = {"old/7.md": "It was of no use any more.", "old/radio.md": None}
PLAIN = "# Radio\n\nthe kitchen radio plays jazz whenever it is turned. This note is obsolete.\n"


def fill(ports: Ports, tenant: str) -> None:
    faded = Signals(importance=10)
    write(ports, tenant, texts({"old/7.md": ONLY, "old/radio.md": PLAIN}, signals=faded, at=LONG_AGO))
    write(ports, tenant, {f"new/{n}.md": f"# Note {n}\n\nsomething else number {n}.\n" for n in range(6)})


def careless(question: Question) -> BaseModel | None:
    if question.phase != "prune":
        return None
    found = [d.path for d in question.documents if d.role == "candidate"]
    return PruneAnswer(decisions=tuple(archive(path, stub=STUBS[path]) for path in found))


def dream(ports: Ports, tenant: str) -> Dream:
    return run_dream(ports, tenant, ScriptedLlm(careless))


def of_kind(ports: Ports, tenant: str, one: Dream, kind: OperationKind) -> list[RecordedOperation]:
    return [op for op in get_operations(ports, tenant, one.id) if op.operation.kind is kind]


def live_texts(ports: Ports, tenant: str) -> dict[str, str]:
    return {m.path: m.content for m in take_picture(ports, tenant).memories.values() if m.state == "live"}


def test_the_only_memory_of_a_term_comes_back_flagged_and_indexed(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    ended = dream(ports, tenant)
    live = live_texts(ports, tenant)
    assert live["old/7.md"] == ONLY
    assert "old/radio.md" not in live
    assert "(old/7.md)" in live["MEMORY.md"]
    (flagged,) = of_kind(ports, tenant, ended, OperationKind.PUT_BACK)
    assert (flagged.state, flagged.review) == (OperationState.APPLIED, ReviewState.PENDING)
    assert "reset_zx_pump" in flagged.operation.reason
    states = {op.effects[0].after.path: op.state for op in of_kind(ports, tenant, ended, OperationKind.ARCHIVE)}
    assert states == {"old/7.md": OperationState.UNDONE, "old/radio.md": OperationState.APPLIED}


def test_the_log_says_how_many_probes_ran_and_what_was_put_back(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    ended = dream(ports, tenant)
    assert ended.summary
    assert (ended.summary.put_back, ended.summary.pruned) == (1, 1)
    assert ended.summary.probes > 0
    assert ended.summary.reasons["probe_failed"] >= 1
    assert "1 operation put back" in render_summary(ended)


def test_undoing_the_dream_afterwards_leaves_the_store_as_it_was(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    before = take_picture(ports, tenant)
    ended = dream(ports, tenant)
    assert undo_dream(ports.db, tenant, ended.id, actor="a test").conflicts == ()
    assert take_picture(ports, tenant) == before


def test_a_dry_run_says_what_would_be_put_back_and_touches_nothing(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    before = live_texts(ports, tenant)
    started = start_dream(ports.db, tenant, trigger=Trigger.CLI, force=True, dry_run=True)
    assert started.dream
    ended = run_dream(ports, tenant, ScriptedLlm(careless), dream_id=started.dream.id)
    (shown,) = of_kind(ports, tenant, ended, OperationKind.PUT_BACK)
    assert shown.state is OperationState.SKIPPED
    assert "old/7.md" in shown.operation.reason
    assert live_texts(ports, tenant) == before


@in_strides
def test_a_worker_that_dies_while_putting_back_leaves_nothing_half_done(
    ports: Ports, owner_connection: psycopg.Connection, first: int
) -> None:
    crashes = 0
    for instant in range(12 + first, 200, STRIDE):
        tenant = f"guard-crash-{instant}"
        fill(ports, tenant)
        dying = replace(
            ports, db=CrashingDatabase(ports.db, crash_at=instant, after_commit=True), dispatch=RecordingDispatch()
        )
        try:
            run_dream(dying, tenant, ScriptedLlm(careless))
        except Crash:
            crashes += 1
        else:
            break
        with ports.db.transaction(tenant) as uow:
            broken = uow.dreams.find_recent(limit=1)[0]
        if broken.state is DreamState.RUNNING:
            let_lapse(owner_connection, broken.id)
            broken = run_dream(ports, tenant, ScriptedLlm(careless), dream_id=broken.id)
        assert broken.state is DreamState.COMPLETED
        assert len(of_kind(ports, tenant, broken, OperationKind.PUT_BACK)) == 1, f"crash number {instant}"
        assert {"old/7.md"} == {
            path for path in live_texts(ports, tenant) if path.startswith("old/") and "_" not in path
        }
    assert crashes > 1


def put_back(ports: Ports, tenant: str, one: Dream) -> RecordedOperation:
    (flagged,) = of_kind(ports, tenant, one, OperationKind.PUT_BACK)
    return flagged


def archived(ports: Ports, tenant: str, one: Dream) -> list[str]:
    return [op.effects[0].after.path for op in of_kind(ports, tenant, one, OperationKind.ARCHIVE)]


def test_a_memory_that_was_put_back_is_not_archived_again_by_the_next_dream(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    put_back(ports, tenant, dream(ports, tenant))
    assert archived(ports, tenant, dream(ports, tenant)) == []
    write(ports, tenant, texts({"old/7.md": f"{ONLY}\nIt did so once.\n"}, signals=Signals(importance=10)))
    assert archived(ports, tenant, dream(ports, tenant)) == ["old/7.md"]


def test_the_summary_counts_as_flagged_what_waits_for_a_review(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    ended = dream(ports, tenant)
    assert ended.summary is not None
    with ports.db.transaction(tenant) as uow:
        pending = uow.operations.find_pending(limit=100)
    assert ended.summary.flagged == len(pending) > 0


def test_rejecting_a_put_back_archives_the_memory_for_good(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    before = take_picture(ports, tenant)
    ended = dream(ports, tenant)
    reject_operation(ports.db, tenant, put_back(ports, tenant, ended).id, actor="anna")
    assert "old/7.md" not in live_texts(ports, tenant)
    states = {op.effects[0].after.path: op.state for op in of_kind(ports, tenant, ended, OperationKind.ARCHIVE)}
    assert states["old/7.md"] is OperationState.APPLIED
    assert undo_dream(ports.db, tenant, ended.id, actor="a test").conflicts == ()
    assert take_picture(ports, tenant) == before


def test_approving_a_put_back_keeps_the_memory_for_good(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    approve_operation(ports.db, ports.ids, tenant, put_back(ports, tenant, dream(ports, tenant)).id, actor="anna")
    assert archived(ports, tenant, dream(ports, tenant)) == []
    assert live_texts(ports, tenant)["old/7.md"] == ONLY


def test_a_memory_that_was_edited_since_is_not_archived_by_rejecting(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    flagged = put_back(ports, tenant, dream(ports, tenant))
    write(ports, tenant, texts({"old/7.md": f"{ONLY}\nStill so.\n"}))
    with pytest.raises(ConflictError, match="Not rejected"):
        reject_operation(ports.db, tenant, flagged.id, actor="anna")
    assert "Still so." in live_texts(ports, tenant)["old/7.md"]
