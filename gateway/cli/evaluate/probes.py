"""`slowwave probes show|set|clear`: the questions of its own that a store keeps."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, StoreOption, Tenant, cli_actor
from gateway.cli.console.output import print_json, print_table, say, warn
from gateway.cli.console.session import open_session
from gateway.evaluation.probe_rows import read_probes
from shared.core.evaluation.probes import find_unasked
from shared.core.tenants.store import DEFAULT_STORE
from shared.program import COMMAND
from shared.services.evaluation.own_probes import Rows, find_own_probes, set_own_probes

app = typer.Typer(no_args_is_help=True)


@app.command()
def show(tenant: Tenant, store: StoreOption = DEFAULT_STORE, as_json: AsJson = False) -> None:
    """Show the questions of its own that a store keeps. What --json prints can be set again."""
    with open_session(tenant=tenant, store=store) as session:
        rows = find_own_probes(session.ports.db, tenant, store)
    if as_json:
        print_json(rows)
    elif rows:
        shown = [(row["question"], " | ".join(_quotes(row["evidence"])), row.get("group", "")) for row in rows]
        print_table(f"Own questions of {tenant}/{store}", ("question", "evidence", "group"), shown)
    else:
        say(f"{tenant}/{store} keeps no questions of its own: {COMMAND} probes set {tenant}/{store} FILE")


@app.command("set")
def set_all(
    tenant: Tenant,
    file: Annotated[Path, typer.Argument(help="A JSON list or JSON Lines, as evaluate --probes takes.")],
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Keep the questions of a file with a store, instead of all that it has kept."""
    _keep(tenant, store, read_probes(file), as_json=as_json)


@app.command()
def clear(tenant: Tenant, store: StoreOption = DEFAULT_STORE, as_json: AsJson = False) -> None:
    """Delete all questions of its own that a store keeps."""
    _keep(tenant, store, (), as_json=as_json)


def _keep(tenant: str, store: str, rows: Rows, *, as_json: bool) -> None:
    with open_session(tenant=tenant, store=store) as session:
        kept = set_own_probes(session.ports.db, tenant, store, rows, actor=cli_actor())
    if as_json:
        print_json(kept)
    else:
        say(f"{tenant}/{store} keeps {len(kept) or 'no'} question{'' if len(kept) == 1 else 's'} of its own.")
    if unasked := find_unasked(kept):
        quoted = ", ".join(f"“{one}”" for one in unasked)
        warn(
            f"Not asked, as the quote is too short to be told from other texts or the question has no word to search for: {quoted}"
        )


def _quotes(evidence: object) -> list[str]:
    return [str(one) for one in evidence] if isinstance(evidence, list) else [str(evidence)]
