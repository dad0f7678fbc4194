"""`slowwave tenants` and `stores`: create, list and change tenants and stores.

`slowwave tenants delete` and `stores delete`: delete a tenant or a store with everything in it, for good.
"""

from typing import Annotated

import typer

from gateway.cli.console.confirm import Yes, confirm_deletion
from gateway.cli.console.options import AsJson, Tenant, cli_actor
from gateway.cli.console.output import ago, print_json, print_list, print_table, say
from gateway.cli.console.session import open_session
from gateway.cli.console.sources import tell_database
from gateway.cli.tenants import model_options as options
from gateway.cli.tenants import tenant_options as limits
from gateway.cli.tenants.arms import list_arms
from gateway.cli.tenants.preview import print_preview
from gateway.cli.tenants.show import show_store, show_tenant
from gateway.phases import get_phases
from shared.core.errors import BadInputError
from shared.core.policy.policy import Autonomy
from shared.core.policy.profiles import read_value
from shared.core.tenants.store import DEFAULT_STORE, Store, check_name
from shared.core.tenants.store import Tenant as SavedTenant
from shared.program import COMMAND
from shared.services.memories.write import ensure_store
from shared.services.tenants.configure import StoreChanges, TenantChanges, configure_store, configure_tenant
from shared.services.tenants.delete import Erasure
from shared.services.tenants.delete import delete_tenant as erase
from shared.services.tenants.delete_store import delete_store as erase_store
from shared.services.tenants.preview_policy import MAX_DAYS, preview_store
from shared.services.tenants.stores import get_store
from shared.settings import load_settings

tenants = typer.Typer(no_args_is_help=True)
stores = typer.Typer(no_args_is_help=True)
tenants.command("show")(show_tenant)
stores.command("show")(show_store)
stores.command("arms")(list_arms)


@tenants.command("list")
def list_tenants(as_json: AsJson = False) -> None:
    """List all tenants."""
    rows = []
    with open_session() as session:
        for tenant_id in session.ports.db.sweeps.find_tenants():
            with session.ports.db.transaction(tenant_id) as uow:
                tenant, found = uow.stores.get_tenant(), uow.stores.find_all()
                rows.append((tenant, found, uow.calls.count_tokens_today()))
    if as_json:
        keys = ("tenant", "stores", "quarantined", "tokens_today")
        print_json(
            [
                dict(zip(keys, (tenant, len(found), _count_quarantined(found), used), strict=True))
                for tenant, found, used in rows
            ]
        )
        return
    if not rows:
        say(f"No tenants yet. Make one: {COMMAND} tenants create NAME, or {COMMAND} import DIR --tenant NAME")
        return
    columns = ("tenant", "stores", "dreams", "at once", "tokens today", "model", "state")
    print_list("Tenants", columns, [_tenant_row(tenant, found, used) for tenant, found, used in rows])


def _tenant_row(tenant: SavedTenant, found: list[Store], tokens_today: int) -> tuple[object, ...]:
    return (
        tenant.id,
        len(found),
        sum(store.total_dreams for store in found),
        tenant.max_concurrent_dreams,
        tokens_today,
        tenant.llm.get("model") or tenant.llm.get("adapter", ""),
        _tenant_state(found, is_paused=tenant.paused_at is not None),
    )


def _tenant_state(found: list[Store], *, is_paused: bool) -> str:
    quarantined = _count_quarantined(found)
    told = ["paused"] if is_paused else []
    return ", ".join([*told, *([f"{quarantined} in quarantine"] if quarantined else [])])


def _count_quarantined(found: list[Store]) -> int:
    return sum(store.is_quarantined for store in found)


@tenants.command("create")
def create_tenant(tenant: Tenant, as_json: AsJson = False) -> None:
    """Create a tenant with a store named `default`. Does nothing if the tenant exists."""
    _create(tenant, DEFAULT_STORE, as_json=as_json)


@stores.command("create")
def create_store(
    store: Annotated[str, typer.Argument(help="TENANT/STORE; the tenant must exist.")], as_json: AsJson = False
) -> None:
    """Create another store for a tenant. Does nothing if the store exists."""
    tenant, _, name = store.partition("/")
    _create(tenant, name or DEFAULT_STORE, needs_tenant=True, as_json=as_json)


def _create(tenant: str, store: str, *, needs_tenant: bool = False, as_json: bool) -> None:
    check_name("store", store)
    with open_session(tenant=tenant if needs_tenant else None) as session:
        is_new = ensure_store(session.ports.db, tenant, store, actor=cli_actor())
    if as_json:
        print_json({"tenant": tenant, "store": store, "created": is_new})
    else:
        say(f"{tenant}/{store} {'is created' if is_new else 'exists already'}.")


@tenants.command("set")
def set_tenant(
    tenant: Tenant,
    max_concurrent: limits.MaxConcurrent = None,
    tokens_per_day: limits.TokensPerDay = None,
    usd_per_day: limits.UsdPerDay = None,
    usd_per_month: limits.UsdPerMonth = None,
    llm: options.Adapter = None,
    model: options.Models = None,
    better_model: options.BetterModel = None,
    base_url: options.BaseUrl = None,
    region: options.Region = None,
    project: options.Project = None,
    api_key_variable: options.KeyVariable = None,
    batch: options.Batch = None,
    time_zone: limits.TimeZone = None,
    quiet_hours: limits.QuietHours = None,
    locale: limits.Locale = None,
    model_calls_per_minute: limits.CallsPerMinute = None,
    model_calls_at_once: limits.CallsAtOnce = None,
    as_json: AsJson = False,
) -> None:
    """Change a tenant's limits, clock and model. Options that are left out change nothing."""
    chosen = options.list_chosen(llm, model, better_model, base_url, region, project, api_key_variable, batch)
    changes = TenantChanges(
        max_concurrent_dreams=max_concurrent,
        tokens_per_day=tokens_per_day,
        **limits.split_budgets(usd_per_day=usd_per_day, usd_per_month=usd_per_month),
        time_zone=time_zone,
        quiet_hours=quiet_hours,
        locale=locale,
        model_calls_per_minute=model_calls_per_minute,
        model_calls_at_once=model_calls_at_once,
        llm=chosen,
    )
    with open_session(tenant=tenant) as session:
        db = session.ports.db
        changed = configure_tenant(db, tenant, changes=changes, actor=cli_actor(), phases=get_phases())
    options.warn_of_unknown(chosen, session.settings)
    print_json(changed) if as_json else say(f"{tenant} is set.")


@stores.command("list")
def list_stores(tenant: Tenant, as_json: AsJson = False) -> None:
    """List a tenant's stores."""
    with open_session(tenant=tenant) as session, session.ports.db.transaction(tenant) as uow:
        uow.stores.get_tenant()
        found = uow.stores.find_all()
    if as_json:
        print_json(found)
        return
    columns = ("store", "profile", "autonomy", "dreams", "last dream", "curations", "next look", "state")
    print_list(f"Stores of {tenant}", columns, [_row(store) for store in found])


_Arm = Annotated[
    str | None, typer.Option(help='The arm that the store belongs to, to compare it with others; "" for none.')
]
_Unset = Annotated[
    list[str] | None, typer.Option("--unset", help="Reset a setting to the profile's value; may be repeated.")
]
_Days = Annotated[
    int | None,
    typer.Option("--days", min=1, max=MAX_DAYS, help="With --preview: the number of days up to today. Default: 7."),
]
_Preview = Annotated[
    bool, typer.Option("--preview", help="Change nothing; show when the store would have dreamt with these settings.")
]


@stores.command("set")
def set_store(
    store: Annotated[str, typer.Argument(help="TENANT/STORE, or TENANT for its default store.")],
    profile: Annotated[str | None, typer.Option(help="A preset of gates, phases and thresholds.")] = None,
    autonomy: Annotated[Autonomy | None, typer.Option(help="How much a dream may do without a person.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting, such as gates.min_hours=4; may be repeated.")
    ] = None,
    unset: _Unset = None,
    llm: options.Adapter = None,
    model: options.Models = None,
    better_model: options.BetterModel = None,
    base_url: options.BaseUrl = None,
    region: options.Region = None,
    project: options.Project = None,
    api_key_variable: options.KeyVariable = None,
    batch: options.Batch = None,
    arm: _Arm = None,
    preview: _Preview = False,
    days: _Days = None,
    as_json: AsJson = False,
) -> None:
    """Change a store's profile, autonomy, settings or model. Options that are left out change nothing."""
    if days is not None and not preview:
        raise typer.BadParameter("Use it only with --preview", param_hint="--days")
    tenant, _, name = store.partition("/")
    chosen = options.list_chosen(llm, model, better_model, base_url, region, project, api_key_variable, batch)
    overrides = dict(_parse(setting) for setting in settings or [])
    changes = StoreChanges(
        profile=profile, autonomy=autonomy, overrides=overrides, unset=unset or (), llm=chosen, arm=arm
    )
    with open_session(tenant=tenant, store=name or DEFAULT_STORE) as session:
        db, where, phases = session.ports.db, (tenant, name or DEFAULT_STORE), get_phases()
        if preview:
            print_preview(preview_store(db, *where, changes=changes, phases=phases, days=days or 7), as_json=as_json)
            return
        changed = configure_store(db, *where, changes=changes, phases=phases, actor=cli_actor())
    options.warn_of_unknown(chosen, session.settings)
    print_json(changed) if as_json else say(f"{tenant}/{changed.name} is set.")


@stores.command("delete")
def delete_store(
    store: Annotated[str, typer.Argument(help="TENANT/STORE, or TENANT for its default store.")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete a store for good: memories, versions, sessions, dreams. Copies that dreams made of it are kept."""
    tenant, _, name = store.partition("/")
    name = name or DEFAULT_STORE
    settings = load_settings()
    tell_database(settings)
    confirm_deletion(f"Everything of {tenant}/{name}", name, yes=yes)
    with open_session(settings, tenant=tenant, store=name) as session:
        found = get_store(session.ports.db, tenant, name)
        rows = erase_store(session.ports.db, tenant, found.id, actor=cli_actor())
    if as_json:
        print_json({"tenant": tenant, "store": name, "rows": rows})
        return
    print_table(f"Deleted of {tenant}/{name}", ("table", "rows"), list(rows.items()))


def _parse(setting: str) -> tuple[str, object]:
    key, equals, value = setting.partition("=")
    if not equals:
        msg = f"--set takes KEY=VALUE, such as gates.min_hours=4, not {setting!r}"
        raise BadInputError(msg)
    return key.strip(), read_value(value)


def _row(store: Store) -> tuple[object, ...]:
    return (
        store.name,
        store.profile,
        store.autonomy,
        store.total_dreams,
        ago(store.last_dream_at),
        store.curations,
        ago(store.next_check_at) if store.next_check_at else "after a write",
        "paused" if store.paused_at else "quarantined" if store.is_quarantined else "",
    )


@tenants.command("delete")
def delete_tenant(
    tenant: Tenant,
    yes: Yes = False,
    force: Annotated[
        bool, typer.Option("--force", help="Delete even while a dream is running, and end the dream.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a tenant for good: memories, versions, dreams, logs, keys. This cannot be undone."""
    settings = load_settings()
    tell_database(settings)
    confirm_deletion(f"Everything of {tenant}", tenant, yes=yes)
    with open_session(settings, tenant=tenant) as session:
        done = erase(session.ports.db, session.ports.lock, tenant, actor=cli_actor(), force=force)
    print_json(done) if as_json else _print(done)


def _print(done: Erasure) -> None:
    print_table(f"Deleted of {done.tenant}", ("table", "rows"), list(done.rows.items()))
    keys = "Redis did not answer; its keys expire by themselves" if done.keys is None else f"{done.keys} keys in Redis"
    say(f"\n{sum(done.rows.values()):,} rows deleted, {done.left} left in {len(done.rows)} tables; {keys}.")
    say(f"The deletion is recorded in the installation's log: {COMMAND} log", "dim")
