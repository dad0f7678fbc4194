"""`slowwave workers list|drain`: list the workers with their dreams, and drain them.

`slowwave reconcile`: one pass of the stalled-dreams sweep by hand.
"""

from typing import Annotated

import typer
from kombu.exceptions import OperationalError

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, cli_actor
from gateway.cli.console.output import print_json, print_list, say, warn
from gateway.cli.console.session import open_session
from shared.adapters.redis.worker_pulse import SeenWorker, find_workers
from shared.bootstrap import make_control_app, redis_url
from shared.core.errors import ConflictError, NotFoundError, ServiceUnavailableError
from shared.program import COMMAND
from shared.services.dreams import send as service
from shared.settings import Settings

app = typer.Typer(no_args_is_help=True)
_REPLY_SECONDS = 5.0


@app.command("list")
def list_workers(as_json: AsJson = False) -> None:
    """List the workers that sent a heartbeat within the last 45 s."""
    with open_session() as session:
        found = find_workers(redis_url(session.settings))
    if as_json:
        print_json(found)
    elif not found:
        say(f"No worker sends heartbeats. Start one: {COMMAND} up")
    else:
        columns = ("worker", "pid", "pool", "at once", "pulse", "dreams in flight")
        print_list("Workers", columns, [_row(worker) for worker in found])


@app.command()
def drain(
    worker: Annotated[str | None, typer.Argument(help="The worker's name, as `workers list` shows it.")] = None,
    every_worker: Annotated[bool, typer.Option("--all", help="Drain every worker.")] = False,
    as_json: AsJson = False,
) -> None:
    """Drain a worker: it takes no new work, finishes or releases its phases, and exits with 0. Its supervisor then restarts it."""
    if (worker is None) != every_worker:
        msg = "Name a worker, or give --all"
        raise typer.BadParameter(msg)
    with open_session() as session:
        known = [seen.name for seen in find_workers(redis_url(session.settings))]
        if not known or (worker is not None and worker not in known):
            missing = f"Worker {worker} sends no heartbeat" if worker else "No worker sends heartbeats"
            msg = f"{missing}; running workers: {', '.join(known) or 'none'}"
            raise NotFoundError(msg)
        answered = _ask(session.settings, [worker] if worker else known)
        if not answered:
            msg = "No worker answered: drain prefork workers with SIGTERM; otherwise the broker may be down"
            raise ConflictError(msg)
        session.ports.db.installation.record(cli_actor(), "workers.drain", workers=sorted(answered))
    if as_json:
        print_json(answered)
        return
    for name, seconds in answered.items():
        say(f"{name} is draining: it exits within {seconds:g} s, and other workers resume its dreams.")


def _ask(settings: Settings, names: list[str]) -> dict[str, float]:
    """Ask workers to drain; return the seconds within which each one that answered will exit."""
    control = make_control_app(settings, "slowwave-control")
    try:
        replies = control.control.broadcast(
            "drain", destination=names, reply=True, timeout=_REPLY_SECONDS, limit=len(names)
        )
    except OperationalError as error:
        msg = f"The broker does not answer ({error}); start Redis or check SLOWWAVE_REDIS_URL"
        raise ServiceUnavailableError(msg) from error
    finally:
        control.close()
    told = {name: answer for reply in replies or [] for name, answer in reply.items()}
    return {
        name: float(answer["gone_within_seconds"]) for name, answer in told.items() if "gone_within_seconds" in answer
    }


def _row(worker: SeenWorker) -> tuple[object, ...]:
    facts = worker.facts
    doing = ("leaving; " if facts.is_draining else "") + (", ".join(facts.dreams) or "none")
    return worker.name, str(facts.pid), facts.pool, facts.concurrency, f"{worker.seconds_ago:.0f}s ago", doing


def reconcile(
    republish: Annotated[
        bool,
        typer.Option(
            "--republish",
            help="Also send every queued dream again, even if it was sent a moment ago: for a broker that lost its messages.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Dispatch stalled dreams again: running ones whose worker is gone and queued ones that no worker has claimed."""
    with open_session() as session:
        ports = session.ports
        unsent_seconds = 0.0 if republish else ports.settings.reconcile_seconds
        done = service.reconcile(ports.db, ports.dispatch, unsent_seconds=unsent_seconds, actor=cli_actor())
    print_json(done) if as_json else say(f"{done.found} dreams had stalled; {done.sent} were sent again.")
    if done.sent < done.found:
        warn("The broker did not accept the others; the next pass sends them.")
        raise typer.Exit(ExitCode.UNAVAILABLE)
