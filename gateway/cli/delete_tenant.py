"""`slowwave tenants delete`: a tenant and everything of its, for good."""

import sys
from typing import Annotated

import typer

from gateway.cli.actor import cli_actor
from gateway.cli.options import AsJson, Force, Tenant
from gateway.cli.output import print_json, print_table, say
from gateway.cli.session import open_session
from shared.core.errors import BadInputError
from shared.services.delete_tenant import Erasure
from shared.services.delete_tenant import delete_tenant as erase


def delete_tenant(
    tenant: Tenant,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for the name again.")] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Delete a tenant for good: memories, versions, dreams, logs, keys. Nothing of it can be undone or restored here."""
    if not yes:
        _ask(tenant)
    with open_session(tenant=tenant) as session:
        done = erase(session.ports.db, session.ports.lock, tenant, actor=cli_actor(), force=force)
    print_json(done) if as_json else _print(done)


def _ask(tenant: str) -> None:
    if not sys.stdin.isatty():
        msg = f"Everything of {tenant} would be deleted for good: give --yes if that is meant"
        raise BadInputError(msg)
    if typer.prompt(f"Everything of {tenant} is deleted for good. Its name, once more", err=True) != tenant:
        raise BadInputError("That is another name; nothing was deleted")


def _print(done: Erasure) -> None:
    print_table(f"Deleted of {done.tenant}", ("table", "rows"), list(done.rows.items()))
    keys = "Redis did not answer; keys expire by themselves" if done.keys is None else f"{done.keys} keys in Redis"
    say(f"\n{sum(done.rows.values()):,} rows deleted, {done.left} left in {len(done.rows)} tables; {keys}.")
    say("The operator's log keeps that: ./slowwave log", "dim")
