"""`slowwave up`: everything on this machine, supervised; one Ctrl-C ends all."""

import signal
import threading
from typing import Annotated

import typer

from gateway import programs
from gateway.cli.output import say, warn
from gateway.cli.session import open_session
from gateway.supervisor import Supervisor
from gateway.up_lock import holding_up
from shared.bootstrap import environment_of
from shared.settings import load_settings


def up(
    with_flower: Annotated[bool, typer.Option("--flower", help="Also start Flower, read-only, with a login.")] = False,
    concurrency: Annotated[int | None, typer.Option(min=1, max=64, help="Phases at once.")] = None,
) -> None:
    """Start PostgreSQL, Redis, worker and beat here. What is configured by URL is used as it is."""
    settings = load_settings()
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopped.set())
    with open_session(settings) as session, holding_up(session.settings.data_dir):
        logs = session.settings.data_dir / "logs"
        wanted = [
            programs.worker(concurrency or settings.worker_concurrency),
            programs.beat(settings.data_dir.resolve()),
        ]
        if with_flower:
            program, address, login = programs.flower()
            wanted.append(program)
        environment = environment_of(session.settings)
        with Supervisor(tuple(wanted), environment, logs, warn):
            say("slowwave is up: PostgreSQL, Redis, worker, beat" + (", Flower" if with_flower else ""), "bold green")
            if with_flower:
                say(f"  Flower   {address}  (login {login})")
            say(f"  data     {settings.data_dir.resolve()}")
            say(f"  logs     {logs}")
            say("\nIn another terminal:", "bold")
            say("  ./slowwave import DIR --tenant acme")
            say("  ./slowwave dream acme --force")
            say("\nCtrl-C ends everything.")
            stopped.wait()
            say("Stopping …")
