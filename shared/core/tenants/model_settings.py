"""The model that a dream asks: a store's own settings before its tenant's, and those before the installation's.

Keys are never stored: a setting names the variable of the worker's environment that holds one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from shared.core.errors import BadInputError
from shared.core.tenants.store import Store, Tenant

#: A key's variable begins so; no other secret of the environment can be sent anywhere.
KEY_VARIABLE = "SLOWWAVE_LLM_API_KEY"
ADAPTERS = ("offline", "anthropic")
BATCH = ("on", "off")
MODEL_SETTINGS = ("adapter", "model", "base_url", "api_key_variable", "batch")
_MAX_CHARS = 500
_URL = re.compile(r"https?://[^\s/?#]+[^\s]*")
_USER = re.compile(r"//[^/@]*@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sourced:
    """A value that holds for a store, and whose setting it is: `store`, `tenant`, `installation`, or a profile's."""

    value: object
    source: str


def use_store_model(tenant: Tenant, store: Store) -> Tenant:
    """Return the tenant with a store's own model settings before its own, as dreams over that store use it."""
    return replace(tenant, llm={**tenant.llm, **store.llm}) if store.llm else tenant


def change_model_settings(own: Mapping[str, str], changes: Mapping[str, str]) -> dict[str, str]:
    """Return model settings after a change; an empty value takes a setting back. Raises BadInputError."""
    for name, value in changes.items():
        _check(name, value)
    return {name: value for name, value in {**own, **changes}.items() if value}


def _check(name: str, value: str) -> None:
    if name not in MODEL_SETTINGS:
        raise BadInputError(f"There is no model setting {name[:40]!r}; there are {', '.join(MODEL_SETTINGS)}")
    if len(value) > _MAX_CHARS or not value.isprintable():
        raise BadInputError(f"{name} takes at most {_MAX_CHARS} characters, and none that cannot be printed")
    if name == "adapter" and value and value not in ADAPTERS:
        raise BadInputError(f"adapter is {' or '.join(ADAPTERS)}, not {value[:40]!r}")
    if name == "batch" and value and value not in BATCH:
        raise BadInputError(f"batch is {' or '.join(BATCH)}, not {value[:40]!r}")
    if name == "base_url" and value and not _URL.fullmatch(value):
        raise BadInputError("base_url is an address that begins with http:// or https://")
    if name == "api_key_variable" and value and not value.startswith(KEY_VARIABLE):
        raise BadInputError(f"api_key_variable names a variable that begins with {KEY_VARIABLE}")


def find_model_settings(
    tenant: Tenant, store: Store | None, installation: Mapping[str, str | None]
) -> dict[str, Sourced]:
    """Return each model setting that holds for a store, and where it comes from; an endpoint without its password.

    Without a store: what holds for those of a tenant's stores that have none of their own.
    """
    of_store = {} if store is None else store.llm
    found: dict[str, Sourced] = {}
    for name in MODEL_SETTINGS:
        levels = (("store", of_store.get(name)), ("tenant", tenant.llm.get(name)))
        source, value = next(((whose, one) for whose, one in levels if one), ("installation", installation.get(name)))
        found[name] = Sourced(value=_USER.sub("//***@", value) if value else value, source=source)
    return found
