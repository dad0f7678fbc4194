"""Caps on model calls, and the scope that a call counts for."""

from dataclasses import dataclass

from shared.core.tenants.shadow import original_name
from shared.core.tenants.store import Store, Tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCaps:
    """The caps on model calls per minute and on concurrent ones. None: no cap."""

    per_minute: int | None = None
    at_once: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallScope:
    """A call counts for the installation and its tenant. A model's server counts by `endpoint`: key and model."""

    tenant_id: str
    endpoint: str
    installation: CallCaps = CallCaps()
    tenant: CallCaps = CallCaps()


_OWN_SERVER = frozenset({"adapter", "api_key_variable", "base_url", "region", "project"})


def name_owner(tenant: Tenant, store: Store | None = None) -> str:
    """Return whose endpoint calls go to: the store's or the tenant's own, or the installation's, which tenants share."""
    if store is not None and _OWN_SERVER & store.llm.keys():
        return f"tenant:{tenant.id}/{original_name(store.name)}"
    return f"tenant:{tenant.id}" if _OWN_SERVER & tenant.llm.keys() else "installation"


def name_endpoint(tenant: Tenant, model: str, store: Store | None = None) -> str:
    """Return a name for the key and model of calls; tenants and stores without their own key or model share one."""
    return f"{name_owner(tenant, store)}:{model}"
