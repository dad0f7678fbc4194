"""Tell what holds for a store, and where each setting comes from: the store, its tenant, the installation or a profile."""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.core.dream.phase_catalog import PhaseCatalog
from shared.core.policy.profiles import get_setting, override_keys
from shared.core.questions.directives import BUILT_IN
from shared.core.tenants.model_settings import Sourced, find_model_settings
from shared.core.tenants.store import Store
from shared.ports.database import Database
from shared.settings import Settings

SETTING_GROUPS = ("model", "directives", "policy")


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveSettings:
    """The settings that hold for a store, by name."""

    store: Store
    model: Mapping[str, Sourced]
    directives: Mapping[str, Sourced]  # the version of each
    policy: Mapping[str, Sourced]


def find_effective(
    db: Database, settings: Settings, tenant_id: str, store_name: str, phases: PhaseCatalog
) -> EffectiveSettings:
    """Return what the next dream over a store goes by. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        tenant, store = uow.stores.get_tenant(), uow.stores.get(store_name)
        directives = uow.directives.find_in_force(store_name)
    policy = store.policy
    return EffectiveSettings(
        store=store,
        model=find_model_settings(tenant, store, _of_installation(settings)),
        directives={
            name: Sourced(value=found.version, source="store" if found.store else "tenant")
            if (found := directives.get(name))
            else Sourced(value=None, source=BUILT_IN)
            for name in phases.directives
        },
        policy={
            key: Sourced(
                value=get_setting(policy, key), source="store" if key in store.overrides else f"profile {store.profile}"
            )
            for key in override_keys()
        },
    )


def _of_installation(settings: Settings) -> dict[str, str | None]:
    return {
        "adapter": settings.llm,
        "model": settings.llm_model,
        "base_url": settings.llm_base_url,
        "api_key_variable": "SLOWWAVE_LLM_API_KEY" if settings.llm_api_key else None,
    }
