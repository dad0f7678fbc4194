"""Tables of tenants, stores and memories. Rows never leave this adapter; core values do."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Computed,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    PrimaryKeyConstraint,
    SmallInteger,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlmodel import Field

from shared.adapters.postgres.tables.table_row import TableRow

Moment = TIMESTAMP(timezone=True)
_NOW = {"server_default": func.now()}
_EMPTY_OBJECT = {"server_default": text("'{}'::jsonb")}
_ZERO = {"server_default": text("0")}


def tenant_column() -> Any:  # noqa: ANN401 - SQLModel's Field is untyped on purpose
    """Return the column that row-level security compares."""
    return Field(sa_column=Column(Text, ForeignKey("tenants.id"), nullable=False))


def same_tenant(table: str, column: str, target: str, *, ondelete: str | None = None) -> ForeignKeyConstraint:
    """Return the reference to a row of the same tenant: foreign keys are checked without row-level security."""
    return ForeignKeyConstraint(
        ["tenant_id", column], [f"{target}.tenant_id", f"{target}.id"], name=f"fk_{table}_{column}", ondelete=ondelete
    )


def _shown_rank(of_index: str) -> Column[int]:
    """Return the column that the database derives: the highest `recall.least_rank` by which agents are still shown a memory."""
    is_index = "path = 'MEMORY.md' OR path = '_index.md' OR path LIKE '%/\\_index.md'"
    derived = Computed(f"CASE WHEN {is_index} THEN {of_index}::smallint ELSE trust END", persisted=True)
    return Column(SmallInteger, derived, nullable=True)


def _least_rank() -> Column[int]:
    """Return the column that the database derives from a store's overrides: the least rank that agents are shown."""
    derived = (
        "coalesce(array_position(ARRAY['pasted', 'tool', 'agent', 'user', 'owner'],"
        " overrides ->> 'recall.least_rank'), 0)"
    )
    return Column(SmallInteger, Computed(derived, persisted=True), nullable=True)


def _of_overrides(key: str) -> Column[float | None]:
    """Return the column that the database derives from a store's overrides."""
    return Column(Double, Computed(f"(overrides ->> '{key}')::float8", persisted=True), nullable=True)


class TenantRow(TableRow, table=True):
    """A customer."""

    __tablename__ = "tenants"
    __table_args__ = (
        Index("ix_tenants_purged", "purged_at"),
        Index("ix_tenants_budget", "id", postgresql_where=text("usd_per_day IS NOT NULL OR usd_per_month IS NOT NULL")),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    weight: int = Field(default=1, sa_column_kwargs={"server_default": text("1")})
    max_concurrent_dreams: int = Field(default=1, sa_column_kwargs={"server_default": text("1")})
    tokens_per_day: int | None = None
    usd_per_day: float | None = None
    usd_per_month: float | None = None
    paused_at: datetime | None = Field(default=None, sa_type=Moment)
    defer_percent: int = Field(default=0, sa_column_kwargs=_ZERO)
    llm: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    time_zone: str = Field(default="UTC", sa_type=Text, sa_column_kwargs={"server_default": "UTC"})
    quiet_hours: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    locale: str = Field(default="en", sa_type=Text, sa_column_kwargs={"server_default": "en"})
    model_calls_per_minute: int | None = None
    model_calls_at_once: int | None = None
    retention: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    purged_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class InstallationRow(TableRow, table=True):
    """The settings of the whole installation: one row, which a migration inserts."""

    __tablename__ = "installation"
    __table_args__ = (CheckConstraint("id = 1", name="ck_installation_one_row"),)
    id: int = Field(default=1, primary_key=True, sa_column_kwargs={"autoincrement": False})
    paused_at: datetime | None = Field(default=None, sa_type=Moment)
    defer_percent: int = Field(default=0, sa_column_kwargs=_ZERO)
    last_sweep_at: datetime | None = Field(default=None, sa_type=Moment)
    sweeps: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)


class StoreRow(TableRow, table=True):
    """One memory store and its dream state. `next_check_at` is null while there is no reason to look at it."""

    __tablename__ = "stores"
    __table_args__ = (
        UniqueConstraint("tenant_id", "name", name="uq_stores_tenant_name"),
        PrimaryKeyConstraint("tenant_id", "id"),
        Index("ix_stores_due", "next_check_at", postgresql_where=text("next_check_at IS NOT NULL")),
        Index("ix_stores_digest_due", "digest_check_at", postgresql_where=text("digest_check_at IS NOT NULL")),
        Index(
            "ix_stores_compaction_due", "compaction_check_at", postgresql_where=text("compaction_check_at IS NOT NULL")
        ),
        Index("ix_stores_shadows", "tenant_id", postgresql_where=text("starts_with(id, 'shadow_')")),
        Index("ix_stores_arm", "tenant_id", "arm", postgresql_where=text("arm <> ''")),
        Index(
            "ix_stores_hiding",
            "tenant_id",
            postgresql_include=["least_rank"],
            postgresql_where=text("least_rank > 0"),
        ),
        Index("ix_stores_quarantined", "tenant_id", postgresql_where=text("is_quarantined")),
        Index(
            "ix_stores_budget",
            "tenant_id",
            postgresql_where=text("usd_per_day IS NOT NULL OR usd_per_month IS NOT NULL"),
        ),
    )
    id: str = Field(sa_type=Text)
    tenant_id: str = tenant_column()
    name: str = Field(sa_type=Text)
    profile: str = Field(default="default", sa_type=Text, sa_column_kwargs={"server_default": "default"})
    overrides: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    autonomy: str = Field(default="flag", sa_type=Text, sa_column_kwargs={"server_default": "flag"})
    llm: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    paused_at: datetime | None = Field(default=None, sa_type=Moment)
    curations: int = Field(default=0, sa_column_kwargs=_ZERO)
    sessions: int = Field(default=0, sa_column_kwargs=_ZERO)
    pending_tasks: int = Field(default=0, sa_column_kwargs=_ZERO)
    active_until: datetime | None = Field(default=None, sa_type=Moment)
    last_activity_at: datetime | None = Field(default=None, sa_type=Moment)
    last_dream_at: datetime | None = Field(default=None, sa_type=Moment)
    last_dream_id: str | None = Field(default=None, sa_type=Text)
    total_dreams: int = Field(default=0, sa_column_kwargs=_ZERO)
    next_check_at: datetime | None = Field(default=None, sa_type=Moment)
    digest_check_at: datetime | None = Field(default=None, sa_type=Moment)
    compaction_check_at: datetime | None = Field(default=None, sa_type=Moment)
    last_check_at: datetime | None = Field(default=None, sa_type=Moment)
    last_verdict: dict[str, Any] | None = Field(default=None, sa_type=JSONB)
    forgiven_at: datetime | None = Field(default=None, sa_type=Moment)
    is_quarantined: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    usd_per_day: float | None = Field(default=None, sa_column=_of_overrides("budget.usd_per_day"))
    usd_per_month: float | None = Field(default=None, sa_column=_of_overrides("budget.usd_per_month"))
    least_rank: int | None = Field(default=None, sa_column=_least_rank())
    title: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    description: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    labels: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    described_at: datetime | None = Field(default=None, sa_type=Moment)
    archived_at: datetime | None = Field(default=None, sa_type=Moment)
    waiting_sessions: int = Field(default=0, sa_column_kwargs=_ZERO)
    waiting_changes: int = Field(default=0, sa_column_kwargs=_ZERO)
    arm: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    arm_set_at: datetime | None = Field(default=None, sa_type=Moment)
    arm_before: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class MemoryRow(TableRow, table=True):
    """The head of a memory: its current version, with title and summary kept beside it for surveys."""

    __tablename__ = "memories"
    __table_args__ = (
        UniqueConstraint("tenant_id", "id", name="uq_memories_tenant_id"),
        same_tenant("memories", "store_id", "stores"),
        Index(
            "uq_memories_live_path",
            "store_id",
            "path",
            unique=True,
            postgresql_include=["tenant_id", "id", "shown_rank"],
            postgresql_where=text("state = 'live'"),
        ),
        Index("ix_memories_store_state", "store_id", "state", postgresql_where=text("state <> 'live'")),
        Index(
            "ix_memories_recalled",
            "tenant_id",
            "access_count",
            postgresql_include=["shown_rank"],
            postgresql_where=text("state = 'live' AND access_count > 0"),
        ),
        Index(
            "ix_memories_fold_hash",
            "tenant_id",
            "store_id",
            "fold_hash",
            postgresql_include=["id", "shown_rank"],
            postgresql_where=text("state = 'live' AND fold_hash <> ''"),
        ),
        Index(
            "ix_memories_working",
            "store_id",
            "reinforcement_count",
            "touched_at",
            postgresql_where=text("state = 'live' AND tier = 'working'"),
        ),
        Index(
            "ix_memories_durable",
            "store_id",
            "touched_at",
            postgresql_where=text("state = 'live' AND tier = 'durable'"),
        ),
        Index(
            "ix_memories_fresh",
            "store_id",
            text("greatest(created_at, updated_at)"),
            postgresql_where=text("state = 'live'"),
        ),
        Index(
            "ix_memories_large",
            "store_id",
            "size_chars",
            postgresql_where=text("state = 'live' AND size_chars > 4000"),
        ),
        Index("ix_memories_touched", "store_id", "touched_at", postgresql_where=text("state = 'live'")),
        Index("ix_memories_dirty", "store_id", postgresql_where=text("is_dirty AND state = 'live'")),
        Index(
            "ix_memories_expires",
            "store_id",
            "expires",
            postgresql_where=text("state = 'live' AND expires IS NOT NULL"),
        ),
        Index("ix_memories_written_by", "store_id", "written_by"),
        Index("ix_memories_merged", "superseded_by", postgresql_where=text("superseded_by IS NOT NULL")),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    path: str = Field(sa_type=Text)
    content: str = Field(sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    title: str = Field(sa_type=Text)
    summary: str = Field(sa_type=Text)
    doc_type: str = Field(sa_type=Text)
    category: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    fold_hash: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    size_chars: int
    state: str = Field(sa_type=Text)
    version: int
    author: str = Field(sa_type=Text)
    importance: float
    maturity: str = Field(sa_type=Text)
    tier: str = Field(sa_type=Text)
    access_count: int
    reinforcement_count: int
    pinned: bool
    last_seen_at: datetime | None = Field(default=None, sa_type=Moment)
    by_person: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    created_at: datetime = Field(sa_type=Moment)
    updated_at: datetime = Field(sa_type=Moment)
    touched_at: datetime = Field(sa_type=Moment)
    superseded_by: str | None = Field(default=None, sa_type=Text)
    writers: dict[str, Any] = Field(
        default_factory=dict, sa_type=JSONB, sa_column_kwargs={"server_default": text("'{}'")}
    )
    trust: int = Field(default=3, sa_type=SmallInteger, sa_column_kwargs={"server_default": text("3")})
    shown_rank: int | None = Field(
        default=None, sa_column=_shown_rank(of_index="CASE WHEN state = 'live' THEN 5 ELSE 0 END")
    )
    stub: str | None = Field(default=None, sa_type=Text)
    is_dirty: bool = Field(default=True)
    expires: date | None = None
    #: Of the text that an import brought last: tells a file that did not change from one that was edited.
    imported_hash: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    #: The transaction that wrote the row last; a trigger signs every write.
    written_by: int | None = Field(
        sa_column=Column(BigInteger, server_default=text("pg_current_xact_id()::text::bigint"), nullable=False)
    )


class MemoryVersionRow(TableRow, table=True):
    """A memory as it was after one write. Append-only: the application role may not update or delete here.

    A redacted one has lost its path and its text for good, through a function of another role.
    """

    __tablename__ = "memory_versions"
    __table_args__ = (
        same_tenant("memory_versions", "store_id", "stores"),
        Index("ix_memory_versions_age", "tenant_id", "created_at"),
        Index("ix_memory_versions_dream", "dream_id", postgresql_where=text("dream_id IS NOT NULL")),
    )
    memory_id: str = Field(primary_key=True, sa_type=Text)
    version: int = Field(primary_key=True)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    path: str = Field(sa_type=Text)
    content: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)
    author: str = Field(sa_type=Text)
    trust: int = Field(default=3, sa_type=SmallInteger, sa_column_kwargs={"server_default": text("3")})
    shown_rank: int | None = Field(default=None, sa_column=_shown_rank(of_index="0"))
    signals: dict[str, Any] = Field(sa_type=JSONB)
    change: str = Field(sa_type=Text)
    dream_id: str | None = Field(default=None, sa_type=Text)
    operation_id: str | None = Field(default=None, sa_type=Text)
    actor: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    redacted_at: datetime | None = Field(default=None, sa_type=Moment)
    redacted_by: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class MemoryVectorRow(TableRow, table=True):
    """The vector of a live memory's text, by one model. A trigger deletes it when the memory is retired or its text changes."""

    __tablename__ = "memory_vectors"
    __table_args__ = (
        same_tenant("memory_vectors", "store_id", "stores"),
        same_tenant("memory_vectors", "memory_id", "memories", ondelete="CASCADE"),
        Index("ix_memory_vectors_written_by", "store_id", "written_by"),
    )
    tenant_id: str = Field(sa_column=Column(Text, ForeignKey("tenants.id"), primary_key=True))
    memory_id: str = Field(primary_key=True, sa_type=Text)
    store_id: str = Field(sa_type=Text)
    model: str = Field(sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    vector: bytes
    #: The transaction that wrote the row last; a trigger signs every write.
    written_by: int | None = Field(
        sa_column=Column(BigInteger, server_default=text("pg_current_xact_id()::text::bigint"), nullable=False)
    )


class MemoryLinkRow(TableRow, table=True):
    """The possible targets of a link in a memory's text, the likeliest first."""

    __tablename__ = "memory_links"
    __table_args__ = (
        same_tenant("memory_links", "store_id", "stores"),
        same_tenant("memory_links", "memory_id", "memories", ondelete="CASCADE"),
        Index("ix_memory_links_target", "store_id", "target", "memory_id"),
    )
    tenant_id: str = Field(sa_column=Column(Text, ForeignKey("tenants.id"), primary_key=True))
    memory_id: str = Field(primary_key=True, sa_type=Text)
    place: int = Field(primary_key=True, sa_type=SmallInteger)
    rank: int = Field(primary_key=True, sa_type=SmallInteger)
    store_id: str = Field(sa_type=Text)
    target: str = Field(sa_type=Text)


class TombstoneRow(TableRow, table=True):
    """The rest of a text that was forgotten: its number of letters and their salted hash."""

    __tablename__ = "tombstones"
    __table_args__ = (same_tenant("tombstones", "store_id", "stores"),)
    tenant_id: str = Field(sa_column=Column(Text, ForeignKey("tenants.id"), primary_key=True))
    store_id: str = Field(primary_key=True, sa_type=Text)
    hash: str = Field(primary_key=True, sa_type=Text)
    letters: int
    salt: str = Field(sa_type=Text)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class PendingMergeRow(TableRow, table=True):
    """A merge that prune suggested for the next dream's consolidate phase."""

    __tablename__ = "pending_merges"
    __table_args__ = (
        same_tenant("pending_merges", "store_id", "stores"),
        Index("ix_pending_merges_created", "created_at"),
    )
    store_id: str = Field(primary_key=True, sa_type=Text)
    source_path: str = Field(primary_key=True, sa_type=Text)
    target_path: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    reason: str = Field(sa_type=Text)
    suggested_by: str = Field(sa_type=Text)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)
