"""Lock waits: verdicts wait for an undo, settings for a pause, and nothing for a process that stands still."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState, Trigger
from shared.core.errors import ConflictError, ServiceUnavailableError
from shared.core.memory.model import Author
from shared.services.dreams.claim import LeaseTerms, claim_dream
from shared.services.dreams.start import start_dream
from shared.services.memories.write import write_memories
from shared.services.operations import undo as undo_module
from shared.services.operations.review import approve_operation
from shared.services.operations.undo import undo_dream
from shared.services.tenants import configure
from shared.services.tenants.configure import StoreChanges, TenantChanges, configure_store, configure_tenant
from shared.services.tenants.pause import set_paused
from tests.integration.undo.undo_support import Dreamt
from tests.support.builders import a_store, get_dream, get_operations, get_store, texts, write
from workers.phases import CATALOG

_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


class Beside:
    """Something that another process does meanwhile: it ends, or waits for a lock, before `wait` returns."""

    def __init__(self, owner: psycopg.Connection, act: Callable[[], object]) -> None:
        self._owner = owner
        self.error: Exception | None = None
        self._thread = threading.Thread(target=self._run, args=(act,))

    def _run(self, act: Callable[[], object]) -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.error = error

    def begin(self) -> None:
        """Start it, and return when it is through or waits for a lock."""
        self._thread.start()
        while self._thread.is_alive():
            (waiting,) = self._owner.execute(_WAITING).fetchone() or (0,)
            if waiting:
                return
            self._thread.join(0.02)

    def end(self) -> None:
        self._thread.join(60)
        assert not self._thread.is_alive()


def _after(begin: Callable[[], None]) -> Callable[..., Any]:
    """Let another caller begin between a service's read and its write."""

    def replace_later(value: Any, **changes: Any) -> Any:
        begin()
        return replace(value, **changes)

    return replace_later


def test_a_verdict_that_is_given_while_its_dream_is_undone_comes_too_late(
    ports: Ports, proposed: Dreamt, owner_connection: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    waiting = next(
        op for op in get_operations(ports, tenant, dream.id)
        if op.state is OperationState.PROPOSED and op.operation.kind == "MERGE"
    )  # fmt: skip
    approval = Beside(owner_connection, lambda: approve_operation(ports.db, ports.ids, tenant, waiting.id, actor="bo"))
    check = undo_module.check_undoable

    def check_during_an_approval(*args: object, **options: object) -> None:
        approval.begin()
        check(*args, **options)  # type: ignore[arg-type] # passed through

    monkeypatch.setattr(undo_module, "check_undoable", check_during_an_approval)
    undo_dream(ports.db, tenant, dream.id, actor="ada")
    approval.end()
    assert isinstance(approval.error, ConflictError)
    with ports.db.transaction(tenant) as uow:
        assert not [
            v
            for e in waiting.effects
            for v in uow.memories(dream.store_id).find_history(e.after.id)
            if v.operation_id == waiting.id
        ]


def test_a_setting_does_not_write_over_a_pause_that_is_thrown_at_the_same_moment(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_store(ports, tenant)
    pause = Beside(owner_connection, lambda: set_paused(ports.db, tenant, None, paused=True, actor="ada"))
    monkeypatch.setattr(configure, "replace", _after(pause.begin))
    configure_tenant(ports.db, tenant, changes=TenantChanges(tokens_per_day=5), actor="bo")
    pause.end()
    with ports.db.transaction(tenant) as uow:
        found = uow.stores.get_tenant()
    assert (found.paused_at is not None, found.tokens_per_day) == (True, 5)


def test_a_setting_does_not_take_the_next_check_from_a_store_that_is_written_to_at_the_same_moment(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_store(ports, tenant)
    batch = texts({"api/a.md": "# A\n\nTokens are signed.\n"})
    agent = Beside(
        owner_connection, lambda: write_memories(ports.db, ports.ids, tenant, "default", batch, Author.AGENT)
    )  # fmt: skip
    monkeypatch.setattr(configure, "replace", _after(agent.begin))
    configure_store(
        ports.db, tenant, "default", changes=StoreChanges(overrides={"gates.min_hours": 3}), phases=CATALOG, actor="bo"
    )
    agent.end()
    found = get_store(ports, tenant)
    assert found.curations == 1
    assert found.next_check_at is not None, "the store would not be checked until it is written to again"


def test_a_worker_that_stands_still_in_a_write_holds_its_dream_no_longer_than_its_lease(
    ports: Ports, tenant: str
) -> None:
    write(ports, tenant, {"api/a.md": "# A\n\nTokens are signed.\n"})
    started = start_dream(ports.db, tenant, trigger=Trigger.CLI, force=True)
    assert started.dream is not None
    dream_id, terms = started.dream.id, LeaseTerms(lease_seconds=1, model="none")
    first = claim_dream(ports.db, ports.lock, tenant, dream_id, terms).dream
    assert first is not None
    taken_over: list[Dream] = []

    def be_a_zombie() -> None:
        with ports.db.transaction(tenant) as uow:
            uow.dreams.fence(dream_id, first.epoch, 1)
            while (
                not taken_over
            ):  # a claim waits for the row until PostgreSQL takes it from the process that stands still
                claimed = claim_dream(ports.db, ports.lock, tenant, dream_id, terms).dream
                taken_over.extend([claimed] if claimed else [])
            uow.dreams.set_reason(dream_id, "the zombie was here")

    with pytest.raises(ServiceUnavailableError, match="stood still"):
        be_a_zombie()
    assert taken_over[0].epoch == first.epoch + 1
    assert "zombie" not in get_dream(ports, tenant, dream_id).reason
