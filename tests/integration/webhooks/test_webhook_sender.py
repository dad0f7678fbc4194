"""Posting to whatever a tenant has named: receivers that are hostile, slow or somewhere they should not be."""

import socket
import threading
from contextlib import nullcontext
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest

from shared.adapters.webhooks import http_sender
from shared.adapters.webhooks.http_sender import HttpWebhookSender
from shared.core.webhooks.address import NO_NAME, NO_URL
from shared.core.webhooks.retries import WebhookPolicy
from shared.ports.webhooks import PostResult
from tests.integration.webhooks.webhook_support import LOCAL, a_receiver

NOT_PUBLIC = "The name does not resolve to a public address"
QUICK = 0.4
IMPATIENT = replace(LOCAL, timeout_seconds=QUICK)


def sender(policy: WebhookPolicy = LOCAL, *addresses: str) -> HttpWebhookSender:
    """A sender for which every name has these addresses."""
    return HttpWebhookSender(policy, (lambda *_: list(addresses)) if addresses else None)


def post(found: HttpWebhookSender, url: str) -> PostResult:
    return found.post(url, {"webhook-id": "msg_1"}, '{"a":1}')


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.5", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fd00::1"]
)
def test_a_name_that_resolves_into_this_network_is_not_posted_to(address: str) -> None:
    with a_receiver() as receiver:
        strict = sender(WebhookPolicy(allow_http=True), address)
        result = post(strict, f"http://hooks.example.com:{receiver.port}/")
        assert (result.status, result.error) == (None, NOT_PUBLIC)
        assert receiver.received == []


def test_a_name_that_cannot_be_posted_to_is_told_before_anything_is_posted() -> None:
    assert sender(WebhookPolicy(), "93.184.215.14").find_fault("https://hooks.example.com/") is None
    assert sender(WebhookPolicy(), "127.0.0.1").find_fault("https://hooks.example.com/") == NOT_PUBLIC

    def nowhere(*_: object) -> list[str]:
        raise socket.gaierror

    assert HttpWebhookSender(WebhookPolicy(), nowhere).find_fault("https://hooks.example.com/") == NOT_PUBLIC


def test_one_address_of_this_network_among_public_ones_is_one_too_many() -> None:
    strict = sender(WebhookPolicy(), "93.184.215.14", "127.0.0.1")
    assert post(strict, "https://hooks.example.com/").error == NOT_PUBLIC


@pytest.mark.parametrize("host", ["localhost", "localhost.", "127.1", "0x7f000001", "2130706433", "0177.0.0.1"])
def test_other_ways_to_write_this_machine_do_not_help(host: str) -> None:
    with a_receiver() as receiver:
        result = post(sender(WebhookPolicy(allow_http=True)), f"http://{host}:{receiver.port}/")
        assert result.error in {NOT_PUBLIC, NO_NAME}
        assert receiver.received == []


@pytest.mark.parametrize("reason", ["the client's rules", "slowwave's rules"])
def test_an_address_that_no_client_can_post_to_is_a_failed_attempt(reason: str) -> None:
    """Such addresses are refused today, but an older version has stored some."""
    with (
        patch(f"{http_sender.__name__}.check_url", lambda url, _: urlsplit(url))
        if "client" in reason
        else nullcontext()
    ):
        result = post(sender(LOCAL, "127.0.0.1"), "http://1.1.1.999/hooks")
    assert (result.status, result.error) == (None, NO_URL if "client" in reason else NO_NAME)


def test_no_answer_tells_whether_a_name_exists_in_this_network() -> None:
    known = post(sender(WebhookPolicy(), "10.0.0.5"), "https://db.internal/")

    def unknown(*_: object) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    missing = post(HttpWebhookSender(WebhookPolicy(), unknown), "https://db.internal/")
    assert (known.error, known.status) == (missing.error, missing.status)


def test_the_name_is_resolved_once_and_what_was_checked_is_connected_to() -> None:
    """A name that is public when it is checked and this machine when it is connected to wins nothing."""
    asked: list[str] = []

    def rebinding(host: str, _: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    with a_receiver() as receiver:
        result = post(HttpWebhookSender(LOCAL, rebinding), f"http://hooks.example.com:{receiver.port}/in?a=b")
        assert result.status == 204
        assert asked == ["hooks.example.com"]
        assert receiver.received[0].headers["host"] == f"hooks.example.com:{receiver.port}"
        assert receiver.received[0].path == "/in?a=b"


def test_of_a_name_with_two_addresses_the_one_that_answers_is_taken() -> None:
    with a_receiver() as receiver:
        result = post(sender(LOCAL, "127.0.0.2", "127.0.0.1"), f"http://hooks.example.com:{receiver.port}/")
    assert result.status == 204


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with a_receiver() as other:

        def redirect(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            handler.send_header("Location", other.url)
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        with a_receiver(redirect) as receiver:
            result = post(sender(), receiver.url)
        assert (result.status, result.error) == (status, f"HTTP {status}: redirects are not followed")
        assert other.received == []


def test_a_huge_answer_is_not_read() -> None:
    written: list[int] = []

    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(10**12))
        handler.end_headers()
        try:
            while sum(written) < 10**9:
                written.append(handler.wfile.write(b"x" * 65_536))
        except OSError:
            return

    with a_receiver(flood) as receiver:
        assert post(sender(), receiver.url).status == 200
    assert sum(written) < 10**8


def test_headers_without_end_are_given_up() -> None:
    def flood(handler: BaseHTTPRequestHandler) -> None:
        try:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X-Many: words\r\n" * 100_000)
        except OSError:
            return

    with a_receiver(flood) as receiver:
        result = post(sender(), receiver.url)
    assert (result.status, result.error) == (None, "It does not speak HTTP")


def test_a_receiver_that_drips_is_given_up_when_the_time_is_over() -> None:
    """Each byte comes in time; the answer as a whole does not."""
    with a_receiver() as receiver:

        def drip(handler: BaseHTTPRequestHandler) -> None:
            try:
                for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"w" * 10_000:
                    if receiver.stopping.wait(0.02):
                        return
                    handler.wfile.write(bytes([byte]))
            except OSError:
                return

        receiver.answers[:] = [drip]
        result = post(sender(IMPATIENT), receiver.url)
    assert (result.status, result.error) == (None, f"No answer within {QUICK:g} s")


def test_a_receiver_that_says_nothing_is_given_up_when_the_time_is_over() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        result = post(sender(IMPATIENT), f"http://127.0.0.1:{silent.getsockname()[1]}/")
    assert result.error == f"No answer within {QUICK:g} s"


def test_a_resolver_that_hangs_is_given_up_when_the_time_is_over() -> None:
    release = threading.Event()

    def hang(*_: object) -> list[str]:
        release.wait(60)
        return []

    try:
        result = post(HttpWebhookSender(IMPATIENT, hang), "https://hooks.example.com/")
        assert result.error == f"No answer within {QUICK:g} s"
    finally:
        release.set()


def test_a_port_without_a_listener_is_told_in_plain_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert post(sender(), f"http://127.0.0.1:{port}/").error == "The connection was refused"


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would connect to where it wants, past every check."""
    with a_receiver() as receiver, a_receiver() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert post(sender(), receiver.url).status == 204
        assert proxy.received == []
