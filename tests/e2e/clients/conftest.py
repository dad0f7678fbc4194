"""The TypeScript client, compiled once."""

from pathlib import Path

import pytest

from tests.support.clients.typescript import compile_client


@pytest.fixture(scope="session")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled client."""
    folder = tmp_path_factory.mktemp("typescript") / "client"
    compile_client(folder)
    return folder
