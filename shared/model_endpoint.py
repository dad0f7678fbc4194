"""Find where a tenant's questions go: adapter, model, endpoint and key, its own before the installation's."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from shared.core.errors import BadInputError
from shared.core.tenants.model_settings import KEY_VARIABLE, use_model_of
from shared.core.tenants.phase_models import OF_PHASE, parse_phase_models
from shared.core.tenants.store import Tenant
from shared.settings import Settings

OFFLINE = "offline"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEndpoint:
    """A model and where to ask it. `key` is None when the variable is not set, and for the rules without a model."""

    adapter: str
    model: str
    key_variable: str
    key: SecretStr | None
    base_url: str | None


def find_endpoint(settings: Settings, own: Mapping[str, str], owner: str) -> ModelEndpoint:
    """Return where an owner's questions go.

    Args:
        settings: the installation's.
        own: what the owner sets of its own.
        owner: who that is, for the message of an error.

    Raises:
        BadInputError: the adapter is unknown, or the key's variable may not be read.
    """
    adapter = own.get("adapter", settings.llm)
    if adapter not in {OFFLINE, "anthropic"}:
        raise BadInputError(f"{owner} names the model adapter {adapter!r}; choose offline or anthropic")
    variable = own.get("api_key_variable")
    if variable is not None and not variable.startswith(KEY_VARIABLE):
        raise BadInputError(f"{owner} names {variable!r} as its key's variable; it must begin with {KEY_VARIABLE}")
    own_key = os.environ.get(variable) if variable else None
    return ModelEndpoint(
        adapter=adapter,
        model=own.get("model", settings.llm_model),
        key_variable=variable or KEY_VARIABLE,
        key=SecretStr(own_key) if own_key else None if variable else settings.llm_api_key,
        base_url=own.get("base_url", settings.llm_base_url or "") or None,
    )


def uses_batches(settings: Settings, tenant: Tenant) -> bool:
    """Tell whether a tenant's questions go out in Message Batches; the rules without a model have none."""
    return tenant.llm.get("adapter", settings.llm) != OFFLINE and tenant.llm.get("batch", settings.llm_batch) == "on"


def use_phase_model(settings: Settings, tenant: Tenant, phase: str) -> Tenant:
    """Return the tenant with the model that a phase asks: its own, or the usual one."""
    return use_model_of(tenant, OF_PHASE + phase, list_models(settings)) or tenant


def use_better_model(settings: Settings, tenant: Tenant) -> Tenant | None:
    """Return the tenant with the model that is asked again where an answer is unsure; None when there is none."""
    if tenant.llm.get("adapter", settings.llm) == OFFLINE:
        return None
    return use_model_of(tenant, "better_model", list_models(settings))


def list_models(settings: Settings) -> dict[str, str]:
    """Return the installation's model settings of single phases, and its better model."""
    better = {"better_model": settings.llm_better_model} if settings.llm_better_model else {}
    return {**parse_phase_models(settings.llm_models), **better}
