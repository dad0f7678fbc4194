"""Sessions: transcripts as events that are searched, and the cues in them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_MOMENT = postgresql.TIMESTAMP(timezone=True)
_ZERO = sa.text("0")
_FALSE = sa.text("false")
_WORDS = (
    "CASE WHEN kind IN ('user', 'log', 'assistant', 'continued', 'summary')\n"
    "THEN to_tsvector('simple'::regconfig, left(text, 60000)) END"
)
#: Events are only ever added. Cues and terms are derived from them: a newer detector replaces those of an older one.
RIGHTS = {
    "sessions": "SELECT, INSERT, UPDATE",
    "session_events": "SELECT, INSERT",
    "session_cues": "SELECT, INSERT, DELETE",
    "session_terms": "SELECT, INSERT, DELETE",
}


def upgrade() -> None:
    _create_sessions()
    _create_events()
    _create_cues()
    mine = "tenant_id = current_setting('slowwave.tenant_id', true)"
    for table, rights in RIGHTS.items():
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY tenant_only ON {table} TO slowwave_app USING ({mine}) WITH CHECK ({mine})")
        op.execute(f"GRANT {rights} ON {table} TO slowwave_app")


def downgrade() -> None:
    for table in ("session_terms", "session_cues", "session_events", "sessions"):
        op.drop_table(table)


def _create_sessions() -> None:
    counts = (
        "event_count", "spoken_count", "masked_count", "skipped_count", "malformed_count",
        "last_position", "gathered_position", "detector_version",
    )  # fmt: skip
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("store_id", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("started_at", _MOMENT, nullable=True),
        sa.Column("last_event_at", _MOMENT, nullable=True),
        *(sa.Column(name, sa.Integer(), server_default=_ZERO, nullable=False) for name in counts),
        sa.Column("is_current", sa.Boolean(), server_default=_FALSE, nullable=False),
        sa.Column("consumed_at", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"]),
        sa.ForeignKeyConstraint(
            ["tenant_id", "store_id"], ["stores.tenant_id", "stores.id"], name="fk_sessions_store_id"
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tenant_id", "id", name="uq_sessions_tenant_id"),
        sa.UniqueConstraint("store_id", "external_id", name="uq_sessions_external_id"),
    )
    op.create_index("ix_sessions_recent", "sessions", ["store_id", "last_event_at"])
    waiting, consumed = sa.text("gathered_position < last_position"), sa.text("consumed_at IS NOT NULL")
    op.create_index("ix_sessions_waiting", "sessions", ["store_id"], postgresql_where=waiting)
    op.create_index("ix_sessions_consumed", "sessions", ["consumed_at"], postgresql_where=consumed)


def _create_events() -> None:
    op.create_table(
        "session_events",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("at", _MOMENT, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("size_chars", sa.Integer(), nullable=False),
        sa.Column("is_masked", sa.Boolean(), server_default=_FALSE, nullable=False),
        sa.Column("words", postgresql.TSVECTOR(), sa.Computed(_WORDS, persisted=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["tenant_id", "session_id"], ["sessions.tenant_id", "sessions.id"], name="fk_session_events_session_id"
        ),
        sa.PrimaryKeyConstraint("session_id", "event_id"),
        sa.UniqueConstraint("session_id", "position", name="uq_session_events_position"),
    )
    op.create_index(
        "ix_session_events_words",
        "session_events",
        ["words"],
        postgresql_using="gin",
        postgresql_where=sa.text("words IS NOT NULL"),
    )


def _create_cues() -> None:
    op.create_table(
        "session_cues",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("start_char", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("end_char", sa.Integer(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("detector_version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "session_id"], ["sessions.tenant_id", "sessions.id"], name="fk_session_cues_session_id"
        ),
        sa.PrimaryKeyConstraint("session_id", "position", "start_char"),
    )
    op.create_table(
        "session_terms",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("terms", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("detector_version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant_id", "session_id"], ["sessions.tenant_id", "sessions.id"], name="fk_session_terms_session_id"
        ),
        sa.PrimaryKeyConstraint("session_id", "position"),
    )
