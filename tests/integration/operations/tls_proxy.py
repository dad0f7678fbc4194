"""TLS before a server of the tests: a proxy with a certificate of a made-up authority, for `localhost`."""

import contextlib
import datetime as dt
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

#: The eight bytes by which a client of PostgreSQL asks for TLS; the server answers with one letter.
_SSL_REQUEST = struct.pack("!II", 8, 80877103)


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Return the files of a certificate for `localhost`, which is its own authority, and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    private.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return certificate, private


@contextmanager
def tls_before(
    server: "tuple[str, int] | str", files: tuple[Path, Path], *, is_postgres: bool = False
) -> Iterator[int]:
    """Yield a port that speaks TLS and hands on what it decrypts, to a host and port or to a unix socket."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    listening = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listening.accept()
                threading.Thread(target=_serve, args=(client, context, server, is_postgres), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def _serve(
    client: socket.socket, context: ssl.SSLContext, server: "tuple[str, int] | str", is_postgres: "bool"
) -> None:
    with contextlib.suppress(OSError), client:
        if is_postgres:
            assert client.recv(len(_SSL_REQUEST)) == _SSL_REQUEST
            client.sendall(b"S")
        with context.wrap_socket(client, server_side=True) as secured, _connect(server) as plain:
            threading.Thread(target=_hand_on, args=(plain, secured), daemon=True).start()
            _hand_on(secured, plain)


def _connect(server: "tuple[str, int] | str") -> socket.socket:
    if isinstance(server, str):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(server)
        return connection
    return socket.create_connection(server)


def _hand_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65_536):
            target.sendall(chunk)
        target.shutdown(socket.SHUT_WR)
