"""Find the effective settings of a store and their sources: the store, its tenant, the installation or a profile.

Find the effective settings of a tenant, its limits and today's use of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from shared.core.budgets.dollars import BudgetUse, Scope, find_dollar_budgets
from shared.core.dream.phase_catalog import PhaseCatalog
from shared.core.policy.profiles import override_keys
from shared.core.policy.retention import get_retention
from shared.core.questions.directives import BUILT_IN
from shared.core.tenants.model_settings import SourcedValue, find_model_settings
from shared.core.tenants.store import Store, Tenant
from shared.model_endpoint import list_models
from shared.ports.database import Database
from shared.services.budgets.use import find_budget_uses
from shared.settings import Settings

SETTING_GROUPS = ("model", "directives", "budget", "policy")
TENANT_GROUPS = ("model", "budget", "clock", "retention")
_PER_DAY = "budget.tokens_per_day"
_COUNTED, _NO_LIMIT = "counted since midnight UTC", "no limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveSettings:
    """The effective settings of a store, by name."""

    store: Store
    model: Mapping[str, SourcedValue]
    directives: Mapping[str, SourcedValue]  # the version of each
    budget: Mapping[str, SourcedValue]
    policy: Mapping[str, SourcedValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveTenant:
    """The effective settings of a tenant, by name, and its stores."""

    tenant: Tenant
    stores: list[str]
    model: Mapping[str, SourcedValue]
    budget: Mapping[str, SourcedValue]
    clock: Mapping[str, SourcedValue]
    retention: Mapping[str, SourcedValue]  # days, by rule


def find_effective_tenant(db: Database, settings: Settings, tenant_id: str) -> EffectiveTenant:
    """Return a tenant's limits, clock, model and retention. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        tenant, stores = uow.stores.get_tenant(), [store.name for store in uow.stores.find_all()]
        tokens_today = uow.calls.count_tokens_today()
        uses = uow.budgets.find_uses(find_dollar_budgets(tenant), uow.now())
    usual, own = Tenant(id=tenant_id), tenant.retention
    per_day = tenant.tokens_per_day
    day = SourcedValue(value=per_day, source="the profiles of its stores" if per_day is None else "tenant")
    return EffectiveTenant(
        tenant=tenant,
        stores=stores,
        model=find_model_settings(tenant, None, _of_installation(settings)),
        budget=_find_budget(tenant, settings, tokens_today, day) | _find_dollars(tenant, uses),
        clock={
            name: SourcedValue(
                value=getattr(tenant, name),
                source="default" if getattr(tenant, name) == getattr(usual, name) else "tenant",
            )
            for name in ("time_zone", "quiet_hours", "locale")
        },
        retention={
            rule: SourcedValue(value=days, source="tenant" if rule in own else "installation")
            for rule, days in asdict(get_retention(settings.retention, own)).items()
        },
    )


def find_effective(
    db: Database, settings: Settings, tenant_id: str, store_name: str, phases: PhaseCatalog
) -> EffectiveSettings:
    """Return the settings that apply to the next dream over a store. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        tenant, store = uow.stores.get_tenant(), uow.stores.get(store_name)
        directives, tokens_today = uow.directives.find_in_force(store_name), uow.calls.count_tokens_today()
        uses = find_budget_uses(uow, tenant, store)
    policy = store.policy
    settings_of_policy = {
        key: SourcedValue(
            value=phases.get_setting(policy, key),
            source="store" if key in store.overrides else f"profile {store.profile}",
        )
        for key in override_keys(phases.switches)
    }
    of_tenant = tenant.tokens_per_day
    day = settings_of_policy[_PER_DAY] if of_tenant is None else SourcedValue(value=of_tenant, source="tenant")
    return EffectiveSettings(
        store=store,
        model=find_model_settings(tenant, store, _of_installation(settings)),
        directives={
            name: SourcedValue(value=found.version, source="store" if found.store else "tenant")
            if (found := directives.get(name))
            else SourcedValue(value=None, source=BUILT_IN)
            for name in phases.directives
        },
        budget=_find_budget(tenant, settings, tokens_today, day) | _find_dollars(tenant, uses),
        policy=settings_of_policy,
    )


def _find_budget(
    tenant: Tenant, settings: Settings, tokens_today: int, per_day: SourcedValue
) -> dict[str, SourcedValue]:
    """Return a tenant's concurrent and daily limits, and their use."""
    calls = {
        "model_calls_per_minute": (tenant.model_calls_per_minute, settings.tenant_model_calls_per_minute),
        "model_calls_at_once": (tenant.model_calls_at_once, settings.tenant_model_calls_at_once),
    }
    return {
        "tokens_today": SourcedValue(value=tokens_today, source=_COUNTED),
        "tokens_per_day": per_day,
        "dreams_at_once": SourcedValue(value=tenant.max_concurrent_dreams, source="tenant"),
    } | {name: _choose(*levels) for name, levels in calls.items()}


def _find_dollars(tenant: Tenant, uses: Sequence[BudgetUse]) -> dict[str, SourcedValue]:
    """Return a tenant's budgets in dollars, and the amount spent of each: `usd_this_day`, `store_usd_this_month`."""
    found = {
        name: SourcedValue(value=limit, source=_NO_LIMIT if limit is None else "tenant")
        for name, limit in (("usd_per_day", tenant.usd_per_day), ("usd_per_month", tenant.usd_per_month))
    }
    for use in uses:
        of_store = "store_" if use.budget.scope is Scope.STORE else ""
        if of_store:
            found[f"store_usd_per_{use.budget.period}"] = SourcedValue(value=use.budget.limit_usd, source="store")
        spent = SourcedValue(value=round(use.spent_usd, 6), source=f"counted since {use.starts_at:%Y-%m-%d} UTC")
        found[f"{of_store}usd_this_{use.budget.period}"] = spent
    return found


def _choose(of_tenant: int | None, of_installation: int | None) -> SourcedValue:
    if of_tenant is not None:
        return SourcedValue(value=of_tenant, source="tenant")
    return SourcedValue(value=of_installation, source=_NO_LIMIT if of_installation is None else "installation")


def _of_installation(settings: Settings) -> dict[str, str | None]:
    return {
        "adapter": settings.llm,
        "model": settings.llm_model,
        "base_url": settings.llm_base_url,
        "region": settings.llm_region,
        "project": settings.llm_project,
        "api_key_variable": "SLOWWAVE_LLM_API_KEY" if settings.llm_api_key else None,
        "batch": settings.llm_batch,
        **list_models(settings),
    }
