"""A console and a browser for the tests of a file; test_console_day.py has a console of its own, with a worker behind it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from shared.all_ports import Ports
from tests.e2e.gateway.console_browser import a_chromium
from tests.support.clients.served import a_server


@pytest.fixture(scope="module")
def address(session_ports: Ports) -> Iterator[str]:
    """The address of a console."""
    with a_server(session_ports) as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A Chromium without a window."""
    with a_chromium() as browser:
        yield browser
