"""The models that a dream asks: a store's settings override its tenant's, and these the installation's.

`model.PHASE` is the model of one phase, and `better_model` the one to ask again if an answer is unsure. Both belong to the model
of the same level: a level with its own model, adapter or endpoint inherits neither.

Keys are never stored: a setting names the worker's environment variable that contains the key.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from shared.core.errors import BadInputError
from shared.core.tenants.phase_models import OF_PHASE, check_phases
from shared.core.tenants.store import Store, Tenant

#: A key's variable begins so; no other secret of the environment can be sent anywhere.
KEY_VARIABLE = "SLOWWAVE_LLM_API_KEY"
#: Providers of Claude's models that are not Anthropic's own: with regions, other ids of models, and other keys.
CLOUDS = ("bedrock", "vertex")
#: Any server with chat completions as OpenAI defined them.
OPENAI, OPENAI_URL = "openai", "https://api.openai.com/v1"
ADAPTERS = ("offline", "anthropic", *CLOUDS, OPENAI)
#: The adapters that share neither names of models nor keys with Anthropic's own.
APART = (*CLOUDS, OPENAI)
#: `never`, for zero retention, also holds for every store below it and for a dream that is ordered in batches.
BATCH = ("on", "off", "never")
MODEL_SETTINGS = ("adapter", "model", "better_model", "base_url", "region", "project", "api_key_variable", "batch")
_CHOOSES = frozenset({"adapter", "model", "base_url"})
_OF_PROVIDER = frozenset({"model", "base_url", "region", "project", "api_key_variable"})
_PLACE = re.compile(r"[a-z0-9][a-z0-9:.-]{0,99}")
_MAX_CHARS = 500
_URL = re.compile(r"https?://[^\s/?#]+[^\s]*")
_USER = re.compile(r"//[^/@]*@")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedValue:
    """An effective value of a store, and its source: `store`, `tenant`, `installation`, or a profile."""

    value: object
    source: str


def use_store_model(tenant: Tenant, store: Store, usual_adapter: str) -> Tenant:
    """Return the tenant with its model settings overridden by a store's, for dreams over that store.

    `usual_adapter` is the installation's.
    """
    return replace(tenant, llm=lay_over(tenant.llm, store.llm, usual_adapter)) if store.llm else tenant


def lay_over(below: Mapping[str, str], own: Mapping[str, str], usual_adapter: str = "") -> dict[str, str]:
    """Return the settings of a level: its own override those of the level below.

    A level with another adapter than the level below, to or from one of another provider, inherits neither model nor key. A level without an
    adapter uses the usual one, for which its key is meant.
    """
    kept = {name: value for name, value in below.items() if not (_CHOOSES & own.keys() and _is_beside(name))}
    providers = {own.get("adapter"), below.get("adapter", usual_adapter)}
    if "adapter" in own and len(providers) > 1 and providers & {*APART}:
        kept = {name: value for name, value in kept.items() if name not in _OF_PROVIDER}
    never = {"batch": "never"} if below.get("batch") == "never" else {}
    return {**kept, **own, **never}


def refuse_batches(tenant: Tenant, store: Store) -> None:
    """Raise BadInputError if the tenant or the store never uses Message Batches."""
    owner = next((name for name, one in (("tenant", tenant), ("store", store)) if one.llm.get("batch") == "never"), "")
    if owner:
        raise BadInputError(
            f"The {owner} never uses Message Batches (its setting batch is never): ask without them, or change the setting"
        )


def use_model_of(tenant: Tenant, setting: str, of_installation: Mapping[str, str]) -> Tenant | None:
    """Return the tenant with the model of `better_model` or of a phase's setting; None if it is not set."""
    model = lay_over(of_installation, tenant.llm).get(setting)
    return replace(tenant, llm={**tenant.llm, "model": model}) if model else None


def change_model_settings(
    own: Mapping[str, str], changes: Mapping[str, str], phases: Collection[str]
) -> dict[str, str]:
    """Return model settings after a change; an empty value resets a setting.

    Args:
        own: the settings before.
        changes: by their names.
        phases: those that ask a model.

    Raises:
        BadInputError: a setting is unknown, or its value cannot hold.
    """
    check_phases(changes, phases)
    for name, value in changes.items():
        _check(name, value)
    changed = {name: value for name, value in {**own, **changes}.items() if value}
    check_batches(changed)
    return changed


def check_batches(settings: Mapping[str, str]) -> None:
    """Raise BadInputError if Message Batches are set with an adapter that has none."""
    adapter = settings.get("adapter", "")
    if adapter in CLOUDS and settings.get("batch") == "on":
        raise BadInputError(say_no_batches(adapter))


def say_no_batches(adapter: str) -> str:
    """Return the error for Message Batches with an adapter that has none, with what to do."""
    return f"Message Batches are not offered by {adapter}: set batch to off, or choose the adapter anthropic or openai"


def _is_beside(name: str) -> bool:
    return name == "better_model" or name.startswith(OF_PHASE)


def _check(name: str, value: str) -> None:
    if name not in MODEL_SETTINGS and not name.startswith(OF_PHASE):
        raise BadInputError(f"There is no model setting {name[:40]!r}; there are {', '.join(MODEL_SETTINGS)}")
    if len(value) > _MAX_CHARS or not value.isprintable():
        raise BadInputError(f"{name} takes at most {_MAX_CHARS} printable characters")
    if name == "adapter" and value and value not in ADAPTERS:
        raise BadInputError(f"adapter is {', '.join(ADAPTERS[:-1])} or {ADAPTERS[-1]}, not {value[:40]!r}")
    if name == "batch" and value and value not in BATCH:
        raise BadInputError(f"batch is {', '.join(BATCH[:-1])} or {BATCH[-1]}, not {value[:40]!r}")
    if name == "base_url" and value and not _URL.fullmatch(value):
        raise BadInputError("base_url is an address that begins with http:// or https://")
    if name in {"region", "project"} and value and not _PLACE.fullmatch(value):
        raise BadInputError(f"{name} has small letters, digits and -, not {value[:40]!r}")
    if name == "api_key_variable" and value and not value.startswith(KEY_VARIABLE):
        raise BadInputError(f"api_key_variable names a variable that begins with {KEY_VARIABLE}")


def find_model_settings(
    tenant: Tenant, store: Store | None, installation: Mapping[str, str | None]
) -> dict[str, SourcedValue]:
    """Return the effective model settings of a store with their sources; an endpoint is shown without its password.

    Without a store: the settings of a tenant's stores that have none of their own. A phase without its own model is left out.
    """
    levels: list[tuple[str, Mapping[str, str | None]]] = [("tenant", tenant.llm), ("installation", installation)]
    if store is not None:
        levels.insert(0, ("store", store.llm))
    of_phases = sorted({name for _, level in levels for name in level if name.startswith(OF_PHASE)})
    found = {name: _find_setting(name, levels) for name in (*MODEL_SETTINGS, *of_phases)}
    return {name: one for name, one in found.items() if name in MODEL_SETTINGS or one.value}


def without_password(url: str) -> str:
    """Return the address of an endpoint as it may be shown and stored."""
    return _USER.sub("//***@", url)


def _find_setting(name: str, levels: Iterable[tuple[str, Mapping[str, str | None]]]) -> SourcedValue:
    # A `never` for batches holds from whichever level says it.
    order = sorted(levels, key=lambda one: one[1].get("batch") != "never") if name == "batch" else levels
    for source, level in order:
        value = level.get(name)
        if value or source == "installation":
            return SourcedValue(value=without_password(value) if value else value, source=source)
        if _is_beside(name) and _CHOOSES & level.keys():
            return SourcedValue(value=None, source=source)
    return SourcedValue(value=None, source="installation")
