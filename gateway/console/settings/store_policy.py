"""Show what holds for a store and where it comes from, preview a change, and carry it out."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from gateway.api.http.parameters import StoreName
from gateway.console.pages import go, page
from gateway.console.settings.changes import REFUSALS, Fields, change, read_changed, settings_of
from gateway.console.settings.general import hide_of_server, name_model_settings
from gateway.console.views.charts import replay_chart
from gateway.console.visitor import Administrator, AdminReader, Operator, Visitor
from gateway.phases import get_phases
from shared.core.errors import BadInputError
from shared.core.policy.policy import Autonomy
from shared.core.policy.profiles import PROFILES, get_policy, override_keys, read_value
from shared.core.tenants.model_settings import ADAPTERS, BATCH, SourcedValue
from shared.core.tenants.store import Store
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.effective import find_effective
from shared.services.tenants.preview_policy import preview_store

router = APIRouter(prefix="/console/t/{tenant}/settings/stores/{store}", include_in_schema=False)
_DAYS = (7, 14)
#: How people write that a setting is switched off.
_OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyField:
    """One setting of a policy in a form: the store's own value, and the profile's, which holds without it."""

    key: str
    name: str
    own: str
    of_profile: str
    is_switch: bool

    @property
    def is_own(self) -> bool:
        """Tell whether the store has a value of its own."""
        return self.own != ""


@router.get("")
def show(request: Request, visitor: AdminReader, store: StoreName) -> Response:
    """Show every setting of a store by group, those of its own first to be seen."""
    ports, phases = visitor.ports, get_phases()
    found = find_effective(ports.db, ports.settings, visitor.tenant_id, store, phases)
    return page(
        request,
        visitor,
        "settings/store.html",
        store=found.store,
        groups=_group(found.store, found.policy),
        model=hide_of_server(visitor, found.model),
        own_model={name: found.model[name].value for name in found.store.llm if name in found.model},
        choices={"adapter": ADAPTERS, "batch": BATCH},
        names=name_model_settings(),
        directives={name: one for name, one in found.directives.items() if one.value is not None},
        profiles=sorted(PROFILES),
        autonomies=[str(one) for one in Autonomy],
    )


@router.get("/change")
def preview(request: Request, visitor: AdminReader, store: StoreName, days: int = _DAYS[0]) -> Response:
    """Show what a change would do, and when the store would have dreamt with it; nothing is changed."""
    given = {name: value for name, value in request.query_params.items() if name != "days"}
    phases, db = get_phases(), visitor.ports.db
    where = f"{settings_of(visitor)}/stores/{store}"
    wanted_days = days if days in _DAYS else _DAYS[0]
    try:
        changes = _read_changes(visitor, store, given)
        found = preview_store(db, visitor.tenant_id, store, changes=changes, phases=phases, days=wanted_days)
    except REFUSALS as error:
        return go(visitor, where, str(error), "refused")
    return page(
        request,
        visitor,
        "settings/change.html",
        found=found,
        days=wanted_days,
        all_days=_DAYS,
        charts=(replay_chart("With the change", found.wanted.dreams, found.since, found.until),
                replay_chart("As it is set now", found.present.dreams, found.since, found.until)),
        given=given,
        query=urlencode(given),
        where=where,
    )  # fmt: skip


@router.post("")
def save(visitor: Administrator, store: StoreName, given: Fields) -> Response:
    """Change a store's settings as a preview has shown it."""

    def carry_out() -> str:
        changes = _read_changes(visitor, store, given)
        db = visitor.ports.db
        configure_store(db, visitor.tenant_id, store, changes=changes, phases=get_phases(), actor=visitor.actor)
        return "Saved: the next dream goes by it"

    return change(visitor, f"/stores/{store}", carry_out)


@router.post("/model")
def set_model(visitor: Operator, store: StoreName, given: Fields) -> Response:
    """Change a store's own model; an empty field goes back to the tenant's."""

    def carry_out() -> str:
        ports, phases = visitor.ports, get_phases()
        shown = find_effective(ports.db, ports.settings, visitor.tenant_id, store, phases)
        own = {name: shown.model[name].value for name in shown.store.llm if name in shown.model}
        llm = read_changed(own, given)
        if not llm:
            raise BadInputError("Nothing was changed")
        changes = StoreChanges(llm=llm)
        configure_store(ports.db, visitor.tenant_id, store, changes=changes, phases=phases, actor=visitor.actor)
        return f"Set: {', '.join(sorted(llm))}"

    return change(visitor, f"/stores/{store}", carry_out)


def _read_changes(visitor: Visitor, store_name: str, given: Mapping[str, str]) -> StoreChanges:
    """Return what a form asks for: a field that is empty goes back to the profile's value. Raises BadInputError."""
    with visitor.ports.db.transaction(visitor.tenant_id) as uow:
        store = uow.stores.get(store_name)
    keys, overrides, unset = {*override_keys(get_phases().switches), *store.overrides}, dict[str, object](), []
    for key, text in given.items():
        value = text.strip()
        if key in {"profile", "autonomy"}:
            continue
        if key not in keys:
            raise BadInputError(f"There is no setting {key[:100]!r}")
        if not value:
            unset += [key] if key in store.overrides else []
        elif value != _write(store.overrides.get(key)) or key not in store.overrides:
            overrides[key] = None if value == _OFF else read_value(value)
    profile, autonomy = given.get("profile", ""), given.get("autonomy", "")
    if autonomy and autonomy not in set(Autonomy):
        raise BadInputError(f"autonomy is {', '.join(Autonomy)}, not {autonomy[:40]!r}")
    changes = StoreChanges(
        profile=profile if profile and profile != store.profile else None,
        autonomy=Autonomy(autonomy) if autonomy and autonomy != store.autonomy else None,
        overrides=overrides,
        unset=unset,
    )
    if changes == StoreChanges(unset=[]):
        raise BadInputError("Nothing was changed")
    return changes


def _group(store: Store, policy: Mapping[str, SourcedValue]) -> dict[str, list[PolicyField]]:
    phases, bare = get_phases(), get_policy(store.profile, {}, store.autonomy)
    groups: dict[str, list[PolicyField]] = {}
    for key in policy:
        group, _, name = key.partition(".")
        of_profile: Any = phases.get_setting(bare, key)
        one = PolicyField(
            key=key,
            name=name,
            own=_write(store.overrides[key]) if key in store.overrides else "",
            of_profile=_write(of_profile),
            is_switch=isinstance(of_profile, bool),
        )
        groups.setdefault(group, []).append(one)
    return groups


def _write(value: object) -> str:
    """Return a value as a form shows it."""
    if value is None:
        return _OFF
    if isinstance(value, str):
        return str(value)
    return f"{value:g}" if isinstance(value, float) and value == int(value) else json.dumps(value)
