"""Tenants, their settings and the installation's as JSON."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.shapes.stores import Name
from shared.core.gates.deferral import Installation
from shared.core.policy.retention import RetentionPolicy
from shared.core.tenants.store import Tenant
from shared.services.tenants.configure import TenantChanges

_ZONE = Field(None, min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_+/-]+$", examples=["Europe/Berlin"])
_HOURS = Field(
    None, max_length=11, examples=["22:00-06:00"], description="When nothing starts on its own; empty: never."
)
_LOCALE = Field(None, max_length=20, examples=["de"], description="The language of its memories.")
Percent = Annotated[int, Field(ge=0, le=100, description="So many of a hundred due stores wait for another day.")]


class TenantOut(BaseModel):
    """A customer. `null` for a limit means the installation's."""

    id: str
    paused: bool
    max_concurrent_dreams: int
    tokens_per_day: int | None
    model_calls_per_minute: int | None
    model_calls_at_once: int | None
    time_zone: str
    quiet_hours: str
    locale: str
    defer_percent: int
    weight: int = Field(description="How often it takes a turn in the sweep, beside the others.")


class ClockPatch(BaseModel):
    """What a tenant's admin may change; what is left out stays."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"quiet_hours": "22:00-06:00"}})

    time_zone: str | None = _ZONE
    quiet_hours: str | None = _HOURS
    locale: str | None = _LOCALE


class TenantPatch(BaseModel):
    """What an operator may change; what is left out stays."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"max_concurrent_dreams": 2}})

    max_concurrent_dreams: int | None = Field(None, ge=1, le=10_000)
    tokens_per_day: int | None = Field(None, ge=0, le=2_000_000_000)
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
    """How long one kind of thing is kept."""

    days: int
    own: bool = Field(description="The tenant's own number; else the installation's.")


class RetentionOut(BaseModel):
    """How long things are kept, by rule."""

    rules: dict[str, RetentionRule]


class RetentionPatch(BaseModel):
    """Days by rule; null takes the installation's again."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"days": {"versions": 90}}})

    days: dict[str, int | None]


class InstallationOut(BaseModel):
    """What holds for every tenant."""

    paused_at: datetime | None
    defer_percent: int
    last_sweep_at: datetime | None = Field(description="Long ago: no scheduler is alive.")


class InstallationPatch(BaseModel):
    """What shall change for everybody; what is left out stays."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"paused": True}})

    paused: bool | None = Field(None, description="The kill switch: nothing starts, force does not get past it.")
    defer_percent: Percent | None = None


def tenant_out(tenant: Tenant) -> TenantOut:
    """Return a tenant as JSON; its model's settings are not shown."""
    plain = {name: getattr(tenant, name) for name in TenantOut.model_fields if name != "paused"}
    return TenantOut(**plain, paused=tenant.paused_at is not None)


def changes_of(wanted: TenantPatch | ClockPatch) -> TenantChanges:
    """Return what shall change about a tenant."""
    return TenantChanges(**wanted.model_dump(exclude={"id", "defer_percent"}))


def retention_out(policy: RetentionPolicy, own: dict[str, int]) -> RetentionOut:
    """Return how long things are kept as JSON."""
    return RetentionOut(rules={rule: RetentionRule(days=d, own=rule in own) for rule, d in asdict(policy).items()})


def installation_out(found: Installation) -> InstallationOut:
    """Return the installation's switches as JSON."""
    return InstallationOut(
        paused_at=found.paused_at, defer_percent=found.defer_percent, last_sweep_at=found.last_sweep_at
    )
