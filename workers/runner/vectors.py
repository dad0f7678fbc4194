"""Compute vectors before a phase searches by meaning. This may use the network, outside of any transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.logger import get_logger
from shared.ports.database import UnitOfWork
from shared.services.memories.vectors import VectorLimits, make_vectors
from workers.phase.shape import Phase
from workers.phase.work import PhaseWork
from workers.process.running import RUNNING
from workers.process.turns import TURNS

#: The most vectors that one dream makes; a large store gets the rest in its next dreams, and is searched by words until then.
_MAX_TEXTS = 500
_MAX_SECONDS = 30.0
_SHARE_OF_TIME = 0.2

_log = get_logger()


def wants_vectors(work: PhaseWork, phase: Phase) -> bool:
    """Tell whether vectors must be computed before a phase reads, which needs its own task."""
    return phase.makes_vectors and work.ports.meaning is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningSearch:
    """The search by meaning that a phase can use. Without embeddings it finds nothing and reports no failure."""

    work: PhaseWork
    failure: str = ""

    def find(self, uow: UnitOfWork, ids: Sequence[str], limit: int) -> Mapping[str, Sequence[str]]:
        """Return by id the live memories that are alike in meaning, nearest first."""
        meaning, store_id = self.work.ports.meaning, self.work.store.id
        if meaning is None or not ids:
            return {}
        return meaning.vectors.find_alike(uow, store_id, meaning.embedder.model, ids, limit)


def prepare_vectors(work: PhaseWork) -> MeaningSearch:
    """Compute missing vectors, within bounds. A failure of the embedder is noted and does not fail the phase."""
    meaning = work.ports.meaning
    if meaning is None or not work.phase.makes_vectors:
        return MeaningSearch(work=work)
    seconds = min(_MAX_SECONDS, work.left.seconds() * _SHARE_OF_TIME)
    limits = VectorLimits(texts=_MAX_TEXTS, seconds=seconds, goes_on=lambda: not RUNNING.draining.is_set())
    with TURNS.give_up():
        made = make_vectors(work.ports.db, meaning.embedder, work.key.tenant_id, work.store.id, limits)
    if made.failure:
        _log.warning("vectors_not_made", dream_id=work.dream.id, store=work.store.name, reason=made.failure)
    return MeaningSearch(work=work, failure=made.failure)
