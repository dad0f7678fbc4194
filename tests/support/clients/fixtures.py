"""A real server, and the Python client as its wheel has it: the fixtures of tests that call one with the other."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from deploy.clients import read_document
from shared.all_ports import Ports
from tests.integration.api.api_support import a_token
from tests.support.clients.package import importable, make_package
from tests.support.clients.served import a_server


@pytest.fixture(scope="session")
def client_package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The imported package `slowwave_client`."""
    folder = tmp_path_factory.mktemp("client")
    make_package(read_document(), folder)
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
