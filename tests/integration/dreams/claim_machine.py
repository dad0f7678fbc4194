"""A machine that starts, claims, renews, loses, finishes and undoes dreams in any order, beside a model of what is right.

The clock is injected by moving the rows: all of a tenant's moments go back, which is the same as time going on, since
every comparison is one between such a moment and the database's own now().
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from uuid import uuid4

import psycopg

from shared.all_ports import Ports
from shared.core.dream.model import DreamState, PhaseState, Trigger
from shared.core.dream.operations import Create, Operation, OperationKind
from shared.core.errors import ConflictError, LostLeaseError
from shared.core.policy.policy import Autonomy
from shared.ports.database import UnitOfWork
from shared.services.operations.apply import apply_operation
from shared.services.operations.undo import undo_dream
from shared.settings import Settings
from tests.integration.gates.gate_support import TERMS, claim, save_tenant, start
from tests.support.builders import a_store, get_store, write
from tests.support.servers import plain_url
from workers.dream.finish import finish_dream
from workers.phases import PHASES
from workers.phases.orient import phase as orient

STORES = ("a", "b", "c")
CAP = 2
_MOMENTS = {
    "dreams": ("created_at", "sent_at", "started_at", "deadline_at", "lease_until", "finished_at"),
    "phase_runs": ("runner_until", "started_at", "finished_at"),
    "stores": ("last_activity_at", "last_dream_at", "next_check_at", "last_check_at"),
}


@dataclass
class Modeled:
    """The expected state of one dream."""

    store: str
    state: DreamState = DreamState.QUEUED
    epoch: int = 0
    lease_until: float = 0.0
    read: int | None = None  # the activity that its survey saw
    writes: int = 0


@dataclass
class Claims:
    """The real thing and the model of it, for one tenant with three stores and two slots."""

    ports: Ports
    settings: Settings
    tenant: str = field(default_factory=lambda: f"t{uuid4().hex}")
    now: float = 0.0
    dreams: dict[str, Modeled] = field(default_factory=dict)
    curations: dict[str, int] = field(default_factory=dict)
    workers: list[tuple[str, int]] = field(default_factory=list)  # (dream, epoch) of each claim

    def __post_init__(self) -> None:
        self.owner = psycopg.connect(plain_url(self.settings.owner_database_url), autocommit=True)
        for store in STORES:
            a_store(self.ports, self.tenant, store)
            self.curations[store] = 0
        save_tenant(self.ports, self.tenant, max_concurrent_dreams=CAP)

    def set_up(self) -> None: ...

    def running(self) -> list[str]:
        return [i for i, dream in self.dreams.items() if dream.state is DreamState.RUNNING]

    def start(self, store: str) -> None:
        is_busy = any(d.store == store for d in self.dreams.values() if d.state in {"queued", "running"})
        started = start(self.ports, self.tenant, store, force=True, trigger=Trigger.API).dream
        assert (started is not None) == (not is_busy and len(self.running()) < CAP)
        if started is not None:
            self.dreams[started.id] = Modeled(store=store)

    def claim(self, dream_id: str) -> None:
        """A message arrives: of a queued dream, of one that runs, of one whose worker is gone, or of an ended one."""
        model = self.dreams[dream_id]
        with self.ports.db.transaction(self.tenant) as uow:
            dream = uow.dreams.get(dream_id)
        taken = claim(self.ports, dream).dream
        is_free = model.state is DreamState.QUEUED and len(self.running()) < CAP
        is_lapsed = model.state is DreamState.RUNNING and model.lease_until < self.now
        assert (taken is not None) == (is_free or is_lapsed)
        if taken is not None:
            assert taken.epoch > model.epoch
            model.state, model.epoch = DreamState.RUNNING, taken.epoch
            model.lease_until = self.now + TERMS.lease_seconds
            self.workers.append((dream_id, model.epoch))

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        for table, columns in _MOMENTS.items():
            moved = ", ".join(f"{name} = {name} - make_interval(secs => {seconds})" for name in columns)
            self.owner.execute(f"UPDATE {table} SET {moved} WHERE tenant_id = %s".encode(), [self.tenant])

    def renew(self, worker: tuple[str, int]) -> None:
        self._fenced(worker, lambda _: None)

    def survey(self, worker: tuple[str, int]) -> None:
        """Orient reads the activity; what comes in later is not this dream's."""
        model = self.dreams[worker[0]]
        if self._fenced(worker, lambda uow: self._orient(uow, worker)) and model.read is None:
            model.read = self.curations[model.store]

    def write(self, worker: tuple[str, int]) -> None:
        model = self.dreams[worker[0]]
        if self._fenced(worker, lambda uow: self._apply(uow, worker[0], model.writes)):
            model.writes += 1

    def finish(self, worker: tuple[str, int]) -> None:
        model = self.dreams[worker[0]]
        if self._fenced(worker, lambda uow: self._run_phases(uow, worker)) and model.read is None:
            model.read = self.curations[model.store]
        is_mine = self._is_current(worker)
        assert (finish_dream(self.ports, self.tenant, worker[0], worker[1]) is not None) is is_mine
        if is_mine:
            assert model.read is not None
            model.state = DreamState.COMPLETED
            self.curations[model.store] -= model.read

    def act(self, store: str, writers: int) -> None:
        """Agents write into a store, several at the same moment."""
        texts = [{f"web/{uuid4().hex}.md": "# Note\n"} for _ in range(writers)]
        with ThreadPoolExecutor(writers) as pool:
            list(pool.map(lambda text: write(self.ports, self.tenant, text, store=store), texts))
        self.curations[store] += writers

    def undo(self, dream_id: str) -> None:
        model = self.dreams[dream_id]
        is_store_busy = any(self.dreams[i].store == model.store for i in self.running())
        try:
            undone = undo_dream(self.ports.db, self.tenant, dream_id, actor="a machine").undone
        except ConflictError:
            assert model.state is not DreamState.COMPLETED or is_store_busy
            return
        assert model.state is DreamState.COMPLETED
        assert not is_store_busy
        assert undone == model.writes
        model.state = DreamState.UNDONE
        self.curations[model.store] += model.read or 0

    def check(self) -> None:
        """Compare everything that the model knows, and what must hold whatever it knows."""
        query = "SELECT id, state, epoch FROM dreams WHERE tenant_id = %s"
        rows = self.owner.execute(query, [self.tenant]).fetchall()
        assert {row[0]: (row[1], row[2]) for row in rows} == {
            i: (d.state.value, d.epoch) for i, d in self.dreams.items()
        }
        assert self._most_active() <= 1
        assert len(self.running()) <= CAP
        written = self.owner.execute(
            "SELECT dream_id, count(DISTINCT memory_id) FROM memory_versions"
            " WHERE tenant_id = %s AND dream_id IS NOT NULL GROUP BY dream_id",
            [self.tenant],
        ).fetchall()
        assert dict(written) == {i: d.writes for i, d in self.dreams.items() if d.writes}
        assert {store: get_store(self.ports, self.tenant, store).curations for store in STORES} == self.curations

    def tear_down(self) -> None:
        self.owner.close()

    def _most_active(self) -> int:
        row = self.owner.execute(
            "SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM dreams WHERE tenant_id = %s"
            " AND state IN ('queued', 'running') GROUP BY store_id) x",
            [self.tenant],
        ).fetchone()
        assert row is not None
        return int(row[0])

    def _is_current(self, worker: tuple[str, int]) -> bool:
        model = self.dreams[worker[0]]
        return model.state is DreamState.RUNNING and model.epoch == worker[1]

    def _fenced(self, worker: tuple[str, int], work: Callable[[UnitOfWork], object]) -> bool:
        """Work behind the fence as a phase does; a worker that lost its dream writes nothing and gets an error."""
        try:
            with self.ports.db.transaction(self.tenant) as uow:
                uow.dreams.fence(worker[0], worker[1], TERMS.lease_seconds)
                work(uow)
        except LostLeaseError:
            assert not self._is_current(worker)
            return False
        assert self._is_current(worker)
        self.dreams[worker[0]].lease_until = self.now + TERMS.lease_seconds
        return True

    def _orient(self, uow: UnitOfWork, worker: tuple[str, int]) -> None:
        runner = f"run_{worker[1]}"
        record = uow.phases.claim(worker[0], "orient", runner=runner, lease_seconds=TERMS.lease_seconds)
        if record is not None and record.inputs is None:
            store = uow.stores.get(self.dreams[worker[0]].store)
            survey = orient.Inputs(
                live_memories=0,
                dirty=(),
                changed_topics=0,
                domains={},
                pending_merges=0,
                curations=store.curations,
                sessions=0,
            )
            uow.phases.save_inputs(worker[0], "orient", asdict(survey))

    def _run_phases(self, uow: UnitOfWork, worker: tuple[str, int]) -> None:
        self._orient(uow, worker)
        for phase in PHASES:
            uow.phases.claim(worker[0], phase.name, runner=f"run_{worker[1]}", lease_seconds=TERMS.lease_seconds)
            uow.phases.finish(worker[0], phase.name, PhaseState.DONE, reason="", counts={})

    def _apply(self, uow: UnitOfWork, dream_id: str, position: int) -> None:
        change = Create(path=f"dreamt/{uuid4().hex}.md", content="# Dreamt\n")
        operation = Operation(kind=OperationKind.CREATE, phase="synthesize", reason="a machine", changes=(change,))
        apply_operation(uow, self.ports.ids, uow.dreams.get(dream_id), operation, position, Autonomy.SILENT)
