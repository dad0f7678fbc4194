"""Activity wins over a timer: in each profile a store that gets writes dreams as soon as its gates allow it, whenever they come."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import count

import psycopg
import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.core.policy.profiles import PROFILES
from shared.core.questions.question import Question
from shared.services.operations.undo import undo_dream
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.gates.gate_support import start
from tests.support.builders import get_store, run_dream, write
from workers.phases import CATALOG

#: What a check may come later than the gates: the agent's quiet time, the scan throttle and the jitter.
SLACK = timedelta(minutes=30)
LONG = timedelta(days=3)


@dataclass(frozen=True, kw_only=True)
class Walk:
    """A store whose clock is moved: time passes by moving all that the store knows into the past."""

    ports: Ports
    owner: psycopg.Connection
    tenant: str
    names: "count[int]"

    @property
    def cooldown(self) -> timedelta:
        return timedelta(hours=get_store(self.ports, self.tenant).policy.gates.min_hours)

    def be_active(self) -> None:
        """Write five memories and begin five sessions: enough for each profile."""
        write(
            self.ports, self.tenant, {f"web/{next(self.names)}.md": "# Visit\n\nThe gardener came.\n" for _ in "12345"}
        )
        with self.ports.db.transaction(self.tenant) as uow:
            uow.activity.record(uow.stores.get("default").id, sessions=5)

    def pass_time(self, passed: timedelta) -> None:
        self.owner.execute(
            "UPDATE stores SET last_dream_at = last_dream_at - %(passed)s, last_check_at = last_check_at - %(passed)s,"
            " last_activity_at = last_activity_at - %(passed)s, next_check_at = next_check_at - %(passed)s"
            " WHERE tenant_id = %(tenant)s",
            {"passed": passed, "tenant": self.tenant},
        )

    def wait_for_dream(self, at_most: timedelta) -> Dream | None:
        """Check the store whenever it is due, as the sweep does, until it dreams; return the queued dream."""
        left = at_most
        while (due_in := self._due_in()) is not None and due_in <= left:
            self.pass_time(due_in)
            left -= due_in
            started = start(self.ports, self.tenant)
            if started.dream is not None:
                return started.dream
        self.pass_time(left)
        return None

    def dream(self, at_most: timedelta, why: str) -> Dream:
        begun = self.wait_for_dream(at_most)
        assert begun is not None, f"{why}: {get_store(self.ports, self.tenant).last_verdict}"
        return run_dream(self.ports, self.tenant, OfflineLlm(), dream_id=begun.id)

    def _due_in(self) -> timedelta | None:
        at = get_store(self.ports, self.tenant).next_check_at
        with self.ports.db.transaction(self.tenant) as uow:
            return None if at is None else max(timedelta(0), at - uow.now())


@pytest.fixture(params=PROFILES)
def walk(request: pytest.FixtureRequest, ports: Ports, owner_connection: psycopg.Connection, tenant: str) -> Walk:
    write(ports, tenant, {"web/first.md": "# Visit\n\nThe gardener came.\n"})
    changes = StoreChanges(profile=request.param, overrides={"gates.enabled": True})
    configure_store(ports.db, tenant, "default", changes=changes, phases=CATALOG, actor="a test")
    return Walk(ports=ports, owner=owner_connection, tenant=tenant, names=count())


def test_writes_before_between_and_after_dreams_are_dreamt_over_once_the_cooldown_is_over(walk: Walk) -> None:
    walk.be_active()
    walk.dream(SLACK, "written before the first dream")
    walk.pass_time(timedelta(minutes=10))
    walk.be_active()
    assert walk.wait_for_dream(walk.cooldown - 2 * SLACK) is None, "the cooldown holds"
    walk.dream(3 * SLACK, "written between two dreams")
    assert walk.wait_for_dream(walk.cooldown + timedelta(hours=1)) is None, "nothing came in"
    walk.be_active()
    walk.dream(SLACK, "written after the cooldown, before the timer")
    assert walk.wait_for_dream(LONG) is None, "nothing came in"
    walk.be_active()
    walk.dream(SLACK, "written after checks by the timer")


def test_a_write_during_a_dream_is_dreamt_over_after_the_cooldown(walk: Walk) -> None:
    walk.be_active()
    begun = walk.wait_for_dream(SLACK)
    assert begun is not None
    asked: list[Question] = []

    def write_meanwhile(question: Question) -> None:
        if not asked:
            walk.be_active()
        asked.append(question)

    run_dream(walk.ports, walk.tenant, ScriptedLlm(write_meanwhile), dream_id=begun.id)
    assert asked
    walk.dream(walk.cooldown + SLACK, "written during a dream")


def test_what_an_undo_gives_back_is_dreamt_over_after_the_cooldown(walk: Walk) -> None:
    walk.be_active()
    dream = walk.dream(SLACK, "written before the first dream")
    undo_dream(walk.ports.db, walk.tenant, dream.id, actor="a test")
    walk.dream(walk.cooldown + SLACK, "given back by the undo")


def test_writes_that_are_too_few_for_the_gate_do_not_hide_those_that_follow(walk: Walk) -> None:
    overrides: dict[str, object] = {"gates.enabled": True, "gates.min_curations": 4, "gates.min_sessions": 4}
    changes = StoreChanges(overrides=overrides)
    configure_store(walk.ports.db, walk.tenant, "default", changes=changes, phases=CATALOG, actor="a test")
    walk.be_active()
    walk.dream(SLACK, "enough was written")
    walk.pass_time(walk.cooldown + SLACK)
    write(walk.ports, walk.tenant, {"web/one.md": "# Visit\n\nThe gardener came alone.\n"})
    assert walk.wait_for_dream(timedelta(hours=1)) is None, "one write is too little"
    walk.be_active()
    walk.dream(SLACK, "enough was written afterwards")
