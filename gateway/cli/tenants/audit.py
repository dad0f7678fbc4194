"""`slowwave audit list`: list who changed what, through any interface."""

from datetime import datetime
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, print_list, say
from gateway.cli.console.session import open_session
from shared.core.errors import BadInputError
from shared.core.tenants.audit import AuditEntry, say_detail
from shared.ports.tenants import AuditFilter
from shared.services.tenants.audit import find_audit, find_audit_of_all

app = typer.Typer(no_args_is_help=True)


@app.callback()
def audit() -> None:
    """Read the audit log. It is append-only; retention deletes old entries."""


@app.command("list")
def list_entries(
    tenant: Annotated[str | None, typer.Argument(help="The tenant. Required without --all.", metavar="TENANT")] = None,
    all_tenants: Annotated[bool, typer.Option("--all", help="Entries of all tenants and of the installation.")] = False,
    actor: Annotated[
        str | None, typer.Option("--actor", help="Only entries by this actor, such as key:key_… or cli:ann.")
    ] = None,
    action: Annotated[
        str | None, typer.Option("--action", help="Only this action, or this kind of action, such as memory.")
    ] = None,
    day: Annotated[
        datetime | None, typer.Option("--day", formats=["%Y-%m-%d"], help="Only entries of this day (UTC).")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of entries to list.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List changes, newest first."""
    if all_tenants == (tenant is not None):
        raise BadInputError("Name a tenant, or give --all alone")
    wanted = AuditFilter(actor=actor, action=action, day=day.date() if day else None)
    with open_session(tenant=tenant) as session:
        db = session.ports.db
        found = (
            find_audit(db, tenant, wanted, limit=limit + 1)
            if tenant
            else find_audit_of_all(db, wanted, limit=limit + 1)
        )
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        print_json(found)
    elif not found:
        say(
            "Nothing has been changed, as far back as the log goes."
            if wanted == AuditFilter()
            else "No change matches."
        )
    else:
        columns = ("when", "who", "what", "target") if tenant else ("when", "tenant", "who", "what", "target")
        rows = [_row(one, with_tenant=tenant is None) for one in found]
        print_list("Audit log", columns, rows, has_more=has_more)


def _row(one: AuditEntry, *, with_tenant: bool) -> tuple[object, ...]:
    """Return a row of the table, with counts where `--json` has full details."""
    whose = (one.tenant_id or "",) if with_tenant else ()
    return (one.at, *whose, one.actor, one.action, say_detail(one.detail))
