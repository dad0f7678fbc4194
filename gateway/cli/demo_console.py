"""The end of the demo on a terminal: the console over the demo's tenant, until Ctrl-C."""

import signal
import threading

from gateway.cli.output import say
from gateway.cli.session import Session
from shared.core.access import Role
from shared.core.dream import Trigger
from shared.services.manage_keys import NewKey, create_key
from shared.services.send_dream import send_dream
from shared.services.start_dream import start_dream


def keep_console_up(session: Session, tenant: str, address: str) -> None:
    """Start another dream, so that there is something to watch and to review; say where and how; wait for Ctrl-C."""
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopped.set())
    ports = session.ports
    wanted = NewKey(name="the demo", role=Role.OPERATOR, expires_days=1)
    key = create_key(ports.db, ports.ids, tenant, wanted, actor="demo", actor_role=Role.OPERATOR)
    started = start_dream(ports.db, tenant, trigger=Trigger.CLI, force=True, actor="demo")
    if started.dream is not None:
        send_dream(ports.db, ports.dispatch, started.dream)
    say(f"\n  Console  {address}/console", "bold green")
    say(f"  Key      {key.token}")
    say("\nCtrl-C ends the demo.")
    stopped.wait()
    say("Stopping …")
