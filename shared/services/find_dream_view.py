"""What there is to say about one dream: itself, its phases, its operations, its calls."""

from dataclasses import dataclass

from shared.core.dream import Dream, PhaseRun
from shared.ports.database import Database
from shared.ports.dream_book import CallTotals, RecordedOperation


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamView:
    """One dream, whole."""

    dream: Dream
    phases: tuple[PhaseRun, ...]
    operations: tuple[RecordedOperation, ...]
    calls: CallTotals


def get_dream_view(db: Database, tenant_id: str, dream_id: str) -> DreamView:
    """Return everything about a dream. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return DreamView(
            dream=uow.dreams.get(dream_id),
            phases=tuple(uow.phases.find_all(dream_id)),
            operations=tuple(uow.operations.find_all(dream_id)),
            calls=uow.calls.get_totals(dream_id),
        )
