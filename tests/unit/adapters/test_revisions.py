"""The newest revision is found without Alembic, and is the one that Alembic finds."""

from shared.adapters.postgres import migrate
from shared.adapters.postgres.revisions import find_newest


def test_the_newest_revision_is_alembics() -> None:
    assert find_newest() == migrate.find_head()
