"""Build questions about families of documents: `consolidate` asks about each as if its documents had just been written."""

from collections.abc import Sequence
from datetime import datetime

from shared.all_ports import Ports
from shared.core.evaluation.replay import Family
from shared.core.memory.model import Memory, domain_of
from shared.core.merging.calls import Group
from shared.ports.database import UnitOfWork
from workers.phases.consolidate.phase import PHASE, Inputs
from workers.preview.imagined import AskedBefore, imagine_dream, imagine_work


def find_questions(ports: Ports, uow: UnitOfWork, store_name: str, families: Sequence[Family]) -> list[AskedBefore]:
    """Return a phase for each family, under the policy of a store. Raises NotFoundError when there is no such store."""
    store, now = uow.stores.get(store_name), uow.now()
    work = imagine_work(ports, uow, imagine_dream(uow.tenant_id, store, now, force=True), PHASE)
    return [AskedBefore(work=work, inputs=_inputs(family, now), family=family) for family in families]


def id_of(path: str) -> str:
    """Return the id that a family's document has in its question."""
    return f"mem_of_family/{path}"


def _inputs(family: Family, now: datetime) -> Inputs:
    memories = tuple(
        Memory(id=id_of(path), path=path, content=text, created_at=now, updated_at=now, touched_at=now)
        for path, text in family.documents.items()
    )
    group = Group(key=family.name, domain=domain_of(memories[0].path), changed=memories, related=())
    paths = frozenset(family.documents)
    return Inputs(groups=(group,), live_paths=paths, hints=(), changed=len(memories), settled=0)
