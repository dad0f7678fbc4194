"""Tables of sessions: transcripts as events, and the cues that were found in them.

Tables of feedback and workflow runs.

Table of skill uses. Skills themselves are memories.

Table of the log of searches.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    Computed,
    Index,
    SmallInteger,
    Table,
    TableValuedAlias,
    Text,
    UniqueConstraint,
    column,
    func,
)
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSVECTOR
from sqlmodel import Field

from shared.adapters.postgres.tables.stores import Moment, same_tenant, tenant_column
from shared.adapters.postgres.tables.table_row import TableRow

_TEXTS = ARRAY(Text)
_NOW = {"server_default": func.now()}
_ZERO = {"server_default": sql("0")}
_EMPTY_OBJECT = {"server_default": sql("'{}'::jsonb")}
#: Only messages of people and agents are searched: tool results are most of the bytes and would fill the index.
#: 'simple' keeps names of any language as they are. Signs become spaces: with them PostgreSQL's parser takes time that grows
#: with the square of a text. The cut bounds what one event costs, since each character takes the server 0.3 us.
WORDS = r"""
CASE WHEN kind IN ('user', 'log', 'assistant', 'continued', 'summary')
THEN to_tsvector('simple'::regconfig, regexp_replace(left(text, 20000), '[!-/:-@[-`{-~]+', ' ', 'g')) END
"""


class SessionRow(TableRow, table=True):
    """One conversation, with the cursor of the dreams: events up to `gathered_position` have been gathered."""

    __tablename__ = "sessions"
    __table_args__ = (
        same_tenant("sessions", "store_id", "stores"),
        UniqueConstraint("tenant_id", "id", name="uq_sessions_tenant_id"),
        UniqueConstraint("store_id", "external_id", name="uq_sessions_external_id"),
        Index("ix_sessions_recent", "store_id", "last_event_at"),
        Index("ix_sessions_created", "tenant_id", "created_at", postgresql_where=sql("created_at > '-infinity'")),
        Index("ix_sessions_waiting", "store_id", postgresql_where=sql("gathered_position < last_position")),
        Index("ix_sessions_consumed", "consumed_at", postgresql_where=sql("consumed_at IS NOT NULL")),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    external_id: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)
    title: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    started_at: datetime | None = Field(default=None, sa_type=Moment)
    last_event_at: datetime | None = Field(default=None, sa_type=Moment)
    event_count: int = Field(default=0, sa_column_kwargs=_ZERO)
    masked_count: int = Field(default=0, sa_column_kwargs=_ZERO)
    skipped_count: int = Field(default=0, sa_column_kwargs=_ZERO)
    malformed_count: int = Field(default=0, sa_column_kwargs=_ZERO)
    is_current: bool = Field(default=False, sa_column_kwargs={"server_default": sql("false")})
    last_position: int = Field(default=0, sa_column_kwargs=_ZERO)
    gathered_position: int = Field(default=0, sa_column_kwargs=_ZERO)
    detector_version: int = Field(default=0, sa_column_kwargs=_ZERO)
    searched_position: int = Field(default=0, sa_column_kwargs=_ZERO)
    consumed_at: datetime | None = Field(default=None, sa_type=Moment)
    details: dict[str, Any] = Field(default_factory=dict, sa_type=JSONB, sa_column_kwargs=_EMPTY_OBJECT)
    changed_at: datetime | None = Field(default=None, sa_type=Moment)
    archived_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime | None = Field(default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_NOW)


class SessionEventRow(TableRow, table=True):
    """One event. Its tenant is checked through its session, which spares a second look-up for each of many rows."""

    __tablename__ = "session_events"
    __table_args__ = (
        same_tenant("session_events", "session_id", "sessions"),
        UniqueConstraint("session_id", "position", name="uq_session_events_position"),
        Index("ix_session_events_words", "words", postgresql_using="gin", postgresql_where=sql("words IS NOT NULL")),
    )
    session_id: str = Field(primary_key=True, sa_type=Text)
    event_id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = Field(sa_type=Text)
    position: int
    at: datetime | None = Field(default=None, sa_type=Moment)
    kind: str = Field(sa_type=Text)
    role: str = Field(sa_type=Text)
    origin: str = Field(default="person", sa_type=Text, sa_column_kwargs={"server_default": "person"})
    text: str = Field(sa_type=Text)
    as_sent: str | None = Field(default=None, sa_type=Text)
    size_chars: int
    is_masked: bool = Field(default=False, sa_column_kwargs={"server_default": sql("false")})
    details: dict[str, Any] | None = Field(default=None, sa_type=JSONB)
    words: str | None = Field(default=None, sa_column=Column(TSVECTOR, Computed(WORDS.strip(), persisted=True)))


class SessionCueRow(TableRow, table=True):
    """A sentence of an event that is worth a dream's attention, found once, when the event arrived."""

    __tablename__ = "session_cues"
    __table_args__ = (same_tenant("session_cues", "session_id", "sessions"),)
    session_id: str = Field(primary_key=True, sa_type=Text)
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    start_char: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    end_char: int
    tenant_id: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    rule: str = Field(sa_type=Text)
    strength: float
    detector_version: int


class SessionTermsRow(TableRow, table=True):
    """The terms of one event that a person or an agent said: a term of several sessions is a theme. One row, not one a term."""

    __tablename__ = "session_terms"
    __table_args__ = (same_tenant("session_terms", "session_id", "sessions"),)
    session_id: str = Field(primary_key=True, sa_type=Text)
    position: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    tenant_id: str = Field(sa_type=Text)
    terms: list[str] = Field(sa_type=_TEXTS)
    detector_version: int


_EMPTY = {"server_default": ""}
_FEEDBACK_TABLES_NOW = {"server_default": func.now()}
_FEEDBACK_TABLES_TEXTS = ARRAY(Text)


class FeedbackRow(TableRow, table=True):
    """Feedback on an agent's work. Its session is named by its source's id and need not be here."""

    __tablename__ = "feedback"
    __table_args__ = (
        same_tenant("feedback", "store_id", "stores"),
        UniqueConstraint("store_id", "external_id", name="uq_feedback_external_id"),
        Index("ix_feedback_recent", "store_id", "occurred_at"),
        Index("ix_feedback_age", "tenant_id", "created_at"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    external_id: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    text: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    rating: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    subject: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    skill: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    session: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    rank: int = Field(default=3, sa_type=SmallInteger, sa_column_kwargs={"server_default": sql("3")})
    occurred_at: datetime = Field(sa_type=Moment, nullable=False)
    consumed_by: str | None = Field(default=None, sa_type=Text)
    consumed_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime | None = Field(
        default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_FEEDBACK_TABLES_NOW
    )


class WorkflowRunRow(TableRow, table=True):
    """One run of a workflow: its task, its steps and its outcome."""

    __tablename__ = "workflow_runs"
    __table_args__ = (
        same_tenant("workflow_runs", "store_id", "stores"),
        UniqueConstraint("store_id", "external_id", name="uq_workflow_runs_external_id"),
        Index("ix_workflow_runs_recent", "store_id", "occurred_at"),
        Index("ix_workflow_runs_age", "tenant_id", "created_at"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    external_id: str = Field(sa_type=Text)
    description: str = Field(sa_type=Text)
    steps: list[str] = Field(sa_type=_FEEDBACK_TABLES_TEXTS)
    outcome: str = Field(sa_type=Text)
    classification: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    error: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    skills: list[str] = Field(sa_type=_FEEDBACK_TABLES_TEXTS)
    session: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    occurred_at: datetime = Field(sa_type=Moment, nullable=False)
    consumed_by: str | None = Field(default=None, sa_type=Text)
    consumed_at: datetime | None = Field(default=None, sa_type=Moment)
    created_at: datetime | None = Field(
        default=None, sa_type=Moment, nullable=False, sa_column_kwargs=_FEEDBACK_TABLES_NOW
    )


class SkillUseRow(TableRow, table=True):
    """A use of a skill in a session, which is named by its source's id and need not be here."""

    __tablename__ = "skill_uses"
    __table_args__ = (
        same_tenant("skill_uses", "store_id", "stores"),
        Index("ix_skill_uses_recent", "store_id", "used_at"),
        Index("ix_skill_uses_age", "tenant_id", "used_at"),
    )
    store_id: str = Field(primary_key=True, sa_type=Text)
    skill: str = Field(primary_key=True, sa_type=Text)
    session: str = Field(primary_key=True, sa_type=Text)
    used_at: datetime = Field(primary_key=True, sa_type=Moment)
    tenant_id: str = tenant_column()
    created_at: datetime | None = Field(
        default=None, sa_type=Moment, nullable=False, sa_column_kwargs={"server_default": func.now()}
    )


class SearchLogRow(TableRow, table=True):
    """A search by an agent, and what it then read. The application has no right on it: `rows_of_search_log` reads it."""

    __tablename__ = "search_log"
    __table_args__ = (
        same_tenant("search_log", "store_id", "stores"),
        Index("ix_search_log_recent", "store_id", "asked_at"),
        Index("ix_search_log_age", "tenant_id", "asked_at"),
    )
    id: str = Field(primary_key=True, sa_type=Text)
    tenant_id: str = tenant_column()
    store_id: str = Field(sa_type=Text)
    key_id: str = Field(sa_type=Text)
    asked_at: datetime = Field(sa_type=Moment, nullable=False)
    week: date
    surface: str = Field(sa_type=Text)
    query: str = Field(sa_type=Text)
    shown: list[str] = Field(sa_type=_TEXTS)
    read_ids: list[str] = Field(sa_type=_TEXTS, sa_column_kwargs={"server_default": sql("'{}'::text[]")})
    outcome: str = Field(default="", sa_type=Text, sa_column_kwargs=_EMPTY)
    keep: float = Field(sa_column_kwargs={"server_default": sql("random()")})


def rows_of_search_log(store: BindParameter[str]) -> TableValuedAlias:
    """Return the rows of a store's log, with `row_place`, from the function that may read them."""
    table: Table = SearchLogRow.__table__  # type: ignore[attr-defined] # SQLModel's classes do not declare it
    columns = [column(one.name, one.type) for one in table.columns]
    return func.slowwave_read_searches(store).table_valued(column("row_place", Text), *columns, name=table.name)
