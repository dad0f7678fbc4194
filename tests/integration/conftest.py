"""Fixtures that several integration tests share, beside those of every test."""

from collections.abc import Iterator

import psycopg
import pytest

from shared.all_ports import Ports
from shared.settings import Settings
from tests.integration.runner.snooze_support import open_endpoint
from tests.integration.webhooks.webhook_support import Receiver, a_receiver, local_ports
from tests.support.servers import plain_url


@pytest.fixture
def owner(fresh_settings: Settings) -> Iterator[psycopg.Connection]:
    """The owner of the tables behind `fresh_ports`, who may arrange what the application may not."""
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as connection:
        yield connection


@pytest.fixture
def endpoint_open_again(ports: Ports) -> Iterator[None]:
    """The model's server turns no call away before the test, and none because of it."""
    open_endpoint(ports)
    yield
    open_endpoint(ports)


@pytest.fixture
def hooked(fresh_ports: Ports) -> Ports:
    """Ports that post webhooks to this machine."""
    return local_ports(fresh_ports)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """What webhooks are posted to."""
    with a_receiver() as found:
        yield found
