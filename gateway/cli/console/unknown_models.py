"""A warning of models that no list of prices has: their name may be a slip, and their cost is not counted."""

from collections.abc import Iterable, Mapping

from gateway.cli.console.output import warn
from gateway.variables import find_similar
from shared.core.questions.prices import ModelPrice, find_price
from shared.core.tenants.model_settings import use_store_model
from shared.core.tenants.phase_models import OF_PHASE
from shared.model_endpoint import OFFLINE, find_endpoint, find_tenant_prices, list_models
from shared.ports.database import Database
from shared.settings import Settings


def warn_of_store(settings: Settings, db: Database, tenant_id: str, store_name: str) -> None:
    """Warn of the unknown models that a dream over a store would ask; not of those on a server of one's own.

    Raises:
        BadInputError: the settings name no endpoint, so that no dream can begin.
    """
    with db.transaction(tenant_id) as uow:
        tenant = use_store_model(uow.stores.get_tenant(), uow.stores.get(store_name), settings.llm)
    endpoint = find_endpoint(settings, tenant.llm, f"Tenant {tenant.id!r}")
    if endpoint.adapter == OFFLINE or endpoint.is_keyless:
        return
    asked = {**list_models(settings), **tenant.llm}
    warn_of_models([endpoint.model, *find_names(asked)], find_tenant_prices(settings, tenant))


def find_names(chosen: Mapping[str, str]) -> list[str]:
    """Return the models that settings name."""
    return [
        model
        for name, model in chosen.items()
        if model and (name in {"model", "better_model"} or name.startswith(OF_PHASE))
    ]


def warn_of_models(models: Iterable[str], prices: Mapping[str, ModelPrice]) -> None:
    """Warn of each model that has no known price."""
    for model in dict.fromkeys(models):
        if find_price(model, prices) is None:
            similar = find_similar(model, [*prices])
            meant = f"did you mean {similar!r}?" if similar else "check the name (docs/models.md)."
            warn(f"{model} is in no list of prices; {meant} Its calls are counted without a cost.")
