"""Decide how a connection to PostgreSQL is encrypted and verified: in full, unless the server is local or the URL has `sslmode`.

libpq's own default, `sslmode=prefer`, encrypts when the server happens to, and verifies nothing.
"""

import os
import ssl
from ipaddress import ip_address
from pathlib import Path

from sqlalchemy import make_url

VERIFIED = "verify-full"
#: Where distributions keep the certificate authorities that they trust; the library in psycopg's wheel looks elsewhere.
_BUNDLES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
_OWN_BUNDLE = Path("~/.postgresql/root.crt")
_ADVICE = (
    "sslrootcert=FILE in the address names your own certificate authority, sslmode=disable is for a network of your own"
)


def verification_of(url: str) -> dict[str, str]:
    """Return libpq's options that verify the server of an address; none for a local one, or when the address has its own."""
    mode = find_mode(url)
    if mode is None or not mode.startswith("verify"):
        return {}
    written = make_url(url).query
    root: dict[str, str] = {} if "sslrootcert" in written or os.environ.get("PGSSLROOTCERT") else _find_authorities()
    return root if "sslmode" in written or os.environ.get("PGSSLMODE") else {"sslmode": mode} | root


def find_mode(url: str) -> str | None:
    """Return how the server of an address is verified, in libpq's words; None for a server of this machine."""
    parts = make_url(url)
    written = _first(parts.query.get("sslmode")) or os.environ.get("PGSSLMODE")
    if written:
        return written
    hosts = ",".join(filter(None, (parts.host, _first(parts.query.get("host"))))).split(",")
    return None if all(_is_local(host) for host in hosts) else VERIFIED


def explain(said: str) -> str:
    """Add advice on the address to libpq's message about TLS."""
    is_about_tls = "does not support SSL" in said or "certificate" in said
    return f"{said} ({_ADVICE}: docs/infrastructure.md)" if is_about_tls else said


def _is_local(host: str) -> bool:
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _find_authorities() -> dict[str, str]:
    if _OWN_BUNDLE.expanduser().exists():
        return {}  # libpq's own place for it
    found = (ssl.get_default_verify_paths().cafile, *_BUNDLES)
    return {"sslrootcert": next((file for file in found if file and Path(file).exists()), "system")}


def _first(value: str | tuple[str, ...] | None) -> str | None:
    return ",".join(value) if isinstance(value, tuple) else value
