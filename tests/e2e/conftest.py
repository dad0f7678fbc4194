"""Fixtures of the tests that start processes."""

import pytest
from redis import Redis

from shared.adapters.redis.counters import COUNTERS
from shared.settings import Settings


@pytest.fixture
def fresh_settings(own_settings: Settings) -> Settings:
    """A database of the test's own: a process that outlives its test must not meet the next one's rows.

    What the dreams of other tests have counted is forgotten: the doctor takes an empty database beside it for a lost one.
    """
    assert own_settings.redis_url is not None
    with Redis.from_url(own_settings.redis_url.get_secret_value()) as client:
        client.delete(COUNTERS)
    return own_settings
