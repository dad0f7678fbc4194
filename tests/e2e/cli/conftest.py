"""The command line of the tests here."""

from collections.abc import Iterator

import pytest

from shared.adapters.embedded.endpoints import Endpoints
from tests.e2e.cli.cli_support import Cli, a_cli_beside


@pytest.fixture(scope="module")
def cli(servers: Endpoints, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    """Commands over a database that only this module uses."""
    with a_cli_beside(servers, tmp_path_factory.mktemp("data")) as found:
        yield found
