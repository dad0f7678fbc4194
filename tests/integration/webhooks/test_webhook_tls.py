"""Webhooks over TLS: the certificate is that of the name, though the connection goes to a checked address."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from shared.adapters.webhooks import http_sender
from shared.adapters.webhooks.http_sender import HttpWebhookSender
from shared.ports.webhooks import PostResult
from tests.integration.webhooks.webhook_support import LOCAL


def sender(*addresses: str) -> HttpWebhookSender:
    """A sender for which every name has these addresses."""
    return HttpWebhookSender(LOCAL, lambda *_: list(addresses))


def post(found: HttpWebhookSender, url: str) -> PostResult:
    return found.post(url, {"webhook-id": "msg_1"}, "{}")


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A certificate for hooks.example.com that this installation trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.example.com")])
    names = x509.SubjectAlternativeName([x509.DNSName("hooks.example.com"), x509.IPAddress(ip_address("127.0.0.2"))])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "both.pem"
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    http_sender._ssl_context.cache_clear()
    yield file
    http_sender._ssl_context.cache_clear()


@contextmanager
def a_tls_server(file: Path) -> Iterator[tuple[int, list[str | None]]]:
    """Answers one request with 204, and remembers which name it was asked for."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file)
    asked: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked.append(name)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            try:
                with context.wrap_socket(connection, server_side=True) as secure:
                    asking = b""
                    while not asking.endswith(b"\r\n\r\n{}"):
                        asking += secure.recv(65_536)
                    secure.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            except OSError:
                connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        yield listener.getsockname()[1], asked
        thread.join()


def test_over_tls_the_certificate_is_checked_against_the_name_not_the_address(certificate: Path) -> None:
    with a_tls_server(certificate) as (port, asked):
        assert post(sender("127.0.0.1"), f"https://hooks.example.com:{port}/").status == 204
    assert asked == ["hooks.example.com"]


def test_a_certificate_for_another_name_is_refused(certificate: Path) -> None:
    with a_tls_server(certificate) as (port, _):
        result = post(sender("127.0.0.1"), f"https://other.example.com:{port}/")
    assert result.error == "TLS failed: its certificate is not valid for this name"
