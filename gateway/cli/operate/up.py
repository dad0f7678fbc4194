"""`slowwave up`: run every process on this machine under a supervisor, until Ctrl-C."""

import contextlib
import signal
import socket
import threading
import time
from enum import StrEnum
from typing import Annotated
from urllib.parse import urlsplit

import typer

from gateway import programs
from gateway.cli.console.output import say, warn
from gateway.cli.console.session import Session, open_session
from gateway.supervisor import Supervisor
from gateway.up_lock import hold_up_lock
from shared.bootstrap import environment_of, restart_embedded_servers
from shared.core.errors import SlowwaveError
from shared.process_ports import require_schema
from shared.program import COMMAND
from shared.settings import Settings, load_settings

_LOOK_SECONDS = 2.0
#: How long the API may take to listen before `up` goes on without it, and how often it is looked at.
_START_SECONDS, _PAUSE_SECONDS = 30.0, 0.1


class Pool(StrEnum):
    """The Celery worker pool; docs/adr/0006 compares the two."""

    THREADS = "threads"
    PREFORK = "prefork"


def up(
    with_flower: Annotated[
        bool,
        typer.Option(
            "--flower/--no-flower", help="Start Flower too: a read-only live view of workers and tasks, with a login."
        ),
    ] = True,
    pool: Annotated[Pool | None, typer.Option(help="The worker's Celery pool.")] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", "-c", min=1, max=512, help="Number of phases that run at once.")
    ] = None,
) -> None:
    """Start PostgreSQL, Redis, worker, beat, the API and Flower on this machine. Servers configured by URL are used instead."""
    chosen = {"worker_pool": pool and str(pool), "worker_concurrency": concurrency}
    settings = load_settings().model_copy(update={name: value for name, value in chosen.items() if value})
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopped.set())
    while not stopped.is_set():
        _run(settings, stopped, with_flower=with_flower)
    say("Stopped.")


def _run(settings: Settings, stopped: threading.Event, *, with_flower: bool) -> None:
    """Run every process until a stop is requested or an embedded server restarts at another address."""
    if settings.is_embedded:
        say("Starting PostgreSQL and Redis … (Ctrl-C stops)", "dim")
    with open_session(settings) as session, hold_up_lock(session.settings.data_dir):
        require_schema(session.settings)
        api, address = programs.api(settings.api_host, settings.api_port)
        tell_taken_ports(settings, address)
        wanted = [
            programs.worker(settings.worker_concurrency, settings.worker_pool),
            programs.beat(settings.data_dir.resolve()),
            api,
        ]
        logs = session.settings.data_dir / "logs"
        lines = [
            f"Console  {address}/console",
            f"API      {address}",
            f"data     {settings.data_dir.resolve()}",
            f"logs     {logs}",
        ]
        if settings.metrics_port is not None:
            wanted.append(programs.metrics(settings.metrics_port))
            lines.append(f"metrics  http://127.0.0.1:{settings.metrics_port}/metrics")
        if with_flower:
            program, flower, login = programs.build_flower()
            wanted.append(program)
            lines.insert(0, f"Flower   {flower}  (login {login})")
        if stopped.is_set():
            return
        say(f"Starting {_list_programs(with_flower=with_flower)} …", "dim")
        environment = environment_of(session.settings)
        with Supervisor(tuple(wanted), environment, session.settings.data_dir / "logs", warn):
            if not _wait_for_api(address, stopped):
                warn(f"The API does not answer yet; {logs / 'api.log'} says why.")
            if not stopped.is_set():
                _say_what_is_up(lines, with_flower=with_flower)
            _watch_servers(settings, session, stopped)
            say("Stopping …")


def _say_what_is_up(lines: list[str], *, with_flower: bool) -> None:
    say(f"slowwave is up: PostgreSQL, Redis, {_list_programs(with_flower=with_flower)}", "bold green")
    for line in lines:
        say(f"  {line}")
    say("\nIn another terminal:", "bold")
    say(f"  {COMMAND} import DIR --tenant acme")
    say(f"  {COMMAND} dream acme --force")
    say(f"  {COMMAND} keys create acme --role admin     # a key to sign in at the console")
    say("\nCtrl-C stops everything.")


def _list_programs(*, with_flower: bool) -> str:
    return "worker, beat, API" + (", Flower" if with_flower else "")


def tell_taken_ports(settings: Settings, address: str) -> None:
    """Warn of ports that another program uses, and say what happens instead."""
    wanted, got = settings.api_port, urlsplit(address).port
    if wanted not in {0, got}:
        warn(
            f"Port {wanted} of {settings.api_host} is in use, so the API is at port {got}; SLOWWAVE_API_PORT sets another."
        )
    metrics = settings.metrics_port
    if metrics is not None and not programs.is_free("127.0.0.1", metrics):
        warn(f"Port {metrics} is in use, so there are no metrics until it is free; SLOWWAVE_METRICS_PORT sets another.")


def _wait_for_api(address: str, stopped: threading.Event) -> bool:
    """Wait until the API accepts connections, so that the printed addresses work; return whether it does."""
    parts = urlsplit(address)
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and not stopped.wait(_PAUSE_SECONDS):
        with contextlib.suppress(OSError), socket.create_connection((parts.hostname, parts.port or 80), timeout=1):
            return True
    return stopped.is_set()


def _watch_servers(settings: Settings, session: Session, stopped: threading.Event) -> None:
    """Start embedded servers again when they die; return when it is time to stop, or when an address changed."""
    while not stopped.wait(_LOOK_SECONDS):
        try:
            found = restart_embedded_servers(settings)
        except SlowwaveError as error:
            warn(f"A server stopped and cannot be restarted: {error}")
            continue
        if found is None:
            continue
        warn("A server stopped and was restarted.")
        if environment_of(found) != environment_of(session.settings):
            warn("Its address changed: restarting worker, beat and API.")
            return
