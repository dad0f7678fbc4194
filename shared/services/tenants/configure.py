"""Change the settings and the retention of tenants and stores: validated before they are written, and audited."""

import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace

from shared.core.dream.phase_catalog import PhaseCatalog
from shared.core.errors import BadInputError
from shared.core.gates.quiet_hours import check_time_zone, parse_quiet_hours
from shared.core.policy.policy import Autonomy
from shared.core.policy.profiles import get_policy, override_keys
from shared.core.policy.retention import RetentionPolicy, get_retention
from shared.core.tenants.arm import put_in_arm
from shared.core.tenants.audit import find_changed_keys, find_changes
from shared.core.tenants.model_settings import change_model_settings, check_batches, lay_over, refuse_batches
from shared.core.tenants.store import Store, Tenant
from shared.ports.database import Database
from shared.services.dreams.start_upkeep import schedule_upkeep

#: The budgets in dollars of a tenant, and the highest that is accepted, as of a store.
DOLLAR_BUDGETS = ("usd_per_day", "usd_per_month")
MOST_USD = 10_000_000
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantChanges:
    """The changes to a tenant; None leaves a setting as it is. Quiet hours "" switch them off.

    `taken_back` names budgets in dollars (`usd_per_day`, `usd_per_month`) to remove.
    """

    max_concurrent_dreams: int | None = None
    tokens_per_day: int | None = None
    usd_per_day: float | None = None
    usd_per_month: float | None = None
    time_zone: str | None = None
    quiet_hours: str | None = None
    locale: str | None = None
    model_calls_per_minute: int | None = None
    model_calls_at_once: int | None = None
    llm: Mapping[str, str] = field(default_factory=dict)
    taken_back: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreChanges:
    """The changes to a store; None leaves a setting as it is."""

    profile: str | None = None
    autonomy: Autonomy | None = None
    overrides: Mapping[str, object] = field(default_factory=dict)
    unset: Collection[str] = ()  # settings that go back to the profile's value
    llm: Mapping[str, str] = field(default_factory=dict)  # an empty value goes back to the tenant's setting
    arm: str | None = None  # "" takes the store out of its arm and leaves its settings


def apply_changes(store: Store, changes: StoreChanges, phases: PhaseCatalog) -> Store:
    """Return a store with changed settings. Raises BadInputError for an unknown profile, key or value."""
    unknown = sorted(set(changes.unset) - set(override_keys(phases.switches)) - store.overrides.keys())
    if unknown:
        raise BadInputError(f"There is no setting {unknown[0][:100]!r} to reset to the profile's value")
    overrides = {**store.overrides, **changes.overrides}
    changed = replace(
        store,
        profile=changes.profile or store.profile,
        autonomy=changes.autonomy or store.autonomy,
        overrides={key: value for key, value in overrides.items() if key not in changes.unset},
        llm=change_model_settings(store.llm, changes.llm, phases.asking),
    )
    get_policy(changed.profile, changed.overrides, changed.autonomy, phases.switches)
    return changed


def configure_store(
    db: Database,
    tenant_id: str,
    store_name: str,
    *,
    changes: StoreChanges,
    phases: PhaseCatalog,
    actor: str,
) -> Store:
    """Change the given settings of a store. Raises BadInputError for an unknown profile, key or value."""
    with db.transaction(tenant_id) as uow:
        uow.stores.ensure(store_name)
        store = uow.stores.get(
            store_name, lock=True
        )  # locked, so that concurrent writes of a dream or a check are not overwritten
        changed = put_in_arm(store, apply_changes(store, changes, phases), changes.arm, uow.now())
        tenant = uow.stores.get_tenant()
        check_batches(lay_over(tenant.llm, changed.llm))
        if changes.llm.get("batch") == "on":
            refuse_batches(tenant, changed)
        uow.stores.save(changed)
        schedule_upkeep(uow, changed)
        uow.record_audit(
            actor,
            "store.configure",
            store=store_name,
            **find_changes(store, changed, ("profile", "autonomy", "arm")),
            overrides=find_changed_keys(store.overrides, changed.overrides),
            **_name_model(changes.llm),
        )
        return uow.stores.get(store_name)


def configure_tenant(
    db: Database,
    tenant_id: str,
    *,
    changes: TenantChanges,
    actor: str,
    phases: PhaseCatalog | None = None,
) -> Tenant:
    """Change the given settings of a tenant, creating it if needed; models of single phases need the catalogue.

    Raises:
        BadInputError: a setting is unknown, or its value cannot hold.
    """
    plain = {name: value for name, value in asdict(changes).items() if name not in {"llm", "taken_back"}}
    given = {name: value for name, value in plain.items() if value is not None} | dict.fromkeys(changes.taken_back)
    _check(changes)
    asking = phases.asking if phases is not None else ()
    with db.transaction(tenant_id) as uow:
        uow.stores.ensure_tenant()
        tenant = uow.stores.get_tenant(lock=True)  # locked, so that a concurrent pause is not overwritten
        changed = replace(tenant, **{**given, "llm": change_model_settings(tenant.llm, changes.llm, asking)})
        uow.stores.save_tenant(changed)
        uow.record_audit(actor, "tenant.configure", **find_changes(tenant, changed, given), **_name_model(changes.llm))
        return changed


def _name_model(changes: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the audit log's entry about a model's settings: their names only, as an endpoint's URL may hold a password."""
    return {"llm": sorted(changes)} if changes else {}


def _check(changes: TenantChanges) -> None:
    if changes.time_zone is not None:
        check_time_zone(changes.time_zone)
    if changes.quiet_hours:
        parse_quiet_hours(changes.quiet_hours)
    if changes.locale is not None and not _LOCALE.fullmatch(changes.locale):
        raise BadInputError(f"A language is a tag such as en, de or de-AT, not {changes.locale[:40]!r}")
    unknown = [name for name in changes.taken_back if name not in DOLLAR_BUDGETS]
    if unknown:
        raise BadInputError(f"Only {' and '.join(DOLLAR_BUDGETS)} can be removed, not {unknown[0][:40]!r}")
    for name in DOLLAR_BUDGETS:
        usd = getattr(changes, name)
        if usd is not None and not 0 <= usd <= MOST_USD:
            raise BadInputError(f"{name} takes dollars from 0 to {MOST_USD:,}, not {usd!r}")


def set_retention(
    db: Database, tenant_id: str, changes: Mapping[str, int | None], defaults: RetentionPolicy, *, actor: str
) -> RetentionPolicy:
    """Change the days of rules; None returns to the installation's. Raises BadInputError and NotFoundError."""
    with db.transaction(tenant_id) as uow:
        tenant = uow.stores.get_tenant(lock=True)
        kept = {rule: days for rule, days in tenant.retention.items() if rule not in changes}
        own = kept | {rule: days for rule, days in changes.items() if days is not None}
        policy = get_retention(defaults, own)
        uow.stores.save_tenant(replace(tenant, retention=own))
        uow.record_audit(actor, "tenant.retention", **find_changed_keys({**tenant.retention}, {**own}))
        return policy
