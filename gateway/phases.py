"""Import the only parts of the workers that the gateway may use: the catalogue of phases, and functions that need phases.

Those estimate the cost of a dream, compare other models on past dreams, and examine models.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.all_ports import Ports
    from shared.core.dream.phase_catalog import PhaseCatalog
    from shared.core.evaluation.replay import EvaluationTerms, ModelScore
    from shared.core.exam.model import ExamPrice, ExamResult, ExamStanding
    from shared.core.questions.estimate import DreamEstimate
    from shared.ports.database import Database
    from shared.settings import Settings


@cache
def get_phases() -> PhaseCatalog:
    """Return the catalogue. It is imported when it is needed: most commands need none."""
    from workers.phases import CATALOG  # noqa: PLC0415 - the reason is above

    return CATALOG


def estimate_dream(ports: Ports, tenant_id: str, store: str, *, force: bool = False) -> DreamEstimate:
    """Return what a dream over a store would ask and cost; nothing is written, and no model is asked.

    Args:
        ports: of this process.
        tenant_id: whose store it is.
        store: its name.
        force: a forced dream asks again what has not changed.

    Raises:
        NotFoundError: there is no such store.
    """
    from workers.preview.estimate import estimate_dream as estimate  # noqa: PLC0415 - it imports every phase

    return estimate(ports, tenant_id, store, force=force)


def read_built_in(directive: str) -> str:
    """Return the built-in prompt that a directive replaces."""
    from workers.phases import read_built_in as read  # noqa: PLC0415 - the reason is above

    return read(directive)


def replay_dreams(ports: Ports, tenant_id: str, store: str, terms: EvaluationTerms) -> list[ModelScore]:
    """Ask models the questions of a store's last dreams, and score them; this costs tokens, and changes no memory.

    Raises:
        BadInputError: there is nothing to ask, or a model cannot be asked.
        NotFoundError: there is no such store.
    """
    from workers.preview.replay import replay_dreams as replay  # noqa: PLC0415 - it imports every phase

    return replay(ports, tenant_id, store, terms)


def find_exam_standings(
    settings: Settings, db: Database, tenant_id: str, store: str | None = None
) -> list[ExamStanding]:
    """Return where the models stand that a tenant's dreams, or those over one store, ask for merges.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    from workers.preview.exams import find_standings  # noqa: PLC0415 - it imports every phase

    return find_standings(settings, db, tenant_id, store)


def estimate_exam(ports: Ports, tenant_id: str, store: str, model: str | None = None) -> ExamPrice:
    """Return what an exam of a store's model would cost. Raises BadInputError, NotFoundError."""
    from workers.preview.exams import estimate_exam as estimate  # noqa: PLC0415 - it imports every phase

    return estimate(ports, tenant_id, store, model)


def take_exam(ports: Ports, tenant_id: str, store: str, model: str | None = None, *, actor: str) -> ExamResult:
    """Examine a store's model now; this costs tokens. Raises BadInputError, NotFoundError."""
    from workers.preview.exams import take_exam as take  # noqa: PLC0415 - it imports every phase

    return take(ports, tenant_id, store, model, actor=actor)
