"""A real server, and the Python client as its wheel has it."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from shared.all_ports import Ports
from tests.integration.api.api_support import a_token, an_app
from tests.support.clients.package import importable, make_package
from tests.support.clients.served import a_server


@pytest.fixture(scope="session")
def client_package(session_ports: Ports, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The imported package `slowwave_client`."""
    folder = tmp_path_factory.mktemp("client")
    make_package(an_app(session_ports).openapi(), folder)
    with importable(folder):
        yield importlib.import_module("slowwave_client")


@pytest.fixture(scope="package")
def address(quiet_ports: Ports) -> Iterator[str]:
    """The address of the server."""
    with a_server(quiet_ports) as found:
        yield found


@pytest.fixture
def key(ports: Ports, tenant: str) -> str:
    """An admin's key of the test's tenant."""
    return a_token(ports, tenant)


@pytest.fixture
def client(client_package: Any, address: str, key: str) -> Iterator[Any]:
    """A client of the test's tenant, whose store is `mine`."""
    with client_package.Slowwave(address, key, store="mine") as found:
        yield found
