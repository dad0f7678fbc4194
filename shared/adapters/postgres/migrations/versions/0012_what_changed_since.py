"""Who wrote a memory last: the transaction's number, so that a reader finds what changed since it last looked.

A number from a sequence would not do: a transaction that took an earlier one may commit later, and a reader that had
seen the later one would never look for it. A snapshot's xmin is a bound below which everything is settled.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_NOW_WRITING = "pg_current_xact_id()::text::bigint"


def upgrade() -> None:
    op.add_column(
        "memories", sa.Column("written_by", sa.BigInteger(), server_default=sa.text(_NOW_WRITING), nullable=False)
    )
    op.create_index("ix_memories_written_by", "memories", ["store_id", "written_by"])
    op.execute(
        "CREATE FUNCTION slowwave_sign_memory() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$"
        f" BEGIN NEW.written_by := {_NOW_WRITING}; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER sign_memory BEFORE INSERT OR UPDATE ON memories"
        " FOR EACH ROW EXECUTE FUNCTION slowwave_sign_memory()"
    )


def downgrade() -> None:
    op.execute("DROP TRIGGER sign_memory ON memories")
    op.execute("DROP FUNCTION slowwave_sign_memory()")
    op.drop_index("ix_memories_written_by", "memories")
    op.drop_column("memories", "written_by")
