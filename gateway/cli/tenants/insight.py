"""`slowwave insight`: what a week of dreams was worth, as Markdown or JSON."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, Tenant
from gateway.cli.console.output import print_json, say
from gateway.cli.console.session import open_session
from shared.core.insight.digest import render_week
from shared.services.insight.week import get_week


def insight(
    tenant: Tenant,
    store: Annotated[str, typer.Option("--store", "-s", help="Only this store. Default: all.")] = "",
    week: Annotated[
        datetime | None,
        typer.Option(
            "--week", formats=["%Y-%m-%d"], help="A day of the week, in the tenant's time zone. Default: today."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print what a week of dreams was worth, as Markdown: what was learned, how much was right, cost, and what waits."""
    with open_session(tenant=tenant, store=store or None) as session:
        found = get_week(session.ports.db, tenant, week and week.date(), store=store)
    if as_json:
        print_json(asdict(found))
    else:
        for line in render_week(found, tenant).splitlines():
            say(line)
