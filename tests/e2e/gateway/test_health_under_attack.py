"""A server that is sent the largest junk it takes, by many at once, still answers its health check."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest

from gateway.api.http.body_bounds import BoundedRoute
from gateway.api.resources import ROUTERS
from gateway.api.v1 import ROUTERS as ANTHROPIC_ROUTERS
from shared.core.tenants.roles import Role
from shared.settings import Settings
from tests.e2e.gateway.test_anthropic_sdk import a_server
from tests.integration.access.api_routes import BODIES, MISSING
from tests.integration.api.api_support import a_token, bearer
from tests.integration.limits.junk import junk
from tests.support.builders import a_store
from tests.support.servers import open_ports

_AT_ONCE, _LOOKS = 8, 12
#: Generous: a machine that runs other tests answers slowly, and a server that stands still does not answer at all.
_BOUND_SECONDS = 10.0


def _bodies() -> Iterator[tuple[str, str, bytes]]:
    """Yield the method, the path and the junk of every route with a body, as far as it may be large."""
    routes = (route for router in (*ROUTERS, *ANTHROPIC_ROUTERS) for route in router.routes)
    known = {
        (method.lower(), route.path_format): route
        for route in routes
        if isinstance(route, BoundedRoute)
        for method in route.methods or ()
    }
    for place, example in BODIES.items():
        for sent in junk(known[place], example):
            yield place[0], place[1].format(**MISSING | {"store": "default"}), sent


@pytest.mark.thorough
def test_health_is_answered_while_many_send_the_largest_junk(
    fresh_settings: Settings, tmp_path: Path, tenant: str
) -> None:
    with open_ports(fresh_settings) as ports:
        a_store(ports, tenant)
        headers = bearer(a_token(ports, tenant, Role.ADMIN, rate_per_minute=1_000_000))
    over, everything = Event(), list(_bodies())
    log = tmp_path / "serve.log"

    def send(first: int, address: str) -> list[int]:
        """Send junk until it is over; return the statuses that came back."""
        statuses = []
        with httpx.Client(
            base_url=address, headers=headers | {"content-type": "application/json"}, timeout=60
        ) as client:
            for number in range(first, 1_000_000, _AT_ONCE):
                method, path, sent = everything[number % len(everything)]
                statuses.append(client.request(method, path, content=sent).status_code)
                if over.is_set():
                    break
        return statuses

    with a_server(fresh_settings, log) as address, ThreadPoolExecutor(_AT_ONCE) as pool:
        senders = [pool.submit(send, first, address) for first in range(_AT_ONCE)]
        try:
            for path in ("/healthz", "/readyz") * (_LOOKS // 2):
                begun = time.monotonic()
                assert httpx.get(address + path, timeout=_BOUND_SECONDS).status_code == 200
                assert time.monotonic() - begun < _BOUND_SECONDS
                time.sleep(0.2)
        finally:
            over.set()
        statuses = [status for sender in senders for status in sender.result()]
    assert len(statuses) > _AT_ONCE
    assert all(400 <= status < 500 for status in statuses), sorted(set(statuses))
    assert "Traceback" not in log.read_text()
