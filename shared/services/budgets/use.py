"""Budgets in dollars: report their use, reserve a question's price, and alert a tenant whose budget runs out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from shared.core.budgets.dollars import (
    BudgetUse,
    DollarBudget,
    Period,
    Scope,
    find_dollar_budgets,
)
from shared.core.dream.model import Dream
from shared.core.tenants.forecast import LOOK_BACK_DAYS, forecast_month
from shared.core.tenants.shadow import is_shadow
from shared.core.tenants.store import Store, Tenant
from shared.core.webhooks.endpoint import WebhookEvent
from shared.core.webhooks.message import build_budget_message
from shared.ports.database import Database, UnitOfWork
from shared.ports.tenants import Cost, CostBy
from shared.services.webhooks.announce import announce


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetLine:
    """The used part of a budget; for a monthly budget, also the forecast of the month's cost."""

    use: BudgetUse
    month_end_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A question is not asked, because it may cost more than is left of this budget."""

    use: BudgetUse
    usd: float


def find_budget_lines(db: Database, tenant_id: str, store_name: str | None = None) -> list[BudgetLine]:
    """Return the use of the dollar budgets of a tenant and its stores, or only of those that apply to one store.

    Raises:
        NotFoundError: there is no such tenant or store.
    """
    with db.transaction(tenant_id) as uow:
        tenant = uow.stores.get_tenant()
        stores = uow.stores.find_all() if store_name is None else [uow.stores.get(store_name)]
        uses = uow.budgets.find_uses(_find_all(tenant, stores), uow.now())
        ends = _find_month_ends(uow, uses)
    return [BudgetLine(use=use, month_end_usd=ends.get(_name_of(tenant_id, use.budget))) for use in uses]


def find_month_budgets(uow: UnitOfWork) -> dict[str, float]:
    """Return the monthly budgets of the tenant and its stores, by tenant and `tenant/store`."""
    budgets = _find_all(uow.stores.get_tenant(), uow.stores.find_all())
    return {_name_of(uow.tenant_id, one): one.limit_usd for one in budgets if one.period is Period.MONTH}


def find_month_budgets_of_all(db: Database) -> dict[str, float]:
    """Return the monthly budgets of all tenants and stores, the most used first, at most 1,000; budgets of 0 are left out."""
    return {
        f"{one.tenant_id}/{one.store}" if one.store else one.tenant_id: one.limit_usd
        for one in db.operators.find_budgets()
        if one.period == Period.MONTH
    }


def find_highest_share(db: Database) -> float:
    """Return the used share of the most used budget of all tenants and stores; 0.0 without any."""
    return max((one.share for one in db.operators.find_budgets()), default=0.0)


def find_budget_uses(uow: UnitOfWork, tenant: Tenant, store: Store) -> tuple[BudgetUse, ...]:
    """Return the use of the budgets that apply to dreams over a store; runs no query if there are none."""
    budgets = find_dollar_budgets(tenant, store)
    return uow.budgets.find_uses(budgets, uow.now()) if budgets else ()


@dataclass(slots=True, kw_only=True)
class OpenBudgets:
    """The budgets of a store under the lock of its tenant's row: no other question is admitted meanwhile."""

    uow: UnitOfWork
    uses: tuple[BudgetUse, ...]
    _taken_usd: float = 0.0

    def take(self, usd: float) -> Refused | None:
        """Admit a question with this maximum price, or return the budget that refuses it and record the refusal."""
        refusing = next((use for use in self.uses if not use.fits(usd + self._taken_usd)), None)
        if refusing is None:
            self._taken_usd += usd
            return None
        tell_alerts(self.uow, [refusing], is_refused=True)
        self.uow.budgets.record_refused(refusing)
        return Refused(use=refusing, usd=usd)


def open_budgets(uow: UnitOfWork, store_name: str) -> OpenBudgets:
    """Lock the tenant's row, and return the current budgets with their use."""
    tenant = uow.stores.get_tenant(lock=True)
    uses = find_budget_uses(uow, tenant, uow.stores.get(store_name))
    tell_alerts(uow, uses)
    return OpenBudgets(uow=uow, uses=uses)


def close_budgets(uow: UnitOfWork, dream: Dream) -> None:
    """Release the reservations of an ending dream, and alert for budgets that its last questions used up."""
    uses = find_budget_uses(uow, uow.stores.get_tenant(), uow.stores.get(dream.store))
    if uses:
        uow.budgets.release_dream(dream.id)
        tell_alerts(uow, uses)


def tell_alerts(uow: UnitOfWork, uses: Sequence[BudgetUse], *, is_refused: bool = False) -> None:
    """Queue a webhook message for each budget that is nearly spent or has refused a question, once per period."""
    for use in uses:
        is_quiet = use.is_told or is_shadow(use.budget.store)
        if is_quiet or not (use.is_alerting or is_refused) or not uow.budgets.record_told(use):
            continue
        build = partial(build_budget_message, uow.tenant_id, use, uow.now())
        announce(uow, WebhookEvent.BUDGET_ALERT, use.budget.store, build)


def _find_all(tenant: Tenant, stores: Sequence[Store]) -> tuple[DollarBudget, ...]:
    of_stores = [
        budget for store in stores for budget in find_dollar_budgets(tenant, store) if budget.scope is Scope.STORE
    ]
    return (*find_dollar_budgets(tenant), *of_stores)


def _name_of(tenant_id: str, budget: DollarBudget) -> str:
    """Return the name of a monthly budget's forecast; a daily budget has none."""
    if budget.period is Period.DAY:
        return ""
    return tenant_id if budget.scope is Scope.TENANT else f"{tenant_id}/{budget.store}"


def _find_month_ends(uow: UnitOfWork, uses: Sequence[BudgetUse]) -> dict[str, float]:
    """Return the forecasts of the month by tenant and store, for the scopes that have a monthly budget."""
    ends: dict[str, float] = {}
    today = uow.now().astimezone(UTC)
    for by, scope in ((CostBy.TENANT, Scope.TENANT), (CostBy.STORE, Scope.STORE)):
        if any(use.budget.period is Period.MONTH and use.budget.scope is scope for use in uses):
            since, of_today = (
                {one.name: one for one in uow.statistics.find_costs(n, by)} for n in (LOOK_BACK_DAYS + 1, 1)
            )
            for use in uses:
                if use.budget.period is Period.MONTH and use.budget.scope is scope:
                    name = _name_of(uow.tenant_id, use.budget)
                    ends[name] = _forecast(use, since.get(name), of_today.get(name), today)
    return ends


def _forecast(use: BudgetUse, since: Cost | None, of_today: Cost | None, now: datetime) -> float:
    last_days = max(0.0, (since.cost_usd if since else 0.0) - (of_today.cost_usd if of_today else 0.0))
    return forecast_month(use.spent_usd, last_days, now.date()).month_end_usd or 0.0
