"""Find the keys of all models that this installation and its tenants use, and test each of them once."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from gateway.phases import get_phases
from shared.core.errors import BadInputError, NotFoundError
from shared.core.health import Finding, Health, decide_health
from shared.core.tenants.model_settings import CLOUDS, KEY_VARIABLE, use_store_model
from shared.core.tenants.phase_models import check_phases, parse_phase_models
from shared.model_endpoint import OFFLINE, ModelEndpoint, find_endpoint
from shared.ports.database import Database
from shared.settings import Settings

_CHECK = "model key"
_INSTALLATION = "the installation"
_NAMED = 3
_SECONDS_TO_READ = 3.0

#: Which tenants use an endpoint; the installation stands before them.
Users = Mapping[ModelEndpoint, Sequence[str]]


def examine_model_keys(settings: Settings, db: Database | None) -> list[Finding]:
    """Return a finding for each key, and one for settings that no dream can use.

    Args:
        settings: the installation's.
        db: where the tenants' own models stand; None while it cannot be read.
    """
    own, unread = _read_own_models(db, settings.llm) if db is not None else ({}, 0)
    chosen_by: dict[str, Mapping[str, str]] = {_INSTALLATION: {}, **own}
    users: dict[ModelEndpoint, list[str]] = {}
    unusable: list[str] = []
    for owner, chosen in chosen_by.items():
        try:
            endpoint = find_endpoint(settings, chosen, f"Tenant {owner!r}")
        except BadInputError as error:
            unusable.append(str(error))
            continue
        if endpoint.adapter != OFFLINE:
            users.setdefault(endpoint, []).append(owner)
    found = [*_examine_set(users), *_find_unset(users), *_find_unusable(unusable), *_find_unread(unread)]
    found += _find_unknown_phases(settings)
    return found or [decide_health(_CHECK, "offline rules need none", ok=True, advice="")]


def _read_own_models(db: Database, usual_adapter: str) -> tuple[dict[str, Mapping[str, str]], int]:
    """Return what each tenant, and each store, sets of its model, and how many tenants there was no time to read."""
    ids, end = db.sweeps.find_tenants(), time.monotonic() + _SECONDS_TO_READ
    own: dict[str, Mapping[str, str]] = {}
    for number, tenant_id in enumerate(ids):
        if time.monotonic() > end:
            return own, len(ids) - number
        try:
            with db.transaction(tenant_id) as uow:
                tenant = uow.stores.get_tenant()
                own[tenant_id] = tenant.llm
                with_own = [store for store in uow.stores.find_all() if store.llm]
                own |= {f"{tenant_id}/{one.name}": use_store_model(tenant, one, usual_adapter).llm for one in with_own}
        except NotFoundError:
            continue  # deleted meanwhile
    return own, 0


def _examine_set(users: Users) -> list[Finding]:
    """Try each key that is set, and each identity; tenants that ask other models with the same share one try."""
    together: dict[ModelEndpoint, list[tuple[ModelEndpoint, Sequence[str]]]] = {}
    for endpoint, owners in users.items():
        if endpoint.key is not None or endpoint.is_identity or endpoint.is_keyless:
            place = replace(endpoint, model="")
            together.setdefault(place, []).append((endpoint, owners))
    if not together:
        return []
    from shared.adapters.llm.health import KeyInUse, examine_keys  # noqa: PLC0415 - the SDK takes long to load

    return examine_keys(
        [
            KeyInUse(
                name=_name(place),
                users=_name_users([owner for _, owners in uses for owner in owners]),
                key=place.key,
                base_url=place.base_url,
                model=uses[0][0].model,
                adapter=place.adapter,
                region=place.region,
                project=place.project,
            )
            for place, uses in together.items()
        ]
    )


def _find_unset(users: Users) -> list[Finding]:
    missing: dict[str, list[str]] = {}
    for endpoint, owners in users.items():
        if endpoint.key is None and not (endpoint.is_identity or endpoint.is_keyless):
            missing.setdefault(endpoint.key_variable, []).extend(owners)
    return [
        decide_health(
            _CHECK,
            f"{variable}: none in this environment; used by {_name_users(owners)}",
            ok=False,
            advice=f"Set {variable} for the workers (and for this command, to test it), or choose the offline rules",
            otherwise=Health.FAIL if variable == KEY_VARIABLE else Health.WARN,  # the workers may have a tenant's own
        )
        for variable, owners in missing.items()
    ]


def _find_unusable(errors: Sequence[str]) -> list[Finding]:
    if not errors:
        return []
    more = f"; and {len(errors) - 1} more" if len(errors) > 1 else ""
    advice = "Fix it with: slowwave tenants set TENANT --llm … --api-key-variable …"
    return [decide_health(_CHECK, f"{errors[0]}{more}", ok=False, advice=advice)]


def _find_unknown_phases(settings: Settings) -> list[Finding]:
    """Find names in SLOWWAVE_LLM_MODELS that are not phases with a model: they would have no effect."""
    try:
        check_phases(parse_phase_models(settings.llm_models), get_phases().asking)
    except BadInputError as error:
        return [decide_health(_CHECK, str(error), ok=False, advice="Set SLOWWAVE_LLM_MODELS again")]
    return []


def _find_unread(tenants: int) -> list[Finding]:
    if not tenants:
        return []
    found = f"the models of {tenants:,} more tenants were not checked: the database was too slow"
    return [decide_health(_CHECK, found, ok=False, advice="Run slowwave doctor again later", otherwise=Health.WARN)]


def _name(place: ModelEndpoint) -> str:
    """Return the key's variable, or the identity, and where it is sent to; a URL may hold a password."""
    unnamed = "the identity of this process" if place.is_identity else "no key"
    name = unnamed if place.key is None else place.key_variable
    cloud = f" at {place.adapter} {place.region}" if place.adapter in CLOUDS else ""
    host = f" at {urlsplit(place.base_url).netloc.rpartition('@')[2]}" if place.base_url is not None else ""
    return f"{name}{host or cloud}"


def _name_users(owners: Sequence[str]) -> str:
    tenants = [owner for owner in owners if owner != _INSTALLATION]
    named = ", ".join(tenants[:_NAMED]) + (", …" if len(tenants) > _NAMED else "")
    parts = [_INSTALLATION] * (_INSTALLATION in owners)
    if tenants:
        parts.append(f"{len(tenants)} tenant{'' if len(tenants) == 1 else 's'} ({named})")
    return " and ".join(parts)
