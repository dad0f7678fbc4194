"""What every command needs: settings, servers (joined or started for as long as the command runs), ports."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from celery import Celery

from gateway.cli.known import check_known
from shared.adapters.celery.config import celery_config
from shared.bootstrap import broker_url, local_servers, make_ports
from shared.ports.all_ports import Ports
from shared.settings import Settings, load_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Settings with every URL set, and the ports made from them."""

    settings: Settings
    ports: Ports
    is_embedded: bool  # the servers are slowwave's own, so that a worker of this machine is wanted, too


@contextmanager
def open_session(
    settings: Settings | None = None, *, tenant: str | None = None, store: str | None = None
) -> Iterator[Session]:
    """Join the servers, or start them for this command. Raises what they say when that does not work.

    Args:
        settings: those of the environment if left out.
        tenant: must be there; NotFoundError says what was probably meant.
        store: must be one of the tenant's.
    """
    wanted = settings or load_settings()
    with local_servers(wanted) as found:
        app = Celery("slowwave-cli", set_as_current=False)
        app.conf.update(celery_config(found, broker_url(found)))
        ports = make_ports(found, app)
        try:
            if tenant is not None:
                check_known(ports.db, tenant, store)
            yield Session(settings=found, ports=ports, is_embedded=wanted.is_embedded)
        finally:
            app.close()
            ports.close()
