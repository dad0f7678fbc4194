"""The TypeScript client, compiled once, and the Python client to compare it with."""

from pathlib import Path

import pytest

from tests.support.clients.fixtures import address, client_package, key
from tests.support.clients.typescript import compile_client

__all__ = ["address", "client_package", "key", "typescript"]


@pytest.fixture(scope="session")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled client."""
    folder = tmp_path_factory.mktemp("typescript") / "client"
    compile_client(folder)
    return folder
