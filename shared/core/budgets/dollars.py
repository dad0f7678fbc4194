"""Budgets in dollars: by calendar day and month (UTC), of a tenant and of a store. Both hold; the first that is met stops.

A question is asked only when its highest price fits into what is left of every budget, with what other questions that are
under way may cost at most. What a question really cost takes the place of that, so that a budget is never overspent by more
than a question's price was underestimated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from shared.core.questions.prices import say_usd
from shared.core.tenants.store import Store, Tenant

#: A budget that is used up to this share sends one webhook a period.
ALERT_SHARE = 0.8
#: Sums of prices are compared as dollars rounded to this many digits: a float's last digits are not money.
_DIGITS = 9


class Period(StrEnum):
    """The period of a budget. It ends at midnight UTC."""

    DAY = "day"
    MONTH = "month"


class Scope(StrEnum):
    """The spending that a budget bounds: all of a tenant's, or that of one store."""

    TENANT = "tenant"
    STORE = "store"


@dataclass(frozen=True, slots=True, kw_only=True)
class DollarBudget:
    """A budget; `store_id` and `store` are empty for a tenant's."""

    scope: Scope
    period: Period
    limit_usd: float
    store_id: str = ""
    store: str = ""

    @property
    def name(self) -> str:
        """Return the name under which an alert is kept, such as `store_usd_per_day`."""
        return f"{self.scope}_usd_per_{self.period}"

    @property
    def setting(self) -> str:
        """Return the setting that a person changes, in words that say where."""
        if self.scope is Scope.STORE:
            return f"budget.usd_per_{self.period} of the store"
        return f"usd_per_{self.period} of the tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetUse:
    """The used part of a budget in its present period.

    Attributes:
        budget: the budget.
        spent_usd: what calls have cost since the period began.
        reserved_usd: what questions that are under way may cost at most.
        starts_at: when the period began.
        ends_at: when the next one begins.
        was_refused: a question was refused in this period for want of money, and the limit has not been raised since.
        is_told: an alert was sent in this period.
    """

    budget: DollarBudget
    spent_usd: float
    reserved_usd: float
    starts_at: datetime
    ends_at: datetime
    was_refused: bool = False
    is_told: bool = False

    @property
    def left_usd(self) -> float:
        """Return what another question may cost, never below 0."""
        return max(0.0, round(self.budget.limit_usd - self.spent_usd - self.reserved_usd, _DIGITS))

    @property
    def share(self) -> float:
        """Return the share that is spent; 1.0 of a budget of nothing."""
        return self.spent_usd / self.budget.limit_usd if self.budget.limit_usd else 1.0

    @property
    def is_exhausted(self) -> bool:
        """Tell whether no question may be asked any more in this period."""
        return self.was_refused or round(self.budget.limit_usd - self.spent_usd, _DIGITS) <= 0

    @property
    def is_alerting(self) -> bool:
        """Tell whether an alert is due."""
        return self.is_exhausted or self.share >= ALERT_SHARE

    def fits(self, usd: float) -> bool:
        """Tell whether a question of this highest price may be asked."""
        return round(usd, _DIGITS) <= self.left_usd and not self.is_exhausted


def find_dollar_budgets(tenant: Tenant, store: Store | None = None) -> tuple[DollarBudget, ...]:
    """Return the budgets in dollars that hold for a tenant, or for dreams over one of its stores."""
    of_tenant = [(Period.DAY, tenant.usd_per_day), (Period.MONTH, tenant.usd_per_month)]
    found = [
        DollarBudget(scope=Scope.TENANT, period=period, limit_usd=limit)
        for period, limit in of_tenant
        if limit is not None
    ]
    if store is None:
        return tuple(found)
    policy = store.policy.budget
    of_store = [(Period.DAY, policy.usd_per_day), (Period.MONTH, policy.usd_per_month)]
    found += [
        DollarBudget(scope=Scope.STORE, period=period, limit_usd=limit, store_id=store.id, store=store.name)
        for period, limit in of_store
        if limit is not None
    ]
    return tuple(found)


def find_period(period: Period, now: datetime) -> tuple[datetime, datetime]:
    """Return when the period around a moment began, and when the next one begins."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if period is Period.DAY:
        return day, day + timedelta(days=1)
    month = day.replace(day=1)
    return month, (month + timedelta(days=32)).replace(day=1)


def find_exhausted(uses: Sequence[BudgetUse]) -> BudgetUse | None:
    """Return the budget that stops dreams longest, if one is met."""
    return max((use for use in uses if use.is_exhausted), key=lambda use: use.ends_at, default=None)


def explain_exhausted(use: BudgetUse) -> str:
    """Return why a store does not dream: the budget that is used up, and its setting."""
    adjective = "Daily" if use.budget.period is Period.DAY else "Monthly"
    spent, limit = say_usd(use.spent_usd), say_usd(use.budget.limit_usd)
    return f"{adjective} dollar budget met ({spent} of {limit} spent, by {use.budget.setting})"


def say_refused(use: BudgetUse, usd: float) -> str:
    """Return why a question was refused, with the numbers, the setting, and when dreams go on."""
    limit = f"{say_usd(use.budget.limit_usd)} a {use.budget.period}"
    asked = f"a question may cost {say_usd(usd)}, and {say_usd(use.left_usd)} of {limit} are left"
    return f"{asked}, by {use.budget.setting}; dreams go on after {use.ends_at:%Y-%m-%d %H:%M} UTC"
