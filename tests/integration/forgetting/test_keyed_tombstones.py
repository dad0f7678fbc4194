"""With a key of the installation, who has the database cannot test what was forgotten; an old key holds while it is listed."""

import hashlib
import hmac
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import psycopg
import pytest
from pydantic import SecretStr

from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.services.forgetting.forget import forget
from shared.services.forgetting.wanted import Kind, Target
from shared.services.memories.read import get_memory
from shared.settings import Settings
from tests.support.builders import write

_OLD, _NEW = "o" * 32, "n" * 32
_WORDS = "4711 0170"
_Installed = Callable[[str | None], Ports]


@pytest.fixture
def installed(settings: Settings) -> Iterator[_Installed]:
    """Return the ports of an installation with this setting of its secrets key."""
    with ExitStack() as closing:

        def make(keys: str | None) -> Ports:
            made = make_ports(settings.model_copy(update={"secrets_key": None if keys is None else SecretStr(keys)}))
            closing.callback(made.close)
            return made

        yield make


def _forget(ports: Ports, tenant: str, words: str = _WORDS) -> None:
    write(ports, tenant, {"web/a.md": f"# A\n\nThe number is {words}.\n\nMore.\n"})
    forget(ports.db, tenant, "default", Target(Kind.TEXT, words), actor="ada", dry_run=False)


def _is_left_out(ports: Ports, tenant: str, path: str, words: str = _WORDS) -> bool:
    write(ports, tenant, {path: f"# Later\n\nAgain: {words}.\n"})
    return words not in get_memory(ports.db, tenant, "default", path).content


def test_a_guess_cannot_be_tested_without_the_key(
    installed: _Installed, tenant: str, owner_connection: psycopg.Connection
) -> None:
    for keys, is_told in ((_OLD, False), (None, True)):
        of_store = f"{tenant}{'k' if keys else 'p'}"
        _forget(installed(keys), of_store)
        stored = owner_connection.execute(
            "SELECT salt, hash FROM tombstones WHERE tenant_id = %s", [of_store]
        ).fetchall()
        guessed = {hmac.new(salt.encode(), b"47110170", hashlib.sha256).hexdigest() for salt, _ in stored}
        assert bool(guessed & {digest for _, digest in stored}) is is_told


def test_what_was_forgotten_under_an_old_key_or_none_is_left_out_while_the_key_is_listed(
    installed: _Installed, tenant: str
) -> None:
    _forget(installed(None), tenant, "0190 2222")
    _forget(installed(_OLD), tenant)
    rotated = installed(f"{_NEW}, {_OLD}")
    assert _is_left_out(rotated, tenant, "web/b.md")
    assert _is_left_out(rotated, tenant, "web/c.md", "0190 2222")
    _forget(rotated, tenant, "0180 3333")
    alone = installed(_NEW)
    assert _is_left_out(alone, tenant, "web/d.md", "0180 3333")
    assert not _is_left_out(alone, tenant, "web/e.md"), "its key is no longer listed"
