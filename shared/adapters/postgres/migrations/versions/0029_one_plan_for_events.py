"""The list of sessions by age has an index that no foreign key's check can take for its own.

While `sessions` is small or has not been analyzed, PostgreSQL finds every index that begins with the tenant as good as the
unique one, takes the newest of them for the check of each event, and keeps that plan: a first import then reads all of the
tenant's sessions for every event. A partial index serves only questions that name its condition.
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_INDEX, _COLUMNS = "ix_sessions_created", ["tenant_id", "created_at"]


def upgrade() -> None:
    op.drop_index(_INDEX, "sessions")
    op.create_index(_INDEX, "sessions", _COLUMNS, postgresql_where=sa.text("created_at > '-infinity'"))


def downgrade() -> None:
    op.drop_index(_INDEX, "sessions")
    op.create_index(_INDEX, "sessions", _COLUMNS)
