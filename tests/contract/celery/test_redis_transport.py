"""The transport that keeps its client: what it leans on in kombu, and that Flower still sees a Redis."""

from typing import Any

import pytest
from celery import Celery

from shared.adapters.celery.config import celery_config
from shared.bootstrap import broker_url
from shared.settings import Settings


@pytest.fixture
def app(settings: Settings) -> Celery:
    made = Celery("transport", set_as_current=False)
    made.conf.update(celery_config(settings, broker_url(settings)))
    return made


def test_a_channel_uses_one_client_for_all_its_commands(app: Celery) -> None:
    with app.connection_for_write() as connection:
        channel: Any = connection.default_channel  # kombu's stubs do not know the transport's own
        with channel.conn_or_acquire() as first, channel.conn_or_acquire() as second:
            assert first is second
            assert first.ping()


def test_a_channel_whose_pool_was_given_up_uses_the_next_one(app: Celery) -> None:
    with app.connection_for_write() as connection:
        channel: Any = connection.default_channel  # kombu's stubs do not know the transport's own
        with channel.conn_or_acquire() as before:
            channel._disconnect_pools()  # as after a fork
        with channel.conn_or_acquire() as after:
            assert after is not before
            assert after.connection_pool is channel.pool
            assert after.ping()


def test_waiting_for_messages_has_a_client_of_its_own(app: Celery) -> None:
    with app.connection_for_write() as connection:
        channel: Any = connection.default_channel  # kombu's stubs do not know the transport's own
        with channel.conn_or_acquire() as shared:
            assert channel.client is not shared


def test_the_broker_is_still_a_redis_to_those_who_read_its_address(app: Celery) -> None:
    assert app.connection_for_write().as_uri().startswith("redis://")
