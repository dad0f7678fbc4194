"""A client of a real server."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.clients.fixtures import address, client_package, key

__all__ = ["address", "client", "client_package", "key"]


@pytest.fixture
def client(client_package: Any, address: str, key: str) -> Iterator[Any]:
    """A client of the test's tenant, whose store is `mine`."""
    with client_package.Slowwave(address, key, store="mine") as found:
        yield found
