"""A receiver of webhooks of one's own, and what a tenant has set up for it."""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import psycopg

from shared.adapters.webhooks.http_sender import HttpWebhookSender, Resolve
from shared.all_ports import Ports
from shared.core.webhooks.endpoint import Delivery, WebhookEndpoint
from shared.core.webhooks.retries import WebhookPolicy
from shared.ports.webhooks import DeliveryFilter
from shared.services.dreams.cancel import cancel_dream
from shared.services.webhooks.deliver import claim_deliveries, deliver_webhook
from shared.services.webhooks.endpoints import (
    IssuedEndpoint,
    NewEndpoint,
    create_endpoint,
    find_deliveries,
    find_endpoints,
)
from tests.integration.gates.gate_support import start
from tests.support.builders import a_store

TENANT = "acme"
#: Receivers of tests live on this machine, which real ones must not.
LOCAL = WebhookPolicy(allow_http=True, allow_networks=("127.0.0.0/8",), backoff_seconds=0, timeout_seconds=5)


@dataclass(frozen=True, kw_only=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """Answers with `answers` in turn, the last one for ever: a status, or what writes the answer itself."""

    port: int = 0
    answers: list[int | Callable[[BaseHTTPRequestHandler], None]] = field(default_factory=lambda: [204])
    received: list[Received] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks"


@contextmanager
def a_receiver(*answers: int | Callable[[BaseHTTPRequestHandler], None]) -> Iterator[Receiver]:
    """A receiver that listens until the end of the block."""
    receiver = Receiver(answers=list(answers) or [204])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(receiver))
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        receiver.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.received.append(Received(path=self.path, headers=headers, body=body))
            answer = receiver.answers.pop(0) if len(receiver.answers) > 1 else receiver.answers[0]
            if callable(answer):
                answer(self)
                return
            self.send_response(answer)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


def local_ports(ports: Ports, resolve: Resolve | None = None, **policy: Any) -> Ports:
    """The same ports with webhooks that may go to this machine."""
    wanted = replace(LOCAL, **policy)
    settings = ports.settings.model_copy(update={"webhooks": wanted})
    return replace(ports, settings=settings, webhooks=HttpWebhookSender(wanted, resolve))


def an_endpoint(ports: Ports, tenant: str, url: str, **wanted: Any) -> IssuedEndpoint:
    a_store(ports, tenant)
    return create_endpoint(ports, tenant, NewEndpoint(url=url, **wanted), actor="a test")


def deliver_due(ports: Ports, rounds: int = 1) -> list[Delivery | None]:
    """Claim and deliver what is due, as a sweep and its workers do, in as many rounds."""
    return [deliver_webhook(ports, one) for _ in range(rounds) for one in claim_deliveries(ports)]


def make_due(owner: psycopg.Connection) -> None:
    """As if all waiting were over."""
    owner.execute(
        "UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 second', lease_until = NULL WHERE state = 'pending' AND next_attempt_at IS NOT NULL"
    )


def deliveries(ports: Ports, tenant: str = TENANT) -> list[Delivery]:
    return find_deliveries(ports.db, tenant, DeliveryFilter(), limit=100)


def endpoint(ports: Ports, tenant: str = TENANT) -> WebhookEndpoint:
    return find_endpoints(ports.db, tenant)[0]


def a_message(ports: Ports, tenant: str = TENANT) -> str:
    """A dream that ended, which is told."""
    dream_id = queue_dream(ports, tenant)
    cancel_dream(ports.db, tenant, dream_id, actor="a test")
    return dream_id


def queue_dream(ports: Ports, tenant: str = TENANT) -> str:
    dream = start(ports, tenant, force=True).dream
    assert dream is not None
    return dream.id


def verify(secret: str, received: Received) -> bool:
    """As docs/integration.md has it."""
    signed = f"{received.id}.{received.headers['webhook-timestamp']}.".encode() + received.body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = received.headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(expected, one) for one in given)
