"""Caps on model calls, and the scope that a call counts for."""

from dataclasses import dataclass

from shared.core.tenants.store import Tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCaps:
    """Model calls a minute, and concurrent ones. None: no cap."""

    per_minute: int | None = None
    at_once: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallScope:
    """A call counts for the installation and for its tenant. A model's server counts by `endpoint`: key and model."""

    tenant_id: str
    endpoint: str
    installation: CallCaps = CallCaps()
    tenant: CallCaps = CallCaps()


def name_endpoint(tenant: Tenant, model: str) -> str:
    """Return the name of the key and model that a tenant's calls go to; tenants without their own share one."""
    has_own = bool({"api_key_variable", "base_url"} & tenant.llm.keys())
    return f"{f'tenant:{tenant.id}' if has_own else 'installation'}:{model}"
