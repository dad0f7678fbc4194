"""`slowwave cost`: who spends on models."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, print_table, say
from gateway.cli.console.session import open_session
from shared.core.questions.prices import say_cost
from shared.ports.tenants import Cost, CostBy


def cost(
    tenant: Annotated[str | None, typer.Argument(help="Only this tenant; all if left out.", metavar="TENANT")] = None,
    by: Annotated[CostBy | None, typer.Option("--by", help="What is summed up; tenants, or a tenant's stores.")] = None,
    days: Annotated[int, typer.Option("--days", min=1, max=92, help="So many days (UTC), today the last one.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Show what model calls came to, by tenant, store, model or day, the dearest first."""
    wanted = by or (CostBy.STORE if tenant else CostBy.TENANT)
    with open_session(tenant=tenant) as session:
        db = session.ports.db
        if tenant is None:
            found = db.installation.find_costs(days, wanted)
        else:
            with db.transaction(tenant) as uow:
                found = uow.statistics.find_costs(days, wanted)
    if as_json:
        print_json(found)
    elif not found:
        say(f"No model was called in the last {days} days.")
    else:
        print_table(f"Costs of {days} days", (str(wanted), "calls", "tokens", "cost"), [_row(one) for one in found])


def _row(one: Cost) -> tuple[object, ...]:
    return one.name, one.model_calls, one.tokens, say_cost(one.cost_usd, one.tokens)
