"""`slowwave retention run|set|show`: purge old rows, and change or show how long a tenant's rows are kept."""

from dataclasses import asdict
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, Tenant, cli_actor
from gateway.cli.console.output import print_json, print_table, say
from gateway.cli.console.session import open_session
from gateway.cli.console.sources import tell_database, tell_retention
from shared.core.errors import BadInputError
from shared.core.policy.retention import RULES, RetentionPolicy, get_retention
from shared.ports.database import Database
from shared.services.tenants.configure import set_retention
from shared.services.tenants.purge import purge_expired

app = typer.Typer(no_args_is_help=True)


@app.callback()
def retention() -> None:
    """Purge old rows by hand (a sweep does so daily), and set for how many days rows are kept."""


@app.command("set")
def set_days(
    tenant: Tenant,
    days: Annotated[
        list[str],
        typer.Option("--days", help="A rule, such as versions=90; a rule without a number resets it to the default."),
    ],
    as_json: AsJson = False,
) -> None:
    """Set for how many days rows of a tenant are kept. Rules that are not named stay as they are."""
    changes = dict(_parse(one) for one in days)
    with open_session(tenant=tenant) as session:
        policy = set_retention(session.ports.db, tenant, changes, session.settings.retention, actor=cli_actor())
    print_json(policy) if as_json else _print_policy(tenant, policy)


@app.command()
def show(tenant: Tenant, as_json: AsJson = False) -> None:
    """Show for how many days rows of a tenant are kept."""
    with open_session(tenant=tenant) as session, session.ports.db.transaction(tenant) as uow:
        policy = get_retention(session.settings.retention, uow.stores.get_tenant().retention)
    print_json(policy) if as_json else _print_policy(tenant, policy)


def _parse(setting: str) -> tuple[str, int | None]:
    rule, _, days = setting.partition("=")
    if days and not days.isdecimal():
        msg = f"--days takes RULE=DAYS, such as versions=90, not {setting!r}"
        raise BadInputError(msg)
    return rule.strip(), int(days) if days else None


def _print_policy(tenant: str, policy: RetentionPolicy) -> None:
    print_table(f"Days for which rows of {tenant} are kept", ("rule", "days"), list(asdict(policy).items()))


def _own_days(db: Database, tenants: list[str]) -> dict[str, dict[str, int]]:
    """Return the retention days that tenants override, by tenant."""
    found = {}
    for tenant in tenants:
        with db.transaction(tenant) as uow:
            if own := dict(uow.stores.get_tenant().retention):
                found[tenant] = own
    return found


@app.command()
def run(
    tenant: Annotated[str | None, typer.Argument(help="Only this tenant. Default: all.", metavar="TENANT")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Purge nothing; count the first batch.")] = False,
    as_json: AsJson = False,
) -> None:
    """Purge rows that are older than the tenant's retention. Rows that an undo may still need stay, whatever their age."""
    with open_session(tenant=tenant) as session:
        ports = session.ports
        wanted = [tenant] if tenant else ports.db.sweeps.find_tenants()
        tell_database(session.settings)
        tell_retention(session.settings, _own_days(ports.db, wanted))
        done = {
            one: purge_expired(ports.db, one, ports.settings.retention, dry_run=dry_run, actor=cli_actor())
            for one in wanted
        }
    if as_json:
        print_json(done)
        return
    touched = {one: counts for one, counts in done.items() if any(counts.values())}
    if not touched:
        say(f"Nothing is old enough to purge ({len(done)} tenants checked).")
        return
    title = "Would be purged" if dry_run else "Purged"
    print_table(
        title, ("tenant", *RULES), [(one, *(counts[rule] for rule in RULES)) for one, counts in touched.items()]
    )
