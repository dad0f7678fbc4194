"""`slowwave tenants show` and `stores show`: show the effective settings of a tenant or a store and their sources."""

from collections.abc import Iterable, Mapping
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, Tenant
from gateway.cli.console.output import print_json, print_table, say
from gateway.cli.console.session import open_session
from gateway.phases import find_exam_standings, get_phases
from shared.core.tenants.model_settings import SourcedValue
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.tenants.effective import SETTING_GROUPS, TENANT_GROUPS, find_effective, find_effective_tenant


def show_tenant(tenant: Tenant, as_json: AsJson = False) -> None:
    """Show a tenant's effective model, budget, clock and retention, the source of each, and its stores."""
    with open_session(tenant=tenant) as session:
        found = find_effective_tenant(session.ports.db, session.settings, tenant)
    is_paused = found.tenant.paused_at is not None
    if as_json:
        groups = {group: getattr(found, group) for group in TENANT_GROUPS}
        switches = {"paused": is_paused, "defer_percent": found.tenant.defer_percent}
        print_json({"tenant": tenant, "stores": found.stores, **switches, **groups})
        return
    state = ", paused" if is_paused else ""
    deferred = f", {found.tenant.defer_percent} % of its due stores are postponed" if found.tenant.defer_percent else ""
    say(f"{tenant}: {', '.join(found.stores) or 'no store yet'}{state}{deferred}", "bold")
    _print_groups((group, getattr(found, group)) for group in TENANT_GROUPS)


def show_store(
    store: Annotated[str, typer.Argument(help="TENANT/STORE, or TENANT for its default store.")],
    as_json: AsJson = False,
) -> None:
    """Show a store's effective settings and the source of each: the store, its tenant, the installation or the profile."""
    tenant, _, name = store.partition("/")
    with open_session(tenant=tenant, store=name or DEFAULT_STORE) as session:
        ports = session.ports
        found = find_effective(ports.db, ports.settings, tenant, name or DEFAULT_STORE, get_phases())
        standings = find_exam_standings(ports.settings, ports.db, tenant, name or DEFAULT_STORE)
        exams = {one.examined.model: one.say() for one in standings}
    if as_json:
        groups = {group: getattr(found, group) for group in SETTING_GROUPS}
        print_json({"store": name or DEFAULT_STORE, **groups, "exams": exams})
        return
    arm = f", arm {found.store.arm} since {found.store.arm_set_at:%Y-%m-%d}" if found.store.arm else ""
    say(f"{tenant}/{found.store.name}: profile {found.store.profile}, {found.store.autonomy}{arm}", "bold")
    for model, standing in exams.items():
        say(f"Exam of {model}: {standing}")
    _print_groups((group, getattr(found, group)) for group in SETTING_GROUPS)


def _print_groups(groups: Iterable[tuple[str, Mapping[str, SourcedValue]]]) -> None:
    for group, settings in groups:
        rows = [(key, "" if one.value is None else one.value, one.source) for key, one in settings.items()]
        print_table(group.capitalize(), (group, "value", "from"), rows)
