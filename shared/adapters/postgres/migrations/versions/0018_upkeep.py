"""What a store's upkeep goes by: categories, the hash that exact duplicates share, and an index for each question.

Old rows get their hash here, in SQL: where PostgreSQL and Python differ about a capital letter, a pair is found once one
of the two is written again. Generated files and empty texts have none.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_NAMED = r"""substring(substring(content from '^\ufeff?---(.*?)\n---') from '\ncategory:[ \t]*["'']?([\w/-]{1,64})')"""
_GENERATED = r"^MEMORY\.md$|(^|/)_index\.md$|\.(abstract|overview|stub|full)\.md$|^_archived/|^skills/[^/]*/"
_NORMAL = r"lower(btrim(content, E' \t\n\r\f\v'))"
_DOMAIN = "CASE WHEN path LIKE '%/%' THEN split_part(path, '/', 1) ELSE '' END"
_HASH = f"encode(sha256(convert_to(coalesce(nullif(category, ''), {_DOMAIN}) || '|' || {_NORMAL}, 'UTF8')), 'hex')"


def upgrade() -> None:
    op.add_column("memories", sa.Column("category", sa.Text(), server_default="", nullable=False))
    op.add_column("memories", sa.Column("fold_hash", sa.Text(), server_default="", nullable=False))
    op.execute("ALTER TABLE memories NO FORCE ROW LEVEL SECURITY")  # the owner sees no row otherwise
    op.execute(sa.text(f"UPDATE memories SET category = coalesce({_NAMED}, '') WHERE content LIKE '%category:%'"))
    op.execute(sa.text(f"UPDATE memories SET fold_hash = {_HASH} WHERE path !~ '{_GENERATED}' AND {_NORMAL} <> ''"))
    op.execute("ALTER TABLE memories FORCE ROW LEVEL SECURITY")
    op.create_index(
        "ix_memories_fold_hash",
        "memories",
        ["tenant_id", "store_id", "fold_hash"],
        postgresql_where=sa.text("state = 'live' AND fold_hash <> ''"),
    )
    op.create_index(
        "ix_memories_working",
        "memories",
        ["store_id", "reinforcement_count", "touched_at"],
        postgresql_where=sa.text("state = 'live' AND tier = 'working'"),
    )

    # Whoever redacts a text need not know of the hash that would still prove it.
    op.execute("""
        CREATE FUNCTION slowwave_forget_fold() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS
        $$ BEGIN NEW.fold_hash := ''; NEW.category := ''; RETURN NEW; END $$""")
    op.execute("""
        CREATE TRIGGER forget_fold BEFORE UPDATE OF content ON memories
        FOR EACH ROW WHEN (NEW.content = '') EXECUTE FUNCTION slowwave_forget_fold()""")


def downgrade() -> None:
    op.execute("DROP TRIGGER forget_fold ON memories")
    op.execute("DROP FUNCTION slowwave_forget_fold()")
    op.drop_index("ix_memories_working", table_name="memories")
    op.drop_index("ix_memories_fold_hash", table_name="memories")
    op.drop_column("memories", "fold_hash")
    op.drop_column("memories", "category")
