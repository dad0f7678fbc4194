"""Read dreams: lists and progress, and one dream with its phases, operations and model calls."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from shared.core.dream.model import Dream, DreamState, OperationState, PhaseRun, Trigger
from shared.core.dream.operation_filter import ALL_OPERATIONS, OperationFilter
from shared.core.dream.operations import Create, OperationKind
from shared.core.listings.dream_name import DreamName
from shared.core.listings.period import ALWAYS, Period
from shared.core.memory.doc_type import CONSOLIDATED_INSIGHT, DREAM_REFLECTION, category_of
from shared.core.memory.frontmatter import title_of
from shared.ports.database import Database
from shared.ports.dreams import CallTrace, KindCount, ModelCall, OperationPage, RecordedOperation
from shared.ports.llm import CallTotals


def find_dreams(  # noqa: PLR0913 - one parameter for each filter
    db: Database,
    tenant_id: str,
    *,
    limit: int,
    store: str | None = None,
    state: DreamState | None = None,
    triggers: Collection[Trigger] = (),
    before: str | None = None,
    period: Period = ALWAYS,
) -> list[Dream]:
    """Return a tenant's dreams of a period, newest first, older than `before` if given. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store).id if store else None
        states = [state] if state else ()
        return uow.dreams.find_recent(
            store_id=store_id, states=states, triggers=triggers, limit=limit, before=before, period=period
        )


def name_dreams(db: Database, tenant_id: str, dream_ids: Collection[str]) -> Mapping[str, DreamName]:
    """Return the readable names of dreams by their ids; unknown ones are left out."""
    with db.transaction(tenant_id) as uow:
        return uow.statistics.learned.name_dreams(dream_ids)


def get_dream_progress(db: Database, tenant_id: str, dream_id: str) -> tuple[Dream, list[PhaseRun]]:
    """Return a dream and the phases that have begun. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.dreams.get(dream_id), uow.phases.find_all(dream_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamView:
    """One dream with all its operations or a page of them; `total` counts all."""

    dream: Dream
    phases: tuple[PhaseRun, ...]
    operations: tuple[RecordedOperation, ...]
    total: int
    calls: CallTotals
    kinds: tuple[KindCount, ...] = ()


def get_dream_view(db: Database, tenant_id: str, dream_id: str) -> DreamView:
    """Return a dream with its phases, operations and calls. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        operations = tuple(uow.operations.find_all(dream_id))
        return DreamView(
            dream=uow.dreams.get(dream_id),
            phases=tuple(uow.phases.find_all(dream_id)),
            operations=operations,
            total=len(operations),
            calls=uow.calls.get_totals(dream_id),
        )


def get_dream_page(
    db: Database,
    tenant_id: str,
    dream_id: str,
    *,
    after: str | None,
    limit: int,
    only: OperationFilter = ALL_OPERATIONS,
    by_kind: bool = False,
) -> DreamView:
    """Return a dream with at most `limit` operations after a given one (0: none), and its counts by kind.

    Args:
        db: the database.
        tenant_id: the tenant.
        dream_id: the dream.
        after: the id of the operation after which the page begins.
        limit: the length of the page.
        only: which operations.
        by_kind: those that wait for a review first, then those of each kind together.

    Raises:
        NotFoundError: there is no such dream.
    """
    with db.transaction(tenant_id) as uow:
        dream = uow.dreams.get(dream_id)
        page = uow.operations.find_page(dream_id, after=after, limit=limit, only=only, by_kind=by_kind)
        return DreamView(
            dream=dream,
            phases=tuple(uow.phases.find_all(dream_id)),
            operations=page.operations,
            total=page.total,
            calls=uow.calls.get_totals(dream_id),
            kinds=page.kinds,
        )


def find_calls(db: Database, tenant_id: str, dream_id: str, *, limit: int) -> list[ModelCall]:
    """Return the first model calls of a dream, oldest first. Raises NotFoundError for the dream."""
    with db.transaction(tenant_id) as uow:
        uow.dreams.get(dream_id)
        return uow.calls.find_of_dream(dream_id, limit=limit)


def get_call(db: Database, tenant_id: str, dream_id: str, call_id: str) -> CallTrace:
    """Return one model call of a dream with its prompt and its answer. Raises NotFoundError for the dream or the call."""
    with db.transaction(tenant_id) as uow:
        uow.dreams.get(dream_id)
        return uow.calls.get_trace(dream_id, call_id)


def find_operations(db: Database, tenant_id: str, dream_id: str, *, after: str | None, limit: int) -> OperationPage:
    """Return operations of a dream in the order they were recorded. Raises NotFoundError for the dream."""
    with db.transaction(tenant_id) as uow:
        uow.dreams.get(dream_id)
        return uow.operations.find_page(dream_id, after=after, limit=limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflected:
    """The memories that a dream wrote when it reflected on others, and that are in force."""

    insights: int = 0
    reflections: tuple[str, ...] = ()  # titles


def find_reflected(db: Database, tenant_id: str, dream_ids: Sequence[str]) -> dict[str, Reflected]:
    """Return, for each dream, its insights and its reflections."""
    with db.transaction(tenant_id) as uow:
        return {
            dream_id: _reflected(uow.operations.find_all(dream_id, OperationFilter(kind=OperationKind.CREATE)))
            for dream_id in dream_ids
        }


def _reflected(recorded: Sequence[RecordedOperation]) -> Reflected:
    applied = [one.operation for one in recorded if one.state is OperationState.APPLIED]
    created = [change for one in applied for change in one.changes if isinstance(change, Create)]
    categories = [category_of(change.content) for change in created]
    return Reflected(
        insights=categories.count(CONSOLIDATED_INSIGHT),
        reflections=tuple(
            title_of(change.path, change.content)
            for change, category in zip(created, categories, strict=True)
            if category == DREAM_REFLECTION
        ),
    )
