"""Find a tenant's model endpoint: adapter, model, URL and key; its own settings override the installation's."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pydantic import SecretStr

from shared.core.errors import BadInputError
from shared.core.exam.model import ExaminedModel
from shared.core.questions.call_limits import name_owner
from shared.core.questions.prices import VERTEX, ModelPrice, price_provider
from shared.core.tenants.model_settings import (
    ADAPTERS,
    APART,
    CLOUDS,
    KEY_VARIABLE,
    OPENAI,
    use_model_of,
    use_store_model,
    without_password,
)
from shared.core.tenants.phase_models import OF_PHASE, parse_phase_models
from shared.core.tenants.store import Store, Tenant
from shared.prices.price_list import find_prices
from shared.settings import Settings

OFFLINE = "offline"


#: What the SDKs of the clouds read where no setting names a place.
_REGIONS = {"bedrock": ("AWS_REGION", "AWS_DEFAULT_REGION"), "vertex": ("CLOUD_ML_REGION",)}
_PROJECTS = ("ANTHROPIC_VERTEX_PROJECT_ID", "GOOGLE_CLOUD_PROJECT")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEndpoint:
    """A model and its endpoint.

    `key` is None if the variable is not set, for the rules without a model, and if a cloud authenticates the process by its
    identity. `is_keyless` is a server of one's own that was given no key.
    """

    adapter: str
    model: str
    key_variable: str
    key: SecretStr | None
    base_url: str | None
    region: str = ""
    project: str = ""
    is_identity: bool = False
    is_keyless: bool = False


def find_endpoint(settings: Settings, own: Mapping[str, str], owner: str) -> ModelEndpoint:
    """Return an owner's model endpoint. The installation's key, model and endpoint apply only to its own adapter.

    Args:
        settings: the installation's.
        own: the owner's settings.
        owner: the owner's name, for error messages.

    Raises:
        BadInputError: the adapter is unknown, the key's variable may not be read, or a cloud's place or model is missing.
    """
    adapter = own.get("adapter", settings.llm)
    if adapter not in ADAPTERS:
        raise BadInputError(f"{owner} names the model adapter {adapter!r}; choose {', '.join(ADAPTERS)}")
    variable = own.get("api_key_variable")
    if variable is not None and not variable.startswith(KEY_VARIABLE):
        raise BadInputError(f"{owner} names {variable!r} as its key's variable; it must begin with {KEY_VARIABLE}")
    is_installations = not ({adapter, settings.llm} & {*APART}) or adapter == settings.llm
    own_key = os.environ.get(variable) if variable else None
    usual_key = None if variable or not is_installations else settings.llm_api_key
    endpoint = ModelEndpoint(
        adapter=adapter,
        model=own.get("model", settings.llm_model if is_installations else ""),
        key_variable=variable or KEY_VARIABLE,
        key=SecretStr(own_key) if own_key else usual_key,
        base_url=own.get("base_url", (settings.llm_base_url or "") if is_installations else "") or None,
        region=_find_region(settings, own, adapter),
        project=own.get("project") or settings.llm_project or _read_first(_PROJECTS),
        is_identity=adapter in CLOUDS and variable is None and usual_key is None,
    )
    if adapter == OPENAI and endpoint.base_url and variable is None and usual_key is None:
        endpoint = replace(endpoint, is_keyless=True)
    if adapter in APART:
        _check_place(endpoint, owner)
    return endpoint


def find_tenant_prices(settings: Settings, tenant: Tenant) -> Mapping[str, ModelPrice]:
    """Return the list prices at the place that a tenant's model is called. Raises BadInputError for a malformed file of prices."""
    adapter = tenant.llm.get("adapter", settings.llm)
    return price_provider(find_prices(settings.prices_file), adapter, _find_region(settings, tenant.llm, adapter))


def _find_region(settings: Settings, own: Mapping[str, str], adapter: str) -> str:
    return own.get("region") or settings.llm_region or _read_first(_REGIONS.get(adapter, ()))


def _read_first(variables: Iterable[str]) -> str:
    return next((found for name in variables if (found := os.environ.get(name))), "")


def _check_place(endpoint: ModelEndpoint, owner: str) -> None:
    """Check that the settings which another provider needs are there. Raises BadInputError."""
    lacks = (
        "a region"
        if endpoint.adapter in CLOUDS and not endpoint.region
        else "a model, by the id that it has there"
        if not endpoint.model
        else ""
    )
    if endpoint.adapter == VERTEX and not endpoint.project:
        lacks = lacks or "a project"
    if lacks:
        raise BadInputError(f"{owner} names the model adapter {endpoint.adapter}, which needs {lacks} (docs/models.md)")


def name_model(settings: Settings, tenant: Tenant) -> str:
    """Return the name of a tenant's model; this needs no key. Raises BadInputError."""
    endpoint = find_endpoint(settings, tenant.llm, f"Tenant {tenant.id!r}")
    return OFFLINE if endpoint.adapter == OFFLINE else endpoint.model


def name_examined(settings: Settings, tenant: Tenant, store: Store, model: str) -> ExaminedModel:
    """Return the model at its endpoint, as exams name it: another address or region is another one.

    Args:
        settings: the installation's.
        tenant: as it is, without the settings of its store.
        store: the store that the model is asked about.
        model: its name, which may be that of one phase.

    Raises:
        BadInputError: the settings name no endpoint.
    """
    own = use_store_model(tenant, store, settings.llm)
    at = find_endpoint(settings, own.llm, f"Tenant {tenant.id!r}")
    places = (at.region, at.project) if at.adapter in CLOUDS else (without_password(at.base_url or ""),)
    server = " ".join(filter(None, (at.adapter, *places)))
    return ExaminedModel(owner=name_owner(tenant, store), server=server, model=model)


def uses_batches(settings: Settings, tenant: Tenant) -> bool:
    """Tell whether a tenant's questions go out in Message Batches; the rules without a model have none."""
    return tenant.llm.get("adapter", settings.llm) != OFFLINE and tenant.llm.get("batch", settings.llm_batch) == "on"


def use_phase_model(settings: Settings, tenant: Tenant, phase: str) -> Tenant:
    """Return the tenant with the model of a phase: the phase's own, or the default model."""
    return use_model_of(tenant, OF_PHASE + phase, list_models(settings)) or tenant


def use_better_model(settings: Settings, tenant: Tenant) -> Tenant | None:
    """Return the tenant with the better model; None if there is none."""
    if tenant.llm.get("adapter", settings.llm) == OFFLINE:
        return None
    return use_model_of(tenant, "better_model", list_models(settings))


def list_models(settings: Settings) -> dict[str, str]:
    """Return the installation's model settings of single phases, and its better model."""
    better = {"better_model": settings.llm_better_model} if settings.llm_better_model else {}
    return {**parse_phase_models(settings.llm_models), **better}
