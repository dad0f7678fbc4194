"""`slowwave log`: list the changes that operators made to the whole installation."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, print_list, say
from gateway.cli.console.session import open_session


def log(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of entries to list.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List the changes to the whole installation, newest first: pauses, deferrals, drains, reconciliations, deleted tenants.

    The list is append-only.
    """
    with open_session() as session:
        found = session.ports.db.installation.find_log(limit + 1)
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        print_json(found)
        return
    if not found:
        say("Nothing yet: no pause or deferral with --all, no drained worker, no deleted tenant.")
        return
    rows = [(entry.at, entry.actor, entry.action, _describe(entry.detail)) for entry in found]
    print_list("Operators' log", ("when", "who", "what", "detail"), rows, has_more=has_more)


def _describe(detail: dict[str, object]) -> str:
    rows = detail.get("rows")
    if isinstance(rows, dict):
        return f"{detail.get('tenant')}: {sum(rows.values())} rows deleted, {detail.get('left')} left"
    return ", ".join(f"{name} {value}" for name, value in detail.items())
