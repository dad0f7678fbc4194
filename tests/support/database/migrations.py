"""A newer version of slowwave for tests of upgrades: the migrations as they are, and a revision more."""

import shutil
from pathlib import Path

import pytest

from shared.adapters.postgres import migrate, revisions

REVISION = "9998"
#: A table of tenants whose author forgot row-level security and purging; `{head}` stands for the revision before.
MADE_UP = """
from alembic import op

revision = "9998"
down_revision = "{head}"


def upgrade() -> None:
    op.execute("CREATE TABLE gadgets (tenant_id text NOT NULL REFERENCES tenants, name text)")


def downgrade() -> None:
    op.execute("DROP TABLE gadgets")
"""


def add_a_revision(patch: pytest.MonkeyPatch, directory: Path) -> None:
    """Make this process a newer slowwave: its migrations lead one step further."""
    current = revisions.MIGRATIONS
    newer = directory / "migrations"
    shutil.copytree(current, newer)
    (newer / "versions" / f"{REVISION}_made_up.py").write_text(
        MADE_UP.format(head=migrate.find_head()), encoding="utf-8"
    )
    patch.setattr(revisions, "MIGRATIONS", newer)
