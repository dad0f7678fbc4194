"""`slowwave dreams redrive`: another try for dreams that failed."""

from typing import Annotated

import typer

from gateway.cli.actor import cli_actor
from gateway.cli.dreams import find_dream_id
from gateway.cli.exit_codes import ExitCode
from gateway.cli.options import AsJson, Tenant
from gateway.cli.output import print_json, say, warn
from gateway.cli.session import open_session
from shared.core.errors import BadInputError
from shared.services.redrive_dream import Redriven, find_failed, redrive_dream
from shared.services.send_dream import send_dream


def redrive(
    tenant: Tenant,
    dream_id: Annotated[str | None, typer.Argument(help="A failed dream or the beginning of its id.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every store whose last dream failed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Queue a new dream for each that ended in error; a worker runs it. A pause and an active dream are respected."""
    if everything == (dream_id is not None):
        raise BadInputError("Name a failed dream, or give --all")
    with open_session(tenant=tenant) as session:
        ports = session.ports
        wanted = find_failed(ports.db, tenant) if dream_id is None else [find_dream_id(ports, tenant, dream_id)]
        done = [redrive_dream(ports.db, tenant, failed, actor=cli_actor()) for failed in wanted]
        for one in done:
            if one.dream is not None and (problem := send_dream(ports.db, ports.dispatch, one.dream)) is not None:
                warn(f"{problem}. {one.dream.id} is queued and starts when the broker is back.")
    if as_json:
        print_json([_as_json(one) for one in done])
    else:
        _print(done)
    if any(one.dream is None for one in done):
        raise typer.Exit(ExitCode.REFUSED)


def _print(done: list[Redriven]) -> None:
    if not done:
        say("No store's last dream failed.")
    for one in done:
        said = f"queued as {one.dream.id}" if one.dream else f"not redriven: {one.refused}"
        say(f"{one.store}  {one.failed}  {said}")


def _as_json(one: Redriven) -> dict[str, object]:
    new_id = one.dream.id if one.dream else None
    return {"failed": one.failed, "store": one.store, "dream": new_id, "refused": one.refused}
