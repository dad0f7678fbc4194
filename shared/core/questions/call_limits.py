"""Who makes a model call, and how many such calls may be made: what limits on model calls go by."""

from dataclasses import dataclass

from shared.core.tenants.store import Tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCaps:
    """Model calls a minute, and at once. None: no cap."""

    per_minute: int | None = None
    at_once: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallScope:
    """A call counts for everybody and for its tenant. `endpoint` is what a model's server counts by: key and model."""

    tenant_id: str
    endpoint: str
    everybody: CallCaps = CallCaps()
    tenant: CallCaps = CallCaps()


def name_endpoint(tenant: Tenant, model: str) -> str:
    """Return the name of the key and model that a tenant's calls go to; tenants without their own share one."""
    has_own = bool({"api_key_variable", "base_url"} & tenant.llm.keys())
    return f"{f'tenant:{tenant.id}' if has_own else 'installation'}:{model}"
