"""The settings and the budget of the copies that dream."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from shared.core.budgets.dollars import Scope
from shared.core.dream.model import Trigger
from shared.core.evaluation.model import LONGEST, Evaluation
from shared.core.questions.prices import FREE_MODEL
from shared.core.tenants.store import Store, Tenant
from shared.ports.database import UnitOfWork
from shared.services.budgets.use import find_budget_uses
from shared.services.evaluation.evaluations import choose_model_settings, find_model
from shared.settings import Settings
from workers.phases import get_chain

_UNBOUNDED = float("inf")
#: A question costs more than this.
_LEAST_USD = 0.0001


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The store that is evaluated, its tenant, and the copy that all others are made of."""

    tenant: Tenant
    store: Store
    base: Store


def find_optional(store: Store, evaluation: Evaluation) -> tuple[str, ...]:
    """Return the optional phases that would change something in the dream that is judged."""
    order = evaluation.order
    changed = replace(store, profile=order.profile or store.profile, overrides=_switch_off(store, order.without))
    entries = [phase.entry for phase in get_chain(Trigger.API)]
    tried = [one for one in entries if one.is_optional and one.may_emit and one.name not in order.without]
    return tuple(one.name for one in tried if one.runs_by(changed.policy))


def find_left_usd(uow: UnitOfWork, settings: Settings, source: Source, evaluation: Evaluation) -> float:
    """Return what further dreams may cost: what is left of the order and of the store's own budgets; 0 if that asks nothing."""
    if find_model(settings, source.tenant, source.store, evaluation.order.model) == FREE_MODEL:
        return _UNBOUNDED
    uses = find_budget_uses(uow, source.tenant, source.store)
    of_store = [use.left_usd for use in uses if use.budget.scope is Scope.STORE]
    left = min([evaluation.order.max_usd - evaluation.cost_usd, *of_store])
    return left if left >= _LEAST_USD else 0.0


def make_copy(
    uow: UnitOfWork,
    settings: Settings,
    source: Source,
    evaluation: Evaluation,
    *,
    without: str,
    repeat: int,
    left_usd: float,
) -> Store:
    """Copy the store, with the settings that the copy dreams with and a budget of its own, which is reserved in the store's."""
    order, base = evaluation.order, source.base
    overrides = _switch_off(base, (*order.without, without))
    if left_usd != _UNBOUNDED:
        overrides |= {"budget.usd_per_day": left_usd, "budget.usd_per_month": left_usd}
        seconds = LONGEST.total_seconds()
        uow.budgets.hold(evaluation.id, store_id=source.store.id, usd=left_usd, seconds=seconds)
    llm = choose_model_settings(settings, source.tenant, source.store, order.model)
    profile = order.profile or base.profile
    return uow.evaluations.shadows.copy(
        evaluation.id, base, profile=profile, overrides=overrides, llm=llm, repeat=repeat
    )


def _switch_off(store: Store, phases: Iterable[str]) -> dict[str, object]:
    """Return a store's settings with these phases off."""
    return {**store.overrides, **{f"phases.{name}": False for name in phases if name}}
