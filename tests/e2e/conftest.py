"""Fixtures of the tests that start processes."""

import pytest

from shared.settings import Settings


@pytest.fixture
def fresh_settings(own_settings: Settings) -> Settings:
    """A database of the test's own: a process that outlives its test must not meet the next one's rows."""
    return own_settings
