"""`slowwave reconcile`: one pass of the stalled-dreams sweep by hand."""

from typing import Annotated

import typer

from gateway.cli.actor import cli_actor
from gateway.cli.exit_codes import ExitCode
from gateway.cli.options import AsJson
from gateway.cli.output import print_json, say, warn
from gateway.cli.session import open_session
from shared.services import reconcile as service


def reconcile(
    republish: Annotated[
        bool,
        typer.Option("--republish", help="Also every queued dream, however lately it was sent: the broker lost all."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Send again what stands still: dreams whose worker is gone, queued ones that nobody took."""
    with open_session() as session:
        ports = session.ports
        unsent_seconds = 0.0 if republish else ports.settings.reconcile_seconds
        done = service.reconcile(ports.db, ports.dispatch, unsent_seconds=unsent_seconds, actor=cli_actor())
    print_json(done) if as_json else say(f"{done.found} dreams stood still, {done.sent} were sent again.")
    if done.sent < done.found:
        warn("The broker did not take the others; the next pass sends them.")
        raise typer.Exit(ExitCode.UNAVAILABLE)
