"""`slowwave pause`, `resume` and `defer`: stop dreaming, or slow it down, for all tenants, one tenant or one store."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, cli_actor
from gateway.cli.console.output import print_json, say
from gateway.cli.console.session import open_session
from shared.core.errors import BadInputError
from shared.services.tenants.pause import set_all_paused, set_defer, set_paused

MaybeTenant = Annotated[
    str | None, typer.Argument(help="The tenant, or TENANT/STORE. Required without --all.", metavar="TENANT")
]
PauseStore = Annotated[str | None, typer.Option("--store", "-s", help="Only this store. Default: the whole tenant.")]
AllTenants = Annotated[bool, typer.Option("--all", help="The whole installation.")]


def pause(
    tenant: MaybeTenant = None, store: PauseStore = None, all_tenants: AllTenants = False, as_json: AsJson = False
) -> None:
    """Stop dreaming for a tenant, one store or all tenants. --force does not override it. A running dream finishes."""
    _set_paused(tenant, store, all_tenants=all_tenants, paused=True, as_json=as_json)


def resume(
    tenant: MaybeTenant = None, store: PauseStore = None, all_tenants: AllTenants = False, as_json: AsJson = False
) -> None:
    """Resume dreaming for a tenant, one store or all tenants, and lift a quarantine. `--all` leaves paused tenants paused."""
    _set_paused(tenant, store, all_tenants=all_tenants, paused=False, as_json=as_json)


def defer(
    percent: Annotated[int, typer.Argument(min=0, max=100, help="Percentage of due stores to postpone; 0 for none.")],
    tenant: Annotated[str | None, typer.Option("--tenant", "-t", help="Only this tenant's stores.")] = None,
    as_json: AsJson = False,
) -> None:
    """Postpone a share of the due stores to another day. Which stores wait changes daily. --force overrides it."""
    with open_session(tenant=tenant) as session:
        set_defer(session.ports.db, tenant, percent, actor=cli_actor())
    if as_json:
        print_json({"tenant": tenant, "defer_percent": percent})
        return
    whose = f"{tenant}'s dreams" if tenant else "all dreams"
    say(f"{percent} % of {whose} are postponed." if percent else f"None of {whose} are postponed.")


def _set_paused(tenant: str | None, store: str | None, *, all_tenants: bool, paused: bool, as_json: bool) -> None:
    if tenant is not None and store is None and "/" in tenant:
        tenant, _, store = tenant.partition("/")
    if all_tenants == (tenant is not None) or (all_tenants and store is not None):
        raise BadInputError("Name a tenant (and --store for one of its stores), or give --all alone")
    with open_session(tenant=tenant, store=store) as session:
        if tenant is None:
            changed = set_all_paused(session.ports.db, paused=paused, actor=cli_actor())
        else:
            changed = set_paused(session.ports.db, tenant, store, paused=paused, actor=cli_actor())
    if as_json:
        print_json({"tenant": tenant, "store": store, "paused": paused, "changed": changed})
        return
    what = "All dreaming" if tenant is None else f"{tenant}/{store}" if store else tenant
    state = "paused" if paused else "dreaming again"
    say(f"{what} is {state}." if changed else f"{what} was {state} already.")
