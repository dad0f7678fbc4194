"""Define the JSON shapes of tenants, their settings, and the installation."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.shapes.stores import Name
from shared.core.gates.deferral import Installation
from shared.core.policy.retention import RetentionPolicy
from shared.core.tenants.store import Tenant
from shared.services.tenants.configure import DOLLAR_BUDGETS, MOST_USD, TenantChanges

_ZONE = Field(None, min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_+/-]+$", examples=["Europe/Berlin"])
_HOURS = Field(
    None,
    max_length=11,
    examples=["22:00-06:00"],
    description="Hours in which no dream starts automatically; empty for none.",
)
_LOCALE = Field(None, max_length=20, examples=["de"], description="The language of the tenant's memories.")
Percent = Annotated[int, Field(ge=0, le=100, description="Percentage of due stores to defer to another day.")]


class TenantOut(BaseModel):
    """A tenant. A limit of `null` means the installation's limit."""

    id: str
    paused: bool
    max_concurrent_dreams: int
    tokens_per_day: int | None
    usd_per_day: float | None = Field(description="Dollars a day (UTC) for model calls; null: no limit.")
    usd_per_month: float | None = Field(description="Dollars a calendar month (UTC); null: no limit.")
    model_calls_per_minute: int | None
    model_calls_at_once: int | None
    time_zone: str
    quiet_hours: str
    locale: str
    defer_percent: int
    weight: int = Field(description="Its share of each sweep, relative to other tenants.")


class ClockPatch(BaseModel):
    """Changes that a tenant's admin may make; omitted fields stay."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"quiet_hours": "22:00-06:00"}})

    time_zone: str | None = _ZONE
    quiet_hours: str | None = _HOURS
    locale: str | None = _LOCALE


class TenantPatch(BaseModel):
    """Changes that an operator may make; omitted fields stay."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"max_concurrent_dreams": 2}})

    max_concurrent_dreams: int | None = Field(None, ge=1, le=10_000)
    tokens_per_day: int | None = Field(None, ge=0, le=2_000_000_000)
    usd_per_day: float | None = Field(None, ge=0, le=MOST_USD, description="null: no limit.")
    usd_per_month: float | None = Field(None, ge=0, le=MOST_USD, description="null: no limit.")
    model_calls_per_minute: int | None = Field(None, ge=1, le=1_000_000)
    model_calls_at_once: int | None = Field(None, ge=1, le=10_000)
    time_zone: str | None = _ZONE
    quiet_hours: str | None = _HOURS
    locale: str | None = _LOCALE
    defer_percent: Percent | None = None


class TenantIn(TenantPatch):
    """A new tenant."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"id": "acme"}})

    id: Name


class RetentionRule(BaseModel):
    """The retention of one kind of data."""

    days: int
    own: bool = Field(description="True if the tenant has set it; otherwise the installation's value applies.")


class RetentionOut(BaseModel):
    """Retention by rule."""

    rules: dict[str, RetentionRule]


class RetentionPatch(BaseModel):
    """Days by rule; null returns to the installation's value."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"days": {"versions": 90}}})

    days: dict[Annotated[str, Field(max_length=50)], int | None] = Field(max_length=50)


class InstallationOut(BaseModel):
    """The switches of the installation."""

    paused_at: datetime | None
    defer_percent: int
    last_sweep_at: datetime | None = Field(
        description="Time of the last sweep; if it was long ago, the scheduler is not running."
    )


class InstallationPatch(BaseModel):
    """Changes to the switches of the installation; omitted fields stay."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"paused": True}})

    paused: bool | None = Field(None, description="The kill switch: no dream starts, not even with `force`.")
    defer_percent: Percent | None = None


def tenant_out(tenant: Tenant) -> TenantOut:
    """Return a tenant as JSON, without the settings of its model."""
    plain = {name: getattr(tenant, name) for name in TenantOut.model_fields if name != "paused"}
    return TenantOut(**plain, paused=tenant.paused_at is not None)


def changes_of(wanted: TenantPatch | ClockPatch) -> TenantChanges:
    """Return the requested changes to a tenant."""
    taken_back = (name for name in DOLLAR_BUDGETS if name in wanted.model_fields_set and getattr(wanted, name) is None)
    return TenantChanges(**wanted.model_dump(exclude={"id", "defer_percent"}), taken_back=tuple(taken_back))


def retention_out(policy: RetentionPolicy, own: dict[str, int]) -> RetentionOut:
    """Return the retention as JSON."""
    return RetentionOut(rules={rule: RetentionRule(days=d, own=rule in own) for rule, d in asdict(policy).items()})


def installation_out(found: Installation) -> InstallationOut:
    """Return the installation's switches as JSON."""
    return InstallationOut(
        paused_at=found.paused_at, defer_percent=found.defer_percent, last_sweep_at=found.last_sweep_at
    )
