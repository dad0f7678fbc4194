"""Force one dream after another over a store without a model, and note the operations of each."""

from collections import Counter
from dataclasses import dataclass, field, replace

from benchmarks.support.silent import Silent
from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.ports.dreams import RecordedOperation
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Dreamt:
    """The operations of a dream, the number of its questions, and the memories whose text, path or state it changed."""

    operations: tuple[RecordedOperation, ...]
    asked: int
    changed: tuple[str, ...]

    @property
    def kinds(self) -> Counter[str]:
        """Count the operations by kind, those that only propose apart."""
        return Counter(
            f"{one.operation.kind}{'' if one.state == 'applied' else ' ' + str(one.state)}" for one in self.operations
        )


@dataclass(slots=True)
class Run:
    """The dreams of one store, in order."""

    ports: Ports
    tenant: str
    dreams: list[Dreamt] = field(default_factory=list)

    def dream(self, until: int) -> None:
        """Force dreams until there were so many."""
        ports = replace(self.ports, choose_llm=lambda _: OfflineLlm(), dispatch=Silent())
        while len(self.dreams) < until:
            before = self._states()
            dream_id = begin_dream(ports, self.tenant, "default", force=True, dream_id=None)
            assert dream_id is not None
            for phase in PHASES:
                run_phase(ports, phase, PhaseKey(tenant_id=self.tenant, dream_id=dream_id, epoch=1, phase=phase.name))
            assert finish_dream(ports, self.tenant, dream_id, 1)
            with ports.db.transaction(self.tenant) as uow:
                operations = tuple(uow.operations.find_all(dream_id))
                runs = uow.phases.find_all(dream_id)
                asked = sum(len(uow.calls.find_answers(dream_id, run.phase)) for run in runs)
            after = self._states()
            changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
            self.dreams.append(Dreamt(operations=operations, asked=asked, changed=tuple(changed)))

    def _states(self) -> dict[str, tuple[str, str]]:
        """Return text and state of every memory by its path and id."""
        with self.ports.db.transaction(self.tenant) as uow:
            memories = uow.memories(uow.stores.get("default").id)
            every = [*memories.find_live(), *memories.find_retired()]
        return {f"{one.path} {one.id}": (one.content, one.state) for one in every}
