"""What there is to say about one dream: itself, its phases, its operations, its calls."""

from dataclasses import dataclass

from shared.core.dream import Dream, PhaseRun
from shared.ports.database import Database
from shared.ports.dream_book import CallTotals, OperationPage, RecordedOperation


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamView:
    """One dream with operations: all of them, or a page; `total` counts all."""

    dream: Dream
    phases: tuple[PhaseRun, ...]
    operations: tuple[RecordedOperation, ...]
    total: int
    calls: CallTotals


def get_dream_view(db: Database, tenant_id: str, dream_id: str) -> DreamView:
    """Return everything about a dream. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        operations = tuple(uow.operations.find_all(dream_id))
        return DreamView(
            dream=uow.dreams.get(dream_id),
            phases=tuple(uow.phases.find_all(dream_id)),
            operations=operations,
            total=len(operations),
            calls=uow.calls.get_totals(dream_id),
        )


def get_dream_page(db: Database, tenant_id: str, dream_id: str, *, after: str | None, limit: int) -> DreamView:
    """Return a dream with `limit` of its operations (0: none), those behind one of them. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        dream = uow.dreams.get(dream_id)
        page = uow.operations.find_page(dream_id, after=after, limit=limit)
        return DreamView(
            dream=dream,
            phases=tuple(uow.phases.find_all(dream_id)),
            operations=page.operations,
            total=page.total,
            calls=uow.calls.get_totals(dream_id),
        )


def find_operations(db: Database, tenant_id: str, dream_id: str, *, after: str | None, limit: int) -> OperationPage:
    """Return operations of a dream in the order they were recorded. Raises NotFoundError for the dream."""
    with db.transaction(tenant_id) as uow:
        uow.dreams.get(dream_id)
        return uow.operations.find_page(dream_id, after=after, limit=limit)
