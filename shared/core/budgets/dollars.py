"""Budgets in dollars: by calendar day and month (UTC), of a tenant and of a store. All apply; the first exhausted one stops dreams.

A question is asked only if its maximum price fits into the remainder of every budget, after subtracting the maximum prices of
questions in progress. The real cost replaces this reservation, so a budget is never exceeded by more than a question's
maximum price was underestimated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from shared.core.questions.prices import say_usd
from shared.core.tenants.shadow import is_shadow
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
    """The spending that a budget limits: a whole tenant's, or one store's."""

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
        """Return the name under which an alert is stored, such as `store_usd_per_day`."""
        return f"{self.scope}_usd_per_{self.period}"

    @property
    def setting(self) -> str:
        """Return the setting to change, in words that say where."""
        if self.scope is Scope.STORE:
            return f"budget.usd_per_{self.period} of the store"
        return f"usd_per_{self.period} of the tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetUse:
    """The used part of a budget in its present period.

    Attributes:
        budget: the budget.
        spent_usd: the cost of calls since the period began.
        reserved_usd: the maximum cost of questions in progress.
        starts_at: the beginning of the period.
        ends_at: the beginning of the next one.
        was_refused: a question was refused in this period, and the limit has not been raised since.
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
        """Return the remaining dollars for another question, never below 0."""
        return max(0.0, round(self.budget.limit_usd - self.spent_usd - self.reserved_usd, _DIGITS))

    @property
    def share(self) -> float:
        """Return the spent share; 1.0 for a budget of 0."""
        return self.spent_usd / self.budget.limit_usd if self.budget.limit_usd else 1.0

    @property
    def is_exhausted(self) -> bool:
        """Tell whether no further question may be asked in this period."""
        return self.was_refused or round(self.budget.limit_usd - self.spent_usd, _DIGITS) <= 0

    @property
    def is_alerting(self) -> bool:
        """Tell whether an alert is due."""
        return self.is_exhausted or self.share >= ALERT_SHARE

    def fits(self, usd: float) -> bool:
        """Tell whether a question with this maximum price may be asked."""
        return round(usd, _DIGITS) <= self.left_usd and not self.is_exhausted


def find_dollar_budgets(tenant: Tenant, store: Store | None = None) -> tuple[DollarBudget, ...]:
    """Return the budgets in dollars that apply to a tenant, or to dreams over one of its stores."""
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
    """Return the start of the period around a time, and the start of the next period."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if period is Period.DAY:
        return day, day + timedelta(days=1)
    month = day.replace(day=1)
    return month, (month + timedelta(days=32)).replace(day=1)


def find_exhausted(uses: Sequence[BudgetUse]) -> BudgetUse | None:
    """Return the exhausted budget that stops dreams longest, if any."""
    return max((use for use in uses if use.is_exhausted), key=lambda use: use.ends_at, default=None)


def explain_exhausted(use: BudgetUse) -> str:
    """Return the reason why a store does not dream: the exhausted budget and its setting."""
    adjective = "Daily" if use.budget.period is Period.DAY else "Monthly"
    spent, limit = say_usd(use.spent_usd), say_usd(use.budget.limit_usd)
    return f"{adjective} dollar budget met ({spent} of {limit} spent, by {use.budget.setting})"


def say_refused(use: BudgetUse, usd: float) -> str:
    """Return why a question was refused, with the numbers, the setting, and when dreams continue."""
    asked = f"a question may cost {say_usd(usd)}, and {say_usd(use.left_usd)}"
    if is_shadow(use.budget.store):
        return f"{asked} are left of what the evaluation may spend (max_usd, within the store's budgets)"
    limit = f"{say_usd(use.budget.limit_usd)} a {use.budget.period}"
    return f"{asked} of {limit} are left, by {use.budget.setting}; dreams go on after {use.ends_at:%Y-%m-%d %H:%M} UTC"
