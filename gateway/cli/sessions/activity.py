"""`slowwave activity begin|end`: mark the begin or end of an agent's turn, during which no dream runs."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, StoreOption, TenantOption, cli_actor
from gateway.cli.console.output import print_json, say
from gateway.cli.console.session import open_session
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.sessions.activity import MAX_TURN_SECONDS, mark_activity

app = typer.Typer(no_args_is_help=True)


@app.command()
def begin(
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    seconds: Annotated[
        float, typer.Option("--for", min=1, max=MAX_TURN_SECONDS, help="Seconds after which the mark expires.")
    ] = 300,
    pending: Annotated[int, typer.Option(min=0, help="Number of tasks waiting in the agent's queue.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Mark the agent as busy with a turn. Repeat this if the turn takes longer."""
    with open_session(tenant=tenant, store=store) as session:
        until = mark_activity(
            session.ports.db, tenant, store, busy_seconds=seconds, pending_tasks=pending, actor=cli_actor()
        )
    if as_json:
        print_json({"active_until": until})
    else:
        say(f"{tenant}/{store} is busy for {seconds:g} s at most")


@app.command()
def end(
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    pending: Annotated[int, typer.Option(min=0, help="Number of tasks still waiting in the agent's queue.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Mark the turn as over. The idle time that dreams wait for starts now."""
    with open_session(tenant=tenant, store=store) as session:
        mark_activity(session.ports.db, tenant, store, busy_seconds=0, pending_tasks=pending, actor=cli_actor())
    if as_json:
        print_json({"active_until": None})
    else:
        say(f"{tenant}/{store} is idle")
